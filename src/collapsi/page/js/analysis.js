// Analysis: what every move is worth, and perfect play. Answers may get better while one looks; that can be stopped.

import { problemText } from "./api.js";
import { pointer } from "./arrows.js";
import { badge } from "./board.js";
import { $, capital, grouped, make, refillChanged, sentence, setText, withArrows } from "./dom.js";
import { gameWith } from "./state.js";
import * as why from "./why.js";

/** The analysis of a position: the latest answer, whether it is running or paused, and why it ended. */
let current = { key: "" };

const keyOf = (app) => `${app.kind().part} ${gameWith(app.shown)}`;
const isOver = ({ shown }) => Boolean(shown.winner || shown.over);

export function start(app) {
  const turnHints = async () => {
    const hints = !app.state.hints;
    await app.go({ hints }, { replace: true });
    if (hints) $("outcome").focus({ preventScroll: true });
  };
  $("show-values").addEventListener("click", () => app.whenShown(turnHints));
  $("analysis-stop").addEventListener("click", () => {
    if (current.running) {
      current.stop.abort();
      current = { ...current, running: false, paused: true, ended: "stopped" };
      update(app);
    } else {
      current = { ...current, paused: false };
      begin(app, app.ticket);
    }
  });
  $("play-best").addEventListener("click", () => app.analysis && app.playMove(app.analysis.line[0]));
}

/** Stop the analysis: another position is going to be shown. */
export function leave() {
  current.stop?.abort();
  current = { ...current, running: false };
}

/** Ask for values of the position shown, if hints are on, and show each answer when the pawn has `walked`. */
export async function begin(app, ticket, walked = null) {
  const { answers } = app.kind();
  if (!answers || !app.state.hints || isOver(app)) return;
  if (current.key !== keyOf(app)) current = { key: keyOf(app) };
  if (current.answer) {
    await walked;
    if (ticket !== app.ticket) return;
    take(app, current.answer);
  }
  if (current.paused || current.ended === "done") return update(app);
  const watch = { ...current, running: true, ended: "", stop: new AbortController() };
  current = watch;
  const isStale = () => ticket !== app.ticket || watch.stop.signal.aborted;
  if (app.has("analysis")) update(app);
  try {
    for await (const answer of answers(app.shown, watch.stop.signal)) {
      await walked;
      if (isStale()) return;
      if (answer.end) Object.assign(watch, { ended: answer.end, said: answer.text });
      else {
        watch.answer = answer;
        take(app, answer);
      }
    }
    watch.ended ||= "done";
  } catch (problem) {
    const text = problemText(problem);
    if (isStale()) return;
    watch.ended = "stopped";
    app.say(text);
  } finally {
    watch.stop.abort();
  }
  watch.running = false;
  if (app.has("analysis")) update(app);
}

function take(app, answer) {
  app.analysis = answer;
  app.renderBoard();
  why.update(app);
  app.showWay();
  if (app.has("analysis")) update(app);
}

export function update(app) {
  const { shown, state, analysis } = app;
  const { deepens, movesTitle, lineTitle } = app.kind();
  const wanted = state.hints && !isOver(app);
  $("analysis-intro").hidden = state.hints || state.view !== "analyse";
  $("show-values").textContent = state.hints ? "Hide the values" : "Show what every move is worth";
  $("show-values").className = state.hints ? "" : "main";
  $("analysis-stop").hidden = !deepens || !wanted || (!current.running && current.ended === "done");
  $("analysis-stop").textContent = current.running ? "Stop" : "Go on";
  const warnings = (shown.warnings ?? []).map((text) => make("li", {}, sentence(`cannot arise in play: ${text}`)));
  $("warnings").replaceChildren(...warnings);
  $("answer").hidden = !state.hints;
  $("values").hidden = !wanted;
  if (!wanted) return setText("outcome", ended(shown));
  $("play-best").disabled = !analysis;
  if (!analysis) {
    setText("certainty", "");
    setText("outcome", "…");
    $("values").setAttribute("aria-busy", "true"); // the old values stay until there are new ones, and with them the focus
    return;
  }
  $("values").removeAttribute("aria-busy");
  const { sure, exact, text, notes = [], line, moves } = analysis;
  setText("certainty", sure ? capital(sure) : "");
  $("certainty").className = exact ? "sure exact" : "sure";
  setText("outcome", sentence(text));
  setText("progress", deepens ? progress(analysis) : "");
  refillChanged(
    $("notes"),
    notes.map((note) => [note, () => make("li", {}, sentence(note))]),
  );
  const rows = moves[0]?.shift
    ? rowsByCard(app, analysis)
    : moves.map((move) => [`${exact} ${JSON.stringify(move)}`, () => row(app, move)]);
  refillChanged($("moves"), rows);
  setText("moves-title", movesTitle);
  $("perfect").hidden = !line.length;
  setText("line-title", lineTitle);
  refillChanged(
    $("line"),
    line.map((move, index) => [`${gameWith(shown)} ${move}`, () => chip(app, line, index)]),
  );
}

