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

/** Tell a field's own error, or take it back. */
export function tell(id, text) {
  $(id).textContent = text;
}

export const count = (number, one, many) => `${number} ${number === 1 ? one : many}`;
export const plies = (number) => count(number, "ply", "plies");
export const capital = (text) => text[0].toUpperCase() + text.slice(1);
export const grouped = (number) => number.toLocaleString("en");
