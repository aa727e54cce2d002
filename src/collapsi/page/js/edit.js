// Editor: lay out any position. The service makes each change and checks the result.

import { about, fill, hasShifts, options, rulesNamed } from "./about.js";
import { ask, problemText } from "./api.js";
import { $, capital, make, sentence } from "./dom.js";

let tool = "";
let latest = null; // the service's last answer about the draft
let working = Promise.resolve(); // a queue: changes are made one after the other

export function start(app) {
  $("tools").append(
    ...about.lay.map(({ value, text }) =>
      make("button", { type: "button", "data-tool": value, onclick: () => choose(value) }, capital(text)),
    ),
  );
  choose(about.lay[0].value);
  const { value: collapsed } = about.lay.find(({ text }) => text === "collapsed");
  $("edit-side").addEventListener("change", () => change(app, { side: $("edit-side").value }));
  $("edit-rules").addEventListener("change", () => change(app, { rules: $("edit-rules").value }));
  $("edit-clear").addEventListener("click", () => change(app, { lay: collapsed }));
  $("edit-reset").addEventListener("click", () => app.go({ draft: null }));
  const open = (state) =>
    queue(app, () => {
      if (latest) app.go({ game: latest.draft, ply: null, match: null, ...state });
    });
  $("edit-analyse").addEventListener("click", () => open({ view: "analyse", hints: true }));
  $("edit-play").addEventListener("click", () => open({ view: "play", hints: false }));
  $("board").addEventListener("keydown", (event) => {
    if (app.state.view !== "edit" || event.ctrlKey || event.metaKey || event.altKey) return;
    // B and b are the pawn, a and A the ace.
    const laid = about.lay.find(({ value }) => value.toLowerCase() === event.key.toLowerCase());
    const { square } = event.target.dataset;
    if (laid && square) lay(app, square, laid.value);
  });
}

function choose(name) {
  tool = name;
  for (const button of $("tools").children) button.setAttribute("aria-pressed", button.dataset.tool === name);
}

/** Lay a card, collapse a square, or move a pawn there. */
export const lay = (app, square, what = tool) => change(app, { square, lay: what });

/** Act after the changes before it, if the editor is still open. */
function queue(app, act) {
  working = working.then(() => (app.state.view === "edit" ? act() : null));
}

/** Change the draft, as a new entry of the history. */
const change = (app, query) =>
  queue(app, async () => {
    try {
      const answer = await ask("edit", { draft: app.state.draft ?? app.shown.position, ...query }, { action: true });
      if (app.state.view !== "edit") return;
      latest = answer;
      app.go({ draft: latest.draft });
    } catch (problem) {
      const text = problemText(problem);
      if (app.state.view === "edit") app.say(text);
    }
  });

export function update(app) {
  const { ticket } = app;
  return app.attempt(async () => {
    const draft = app.state.draft ?? app.shown.position;
    const answer = latest?.draft === draft ? latest : await read(app, draft);
    if (ticket !== app.ticket) return;
    latest = answer;
    show(app, answer);
  });
}

/** Read the draft; if that of a link is invalid, the position of the game. */
async function read(app, draft) {
  try {
    return await ask("edit", { draft });
  } catch (problem) {
    if (problem.silent !== false) throw problem; // no answer, or a fault of the page
    return ask("edit", { draft: app.shown.position });
  }
}

function show(app, { draft, rules, to_move: toMove, rows, columns, squares, lay: possible, error, warnings }) {
  app.board.show(squares, { rows, columns, toMove, flip: app.state.flip, shifting: hasShifts(rules) });
  for (const button of $("tools").children) button.hidden = !possible.includes(button.dataset.tool);
  if (!possible.includes(tool)) choose(possible[0]);
  $("edit-gaps").hidden = !squares.some(({ gap }) => gap);
  $("edit-side").value = toMove;
  fill($("edit-rules"), options(rulesNamed(rules) ? about.rules : [...about.rules, { name: rules, title: rules }]));
  $("edit-rules").value = rules;
  $("edit-text").textContent = draft;
  const cannot = "Can be solved and played, but cannot arise in play:";
  const lines = error
    ? [sentence(error)]
    : warnings.length
      ? [cannot, ...warnings.map((line) => `• ${capital(line)}.`)]
      : ["A position of a real game."];
  $("edit-verdict").className = error ? "wrong" : warnings.length ? "" : "fine";
  $("edit-verdict").replaceChildren(...lines.map((line) => make("p", {}, line)));
  $("edit-analyse").disabled = $("edit-play").disabled = Boolean(error);
}