/** The last word on a game that is over. */
function ended({ turn, winner, to_move: loser }) {
  if (turn) return sentence(turn);
  return winner ? capital(`${winner} has won: ${loser} cannot move.`) : "";
}

/** How far an analysis is. */
function progress({ settling, nodes, seconds }) {
  const parts = [];
  if (current.running && settling) parts.push(`settling ${settling}`);
  if (nodes) parts.push(`${grouped(nodes)} positions`);
  parts.push(`${seconds} s`);
  if (!current.running) parts.push(current.ended === "stopped" ? "stopped" : (current.said ?? "stopped"));
  return sentence(parts.join(", "));
}

const row = (app, move) =>
  make(
    "li",
    { class: move.best ? null : "slower" },
    moveButton(app, move, () => app.playMove(move.move)),
  );

const words = ({ analysis }, { words: value, best }) => `${value}${best && analysis.exact ? ", the best" : ""}`;

function moveButton(app, move, onclick, name = move.move) {
  const look = () => app.showWay((square) => square.square === move.to);
  const away = () => app.showWay();
  const act = { onclick, onmouseenter: look, onfocus: look, onmouseleave: away, onblur: away };
  const way = make("span", { class: "way-text" }, move.path.join(" "));
  return make(
    "button",
    { type: "button", "data-move": name, "data-key": name, ...act },
    badge({ ...move, text: move.badge }),
    make("strong", {}, name),
    make("span", { class: "rest" }, `${capital(words(app, move))} `, way),
  );
}

/** A row for each card, with the value of its best shift, and in it all its shifts. */
function rowsByCard(app, { moves }) {
  const ends = [...new Set(moves.map(({ to }) => to))];
  return ends.map((to) => {
    const those = moves.filter((move) => move.to === to); // best first
    const { shifts } = app.shown.squares.find(({ square }) => square === to);
    const chips = () =>
      those.map((move) =>
        shiftChip(
          app,
          move,
          shifts.find((shift) => shift.move === move.move),
        ),
      );
    const build = () =>
      make(
        "li",
        { class: `by-card ${those[0].best ? "" : "slower"}` },
        moveButton(app, those[0], () => app.playTo(to), to),
        make("div", { class: "chips" }, ...chips()),
      );
    return [`${app.state.flip} ${JSON.stringify(those)}`, build];
  });
}

function shiftChip(app, move, { by, text }) {
  const label = capital(`${withArrows(move.move)}, ${text}: ${words(app, move)}`);
  const attributes = { type: "button", "data-move": move.move, "data-key": move.move, title: label, "aria-label": label };
  const value = badge({ ...move, text: move.badge });
  return make("button", { ...attributes, onclick: () => app.playMove(move.move) }, pointer(app.board.turned(by)), value);
}

/** One move of perfect play; a click plays up to it. */
function chip(app, line, index) {
  const game = gameWith(app.shown, ...line.slice(0, index + 1));
  const onclick = () => app.go({ [app.kind().part]: game, ply: null }, { walk: index === 0 });
  const move = withArrows(line[index]);
  const label = `Play perfect play up to ${move}`;
  return make("button", { type: "button", "data-key": index, "aria-label": label, onclick }, move);
}
