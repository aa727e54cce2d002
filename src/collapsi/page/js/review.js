// Review: the game so far, move by move, with a graph of who was winning. It may take long, and can be stopped.

import { about } from "./about.js";
import { problemText } from "./api.js";
import { $, capital, count, inMoves, make, refillChanged, sentence, setText, withArrows } from "./dom.js";
import { graph } from "./graph.js";
import { collect } from "./own.js";

/**
 * The review of a game: the game with its start and moves, the latest answer, whether it is running, which quiet moves are unfolded
 * (`open`), and the lines found for its mistakes (`lines`). `aside` is such a line, if it is shown in place of the game.
 */
let current = { key: "" };

const keyOf = (app) => (app.has("review") ? `${app.kind().part} ${app.state[app.kind().part]}` : "");
const isAside = (app) => current.aside?.key === keyOf(app);
/** Whether the game reviewed is shown, or a line of it. */
const isShown = (app) => current.key === keyOf(app) || isAside(app);

export function start(app) {
  $("look").addEventListener("click", () => begin(app));
  $("look-stop").addEventListener("click", () => {
    current.stop?.abort();
    current = { ...current, running: false };
    update(app);
  });
}

/** Stop the review unless the same game is going to be shown. */
export function leave(app) {
  if (isShown(app)) return;
  current.stop?.abort();
  current = { key: "" };
}

async function begin(app) {
  const { ticket } = app;
  const { start, moves } = app.shown;
  current.stop?.abort();
  const watch = { key: keyOf(app), game: app.state[app.kind().part], start, moves, open: new Set(), lines: new Map() };
  Object.assign(watch, { running: true, stop: new AbortController() });
  current = watch;
  update(app);
  try {
    for await (const found of app.kind().reviews(app.shown, watch.stop.signal)) {
      if (watch !== current) return;
      watch.found = found;
      if (found.review) collect(app.state, found.review);
      update(app);
      if (found.review) openAtTurn(app, found.review);
    }
  } catch (problem) {
    const text = problemText(problem);
    if (watch !== current || watch.stop.signal.aborted) return;
    current = { key: "" };
    if (ticket === app.ticket) app.say(text);
  }
  if (watch !== current) return;
  watch.running = false;
  update(app);
}

/** Show the move that gave the last chance away, or the first that threw a win away, if that was asked for. */
function openAtTurn(app, { moves, turning_points: turns }) {
  const wanted = app.wantsTurn;
  app.wantsTurn = false;
  const turn = moves.findLast((move) => move.last_chance)?.number ?? turns[0];
  if (wanted && turn) app.go({ ply: turn === app.shown.moves.length ? null : turn }, { replace: true });
}

/** Show the game reviewed after a number of moves. */
function showGame(app, ply) {
  if (!isAside(app)) return app.step(ply);
  const { part } = app.kind();
  app.whenShown(() => app.go({ [part]: current.game, ply: ply === current.moves.length ? null : ply }, { replace: true }));
}

/** Show a line that leaves the game after `branch` moves, which is added to it as a variation; the review stays. */
function showLine(app, { name, line, branch }, ply) {
  app.whenShown(() => {
    const { part } = app.kind();
    const game = [current.start, ...line].join(" ");
    current.aside = { key: `${part} ${game}`, name, branch };
    app.go({ [part]: game, ply: ply === line.length ? null : ply }, { replace: true });
  });
}

export function update(app) {
  const { shown, state } = app;
  const { reviewView } = app.kind();
  const unasked = Boolean(reviewView);
  $("review").hidden = unasked && !state.hints;
  if (unasked && state.hints && !isShown(app)) begin(app);
  const { found, running } = isShown(app) ? current : {};
  $("look").hidden = unasked;
  $("look").setAttribute("aria-disabled", !shown.moves.length);
  $("look-stop").hidden = unasked || !running;
  setText("reviewed", found ? found.text && sentence(found.text) : running && !unasked ? "Reviewing …" : "");
  $("graph-part").hidden = !found?.review;
  const here = isAside(app) ? Math.min(shown.ply, current.aside.branch) : shown.ply;
  if (found?.review) $("graph").replaceChildren(graph(found.review, here, (ply) => showGame(app, ply)));
  refillChanged($("verdicts"), found ? rows(app, found.moves) : []);
  markHere(app);
}

/** Mark the row or the move of a line that is shown, and unfolded quiet moves with it. */
function markHere(app) {
  const { ply } = app.shown;
  const isOff = isAside(app) && ply > current.aside.branch;
  const mark = (element, isHere) => (isHere ? element.setAttribute("aria-current", "step") : element.removeAttribute("aria-current"));
  for (const row of $("verdicts").querySelectorAll("[data-ply]")) mark(row, !isOff && Number(row.dataset.ply) === ply);
  for (const button of $("verdicts").querySelectorAll("[data-line]"))
    mark(button, isOff && button.dataset.line === current.aside.name && Number(button.dataset.at) === ply);
  for (const fold of $("verdicts").querySelectorAll("summary")) mark(fold, fold.parentElement.querySelector('[aria-current="step"]'));
}

