// The search as WebAssembly, for Python: tables that are written and read as numbers in a text, and functions that are called.

const WORDS = { tables_reach: Uint16Array, shift_grid: Int8Array }; // what a table consists of, if not ints of 64 bits

/** The kernels of a compiled module. */
export async function load(bytes) {
  const { instance } = await WebAssembly.instantiate(bytes, {});
  const { exports } = instance;
  const table = (name) =>
    new (WORDS[name] ?? BigInt64Array)(exports.memory.buffer, exports[name](), Number(exports[`${name}_words`]()));
  const number = (name) => (name in WORDS ? Number : BigInt);
  return {
    /** Write numbers to the beginning of a table. */
    put(name, text) {
      table(name).set(text.split(" ").map(number(name)));
    },
    /** Set bits in a table: an index and the bits, again and again. */
    mark(name, text) {
      const [words, given] = [table(name), text.split(" ").map(Number)];
      for (let at = 0; at < given.length; at += 2) words[given[at]] |= given[at + 1];
    },
    get: (name, count) => table(name).subarray(0, count).join(" "),
    clear: (name) => void table(name).fill(number(name)(0)),
    call: (name, ...numbers) => exports[name](...numbers),
  };
}
