// Python, the library and the search, in a worker: the page never waits for it. Questions are answered one after another; those
// whose answers get better and better take turns, a step each, and only while nobody else waits.

import { load } from "./kernels.js";
import { loadPyodide } from "./pyodide/pyodide.mjs";

const LINES = "application/x-ndjson";
const waiting = [];
const deepening = []; // questions that are being thought about, with their answers to come
let answering = null;
let busy = false; // whether there is a next turn already
let hasTables = false; // whether the tables that one question needs are there
const NEEDS_TABLES = "similar";

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
  const next = () => waiting.findIndex(({ path }) => hasTables || path !== NEEDS_TABLES);
  if (busy || !answering || !(next() >= 0 || deepening.length)) return;
  busy = true;
  setTimeout(() => {
    busy = false;
    const at = next();
    if (at >= 0) answer(waiting.splice(at, 1)[0]);
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

const TOTAL = Number("@BYTES@"); // what is loaded before the first answer
const WASM = "application/wasm";
const here = (name) => new URL(name, import.meta.url).href;
const fail = (error) => postMessage({ failure: error.message });
const plain = self.fetch;
let loaded = 0;

/** Fetch a file of the page and count what has come; a packed one is unpacked. */
async function fetched(name) {
  const response = await plain(here(name));
  if (!response.ok) throw new Error(`${new URL(response.url).pathname}: ${response.status}`);
  const counted = response.body.pipeThrough(
    new TransformStream({
      transform(chunk, stream) {
        loaded += chunk.length;
        postMessage({ loaded, total: TOTAL });
        stream.enqueue(chunk);
      },
    }),
  );
  const body = name.endsWith(".packed") ? counted.pipeThrough(new DecompressionStream("gzip")) : counted;
  return new Response(body, { headers: { "Content-Type": name.includes(".wasm") ? WASM : "" } });
}

const bytes = async (name) => (await fetched(name)).arrayBuffer();

/** Pyodide fetches its files itself. It waits for ever for a missing file, so the failure is reported here. */
self.fetch = async (file, ...options) => {
  const name = String(file?.url ?? file).split("/pyodide/")[1];
  if (!name) return plain(file, ...options);
  try {
    return await fetched(`pyodide/${name}${name.endsWith(".wasm") ? ".packed" : ""}`);
  } catch (error) {
    fail(error);
    throw error;
  }
};

async function start() {
  const library = bytes("collapsi.zip");
  const compiled = bytes("kernels.wasm").then(load, () => null); // a page may be made without it
  const script = new Blob([await bytes("pyodide/pyodide.asm.mjs.packed")], { type: "text/javascript" });
  const { default: createPyodideModule } = await import(URL.createObjectURL(script));
  const stdLibURL = here("pyodide/python_first.zip");
  const python = await loadPyodide({ indexURL: here("pyodide/"), stdLibURL, createPyodideModule });
  const folder = python.runPython("import site; site.getsitepackages()[0]");
  python.unpackArchive(await library, "zip", { extractDir: folder });
  const room = await compiled;
  answering = python.pyimport("collapsi.site.answering");
  const warning = answering.start(room ?? undefined);
  postMessage({ ready: true, warning });
  takeTurns();
  python.unpackArchive(await bytes("tables.zip"), "zip", { extractDir: folder });
  hasTables = true;
  takeTurns();
  completeLibrary(python, await bytes("pyodide/python_stdlib.zip"));
}

/** Add the modules of the standard library that the first answers did not need. */
function completeLibrary(python, archive) {
  python.FS.writeFile("/lib/python_stdlib.zip", new Uint8Array(archive));
  python.runPython(`
import sys
first = next(path for path in sys.path if path.endswith(".zip"))
sys.path.insert(sys.path.index(first) + 1, "/lib/python_stdlib.zip")
for module in list(sys.modules.values()):
    for path in list(getattr(module, "__path__", ())):
        if path.startswith(first):
            module.__path__.append(path.replace(first, "/lib/python_stdlib.zip", 1))
`);
}

start().catch(fail);
