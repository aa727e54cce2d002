// Python, the library and the search, in a worker: the page never waits for it. Questions are answered one after another; those
// whose answers get better and better take turns, a step each, and only while nobody else waits.

import { load } from "./kernels.js";
import { loadPyodide } from "./pyodide/pyodide.mjs";

const LINES = "application/x-ndjson";
const waiting = [];
const deepening = []; // questions that are being thought about, with their answers to come
let answering = null;
let busy = false; // whether there is a next turn already

self.addEventListener("message", ({ data }) => {
  if ("forget" in data) {
    const at = waiting.findIndex(({ number }) => number === data.forget);
    if (at >= 0) waiting.splice(at, 1);
    const thought = deepening.findIndex(({ number }) => number === data.forget);
    if (thought >= 0) deepening.splice(thought, 1)[0].lines.destroy();
    return;
  }
  waiting.push(data);
  takeTurns();
});

/** Answer a question, or think a step further; and again, when what came meanwhile has been heard. */
function takeTurns() {
  if (busy || !answering || !(waiting.length || deepening.length)) return;
  busy = true;
  setTimeout(() => {
    busy = false;
    if (waiting.length) answer(waiting.shift());
    else if (deepening.length) think(deepening.shift());
    takeTurns();
  });
}

function answer({ number, path, query }) {
  const found = answering.answer(path, query);
  const [status, media, body] = found.toJs();
  found.destroy();
  postMessage({ number, status, media, body });
  if (media === LINES) deepening.push({ number, lines: answering.lines(path, query) });
}

function think({ number, lines }) {
  const { value, done } = lines.next();
  if (!done) deepening.push({ number, lines });
  else lines.destroy();
  postMessage({ number, line: done ? null : value });
}

const say = (said) => postMessage({ said, ready: false });
const here = (name) => new URL(name, import.meta.url).href;

async function fetched(name) {
  const response = await fetch(here(name));
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  return response.arrayBuffer();
}

async function start() {
  say("Loading Python, some 13 MB the first time …");
  const library = fetched("collapsi.zip");
  const compiled = fetched("kernels.wasm").then(load, () => null); // a page may be made without it
  const python = await loadPyodide({ indexURL: here("pyodide/") });
  say("Loading the rules and the solver …");
  const folder = python.runPython("import site; site.getsitepackages()[0]");
  python.unpackArchive(await library, "zip", { extractDir: folder });
  const room = await compiled;
  answering = python.pyimport("collapsi.site.answering");
  const warning = answering.start(room ?? undefined);
  postMessage({ ready: true, said: warning, warning });
  takeTurns();
}

const fail = (error) => postMessage({ failure: error.message });

/** As `fetch`; but Pyodide waits for ever if one of its own files does not come, so that is told here. */
const plain = self.fetch;
self.fetch = async (file, ...options) => {
  const needed = String(file?.url ?? file).includes("/pyodide/");
  const response = await plain(file, ...options).catch((error) => {
    if (needed) fail(error);
    throw error;
  });
  if (needed && !response.ok) fail(new Error(`${new URL(response.url).pathname}: ${response.status}`));
  return response;
};

start().catch(fail);
