// Review: the game so far, move by move, with a graph of who was winning. It may take long, and can be stopped.

import { about } from "./about.js";
import { ask, problemText } from "./api.js";
import { $, capital, inMoves, make, refillChanged, sentence, setText } from "./dom.js";
import { graph } from "./graph.js";
import { collect } from "./own.js";

/** The review of a game: the latest answer, and whether it is running. */
let current = { key: "" };

const keyOf = (app) => (app.has("review") ? `${app.kind().part} ${app.state[app.kind().part]}` : "");

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
  if (current.key === keyOf(app)) return;
  current.stop?.abort();
  current = { key: "" };
}

async function begin(app) {
  const { ticket } = app;
  current.stop?.abort();
  const watch = { key: keyOf(app), running: true, stop: new AbortController() };
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

export function update(app) {
  const { shown, state } = app;
  const { reviewView } = app.kind();
  const unasked = Boolean(reviewView);
  $("review").hidden = unasked && !state.hints;
  if (unasked && state.hints && current.key !== keyOf(app)) begin(app);
  const { found, running } = current.key === keyOf(app) ? current : {};
  $("look").hidden = unasked;
  $("look").setAttribute("aria-disabled", !shown.moves.length);
  $("look-stop").hidden = unasked || !running;
  setText("reviewed", found ? found.text && sentence(found.text) : running && !unasked ? "Reviewing …" : "");
  $("graph-part").hidden = !found?.review;
  if (found?.review) $("graph").replaceChildren(graph(found.review, shown.ply, app.step));
  const moves = found?.moves ?? [];
  refillChanged(
    $("verdicts"),
    moves.map((move) => [`${shown.ply} ${JSON.stringify(move)}`, () => verdict(app, move)]),
  );
}

function verdict(app, move) {
  const unknown = { sign: move.estimate ? about.big.estimate_sign : "?", mood: "neither" };
  const known = app
    .kind()
    .verdicts()
    .find((each) => each.verdict === move.verdict);
  const { sign, mood } = move.estimate || !known ? unknown : known;
  const here = move.number === app.shown.ply ? "step" : null;
  const act = { "data-ply": move.number, "data-key": move.number, "aria-current": here, onclick: () => app.step(move.number) };
  const help = mood === "bad" && move.summary ? [make("p", { class: "buttons" }, ...remedies(app, move))] : [];
  return make(
    "li",
    { class: mood },
    make(
      "button",
      { type: "button", ...act },
      make("span", { class: "sign", "aria-hidden": "true" }, sign),
      make("span", {}, `${move.number}. `, make("strong", { class: move.player }, move.move)),
      make(
        "span",
        {},
        `${capital(move.player)} to ${move.to}: ${inMoves(move.text)}.`,
        move.why ? make("span", { class: "why" }, sentence(move.why.text)) : null,
      ),
    ),
    ...help,
  );
}

/** What refutes a mistake, and what was better: lines that are added to the game as variations, to step through. */
function remedies(app, move) {
  const { start, moves } = app.shown;
  const before = moves.slice(0, move.number - 1);
  const showLine = (line) =>
    app.go({ [app.kind().part]: [start, ...line].join(" "), ply: move.number === line.length ? null : move.number });
  const follow = (played) =>
    app.attempt(async () => {
      const { position } = await ask("game", { game: [start, ...before, played].join(" ") });
      const { line } = await ask("analysis", { position });
      await showLine([...before, played, ...line]);
    });
  const button = (text, name, played) =>
    make("button", { type: "button", "data-key": `${name} ${move.number}`, onclick: () => app.busy || follow(played) }, text);
  const [better] = move.best;
  return [button(`What refutes ${move.move}?`, "refute", move.move), button(`Better: ${better}`, "better", better)];
}
