// The tree of a game: all moves that were entered, with comments. The service reads its text; here it is edited and written.
//
// A tree has nodes; node 0 is the start. A node has a parent, a move, a comment, a glyph, and its children: the main continuation first.

export const ROOT = 0;
const MAX_NODES = 5000; // as the service

const node = (parent, move, comment = "", glyph = "") => ({ parent, move, comment, glyph, children: [] });

/** A tree with one line. */
export function plant(start, moves = []) {
  const tree = { start, nodes: [node(-1, "")] };
  add(tree, moves);
  return tree;
}

/** The tree that the service has read. */
export function fromService(start, moves) {
  const tree = { start, nodes: moves.map((one) => node(one.parent, one.move, one.comment, one.glyph)) };
  tree.nodes.forEach((one, index) => {
    if (index) tree.nodes[one.parent].children.push(index);
  });
  return tree;
}

/** Add a line from the start; the index of its last move, or of the last one that has room. */
export function add(tree, moves) {
  return moves.reduce((at, move) => addMove(tree, at, move), ROOT);
}

function addMove(tree, at, move) {
  const known = child(tree, at, move);
  if (known !== null) return known;
  if (tree.nodes.length > MAX_NODES) return at;
  tree.nodes.push(node(at, move));
  tree.nodes[at].children.push(tree.nodes.length - 1);
  return tree.nodes.length - 1;
}

/** Add all lines and notes of another tree with the same start. */
export function merge(tree, other) {
  const found = [ROOT]; // by index of the other tree, whose nodes stand after their parents
  other.nodes.forEach((one, index) => {
    const at = index ? addMove(tree, found[one.parent], one.move) : ROOT;
    found[index] = at;
    tree.nodes[at].comment ||= one.comment;
    tree.nodes[at].glyph ||= one.glyph;
  });
}

const child = (tree, at, move) => tree.nodes[at].children.find((index) => tree.nodes[index].move === move) ?? null;

/** The index of the node after these moves, or null. */
export function find(tree, moves) {
  let at = ROOT;
  for (const move of moves) {
    at = child(tree, at, move);
    if (at === null) return null;
  }
  return at;
}

/** The moves from the start to a node. */
export function pathTo(tree, index) {
  const moves = [];
  for (let at = index; at !== ROOT; at = tree.nodes[at].parent) moves.unshift(tree.nodes[at].move);
  return moves;
}

/** The moves from the start through a node to the end of its line. */
export function lineThrough(tree, index) {
  const moves = pathTo(tree, index);
  for (let [next] = tree.nodes[index].children; next !== undefined; [next] = tree.nodes[next].children) moves.push(tree.nodes[next].move);
  return moves;
}

/** Whether a node is on the main line. */
export function isMain(tree, index) {
  for (let at = index; at !== ROOT; at = tree.nodes[at].parent) if (tree.nodes[tree.nodes[at].parent].children[0] !== at) return false;
  return true;
}

/** Make the variation of a node the main continuation where it branches off; all of them up to the start if `all`. */
export function promote(tree, index, { all = false } = {}) {
  for (let at = index; at !== ROOT; at = tree.nodes[at].parent) {
    const siblings = tree.nodes[tree.nodes[at].parent].children;
    if (siblings[0] === at) continue;
    siblings.splice(siblings.indexOf(at), 1);
    siblings.unshift(at);
    if (!all) return;
  }
}

/** Remove a node and everything after it; a function that puts it back. */
export function prune(tree, index) {
  const siblings = tree.nodes[tree.nodes[index].parent].children;
  const place = siblings.indexOf(index);
  siblings.splice(place, 1);
  return () => siblings.splice(place, 0, index);
}

/** Whether there is only one line, and nothing is written about it. */
export const isPlain = (tree) => !reachable(tree).some(({ children, comment, glyph }) => children.length > 1 || comment || glyph);

function reachable(tree) {
  const found = [];
  const ahead = [ROOT];
  while (ahead.length) {
    const one = tree.nodes[ahead.pop()];
    found.push(one);
    ahead.push(...one.children);
  }
  return found;
}

const escaped = (comment) => comment.replaceAll("\\", "\\\\").replaceAll("}", "\\}").replaceAll("\n", "\\n");

/** The text of a tree, as the service reads it. */
export function treeText(tree) {
  const words = ({ move, comment, glyph }) => [...(move ? [move + glyph] : []), ...(comment ? [`{${escaped(comment)}}`] : [])];
  const written = [tree.start];
  const ahead = [ROOT, ...words(tree.nodes[ROOT])]; // in reverse; a number stands for everything after that node
  let opening = "";
  while (ahead.length) {
    const entry = ahead.pop();
    if (entry === "(") opening = "(";
    else if (entry === ")") written[written.length - 1] += ")";
    else if (typeof entry === "string") {
      written.push(opening + entry);
      opening = "";
    } else {
      const [main, ...others] = tree.nodes[entry].children;
      if (main === undefined) continue;
      const coming = words(tree.nodes[main]);
      for (const other of others) coming.push("(", ...words(tree.nodes[other]), other, ")");
      ahead.push(...[...coming, main].reverse());
    }
  }
  return written.join(" ");
}
