// Questions to the service, or to the page itself where it has none. All that the page knows of the game comes through here.

/** Whether the page answers itself: then it is a folder of files, and its state stands after #. */
export const alone = "alone" in document.documentElement.dataset;
const itself = alone ? import("./alone.js") : null;
const SILENT = "The service does not answer: is “collapsi serve” still running?";

const kept = new Map(); // answers that never change, also those on their way: what is asked twice is fetched once
const under = new Map(); // questions under way that a later one of the same name takes the place of
const MOST_KEPT = 500;
const MOST_TRIES = 5;

/** An answer that was refused, or none at all: then `silent`. */
export class Problem extends Error {
  constructor(message, silent = false) {
    super(message);
    this.silent = silent;
  }
}

/** Ask; `fresh` is for what may be another answer next time; of questions `instead` of each other only the last is waited for. */
export async function ask(path, query = {}, { fresh = false, instead = null } = {}) {
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== "");
  const url = `api/v1/${path}?${new URLSearchParams(given)}`;
  if (!fresh && kept.has(url)) return kept.get(url);
  under.get(instead)?.abort();
  const stop = new AbortController();
  if (instead) under.set(instead, stop);
  const answer = fetched(url, stop.signal).then((response) => response.json());
  if (!fresh) {
    if (kept.size >= MOST_KEPT) kept.clear();
    kept.set(url, answer);
    answer.catch(() => kept.delete(url));
  }
  return answer;
}

/** Answers that come one after the other, a line each, until the service has no more or the signal says stop. */
export async function* lines(path, query, signal) {
  const response = await fetched(`api/v1/${path}?${new URLSearchParams(query)}`, signal);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let begun = "";
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const parts = (begun + value).split("\n");
      begun = parts.pop();
      for (const text of parts) yield JSON.parse(text);
    }
  } catch (problem) {
    if (problem instanceof SyntaxError) throw problem;
    throw new Problem("The service does not answer any more.", true);
  } finally {
    reader.cancel().catch(() => {}); // who wants no more hangs up
  }
}

async function fetched(url, signal = null, tries = MOST_TRIES) {
  let response;
  try {
    response = await (itself ? (await itself).answer(url, signal) : fetch(url, { signal }));
  } catch (error) {
    throw new Problem(itself ? error.message : SILENT, true);
  }
  if (response.ok) return response;
  if (response.status === 503 && tries > 1) {
    // Too much of a kind at once: it says when to ask again.
    await new Promise((resolve) => setTimeout(resolve, 1000 * (Number(response.headers.get("Retry-After")) || 1)));
    return fetched(url, signal, tries - 1);
  }
  const answer = await response.json().catch(() => ({}));
  throw new Problem(answer.detail ?? `The service refused (${response.status}).`);
}

export const askPicture = async (url) => (await fetched(url)).blob();

/** Show a picture in an image; without a service there is nobody who could be asked for it by its address. */
export function showPicture(image, url) {
  if (alone) askPicture(url).then((blob) => (image.src = URL.createObjectURL(blob)));
  else image.src = url;
  return image;
}

export const drawingUrl = (query) => `api/v1/drawing?${new URLSearchParams(query)}`;
export const bigDrawingUrl = (query) => `api/v1/big/drawing?${new URLSearchParams(query)}`;
export const soloDrawingUrl = (query) => `api/v1/solo/drawing?${new URLSearchParams(query)}`;
