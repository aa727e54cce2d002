// The kernels as WebAssembly, for Python: tables, written and read as numbers in a text, and functions.

const WORDS = { tables_reach: Uint16Array, shift_grid: Int8Array }; // the element type of a table, if not 64-bit integers
const BYTES = 8; // per word of allocated memory
const PAGE = 65536; // bytes by which the memory grows

/** Instantiate the kernels of a compiled module. */
export async function load(bytes) {
  const { instance } = await WebAssembly.instantiate(bytes, {});
  const { exports } = instance;
  const table = (name) => new (WORDS[name] ?? BigInt64Array)(exports.memory.buffer, exports[name](), Number(exports[`${name}_words`]()));
  const number = (name) => (name in WORDS ? Number : BigInt);
  return {
    /** Write numbers to the beginning of a table. */
    put(name, text) {
      table(name).set(text.split(" ").map(number(name)));
    },
    /** Set bits in a table, given as pairs of index and bits. */
    mark(name, text) {
      const [words, given] = [table(name), text.split(" ").map(Number)];
      for (let at = 0; at < given.length; at += 2) words[given[at]] |= given[at + 1];
    },
    get: (name, count) => table(name).subarray(0, count).join(" "),
    clear: (name) => void table(name).fill(number(name)(0)),
    /** Allocate words of memory and return their address. */
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
