// The page without a service: Python in a web worker answers, and until it is there, what was kept when the page was made.

import { $, make } from "./dom.js";

const LINES = "application/x-ndjson"; // answers that get better and better
const questions = new Map(); // those under way, by number
const streams = new Map(); // those whose answers are on their way, by number
let number = 0;
let ready = false;
let failure = null;

const bar = make("progress", { "aria-label": "Loading the solver" });
const said = make("span", {}, "Loading …");
const announced = make("span", { role: "alert" }); // screen readers announce it; progress, which changes all the time, they do not
const notice = make("p", { id: "loading", class: "note" }, said, " ", bar, announced);
$("place").after(notice); // below the board, which stays where it is when the notice goes

const kept = await keptAnswers().catch(() => ({ deals: [], answers: {} })); // before the worker: on a slow line its files would take their place
const worker = new Worker(new URL("../worker.js", import.meta.url), { type: "module" });
worker.addEventListener("message", ({ data }) => {
  if ("line" in data) return hear(data);
  if ("number" in data) return settle(data);
  if (data.failure) return fail(data.failure);
  if ("loaded" in data) return showProgress(data);
  ready = true;
  say(data.warning);
  keepForOffline();
});
worker.addEventListener("error", (event) => fail(event.message ?? "the worker stopped"));

/** What was kept when the page was made: some deals, and answers by their question. */
async function keptAnswers() {
  const response = await fetch(new URL("../first.json.packed", import.meta.url));
  return new Response(response.body.pipeThrough(new DecompressionStream("gzip"))).json();
}

const megabytes = (bytes) => (bytes / 1e6).toFixed(1);

/** How much of the solver has come. */
function showProgress({ loaded, total }) {
  if (ready || failure) return;
  const isAll = loaded >= total;
  bar.max = total;
  bar.value = Math.min(loaded, total);
  said.textContent = isAll ? "Starting the solver …" : `Loading the solver: ${megabytes(loaded)} of ${megabytes(total)} MB`;
}

/** Say something in place of the progress; nothing hides it. */
function say(text) {
  bar.hidden = said.hidden = true;
  announced.textContent = text;
  notice.hidden = !text;
}

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
  say(failure.message);
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

/** What was kept, so that there is a board, and a first reply, before there is Python. Later deals and replies vary. */
function keptAnswer(path, query) {
  if (ready && (path === "deal" || path === "computer-move")) return null;
  if (path === "deal" && !query.size) return kept.deals[Math.floor(Math.random() * kept.deals.length)];
  return kept.answers[`${path}?${query}`.replaceAll("_", "+")];
}

/** From now on the page is there without a network too. In some frames that is not allowed; then it is not. */
function keepForOffline() {
  navigator.serviceWorker?.register(new URL("offline.js", document.baseURI)).catch(() => {});
}