/** The sign and mood of a verdict; an estimate and an unknown one are not quiet. */
function judged(app, move) {
  const known = app
    .kind()
    .verdicts()
    .find(({ verdict }) => verdict === move.verdict);
  if (move.estimate || !known) return { sign: move.estimate ? about.big.estimate_sign : "?", mood: "neither", isQuiet: false };
  return { ...known, isQuiet: known.mood !== "bad" };
}

/** A row for each move; moves in a row that need no remark are folded into one. */
function rows(app, moves) {
  const runs = [];
  for (const move of moves) {
    const { isQuiet } = judged(app, move);
    if (isQuiet && runs.at(-1)?.isQuiet) runs.at(-1).moves.push(move);
    else runs.push({ isQuiet, moves: [move] });
  }
  const key = (move) => `${current.game} ${JSON.stringify(move)} ${current.lines.get(move.number) ?? ""}`;
  return runs.map((run) => [
    run.moves.map(key).join(" "),
    () => (run.moves.length > 1 ? fold(app, run.moves) : verdict(app, run.moves[0])),
  ]);
}

function fold(app, moves) {
  const { number } = moves[0];
  const ontoggle = ({ target }) => current.open[target.open ? "add" : "delete"](number);
  const range = make("span", { class: "note" }, ` (${number} to ${moves.at(-1).number})`);
  return make(
    "li",
    { class: "quiet" },
    make(
      "details",
      { open: current.open.has(number), ontoggle },
      make("summary", { "data-key": `fold ${number}` }, count(moves.length, "quiet move", "quiet moves"), range),
      make("ol", { class: "verdicts" }, ...moves.map((move) => verdict(app, move))),
    ),
  );
}

function verdict(app, move) {
  const { sign, mood } = judged(app, move);
  return make(
    "li",
    { class: `verdict ${mood}` },
    make(
      "button",
      { type: "button", "data-ply": move.number, "data-key": move.number, onclick: () => showGame(app, move.number) },
      make("span", { class: "sign", "aria-hidden": "true" }, sign),
      make("span", {}, `${move.number}. `, make("strong", { class: move.player }, withArrows(move.move))),
      make(
        "span",
        {},
        `${capital(move.player)} to ${move.to}: ${withArrows(inMoves(move.text))}.`,
        move.why ? make("span", { class: "why" }, withArrows(sentence(move.why.text))) : null,
      ),
    ),
    ...(mood === "bad" ? remedies(app, move) : []),
  );
}

/** What refutes a mistake, and what was better, as lines to step through. */
function remedies(app, move) {
  const { number } = move;
  const before = current.moves.slice(0, number - 1);
  const refutation = { name: `refute ${number}`, title: `What refutes ${withArrows(move.move)}:`, from: [...before, move.move] };
  const better = { name: `better ${number}`, title: "Better:", from: before };
  const answers = move.refutation ?? current.lines.get(number);
  return [
    answers ? lineOf(app, refutation, answers) : askFor(app, move, refutation),
    move.best?.length ? lineOf(app, better, move.better ?? move.best.slice(0, 1)) : null,
  ];
}

function lineOf(app, { name, title, from }, moves) {
  const line = [...from, ...moves];
  const button = (move, index) => {
    const ply = from.length + index + 1;
    const act = { "data-line": name, "data-at": ply, "data-key": `${name} ${index}` };
    const onclick = () => showLine(app, { name, line, branch: from.length }, ply);
    return make("button", { type: "button", ...act, onclick }, withArrows(move));
  };
  return moves.length ? make("p", { class: "line-of-play" }, make("span", { class: "note" }, title), ...moves.map(button)) : null;
}

/** A button that asks for the line, where the review does not have it. */
function askFor(app, move, { title, from }) {
  const watch = current;
  const find = () =>
    app.attempt(async () => {
      setText("reviewed", "Looking for the answer …");
      const line = await app.kind().perfect([watch.start, ...from].join(" "));
      watch.lines.set(move.number, line);
      if (watch !== current) return;
      update(app);
      if (!line.length) setText("reviewed", `Perfect play after ${withArrows(move.move)} is not known.`);
    });
  const act = { "data-key": `refute ${move.number} 0`, onclick: () => app.busy || find() };
  return make("p", { class: "line-of-play" }, make("button", { type: "button", ...act }, title.replace(":", "?")));
}
