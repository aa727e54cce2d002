// What is kept in this browser and nowhere else; where nothing may be kept, the page goes on without.

/** What was kept under a name, or something else if there is nothing, or not a thing of that sort. */
export function recall(name, otherwise) {
  try {
    const found = JSON.parse(localStorage.getItem(name));
    const fits = found !== null && typeof found === typeof otherwise && Array.isArray(found) === Array.isArray(otherwise);
    return fits ? found : otherwise;
  } catch {
    return otherwise;
  }
}

export function keep(name, value) {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // private windows and full disks: it lasts as long as the page
  }
}
