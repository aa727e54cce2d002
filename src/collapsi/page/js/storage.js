// Values stored in this browser only. What the browser does not store (private window, full storage) is held until the page is closed.

const UNSTORED =
  "This browser stores nothing more (private window, or full storage): what is new here is kept only until you close the page. Download what you want to keep.";

const held = new Map(); // by name: the text that the browser did not store

/** Load a value; `otherwise` if there is none, or one of another type. */
export function load(name, otherwise) {
  const found = parsed(read(name));
  const fits = found !== null && typeof found === typeof otherwise && Array.isArray(found) === Array.isArray(otherwise);
  return fits ? found : otherwise;
}

export function store(name, value) {
  const text = JSON.stringify(value);
  try {
    localStorage.setItem(name, text);
    held.delete(name);
  } catch {
    held.set(name, text);
  }
  report();
}

export function remove(name) {
  held.delete(name);
  try {
    localStorage.removeItem(name);
  } catch {
    // then nothing was stored
  }
  report();
}

/** Say in the panels that list what is stored if something is not. */
function report() {
  for (const note of document.querySelectorAll(".unstored")) note.textContent = held.size ? UNSTORED : "";
}

function read(name) {
  if (held.has(name)) return held.get(name);
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
