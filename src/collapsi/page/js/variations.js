// Moves and variations: the tree of all moves entered. A click goes to a move; a line can be promoted, deleted and commented.

import { $, make, refill, setText, withArrows } from "./dom.js";
import { MAX_TREE } from "./state.js";
import {
  add as addLine,
  find,
  fromService,
  isMain,
  isPlain,
  lineThrough,
  merge,
  pathTo,
  plant,
  promote,
  prune,
  ROOT,
  treeText,
} from "./tree.js";

const GLYPHS = ["", "!", "?", "!!", "??", "!?", "?!"];
const WRITE_MS = 400;
const MAX_INDENT = 6; // deeper variations are indented no further

export const isTooLong = (tree) => encodeURIComponent(tree).length > MAX_TREE;

const partOf = (app) => app.kind().part;
export const treeOf = (app) => app.trees[partOf(app)];

/** The node of the position shown. */
const here = (app) => find(treeOf(app), app.shown.moves.slice(0, app.shown.ply));

/**
 * Keep the line shown in the tree of its game. A game with another start has a tree of its own: the one of the link, or a new one.
 * `played`: the line shown is the game itself, and others are what might have been.
 */
export function keep(app, { played = false } = {}) {
  const { shown, state } = app;
  const part = partOf(app);
  let tree = app.trees[part];
  if (shown.tree) {
    const read = fromService(shown.start, shown.tree);
    if (tree?.start === shown.start) merge(tree, read);
    else tree = read;
    delete shown.tree;
    shown.game = [shown.start, ...shown.moves].join(" ");
    state[part] = shown.game;
  }
  if (tree?.start !== shown.start) tree = plant(shown.start);
  const end = addLine(tree, shown.moves);
  if (played) promote(tree, end, { all: true });
  app.trees = { ...app.trees, [part]: tree };
  state.tree = isPlain(tree) ? "" : treeText(tree);
}

/** Show the position after a node; the line goes on as it did. */
function goTo(app, index) {
  app.whenShown(() => {
    const moves = pathTo(treeOf(app), index);
    showLine(app, isOnLine(app, moves) ? app.shown.moves : lineThrough(treeOf(app), index), moves.length);
  });
}

function showLine(app, line, ply) {
  app.running = false;
  const game = [treeOf(app).start, ...line].join(" ");
  app.go({ [partOf(app)]: game, ply: ply === line.length ? null : ply }, { replace: true });
}

const isOnLine = ({ shown }, moves) => moves.every((move, index) => shown.moves[index] === move);

/** The line to show after a move at the position shown, and its ply: a move that is known goes on as it did. */
export function lineAfter(app, move) {
  const tree = treeOf(app);
  const moves = [...app.shown.moves.slice(0, app.shown.ply), move];
  const known = tree ? find(tree, moves) : null;
  const line = known === null ? moves : isOnLine(app, moves) ? app.shown.moves : lineThrough(tree, known);
  return { game: [app.shown.start, ...line].join(" "), ply: line.length === moves.length ? null : moves.length };
}

/** Go to the next or previous variation at the move shown; false if there is none. */
export function stepAside(app, by) {
  const tree = treeOf(app);
  const at = tree && app.has("tree") ? here(app) : ROOT;
  const { children } = tree?.nodes[tree.nodes[at]?.parent] ?? { children: [] };
  const next = children[children.indexOf(at) + by];
  if (next === undefined) return false;
  goTo(app, next);
  return true;
}

export function start(app) {
  $("tree-promote").addEventListener("click", () => app.whenShown(() => change(app, (tree, at) => promote(tree, at, { all: true }))));
  $("tree-delete").addEventListener("click", () => app.whenShown(() => remove(app)));
  let pause = 0;
  $("tree-comment").addEventListener("input", () => {
    treeOf(app).nodes[here(app)].comment = $("tree-comment").value.trim(); // kept at once; a URL may not change with every letter
    clearTimeout(pause);
    pause = setTimeout(() => app.busy || save(app), WRITE_MS);
  });
  $("tree-glyph").replaceChildren(...GLYPHS.map((glyph) => make("option", { value: glyph }, glyph || "none")));
  $("tree-glyph").addEventListener("change", () => change(app, (tree, at) => (tree.nodes[at].glyph = $("tree-glyph").value)));
}

/** Change the tree at the move shown, and write it to the URL. */
function change(app, act) {
  const tree = treeOf(app);
  act(tree, here(app));
  save(app);
}

function save(app) {
  const tree = treeOf(app);
  app.state.tree = isPlain(tree) ? "" : treeText(tree);
  app.writeUrl(true);
  app.update();
}

