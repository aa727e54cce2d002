// What is kept in this browser and nowhere else. One that may keep nothing remembers until the page is left.

const here = new Map();

/** What was kept under a name, or something else if there is nothing, or not a thing of that sort. */
export function recall(name, otherwise) {
  const found = parsed(read(name));
  const fits = found !== null && typeof found === typeof otherwise && Array.isArray(found) === Array.isArray(otherwise);
  return fits ? found : otherwise;
}

export function keep(name, value) {
  const text = JSON.stringify(value);
  here.set(name, text);
  try {
    localStorage.setItem(name, text);
  } catch {
    // private windows and full disks: then only here
  }
}

export function forget(name) {
  here.delete(name);
  try {
    localStorage.removeItem(name);
  } catch {
    // then there was nothing
  }
}

function read(name) {
  try {
    return localStorage.getItem(name) ?? here.get(name) ?? null;
  } catch {
    return here.get(name) ?? null;
  }
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
