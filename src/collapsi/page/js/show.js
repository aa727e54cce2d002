// Change the state, write it to the URL, ask the service and show the answer.

import * as analysis from "./analysis.js";
import { ask, moveOn, problemText } from "./api.js";
import { app, isPlayed } from "./app.js";
import { letComputerMove } from "./computer.js";
import { $, make } from "./dom.js";
import * as games from "./games.js";
import { askGame, DUEL } from "./kinds.js";
import * as review from "./review.js";
import * as room from "./room.js";
import { DEALS, gameText, inRoom, LEFT, stateUrl } from "./state.js";
import { load } from "./storage.js";
import { render, renderViews, showEmptyBoard, showMove } from "./table.js";
import * as variations from "./variations.js";
import { VIEWS } from "./views.js";

const PARTS = ["game", "solo", "big"]; // another game to play leaves the room
const STUDIED = ["analyse", "edit"]; // views that end the play of a game

/**
 * Change the state and show it, as a new entry of the browser's history or in place of the last.
 * `play`: the game is played from here on, so the computer answers. A game from Analyse, the editor or a link is not.
 */
export async function go(change, { replace = false, walk = false, play = false } = {}) {
  if ("game" in change) change = { draft: null, ...change }; // the editor's position belongs to another game
  if (change.match === null) change = { ...change, round: 1 };
  if (["game", "ply", "view"].some((name) => name in change)) change = { half: "", ...change };
  const before = app.kind().part;
  if (app.state.room && VIEWS[change.view ?? app.state.view].plays && PARTS.some((name) => name in change)) change = { ...LEFT, ...change };
  app.state = { ...app.state, ...change };
  const { part } = app.kind();
  if (part !== before) app.state.tree = ""; // `show` writes the one of this game
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
  const kept = { played: app.played, tree: app.state.tree, entries: app.entries }; // the URL has no tree that is too long
  const isSame =
    !isNew && JSON.stringify({ played: playedBefore(), tree: treeBefore(), entries: entriesBefore() }) === JSON.stringify(kept);
  if (!isSame) history[isNew && !replace ? "pushState" : "replaceState"](kept, "", url);
}

/** Whether the entry of the history has the tree and the entries of my games. */
const isKept = () => treeBefore() === app.state.tree && JSON.stringify(entriesBefore()) === JSON.stringify(app.entries);

/** The entries in the list of my games when this entry of the history was written. */
export const entriesBefore = () => history.state?.entries ?? {};

/** The tree when this entry of the history was written. */
export const treeBefore = () => history.state?.tree ?? "";

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
  const following = room.follow(app);
  if (following) return following;
  if (inRoom(state) && !state[part]) return app.say("Coming to the table …"); // the room says which game it is
  try {
    if (!state[part]) {
      const dealt = await (kind.deal?.(state) ?? askDeal(kind));
      if (ticket === app.ticket) await go({ [part]: dealt.position, ...dealt.change }, { replace: true, play: true });
      return;
    }
    const url = stateUrl(state);
    const shown = { ...(await (kind.game?.(state) ?? askGame(kind, state))) };
    if (ticket !== app.ticket) return;
    const unread = await readTree(kind, shown);
    if (ticket !== app.ticket) return;
    app.shown = shown;
    app.analysis = null;
    const isLive = !kind.game && Boolean(app.view().plays) && isPlayed();
    if (!kind.game) variations.keep(app, { played: isLive && shown.ply === shown.moves.length });
    if (isLive) games.note(app);
    if (shown.ply === shown.moves.length) state.ply = null;
    if (stateUrl(state) !== url || !isKept()) writeUrl(true);
    render(app);
    if (unread) app.say(unread);
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

/** Deal what was chosen last; the usual deal, if the service refuses that. */
async function askDeal({ path, part }) {
  const remembered = load(DEALS, {})[part];
  try {
    return await ask(`${path}deal`, remembered ?? {}, { fresh: true });
  } catch (problem) {
    if (!remembered || problem.silent) throw problem;
    return ask(`${path}deal`, {}, { fresh: true });
  }
}

/** Read the tree of a link, if it is of the game shown: the service checks it. Returns why it cannot be read, if so. */
async function readTree({ path, part, game }, shown) {
  const { linked } = app;
  app.linked = "";
  if (!linked || game || shown.tree || app.trees[part]?.start === shown.start) return "";
  try {
    const read = await ask(`${path}game`, { game: linked });
    if (read.start === shown.start) shown.tree = read.tree;
    return "";
  } catch (problem) {
    return `The variations in this link cannot be read. ${problemText(problem)}`;
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
