// Python, the library and the search, in a worker: the page never waits for it. Questions are answered one after another.

import { loadPyodide } from "./pyodide/pyodide.mjs";
import { load } from "./kernels.js";

const waiting = [];
let answering = null;

self.addEventListener("message", ({ data }) => {
  if ("forget" in data) {
    const at = waiting.findIndex(({ number }) => number === data.forget);
    if (at >= 0) waiting.splice(at, 1);
    return;
  }
  waiting.push(data);
  if (answering) setTimeout(answerNext); // what is forgotten meanwhile is not answered
});

function answerNext() {
  const asked = waiting.shift();
  if (!asked) return;
  const found = answering.answer(asked.path, asked.query);
  const [status, media, body] = found.toJs();
  found.destroy();
  postMessage({ number: asked.number, status, media, body });
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
  while (waiting.length) answerNext();
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
