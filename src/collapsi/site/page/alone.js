// The page without a service: Python in a web worker answers, and until it is there, what was kept when the page was made.

import { $, make } from "./dom.js";
import { kept } from "./first.js";

const LINES = "application/x-ndjson"; // answers that get better and better
const questions = new Map(); // those under way, by number
const streams = new Map(); // those whose answers are on their way, by number
let number = 0;
let ready = false;
let failure = null;

const notice = make("p", { id: "loading", class: "note", role: "status" }, "Loading …");
$("turn").after(notice);

const worker = new Worker(new URL("../worker.js", import.meta.url), { type: "module" });
worker.addEventListener("message", ({ data }) => {
  if ("line" in data) return hear(data);
  if ("number" in data) return settle(data);
  if (data.failure) return fail(data.failure);
  ready = data.ready;
  notice.textContent = data.said;
  notice.hidden = ready && !data.warning;
  if (ready) keepForOffline();
});
worker.addEventListener("error", (event) => fail(event.message ?? "the worker stopped"));

function settle({ number: which, status, media, body }) {
  const question = questions.get(which);
  if (!question) return; // nobody waits for it any more
  questions.delete(which);
  question.resolve(new Response(media === LINES ? lines(which) : body, { status, headers: { "Content-Type": media } }));
}

/** The lines of an answer as they come; who wants no more cancels it. */
function lines(which) {
  const start = (stream) => streams.set(which, stream);
  return new ReadableStream({ start, cancel: () => forget(which) });
}

function hear({ number: which, line }) {
  const stream = streams.get(which);
  if (line !== null) return stream?.enqueue(new TextEncoder().encode(`${line}\n`));
  stream?.close();
  streams.delete(which);
}

/** Nobody wants to know any more. */
function forget(which) {
  worker.postMessage({ forget: which });
  questions.delete(which);
  streams.delete(which);
}

/** Nothing can be answered any more: say why. */
function fail(reason) {
  failure = new Error(`The solver could not be loaded (${reason}). Is this browser too old, or the connection gone?`);
  notice.textContent = failure.message;
  notice.hidden = false;
  for (const { reject } of questions.values()) reject(failure);
  questions.clear();
  for (const stream of streams.values()) stream.error(failure);
  streams.clear();
}

/** The answer to a question, given as the address that a service would be asked at. */
export async function answer(url, signal = null) {
  const { pathname, searchParams: query } = new URL(url, location.href);
  const path = pathname.slice(pathname.indexOf("api/v1/") + "api/v1/".length);
  const known = keptAnswer(path, query);
  if (known) return Response.json(known);
  if (failure) throw failure;
  return new Promise((resolve, reject) => {
    const which = ++number;
    questions.set(which, { resolve, reject });
    signal?.addEventListener("abort", () => {
      streams.get(which)?.error(signal.reason);
      forget(which);
      reject(signal.reason);
    });
    worker.postMessage({ number: which, path, query: query.toString() });
  });
}

/** What was kept: what there is to choose from, and some deals, so that there is a board before there is Python. */
function keptAnswer(path, query) {
  if (path === "about") return kept.about;
  if (path === "deal" && !query.size && !ready) return kept.deals[Math.floor(Math.random() * kept.deals.length)];
  if (path === "game" && query.size === 1) return kept.games[query.get("game")?.replaceAll("_", " ")];
  return null;
}

/** From now on the page is there without a network too. In some frames that is not allowed; then it is not. */
function keepForOffline() {
  navigator.serviceWorker?.register(new URL("offline.js", document.baseURI)).catch(() => {});
}
