// Play: who plays, new games, undo, and a match to sixteen points.

import { ask, Problem } from "./api.js";
import { $, capital, count, make, sentence, tell } from "./dom.js";
import { gameWith, isDuel, isUnattended, other, PLAYERS } from "./state.js";

export const RULES = {
  standard: "From its jack a pawn goes one step.",
  joker: "The first move of each player goes 1, 2, 3 or 4 steps, as you like.",
};

let dealShown = "";

/** A click on a button does something; the second click of a double click does not do it again. */
const once = (id, act) => $(id).addEventListener("click", (event) => event.detail > 1 || act());

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
  const deal = (query) => newGame(app, { rules: $("rules").value, ...query });
  once("deal", () => deal({}));
  once("winnable", () => deal({ winner: app.state.red !== "you" && app.state.blue === "you" ? "blue" : "red" }));
  const again = (change) => {
    if (app.busy) return;
    $("rules").value = app.shown.rules;
    app.running = false;
    app.go({ game: app.shown.start, ply: null, view: "play", hints: false, ...change });
  };
  once("restart", () => again({}));
  once("swap", () => again(swapped(app)));
  $("typed").addEventListener("submit", (event) => {
    event.preventDefault();
    tell("typed-error", "");
    open(app, $("typed-deal").value, "typed-error", $("rules").value);
  });
  $("undo").addEventListener("click", () => app.step(turn(app, -1) ?? app.shown.ply));
  $("redo").addEventListener("click", () => app.step(turn(app, 1) ?? app.shown.ply));
  $("run").addEventListener("click", () => {
    if (app.busy) return;
    app.running = !app.running;
    if (app.running) app.go({ game: gameWith(app.shown), ply: null }); // from what is shown
    else app.show();
  });
  once("match-start", () => newGame(app, { rules: $("rules").value }, { match: "0-0", round: 1 }));
  once("match-next", () => {
    if (app.shown.match.next) newGame(app, { rules: app.shown.rules }, { match: app.shown.match.next, round: app.state.round + 1, ...swapped(app) });
  });
  once("match-stop", () => app.go({ match: null }));
}

const swapped = (app) => ({ red: app.state.blue, blue: app.state.red });

async function newGame(app, query, change = { match: null }) {
  if (app.busy) return;
  app.busy = true;
  app.running = false;
  const ticket = ++app.ticket; // a move that the computer is thinking about belongs to the old game
  tell("typed-error", "");
  const ended = app.state.match !== null && change.match === null;
  try {
    const dealt = await ask("deal", query, { fresh: true });
    if (ticket === app.ticket) await app.go({ game: dealt.position, ply: null, view: "play", hints: false, ...change });
    if (ended) app.say("The match has ended with this new deal; Back returns to it.");
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    app.busy = false;
    app.say(sentence(problem.message));
  }
}

/** Open a text in any notation that the service reads; what is wrong with it is told beside the field. */
export async function open(app, text, errorId, rules = "standard", change = {}) {
  try {
    const read = await ask("game", { game: inLink(text) || " ", rules });
    tell(errorId, "");
    await app.go({ game: read.game, ply: null, match: null, view: "play", ...change });
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    tell(errorId, sentence(problem.message));
  }
}

/** The game in a link of this page, or the text as it is. */
function inLink(text) {
  return URL.canParse(text) ? (new URL(text).searchParams.get("game") ?? text) : text;
}

/** The next position in a direction where a person is to move, or null; any position if nobody plays the computer. */
function turn(app, by) {
  const alone = isDuel(app.state);
  const human = app.state.red === "you" ? "red" : "blue";
  const last = app.shown.moves.length;
  let [ply, mover] = [app.shown.ply + by, other(app.shown.to_move)];
  while (alone && mover !== human && ply > 0 && ply < last) [ply, mover] = [ply + by, other(mover)];
  const none = ply < 0 || ply > last || (by < 0 && alone && mover !== human);
  return none ? null : ply;
}

export function update(app) {
  const { state, shown } = app;
  $("red").value = state.red;
  $("blue").value = state.blue;
  $("undo").setAttribute("aria-disabled", turn(app, -1) === null);
  $("redo").setAttribute("aria-disabled", turn(app, 1) === null);
  $("run").hidden = !isUnattended(state) || Boolean(shown.winner);
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
  const name = !isDuel(state) ? capital(shown.winner) : state[shown.winner] === "you" ? "You" : "The computer";
  $("result").replaceChildren(
    make("p", {}, make("strong", {}, `${name} won with ${count(shown.points, "point", "points")}.`)),
    make(
      "p",
      { class: "buttons" },
      make("button", { type: "button", class: "main", onclick: () => app.go({ view: "analyse", hints: true }) }, "Where did it turn?"),
      state.match === null
        ? make("button", { type: "button", onclick: () => $("swap").click() }, "Same deal, sides swapped")
        : shown.match.next
          ? make("button", { type: "button", onclick: () => $("match-next").click() }, "Next round")
          : null,
    ),
  );
}

function updateMatch(app) {
  const { state, shown } = app;
  const on = state.match !== null;
  const score = shown.match;
  $("match-start").hidden = on && !score.winner;
  $("match-start").textContent = on ? "A new match" : "Start a match";
  $("match-stop").hidden = !on || Boolean(score.winner);
  $("match-next").hidden = !on || !score.next;
  $("restart").hidden = $("swap").hidden = on; // a round is played once
  if (!on) return tell("match-score", "");
  const first = state.round % 2 ? "red" : "blue"; // which colour the first player has in this round
  const name = (colour) => {
    if (isDuel(state)) return state[colour] === "you" ? "You" : "The computer";
    if (state.red !== state.blue) return PLAYERS.get(state[colour]);
    return colour === first ? "Player 1" : "Player 2";
  };
  const line = ["red", "blue"].map((colour) => `${name(colour)} (${colour}) ${score[colour]}`).join(", ");
  tell("match-score", score.winner ? `${name(score.winner)} won the match: ${line}.` : `Round ${state.round}: ${line}.`);
}
