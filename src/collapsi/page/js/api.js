// Requests to the service, or to Python in the browser on the static site. All knowledge of the game comes through here.
// Failures of the service (status 5xx, no connection) are handled here for every view: the request stays pending and is retried,
// so the page keeps what it shows.

import { sentence } from "./dom.js";
import { showNotice } from "./notice.js";

/** Whether this is the static site, which answers its requests itself and has its state after #. */
export const alone = "alone" in document.documentElement.dataset;
// biome-ignore lint/correctness/noUnresolvedImports: `collapsi site` adds this file
const itself = alone ? import("./alone.js") : null;
const SILENT = "The service does not answer: is “collapsi serve” still running?";

const cache = new Map(); // by URL: requests whose answer never changes, pending ones too
const replaceable = new Map(); // by name: the pending request that a later one of that name aborts
const failed = new Set(); // requests that wait for a retry
const MAX_CACHED = 500;
const MAX_URL = 14_000; // the service takes heads of 16,384 bytes
const MAX_TRIES = 5; // automatic tries; then only "Try again" retries
const MAX_WAIT_SECONDS = 30; // between two tries, even if Retry-After is longer
let shows = 0; // the number of positions shown so far
let viewShown = "";

/** A refusal of the service; `silent` if there was no answer at all. `status` is that of HTTP, if there was one. */
export class Problem extends Error {
  constructor(message, silent = false, status = 0) {
    super(message);
    this.silent = silent;
    this.status = status;
  }
}

/** The message of a problem as a sentence; any other error is a fault of the page, and thrown again. */
export function problemText(error) {
  if (!(error instanceof Problem)) throw error;
  return sentence(error.message);
}

/**
 * Send a request. `fresh`: do not cache the answer. `instead`: abort a pending request of the same name.
 * A failed request is dropped when another position is shown; an `action` of the person only when the view changes.
 */
export async function ask(path, query = {}, { fresh = false, instead = null, action = false } = {}) {
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== "");
  const url = `api/v1/${path}?${new URLSearchParams(given)}`;
  if (!itself && url.length > MAX_URL)
    throw new Problem("this text is too long for the page: a game file can be longer, for “collapsi review”");
  const wanted = action ? { view: viewShown } : { show: shows };
  const known = fresh ? null : cache.get(url);
  if (known) {
    Object.assign(known.request, { show: undefined, view: undefined, ...wanted });
    return known.answer;
  }
  replaceable.get(instead)?.abort();
  const stop = new AbortController();
  if (instead) replaceable.set(instead, stop);
  const request = { url, signal: stop.signal, ...wanted };
  const answer = fetched(request, (response) => response.json());
  if (!fresh) {
    if (cache.size >= MAX_CACHED) cache.clear();
    cache.set(url, { request, answer });
    answer.catch(() => forget(request));
  }
  return answer;
}

function forget(request) {
  if (cache.get(request.url)?.request === request) cache.delete(request.url);
}

/** Send a request once, without a notice: a failure is a silent problem. What changes something is a POST. */
export async function askOnce(path, query, { method = "GET", signal = null } = {}) {
  const given = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== null && value !== undefined));
  const isPost = method === "POST";
  const url = `api/v1/${path}${isPost ? "" : `?${new URLSearchParams(given)}`}`;
  const sent = isPost ? { headers: { "Content-Type": "application/json" }, body: JSON.stringify(given) } : {};
  const tried = await tryOnce({ url, signal, method, sent }, (response) => response.json());
  if ("answer" in tried) return tried.answer;
  throw new Problem(tried.reason, true);
}

/** Stream the lines of an answer as they arrive, until it ends or the signal aborts. */
export async function* lines(path, query, signal) {
  const response = await fetched({ url: `api/v1/${path}?${new URLSearchParams(query)}`, signal }, (opened) => opened);
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
    reader.cancel().catch(() => {}); // closes the connection
  }
}

/** Drop failed requests for the position before: another one is going to be shown. */
export function moveOn(view) {
  shows += 1;
  viewShown = view;
  for (const request of failed) {
    if (isWanted(request)) continue;
    forget(request);
    request.again();
  }
}

const isWanted = ({ signal, show = shows, view = viewShown }) => !signal?.aborted && show === shows && view === viewShown;

/** Fetch an answer and read its body; retry failures as long as the request is wanted. */
async function fetched(request, read) {
  try {
    for (;;) {
      const tried = await tryOnce(request, read);
      if ("answer" in tried) return tried.answer;
      if (!itself && isWanted(request)) await nextTry(request, tried);
      if (itself || !isWanted(request)) throw new Problem(tried.reason, true);
    }
  } finally {
    if (failed.delete(request)) updateNotice();
  }
}

/** One try: the answer, or the reason of the failure and the seconds of Retry-After. Throws a refusal (status 4xx). */
async function tryOnce({ url, signal = null, ...options }, read) {
  try {
    const response = await (itself ? (await itself).answer(url, signal) : fetch(url, { signal, method: options.method, ...options.sent }));
    if (response.ok) return { answer: await read(response) };
    const { detail } = await response.json().catch(() => ({}));
    if (response.status < 500) throw new Problem(detail ?? `The service refused (${response.status}).`, false, response.status);
    const seconds = Number(response.headers.get("Retry-After"));
    return { reason: `The service cannot answer now: ${detail ?? `status ${response.status}`}`, seconds };
  } catch (error) {
    if (error instanceof Problem) throw error;
    return { reason: itself ? error.message : SILENT };
  }
}

/** Wait until a request is retried: after some seconds, on "Try again", or at once if it is dropped. */
async function nextTry(request, { reason, seconds }) {
  const tries = (request.tries ?? 0) + 1;
  const again = new Promise((resolve) => (request.again = resolve));
  Object.assign(request, { reason, tries });
  request.signal?.addEventListener("abort", request.again, { once: true });
  const wait = Math.min(seconds > 0 ? seconds : 2 ** (tries - 1), MAX_WAIT_SECONDS);
  const timer = tries < MAX_TRIES ? setTimeout(request.again, 1000 * wait) : null;
  failed.add(request);
  updateNotice();
  await again;
  clearTimeout(timer);
}

function updateNotice() {
  const open = [...failed];
  const trying = open.some(({ tries }) => tries < MAX_TRIES) ? "Waiting for the service … " : "";
  showNotice(open.length ? trying + sentence(open.at(-1).reason) : "", tryAgain);
}

function tryAgain() {
  for (const request of failed) {
    request.tries = 0;
    request.again();
  }
  updateNotice();
}

export const askPicture = (url) => fetched({ url, view: viewShown }, (response) => response.blob());

/** Load a picture into an image by its address; by a request on the static site, or if that fails. */
export function showPicture(image, url) {
  const fetchIt = async () => {
    try {
      image.src = URL.createObjectURL(await askPicture(url));
    } catch (problem) {
      problemText(problem); // the image has an alternative text
    }
  };
  if (alone) fetchIt();
  else {
    image.addEventListener("error", fetchIt, { once: true });
    image.src = url;
  }
  return image;
}

/** The address of a drawing; `path` is the prefix of the kind of game. */
export const drawingUrl = (path, query) => `api/v1/${path}drawing?${new URLSearchParams(query)}`;
