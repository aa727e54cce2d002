// Play: who plays, new games, undo, and a match to sixteen points.

import { about, chooseRules, fill, playerName, players, rulesNamed, YOU } from "./about.js";
import { ask, Problem } from "./api.js";
import { $, capital, count, make, sentence, tell } from "./dom.js";
import { gameWith, inLink, isDuel, isUnattended, other } from "./state.js";

const SLOW_MS = 800;
let dealShown = "";

/** A click on a button does something; the second click of a double click does not do it again. */
const once = (id, act) => $(id).addEventListener("click", (event) => event.detail > 1 || act());

export function start(app) {
  for (const colour of ["red", "blue"]) {
    fill($(colour), players());
    $(colour).addEventListener("change", () => {
      app.running = false;
      app.go({ [colour]: $(colour).value });
    });
  }
  chooseRules($("rules"), about.rules[0].name);
  $("rules").addEventListener("change", () => tell("rules-note", noteOn(app)));
  const deal = (query) => newGame(app, { rules: $("rules").value, ...query });
  once("deal", () => deal({}));
  once("winnable", () => deal({ winner: app.state.red !== YOU && app.state.blue === YOU ? "blue" : "red" }));
  const again = (change) => {
    if (app.busy) return;
    chooseRules($("rules"), app.shown.rules, app.shown.rules_title);
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
  $("undo").addEventListener("click", () => (app.halfway() ? app.takeBack() : app.step(turn(app, -1) ?? app.shown.ply)));
  $("redo").addEventListener("click", () => app.step(turn(app, 1) ?? app.shown.ply));
  $("run").addEventListener("click", () => {
    if (app.busy) return;
    app.running = !app.running;
    if (app.running) app.go({ game: gameWith(app.shown), ply: null }); // from what is shown
    else app.show();
  });
  once("match-start", () => newGame(app, { rules: $("rules").value }, { match: "0-0", round: 1 }));
  once("match-next", () => {
    const { match, rules } = app.shown;
    if (match.next) newGame(app, { rules }, { match: match.next, round: app.state.round + 1, ...swapped(app) });
  });
  once("match-stop", () => app.go({ match: null }));
}

/** What is special about the rules chosen for the next deal. */
const noteOn = (app) => rulesNamed($("rules").value)?.text ?? app.shown.rules_text;

const swapped = (app) => ({ red: app.state.blue, blue: app.state.red });

async function newGame(app, query, change = { match: null }) {
  if (app.busy) return;
  app.busy = true;
  app.running = false;
  const ticket = ++app.ticket; // a move that the computer is thinking about belongs to the old game
  tell("typed-error", "");
  const ended = app.state.match !== null && change.match === null;
  const slow = setTimeout(() => ticket === app.ticket && app.say("Looking for such a deal …"), SLOW_MS);
  try {
    const dealt = await ask("deal", query, { fresh: true }).finally(() => clearTimeout(slow));
    const fresh = { game: dealt.position, ply: null, view: "play", hints: false };
    if (ticket === app.ticket) await app.go({ ...fresh, ...change });
    if (ended) app.say("The match has ended with this new deal; Back returns to it.");
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    app.busy = false;
    app.say(sentence(problem.message));
  }
}

/** Open a text in any notation that the service reads; what is wrong with it is told beside the field. */
export async function open(app, text, errorId, rules = null, change = {}) {
  try {
    const read = await ask("game", { game: inLink(text) || " ", rules });
    tell(errorId, "");
    await app.go({ game: read.game, ply: null, match: null, view: "play", ...change });
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    tell(errorId, sentence(problem.message));
  }
}

/** The next position in a direction where a person is to move, or null; any position if nobody plays the computer. */
function turn(app, by) {
  const alone = isDuel(app.state);
  const human = app.state.red === YOU ? "red" : "blue";
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
  $("undo").setAttribute("aria-disabled", turn(app, -1) === null && !app.halfway());
  $("redo").setAttribute("aria-disabled", turn(app, 1) === null);
  $("run").hidden = !isUnattended(state) || Boolean(shown.winner);
  $("run").textContent = app.running ? "Pause" : shown.ply ? "Go on" : "Start";
  // What was chosen for the next deal stays until there is one.
  if (shown.start !== dealShown) chooseRules($("rules"), shown.rules, shown.rules_title);
  dealShown = shown.start;
  tell("rules-note", noteOn(app));
  updateResult(app);
  updateMatch(app);
}

function updateResult(app) {
  const { shown, state } = app;
  $("result").hidden = !shown.winner;
  if (!shown.winner) return;
  const button = (text, onclick, kind = null) => make("button", { type: "button", class: kind, onclick }, text);
  const name = !isDuel(state) ? capital(shown.winner) : state[shown.winner] === YOU ? "You" : "The computer";
  $("result").replaceChildren(
    make("p", {}, make("strong", {}, `${name} won with ${count(shown.points, "point", "points")}.`)),
    make(
      "p",
      { class: "buttons" },
      button("Where did it turn?", () => app.go({ view: "analyse", hints: true }), "main"),
      state.match === null ? button("Same deal, sides swapped", () => $("swap").click()) : null,
      state.match !== null && shown.match.next ? button("Next round", () => $("match-next").click()) : null,
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
    if (isDuel(state)) return state[colour] === YOU ? "You" : "The computer";
    if (state.red !== state.blue) return playerName(state[colour]);
    return colour === first ? "Player 1" : "Player 2";
  };
  const line = ["red", "blue"].map((colour) => `${name(colour)} (${colour}) ${score[colour]}`).join(", ");
  tell("match-score", score.winner ? `${name(score.winner)} won the match: ${line}.` : `Round ${state.round}: ${line}.`);
}
