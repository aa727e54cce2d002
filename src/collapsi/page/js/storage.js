// Values stored in this browser only; in memory, where the browser may store nothing.

const memory = new Map();

/** Load a value; `otherwise` if there is none, or one of another type. */
export function load(name, otherwise) {
  const found = parsed(read(name));
  const fits = found !== null && typeof found === typeof otherwise && Array.isArray(found) === Array.isArray(otherwise);
  return fits ? found : otherwise;
}

export function store(name, value) {
  const text = JSON.stringify(value);
  memory.set(name, text);
  try {
    localStorage.setItem(name, text);
  } catch {
    // private window or full disk: only in memory
  }
}

export function remove(name) {
  memory.delete(name);
  try {
    localStorage.removeItem(name);
  } catch {
    // then nothing was stored
  }
}

function read(name) {
  try {
    return localStorage.getItem(name) ?? memory.get(name) ?? null;
  } catch {
    return memory.get(name) ?? null;
  }
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
