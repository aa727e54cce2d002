// Solo: one pawn, every card to be collapsed. Deals, undo, hints, whether it can still be solved, a solution step by step.

import { about, fill } from "./about.js";
import { ask, Problem, soloDrawingUrl } from "./api.js";
import { $, sentence, tell } from "./dom.js";
import { linkTo, showCopies, startDownloads } from "./share.js";
import { gameWith, inLink } from "./state.js";

let boardShown = "";

const solved = (shown) => ask("solo/analysis", { game: gameWith(shown) });

/** How the service is asked about the game for one. */
export const KIND = {
  part: "solo",
  deal: () => ask("solo/deal", {}, { fresh: true }),
  game: askGame,
  values: (shown) => (shown.over ? null : solved(shown)),
  valueOf: (move) => ({ text: move.value, wins: move.solvable, best: move.solvable, words: move.text }),
  legend: "The number on a card: how many solutions go there. After 0 it cannot be solved any more.",
};

/** The game; if only the ply of a link is wrong, the game without it. */
async function askGame(state) {
  const { solo: game, ply } = state;
  try {
    return await ask("solo/game", { game, ply });
  } catch (problem) {
    if (problem.silent || ply === null) throw problem;
    state.ply = null;
    return ask("solo/game", { game });
  }
}

export function start(app) {
  const { decks, difficulties, exits } = about.solo;
  fill($("solo-deck"), decks);
  fill($("solo-difficulty"), [{ value: "", text: "any" }, ...difficulties]);
  fill($("solo-exit"), exits);
  $("solo-form").addEventListener("submit", (event) => {
    event.preventDefault();
    deal(app);
  });
  $("solo-undo").addEventListener("click", () => app.step(app.shown.ply - 1));
  $("solo-redo").addEventListener("click", () => app.step(app.shown.ply + 1));
  $("solo-restart").addEventListener("click", () => app.step(0));
  $("solo-check").addEventListener("click", () => answer(app, ({ text }) => say(text)));
  $("solo-hint").addEventListener("click", () => answer(app, (found) => hint(app, found)));
  $("solo-next").addEventListener("click", () => answer(app, (found) => next(app, found)));
  $("solo-back").addEventListener("click", () => answer(app, (found) => goBack(app, found)));
  startDownloads(app, "solo-", (query) => soloDrawingUrl({ game: app.shown.position, ...query }));
  $("solo-open").addEventListener("submit", (event) => {
    event.preventDefault();
    open(app, $("solo-text").value);
  });
}

const say = (text) => tell("solo-said", sentence(text));

/** Ask about the position shown, and do something with the answer if it is still shown then. */
async function answer(app, act) {
  if (app.busy) return;
  const { ticket } = app;
  try {
    const found = await solved(app.shown);
    if (ticket === app.ticket) act(found);
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    if (ticket === app.ticket) app.say(sentence(problem.message));
  }
}

function hint(app, found) {
  if (!found.hint) return say(found.text);
  const { move, path, text } = found.moves.find((each) => each.move === found.hint);
  app.showWay((square) => square.move === move);
  say(`go to ${move} (${path.join(" ")}): then it can be solved in ${text}`);
}

/** One step of a solution; the next click takes the next. */
function next(app, found) {
  if (!found.solution.length) return say(found.text);
  app.playMove(found.solution[0]);
}

function goBack(app, { back, text }) {
  if (back) app.step(app.shown.ply - back);
  else say(text);
}

async function deal(app) {
  if (app.busy) return;
  app.busy = true;
  const ticket = ++app.ticket;
  tell("solo-deal-error", "");
  const query = {
    deck: $("solo-deck").value,
    difficulty: $("solo-difficulty").value,
    exit: $("solo-exit").value,
    seed: $("solo-seed").value.trim(),
  };
  try {
    const dealt = await ask("solo/deal", query, { fresh: true });
    if (ticket === app.ticket) await app.go({ solo: dealt.position, ply: null, hints: false });
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    app.busy = false;
    tell("solo-deal-error", sentence(problem.message));
  }
}

/** Open a board or game in our notation, or a link to one. */
async function open(app, text) {
  tell("solo-error", "");
  const game = inLink(text, "solo");
  try {
    const read = await ask("solo/game", { game: game || " " });
    await app.go({ solo: read.game, ply: null });
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    tell("solo-error", sentence(problem.message));
  }
}

export function update(app) {
  const { shown, analysis, state } = app;
  $("solo-undo").setAttribute("aria-disabled", shown.ply === 0);
  $("solo-restart").setAttribute("aria-disabled", shown.ply === 0);
  $("solo-redo").setAttribute("aria-disabled", shown.ply === shown.moves.length);
  tell("solo-rules", shown.rules_text);
  if (shown.start !== boardShown) {
    // What was chosen for the next board stays until there is one.
    if (shown.deck) $("solo-deck").value = shown.deck;
    $("solo-exit").value = shown.exit;
  }
  boardShown = shown.start;
  const end = shown.solved ? shown.turn : `${shown.turn}: undo, or go back to where it went wrong`;
  tell("solo-said", analysis ? sentence(analysis.text) : shown.over ? sentence(end) : "");
  const part = { view: "solo", solo: shown.game, ply: state.ply, red: state.red, blue: state.blue };
  showCopies("solo-copies", {
    Link: linkTo({ ...part, flip: state.flip, hints: state.hints }),
    "Game as text": shown.game,
    "Position as text": shown.position,
  });
}
