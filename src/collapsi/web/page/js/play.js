// Play: who plays, new games, undo, and a match to sixteen points.

import { ask, Problem } from "./api.js";
import { $, capital, make, tell } from "./dom.js";
import { PLAYERS } from "./state.js";

export const RULES = {
  standard: "From its jack a pawn goes one step.",
  joker: "The first move of each player goes 1, 2, 3 or 4 steps, as you like.",
};

let dealShown = "";

export function start(app) {
  for (const colour of ["red", "blue"]) {
    $(colour).append(...[...PLAYERS].map(([value, text]) => make("option", { value }, text)));
    $(colour).addEventListener("change", () => {
      app.running = false;
      app.go({ [colour]: $(colour).value });
    });
  }
  for (const id of ["rules", "edit-rules"]) $(id).append(...Object.keys(RULES).map((name) => make("option", { value: name }, name)));
  $("rules").addEventListener("change", () => tell("rules-note", RULES[$("rules").value]));
  const deal = (query) => newGame(app, () => ask("deal", { rules: $("rules").value, ...query }, { fresh: true }));
  $("deal").addEventListener("click", () => deal({}));
  $("winnable").addEventListener("click", () => deal({ winner: app.state.red === "you" ? "red" : app.state.blue === "you" ? "blue" : "red" }));
  $("restart").addEventListener("click", () => app.go({ game: app.shown.start, ply: null, view: "play" }));
  $("swap").addEventListener("click", () => app.go({ game: app.shown.start, ply: null, view: "play", ...swapped(app), match: null, round: 1 }));
  $("typed").addEventListener("submit", (event) => {
    event.preventDefault();
    tell("typed-error", "");
    open(app, $("typed-deal").value, "typed-error", $("rules").value);
  });
  $("undo").addEventListener("click", () => app.step(turn(app, -1)));
  $("redo").addEventListener("click", () => app.step(turn(app, 1)));
  $("run").addEventListener("click", () => {
    app.running = !app.running;
    app.show();
  });
  $("match-start").addEventListener("click", () => newGame(app, () => ask("deal", { rules: $("rules").value }, { fresh: true }), { match: "0-0", round: 1 }));
  $("match-next").addEventListener("click", () => {
    const change = { match: app.shown.match.next, round: app.state.round + 1, ...swapped(app) };
    newGame(app, () => ask("deal", { rules: app.shown.rules }, { fresh: true }), change);
  });
  $("match-stop").addEventListener("click", () => app.go({ match: null, round: 1 }));
}

const swapped = (app) => ({ red: app.state.blue, blue: app.state.red });

async function newGame(app, ask_, change = { match: null, round: 1 }) {
  try {
    const dealt = await ask_();
    await app.go({ game: dealt.position, ply: null, view: "play", ...change });
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    app.say(problem.message);
  }
}

/** Open a text in any notation that the service reads; what is wrong with it is told beside the field. */
export async function open(app, text, errorId, rules = "standard", change = {}) {
  try {
    const read = await ask("game", { game: text || " ", rules });
    await app.go({ game: read.game, ply: null, match: null, round: 1, view: "play", ...change });
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    tell(errorId, `${capital(problem.message)}.`);
  }
}

/** The next position in a direction where a person is to move; any position if nobody plays the computer. */
function turn(app, by) {
  const { red, blue } = app.state;
  const alone = (red === "you") !== (blue === "you");
  const human = red === "you" ? "red" : "blue";
  const other = { red: "blue", blue: "red" };
  const last = app.shown.moves.length;
  let [ply, mover] = [app.shown.ply, app.shown.to_move];
  do [ply, mover] = [ply + by, other[mover]];
  while (alone && mover !== human && ply > 0 && ply < last);
  return ply;
}

export function update(app) {
  const { state, shown } = app;
  $("red").value = state.red;
  $("blue").value = state.blue;
  $("undo").disabled = shown.ply === 0;
  $("redo").disabled = shown.ply === shown.moves.length;
  const both = state.red !== "you" && state.blue !== "you";
  $("run").hidden = !both || Boolean(shown.winner);
  $("run").textContent = app.running ? "Pause" : shown.ply ? "Go on" : "Start";
  if (shown.start !== dealShown) $("rules").value = shown.rules; // what was chosen for the next deal stays until there is one
  dealShown = shown.start;
  tell("rules-note", RULES[$("rules").value]);
  updateResult(app);
  updateMatch(app);
}

function updateResult(app) {
  const { shown, state } = app;
  $("result").hidden = !shown.winner;
  if (!shown.winner) return;
  const alone = (state.red === "you") !== (state.blue === "you");
  const name = !alone ? capital(shown.winner) : state[shown.winner] === "you" ? "You" : "The computer";
  $("result").replaceChildren(
    make("p", {}, make("strong", {}, `${name} won with ${shown.points} ${shown.points === 1 ? "point" : "points"}.`)),
    make(
      "p",
      { class: "buttons" },
      make("button", { type: "button", class: "main", onclick: () => app.go({ view: "analyse", hints: true }) }, "Where did it turn?"),
      make("button", { type: "button", onclick: () => $("swap").click() }, "Same deal, sides swapped"),
    ),
  );
}

function updateMatch(app) {
  const { state, shown } = app;
  const on = state.match !== null;
  const score = shown.match;
  $("match-start").hidden = on;
  $("match-stop").hidden = !on;
  $("match-next").hidden = !on || !score.next;
  if (!on) return tell("match-score", "");
  const first = state.round % 2 ? "red" : "blue"; // which colour the first player has in this round
  const name = (colour) => {
    if (state[colour] !== "you" && state[colour] !== state[colour === "red" ? "blue" : "red"]) return PLAYERS.get(state[colour]);
    if (state[colour] === "you" && state.red !== state.blue) return "You";
    return colour === first ? "Player 1" : "Player 2";
  };
  const line = ["red", "blue"].map((colour) => `${name(colour)} (${colour}) ${score[colour]}`).join(", ");
  tell("match-score", score.winner ? `${name(score.winner)} won the match: ${line}.` : `Round ${state.round}: ${line}.`);
}
