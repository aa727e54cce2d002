// Editor: lay any position; the service says live what is wrong with it.

import { ask, Problem } from "./api.js";
import { SQUARES } from "./board.js";
import { $, capital, make, sentence } from "./dom.js";

const TOOLS = [["A", "Ace"], ["2", "2"], ["3", "3"], ["4", "4"], ["J", "Jack"], [".", "Collapsed"], ["r", "Red pawn"], ["b", "Blue pawn"]];

let tool = "A";

export function start(app) {
  $("tools").append(
    ...TOOLS.map(([name, text]) => make("button", { type: "button", "data-tool": name, onclick: () => choose(name) }, text)),
  );
  choose(tool);
  const change = (parts) => write(app, { ...read(app), ...parts });
  $("edit-side").addEventListener("change", () => change({ side: $("edit-side").value }));
  $("edit-rules").addEventListener("change", () => change({ rules: $("edit-rules").value }));
  $("edit-clear").addEventListener("click", () => change({ cells: Array(16).fill(".") }));
  $("edit-reset").addEventListener("click", () => app.go({ draft: null }));
  $("edit-analyse").addEventListener("click", () => app.go({ game: format(read(app)), ply: null, match: null, view: "analyse", hints: true }));
  $("edit-play").addEventListener("click", () => app.go({ game: format(read(app)), ply: null, match: null, view: "play", hints: false }));
  $("board").addEventListener("keydown", (event) => {
    if (app.state.view !== "edit" || event.ctrlKey || event.metaKey || event.altKey) return;
    const name = laidBy(event.key);
    const square = event.target.dataset.square;
    if (name && square) lay(app, square, name);
  });
}

/** What a key lays: B and b are the pawn, a and A the ace. */
const laidBy = (key) => TOOLS.map(([name]) => name).find((name) => name.toLowerCase() === key.toLowerCase());

function choose(name) {
  tool = name;
  for (const button of $("tools").children) button.setAttribute("aria-pressed", button.dataset.tool === name);
}

/** What is being laid: sixteen cells as they are written (`A`, `2r`, `.`), the side to move, the rules. */
function read(app) {
  const parse = (text) => /^((?:[A234J.][rb]?\/?){16}) ([rb])(?: (joker|standard))?$/.exec(text.replaceAll("_", " "));
  const [, rows, side, rules = "standard"] = parse(app.state.draft ?? "") ?? parse(app.shown.position);
  return { cells: rows.match(/[A234J.][rb]?/g), side, rules };
}

function format({ cells, side, rules }) {
  const rows = [0, 4, 8, 12].map((start) => cells.slice(start, start + 4).join(""));
  return `${rows.join("/")} ${side}${rules === "standard" ? "" : ` ${rules}`}`;
}

const write = (app, parts) => app.go({ draft: format(parts) }); // each change can be taken back with Back

/** Lay a card, collapse a square, or move a pawn there (a pawn is on one square only). */
export function lay(app, square, what = tool) {
  const parts = read(app);
  const cell = SQUARES.indexOf(square);
  const pawns = (text) => text.slice(1);
  let cells = [...parts.cells];
  if (what === "r" || what === "b") {
    const here = pawns(cells[cell]) === what;
    cells = cells.map((text) => text[0] + pawns(text).replace(what, ""));
    if (!here) cells[cell] = cells[cell][0] + what; // in place of the other pawn, if that stood there
  } else {
    cells[cell] = what + pawns(cells[cell]);
  }
  write(app, { ...parts, cells });
}

export async function update(app) {
  const parts = read(app);
  const names = { r: "red", b: "blue" };
  app.board.show(
    parts.cells.map((text, cell) => ({
      square: SQUARES[cell],
      card: text[0] === "." ? null : text[0],
      pawn: names[text[1]] ?? null,
    })),
    { toMove: names[parts.side], flip: app.state.flip },
  );
  $("edit-side").value = parts.side;
  $("edit-rules").value = parts.rules;
  $("edit-text").textContent = format(parts);
  const ticket = app.ticket;
  const verdict = await judge(format(parts));
  if (ticket !== app.ticket) return;
  $("edit-verdict").className = verdict.error ? "wrong" : verdict.warnings.length ? "" : "fine";
  $("edit-verdict").replaceChildren(...verdict.lines.map((line) => make("p", {}, line)));
  $("edit-analyse").disabled = $("edit-play").disabled = verdict.error;
}

async function judge(text) {
  try {
    const read_ = await ask("game", { game: text });
    const { warnings } = read_;
    const lines = warnings.length
      ? ["Can be solved and played, but cannot arise in play:", ...warnings.map((line) => `• ${capital(line)}.`)]
      : ["A position of a real game."];
    return { error: false, warnings, lines };
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    return { error: true, warnings: [], lines: [sentence(problem.message.split(": write ")[0])] };
  }
}