/** Delete the move shown and everything after it, and offer to put it back. */
function remove(app) {
  const tree = treeOf(app);
  const at = here(app);
  if (at === ROOT) return;
  const { parent, move } = tree.nodes[at];
  const line = app.shown.moves;
  const putBack = prune(tree, at);
  const undo = () => {
    putBack();
    showLine(app, line, line.length);
  };
  deleted = { text: `${withArrows(move)} and the moves after it are deleted.`, tree, undo };
  showLine(app, lineThrough(tree, parent), pathTo(tree, parent).length);
}

let deleted = null; // the last deletion, which can be undone
let drawn = {}; // the tree in the list: a step only moves the mark

/** Mark a move in the list, and scroll the list to it. */
function markHere(at) {
  const list = $("tree");
  list.querySelector("[aria-current]")?.removeAttribute("aria-current");
  const button = at === ROOT ? null : list.querySelector(`[data-key="${at}"]`);
  button?.setAttribute("aria-current", "step");
  const top = button?.offsetTop ?? 0;
  if (top < list.scrollTop || top + (button?.offsetHeight ?? 0) > list.scrollTop + list.clientHeight)
    list.scrollTop = top - list.clientHeight / 2;
}

export function update(app) {
  const tree = treeOf(app);
  const panel = $("tree-panel");
  panel.hidden = !app.has("tree") || !tree || (app.state.view !== "analyse" && isPlain(tree));
  if (panel.hidden) return;
  const at = here(app);
  const text = treeText(tree);
  if (drawn.tree !== tree || drawn.text !== text) refill($("tree"), ...rows(app, tree));
  drawn = { tree, text };
  markHere(at);
  const { comment, glyph, move } = tree.nodes[at];
  $("tree-promote").setAttribute("aria-disabled", isMain(tree, at));
  $("tree-delete").setAttribute("aria-disabled", at === ROOT);
  setText("tree-commented", move ? `Comment on ${withArrows(move)}` : "Comment on the start");
  if (document.activeElement !== $("tree-comment")) $("tree-comment").value = comment;
  $("tree-glyph").value = glyph;
  $("tree-glyph").disabled = at === ROOT;
  const parts = [];
  if (deleted?.tree === tree)
    parts.push(deleted.text, " ", make("button", { type: "button", "data-key": "undelete", onclick: undelete }, "Undo"));
  if (isTooLong(app.state.tree)) parts.push(" These variations are too long for a link: share them as a file.");
  refill($("tree-said"), ...parts);
}

function undelete() {
  const { undo } = deleted;
  deleted = null;
  undo();
}

/** The lines of the tree, each a row: the main line in pieces, and between them its variations, indented. */
function rows(app, tree) {
  const found = [];
  const numbered = (index, ply, isFirst) => button(app, tree, index, ply, isFirst);
  const ahead = [{ from: ROOT, ply: 0, depth: 0, begin: null }];
  while (ahead.length) {
    let { from, ply, depth, begin } = ahead.pop();
    const row = [];
    if (begin !== null) {
      row.push(...numbered(begin, ply, true));
    } else if (from === ROOT && tree.nodes[ROOT].comment) row.push(note(tree.nodes[ROOT].comment));
    let branches = [];
    for (;;) {
      const [main, ...others] = tree.nodes[from].children;
      if (main === undefined) break;
      ply += 1;
      row.push(...numbered(main, ply, !row.length));
      from = main;
      if (others.length) {
        branches = others;
        break;
      }
    }
    if (row.length) found.push(make("div", { class: "tree-line", "data-depth": Math.min(depth, MAX_INDENT) }, ...row));
    if (!branches.length) continue;
    ahead.push({ from, ply, depth, begin: null });
    for (const other of branches.toReversed()) ahead.push({ from: other, ply, depth: depth + 1, begin: other });
  }
  return found.length
    ? found
    : [make("p", { class: "note" }, "No moves yet. Play both sides on the board: a move that differs becomes a variation.")];
}

function button(app, tree, index, ply, isFirst) {
  const { move, comment, glyph } = tree.nodes[index];
  const text = `${withArrows(move)}${glyph}`;
  const act = { type: "button", "data-key": index, onclick: () => goTo(app, index) };
  const label = make("span", { class: "note" }, isFirst || ply % 2 ? `${ply}. ` : "");
  return [label, make("button", act, text), ...(comment ? [note(comment)] : [])];
}

const note = (comment) => make("span", { class: "comment" }, comment);
