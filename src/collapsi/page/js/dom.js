// Make and find elements, and format texts.

export const $ = (id) => document.getElementById(id);

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** An element with attributes, listeners (`onclick`) and children; a text is never read as markup. */
export const make = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);

/** The same for elements of an SVG picture. */
export const draw = (tag, attributes = {}, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

/** Replace the children of an element; the focus stays on the child with the same `data-key`, or goes to the first control. */
export function refill(element, ...children) {
  const key = element.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  element.replaceChildren(...children);
  if (key === undefined) return;
  const again = element.querySelector(`[data-key="${CSS.escape(key)}"]`) ?? element.querySelector("button, input, select");
  (again ?? document.querySelector(".card[tabindex='0']")).focus();
}

const filled = new WeakMap(); // the keys of a list's rows

/** Refill a list from pairs of a key and a function that makes the row, if the keys differ: then nothing moves under the pointer. */
export function refillChanged(element, rows) {
  const keys = rows.map(([key]) => key).join("\n");
  if (filled.get(element) === keys) return;
  filled.set(element, keys);
  refill(element, ...rows.map(([, row]) => row()));
}

/** Run an action on a click, but not again on the second click of a double click. */
export const onClick = (id, act) => $(id).addEventListener("click", (event) => event.detail > 1 || act());

/** Set the text of an element. */
export function setText(id, text) {
  $(id).textContent = text;
}

export const count = (number, one, many) => `${number} ${number === 1 ? one : many}`;
/** A number of moves, counting both players. */
export const plies = (number) => count(number, "move", "moves");
/** A text of the service for players, who count moves. */
export const inMoves = (text) => text.replace(/\bplies\b/g, "moves").replace(/\bply\b/g, "move");
const ARROWS = { r: "→", l: "←", d: "↓", u: "↑" };
/** Moves in a text with arrows for their shifts: a2→ for a2r. */
export const withArrows = (text) => text.replace(/\b([a-h]\d)([rldu])\b/g, (_, square, shift) => square + ARROWS[shift]);
export const capital = (text) => text[0].toUpperCase() + text.slice(1);
/** A text as a sentence; the name of a square keeps its small letter. */
export const sentence = (text) => inMoves((/^[a-z]\d/.test(text) ? text : capital(text)) + (/[.?!]$/.test(text) ? "" : "."));
export const grouped = (number) => number.toLocaleString("en");
