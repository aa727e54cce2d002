// The search as WebAssembly, for Python: tables that are written and read as numbers in a text, and functions that are called.

const WORDS = { tables_reach: Uint16Array, shift_grid: Int8Array }; // what a table consists of, if not ints of 64 bits
const BYTES = 8; // of a word, where tables have an address
const PAGE = 65536; // bytes by which the memory grows

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
    /** The address of so many words more. */
    more(words) {
      const address = exports.memory.buffer.byteLength;
      exports.memory.grow(Math.ceil((words * BYTES) / PAGE));
      return address;
    },
    write: (address, text) => new BigInt64Array(exports.memory.buffer, address).set(text.split(" ").map(BigInt)),
    read: (address, count) => new BigInt64Array(exports.memory.buffer, address, count).join(" "),
    blank: (address, count) => void new Uint8Array(exports.memory.buffer, address, count * BYTES).fill(0),
    call: (name, ...numbers) => exports[name](...numbers),
  };
}
