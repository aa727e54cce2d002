// Change the state, write it to the URL, ask the service and show the answer.

import * as analysis from "./analysis.js";
import { ask, moveOn, problemText } from "./api.js";
import { app, isPlayed } from "./app.js";
import { letComputerMove } from "./computer.js";
import { $, make } from "./dom.js";
import { askGame, DUEL } from "./kinds.js";
import * as review from "./review.js";
import { gameText, stateUrl } from "./state.js";
import { render, renderViews, showEmptyBoard, showMove } from "./table.js";

const STUDIED = ["analyse", "edit"]; // views that end the play of a game

/**
 * Change the state and show it, as a new entry of the browser's history or in place of the last.
 * `play`: the game is played from here on, so the computer answers. A game from Analyse, the editor or a link is not.
 */
export async function go(change, { replace = false, walk = false, play = false } = {}) {
  if ("game" in change) change = { draft: null, ...change }; // the editor's position belongs to another game
  if (change.match === null) change = { ...change, round: 1 };
  if (["game", "ply", "view"].some((name) => name in change)) change = { half: "", ...change };
  app.state = { ...app.state, ...change };
  const { part } = app.kind();
  if (play) app.played = { ...app.played, [part]: gameText(app.state[part]) };
  if (STUDIED.includes(app.state.view)) app.played = { ...app.played, game: "" };
  if (!isPlayed()) app.running = false;
  writeUrl(replace);
  await show({ walk });
}

/** Write the state to the URL. What is being played is stored in the history entry: it survives a reload, but is not in a link. */
export function writeUrl(replace) {
  const url = stateUrl(app.state);
  const { pathname, search, hash } = location;
  const isNew = url !== pathname + search + hash;
  const isSame = !isNew && JSON.stringify(playedBefore()) === JSON.stringify(app.played);
  if (!isSame) history[isNew && !replace ? "pushState" : "replaceState"]({ played: app.played }, "", url);
}

/** What was being played when this entry of the history was written; nothing, if it comes from a link. */
export const playedBefore = () => history.state?.played ?? {};

/** Show the state: deal if there is no game, then render, animate the last move, start the analysis, let the computer move. */
export async function show({ walk = false } = {}) {
  const ticket = ++app.ticket;
  const { state } = app;
  const kind = app.kind();
  const { part } = kind;
  app.busy = true;
  app.say("");
  moveOn(state.view);
  analysis.leave();
  review.leave(app);
  try {
    if (!state[part]) {
      const dealt = await (kind.deal?.(state) ?? ask(`${kind.path}deal`, {}, { fresh: true }));
      if (ticket === app.ticket) await go({ [part]: dealt.position }, { replace: true, play: true });
      return;
    }
    const url = stateUrl(state);
    const shown = await (kind.game?.(state) ?? askGame(kind, state));
    if (ticket !== app.ticket) return;
    app.shown = shown;
    app.analysis = null;
    if (shown.ply === shown.moves.length) state.ply = null;
    if (stateUrl(state) !== url) writeUrl(true);
    render(app);
    const walked = showMove(app, walk, ticket);
    app.ready();
    if (ticket !== app.ticket) return;
    analysis.begin(app, ticket, walked);
    await walked;
    if (ticket === app.ticket) await letComputerMove(app, ticket);
  } catch (problem) {
    const text = problemText(problem);
    if (ticket === app.ticket) fail(text, problem.silent);
  }
}

/** Report that there is no answer, or no game, and offer what can be done. */
function fail(text, silent) {
  app.busy = false;
  app.dropWaiting();
  app.say(text);
  if (silent) return offer("Try again", () => show());
  app.shown = null;
  const hasRules = app.state.view === "rules"; // they need no game
  renderViews(app, { empty: !hasRules });
  if (hasRules) app.update();
  $("turn").textContent = "There is no game here.";
  showEmptyBoard(app);
  const { part, match } = app.kind();
  const view = app.kind() === DUEL ? "play" : app.state.view;
  offer("Deal a new one", () => go({ [part]: "", ply: null, ...match?.none, view }));
}

export function offer(text, act) {
  $("message").append(" ", make("button", { type: "button", onclick: act }, text));
}
