// The big board looked at: an analysis that deepens while one looks, and the game looked back on. Both can be stopped.

import { about } from "./about.js";
import { lineOfPlay } from "./analyse.js";
import { lines, Problem } from "./api.js";
import { badge } from "./board.js";
import { $, capital, grouped, make, refill, sentence, tell } from "./dom.js";

/** The analysis under way or done: of which position, what it came to, and whether it goes on. */
let analysis = { position: "" };
/** The same of the review, by the game. */
let review = { game: "" };

const stopped = (watch) => watch.stop?.abort();

export function start(app) {
  $("big-hints").addEventListener("click", () => app.go({ hints: !app.state.hints }, { replace: true }));
  $("big-stop").addEventListener("click", () => {
    if (analysis.under) {
      stopped(analysis);
      analysis = { ...analysis, under: false, held: true, ended: "stopped" };
      show(app);
    } else {
      analysis = { ...analysis, held: false };
      begin(app, app.ticket);
    }
  });
  $("big-look").addEventListener("click", () => lookBack(app));
  $("big-look-stop").addEventListener("click", () => {
    stopped(review);
    review = { ...review, under: false };
    showReview(app);
  });
}

/** Something else is to be shown: what nobody looks at any more is stopped. */
export function leave({ state }) {
  stopped(analysis);
  analysis = { ...analysis, under: false };
  if (state.view === "big" && state.big === review.game) return;
  stopped(review);
  review = { game: "" };
}

export const isSolved = (app) => app.analysis?.kind === "solved";

/** Ask for better and better answers about the position shown, if values are wanted. */
export async function begin(app, ticket) {
  const { shown, state } = app;
  if (!state.hints || shown.winner || ticket !== app.ticket) return;
  if (analysis.position !== shown.position) analysis = { position: shown.position };
  else if (analysis.line) take(app, analysis.line);
  if (analysis.held || analysis.ended === "done") return show(app);
  const watch = (analysis = { ...analysis, under: true, ended: "", stop: new AbortController() });
  show(app);
  try {
    for await (const line of lines("big/analysis", { position: shown.position }, watch.stop.signal)) {
      if (ticket !== app.ticket || watch.stop.signal.aborted) return;
      if (line.kind === "end") {
        analysis = { ...analysis, under: false, ended: line.why, said: line.text };
        show(app);
      } else {
        analysis.line = line;
        take(app, line);
      }
    }
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    if (ticket !== app.ticket || watch.stop.signal.aborted) return;
    analysis = { ...analysis, under: false, ended: "stopped" };
    app.say(sentence(problem.message));
  } finally {
    watch.stop.abort();
  }
  if (ticket === app.ticket) show(app);
}

function take(app, line) {
  app.analysis = line;
  app.renderBoard();
  app.showWay();
  show(app);
}

export function update(app) {
  show(app);
  showReview(app);
}

function show(app) {
  const { shown, state } = app;
  const wanted = state.hints && !shown.winner;
  const line = wanted ? app.analysis : null;
  $("big-hints").textContent = state.hints ? "Hide it" : "Show what every move is worth";
  $("big-hints").setAttribute("aria-disabled", Boolean(shown.winner));
  $("big-stop").hidden = !wanted || (!analysis.under && analysis.ended === "done");
  $("big-stop").textContent = analysis.under ? "Stop" : "Go on";
  $("big-analysis").hidden = !wanted;
  if (!wanted) return;
  tell("big-sure", line ? capital(line.sure) : "Thinking …");
  $("big-sure").className = `sure ${line?.exact ? "exact" : ""}`;
  tell("big-outcome", line ? sentence(line.text) : "");
  tell("big-progress", line ? progress(line) : "");
  refillIfOther($("big-notes"), (line?.notes ?? []).map((text) => [text, () => make("li", {}, sentence(text))]));
  const play = line?.answer.line ?? [];
  $("big-perfect").hidden = !play.length;
  const chips = lineOfPlay(app, play, "big");
  refillIfOther($("big-line"), play.map((move, index) => [`${app.shown.position} ${move}`, () => chips[index]]));
  refillIfOther($("big-moves"), (line?.moves ?? []).map((move) => [JSON.stringify(move), () => row(app, move)]));
}

/** How far it is. */
function progress({ settling, nodes, seconds }) {
  const parts = [];
  if (analysis.under && settling) parts.push(`settling ${settling}`);
  if (nodes) parts.push(`${grouped(nodes)} positions`);
  parts.push(`${seconds} s`);
  if (!analysis.under) parts.push(analysis.ended === "stopped" ? "stopped" : (analysis.said ?? "stopped"));
  return sentence(parts.join(", "));
}

const held = new WeakMap(); // what a list shows: the same is not shown again, so that nothing moves under the pointer

function refillIfOther(list, rows) {
  const text = rows.map(([key]) => key).join("\n");
  if (held.get(list) === text) return;
  held.set(list, text);
  refill(list, ...rows.map(([, built]) => built()));
}

function row(app, move) {
  const look = () => app.showWay((square) => square.square === move.to);
  const away = () => app.showWay();
  const act = { onclick: () => app.playMove(move.move), onmouseenter: look, onfocus: look, onmouseleave: away, onblur: away };
  return make(
    "li",
    { class: move.best ? null : "slower" },
    make(
      "button",
      { type: "button", "data-move": move.move, "data-key": move.move, ...act },
      badge({ text: move.badge, wins: move.wins, best: move.best }),
      make("strong", {}, move.move),
      make("span", { class: "rest" }, `${capital(move.words)} `, make("span", { class: "way-text" }, move.path.join(" "))),
    ),
  );
}

/** Look back on the game, from its end on. */
async function lookBack(app) {
  stopped(review);
  const watch = (review = { game: app.state.big, under: true, stop: new AbortController() });
  showReview(app);
  try {
    for await (const line of lines("big/review", { game: app.shown.game }, watch.stop.signal)) {
      if (watch !== review) return;
      if (line.kind === "end") watch.ended = line.text;
      else watch.line = line;
      showReview(app);
    }
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    if (watch === review && !watch.stop.signal.aborted) app.say(sentence(problem.message));
  }
  if (watch !== review) return;
  watch.under = false;
  showReview(app);
}

function showReview(app) {
  if (!app.shown) return;
  const here = review.game && review.game === app.state.big ? review : {};
  $("big-look").setAttribute("aria-disabled", !app.shown.moves.length);
  $("big-look-stop").hidden = !here.under;
  tell("big-looked", here.line ? sentence(here.line.text) : here.under ? "Looking back …" : "");
  const moves = here.line?.answer.moves ?? [];
  refillIfOther($("big-verdicts"), moves.map((move) => [`${app.shown.ply} ${JSON.stringify(move)}`, () => verdict(app, move)]));
}

function verdict(app, move) {
  const known = about.big.verdicts.find((each) => each.verdict === move.verdict);
  const { sign, mood } = move.estimate ? { sign: about.big.estimate_sign, mood: "neither" } : (known ?? { sign: "?", mood: "neither" });
  const current = move.number === app.shown.ply ? "step" : null;
  const act = { "data-ply": move.number, "data-key": move.number, "aria-current": current, onclick: () => app.step(move.number) };
  return make(
    "li",
    { class: mood },
    make(
      "button",
      { type: "button", ...act },
      make("span", { class: "sign", "aria-hidden": "true" }, sign),
      make("span", {}, `${move.number}. `, make("strong", { class: move.player }, move.move)),
      make("span", {}, `${capital(move.player)} to ${move.to}: ${move.text}.`),
    ),
  );
}
