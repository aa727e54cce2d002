// Making and finding elements.

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

/** An element with attributes, listeners (`onclick`) and children; texts are only ever texts, never markup. */
export const make = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);

/** The same for parts of a picture. */
export const draw = (tag, attributes = {}, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

/** Replace what an element holds; the focus stays on the same thing (by `data-key`), or goes to its neighbour. */
export function refill(element, ...children) {
  const key = element.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  element.replaceChildren(...children);
  if (key === undefined) return;
  const again = element.querySelector(`[data-key="${CSS.escape(key)}"]`) ?? element.querySelector("button, input");
  (again ?? document.querySelector(".card[tabindex='0']")).focus();
}

/** Tell a field's own error, or take it back. */
export function tell(id, text) {
  $(id).textContent = text;
}

export const count = (number, one, many) => `${number} ${number === 1 ? one : many}`;
export const plies = (number) => count(number, "ply", "plies");
export const capital = (text) => text[0].toUpperCase() + text.slice(1);
/** A text as a sentence; the name of a square keeps its small letter. */
export const sentence = (text) => (/^[a-z]\d/.test(text) ? text : capital(text)) + (/[.?!]$/.test(text) ? "" : ".");
export const grouped = (number) => number.toLocaleString("en");
