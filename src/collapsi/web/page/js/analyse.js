// Analyse: what every move is worth, perfect play, and the game looked back on.

import { about } from "./about.js";
import { ask, Problem } from "./api.js";
import { pointer } from "./arrows.js";
import { badge } from "./board.js";
import { $, capital, make, plies, refill, sentence } from "./dom.js";
import { graph } from "./graph.js";
import { collect } from "./own.js";
import { gameWith } from "./state.js";
import { valueOf } from "./values.js";

export function start(app) {
  $("show-hints").addEventListener("click", async () => {
    await app.go({ hints: true }, { replace: true });
    $("outcome").focus();
  });
  $("play-best").addEventListener("click", () => app.analysis && app.playMove(app.analysis.line[0]));
}

export function update(app) {
  const { state, shown } = app;
  $("ask-hints").hidden = state.hints;
  $("analysis").hidden = !state.hints;
  if (!state.hints) return;
  $("warnings").replaceChildren(...shown.warnings.map((text) => make("li", {}, `Cannot arise in play: ${text}.`)));
  $("play-best").disabled = !app.analysis;
  updateValues(app);
  updateReview(app);
}

function updateValues(app) {
  const { shown, analysis } = app;
  if (!analysis) {
    const over = `${shown.winner} has won: ${shown.to_move} cannot move.`;
    $("outcome").textContent = shown.winner ? capital(over) : "…";
    $("values").hidden = Boolean(shown.winner);
    $("values").setAttribute("aria-busy", "true"); // the old ones stay until there are new ones, and with them the focus
    return;
  }
  $("values").hidden = false;
  $("values").removeAttribute("aria-busy");
  const score = analysis.score > 0 ? `+${analysis.score}` : `−${-analysis.score}`;
  $("outcome").textContent = `${capital(analysis.winner)} wins in ${plies(analysis.plies)} (score ${score})`;
  refill($("moves"), ...(analysis.moves[0].shift ? rowsByCard(app, analysis) : analysis.moves.map((move) => row(app, move, analysis))));
  refill($("line"), ...lineOfPlay(app, analysis.line));
}

const row = (app, move, analysis) =>
  make("li", { class: valueOf(move, analysis).best ? "" : "slower" }, moveButton(app, move, analysis, () => app.playMove(move.move)));

function moveButton(app, move, analysis, act, name = move.move) {
  const value = valueOf(move, analysis);
  const look = () => app.showWay((square) => square.square === move.to);
  const away = () => app.showWay();
  return make(
    "button",
    {
      type: "button",
      "data-move": name,
      "data-key": name,
      onclick: act,
      onmouseenter: look,
      onfocus: look,
      onmouseleave: away,
      onblur: away,
    },
    badge(value),
    make("strong", {}, name),
    make(
      "span",
      { class: "rest" },
      `${capital(value.words)}${value.best ? ", the best" : ""} `,
      make("span", { class: "way-text" }, move.path.join(" ")),
    ),
  );
}

/** A row for each card, with what its best shift is worth, and in it all its shifts. */
function rowsByCard(app, analysis) {
  const ends = [...new Set(analysis.moves.map(({ to }) => to))];
  return ends.map((to) => {
    const moves = analysis.moves.filter((move) => move.to === to); // best first
    const { shifts } = app.shown.squares.find(({ square }) => square === to);
    const chips = moves.map((move) => shiftChip(app, move, analysis, shifts.find((shift) => shift.move === move.move)));
    const { best } = valueOf(moves[0], analysis);
    const card = moveButton(app, moves[0], analysis, () => app.playTo(to), to);
    return make("li", { class: `by-card ${best ? "" : "slower"}` }, card, make("div", { class: "chips" }, ...chips));
  });
}

function shiftChip(app, move, analysis, { by, text }) {
  const value = valueOf(move, analysis);
  const words = capital(`${move.move}, ${text}: ${value.words}${value.best ? ", the best" : ""}`);
  const attributes = { type: "button", "data-move": move.move, "data-key": move.move, title: words, "aria-label": words };
  return make("button", { ...attributes, onclick: () => app.playMove(move.move) }, pointer(app.board.turned(by)), badge(value));
}

/** Perfect play, move by move. */
export const lineOfPlay = (app, line, part = "game") => line.map((square, index) => chip(app, line, square, index, part));

/** One move of perfect play; a click plays up to it. */
function chip(app, line, square, index, part) {
  const game = gameWith(app.shown, ...line.slice(0, index + 1));
  const go = () => app.go({ [part]: game, ply: null }, { walk: index === 0 });
  const label = `Play perfect play up to ${square}`;
  return make("button", { type: "button", "data-key": index, "aria-label": label, onclick: go }, square);
}

async function updateReview(app) {
  const ticket = app.ticket;
  let review;
  try {
    review = await ask("review", { game: app.shown.game }, { instead: "review" });
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    return ticket === app.ticket && app.say(sentence(problem.message));
  }
  if (ticket !== app.ticket) return;
  collect(app.state, review);
  $("graph").replaceChildren(graph(review, app.shown.ply, app.step));
  refill($("verdicts"), ...review.moves.map((move) => verdict(app, move)));
}

function verdict(app, move) {
  const { sign, mood } = about.verdicts.find((each) => each.verdict === move.verdict);
  const current = move.number === app.shown.ply ? "step" : null;
  return make(
    "li",
    { class: mood },
    make(
      "button",
      {
        type: "button",
        "data-ply": move.number,
        "data-key": move.number,
        "aria-current": current,
        onclick: () => app.step(move.number),
      },
      make("span", { class: "sign", "aria-hidden": "true" }, sign),
      make("span", {}, `${move.number}. `, make("strong", { class: move.player }, move.move)),
      make(
        "span",
        {},
        `${capital(move.player)} to ${move.to}: ${move.text}.`,
        move.why ? make("span", { class: "why" }, sentence(move.why.text)) : null,
      ),
    ),
  );
}
