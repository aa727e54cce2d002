// What the browser keeps between visits. One that may keep nothing remembers until the page is left.

const here = new Map();

export function recalls(name) {
  try {
    return localStorage.getItem(name) !== null;
  } catch {
    return here.get(name) ?? false;
  }
}

export function remember(name, yes = true) {
  here.set(name, yes);
  try {
    if (yes) localStorage.setItem(name, "1");
    else localStorage.removeItem(name);
  } catch {
    // Then not.
  }
}
