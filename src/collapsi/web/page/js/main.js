// The page: one state, held by the URL; every change goes through `go`, asks the service, and is shown.

import { ask, Problem } from "./api.js";
import { Board, moving, SQUARES } from "./board.js";
import { $, capital, count, make, plies, sentence } from "./dom.js";
import { gameWith, isDuel, isUnattended, other, readState, stateUrl, VIEWS } from "./state.js";
import * as analyse from "./analyse.js";
import * as census from "./census.js";
import * as edit from "./edit.js";
import * as keys from "./keys.js";
import * as play from "./play.js";
import * as rules from "./rules.js";
import * as share from "./share.js";

const PANELS = { play, analyse, edit, share, census, rules };
const THINK_MS = 350;

const app = {
  state: readState(location.search),
  shown: null, // the service's answer about the position on the board
  analysis: null, // its values, if hints are asked for
  running: false, // whether computer plays against computer
  ticket: 0, // answers to an older question are dropped
  busy: false, // between a change and its showing: what is shown is old, so it is not acted on
  board: null,
  go,
  show,
  playTo,
  say,
  isHuman: () => app.state[app.shown.to_move] === "you",
};

/** Change the state and show it: as a new entry of the browser's history, or in place of the last. */
async function go(change, { replace = false, walk = false } = {}) {
  if ("game" in change) change = { draft: null, ...change }; // what the editor held belonged to another game
  if (change.match === null) change = { ...change, round: 1 };
  app.state = { ...app.state, ...change };
  keep(replace);
  await show({ walk });
}

function keep(replace) {
  const url = stateUrl(app.state);
  if (url !== location.pathname + location.search) history[replace ? "replaceState" : "pushState"](null, "", url);
}

async function show({ walk = false } = {}) {
  const ticket = ++app.ticket;
  const { state } = app;
  app.busy = true;
  say("");
  try {
    if (!state.game) {
      const dealt = await ask("deal", {}, { fresh: true });
      if (ticket === app.ticket) await go({ game: dealt.position }, { replace: true });
      return;
    }
    const shown = await askGame(state);
    if (ticket !== app.ticket) return;
    app.shown = shown;
    app.analysis = null;
    if (shown.ply === shown.moves.length && state.ply !== null) {
      app.state.ply = null;
      keep(true);
    }
    render();
    app.busy = false;
    const [values] = await Promise.all([
      state.hints && !shown.winner ? ask("analysis", { position: shown.position }) : null,
      showMove(shown, walk),
    ]);
    if (ticket !== app.ticket) return;
    if (values) {
      app.analysis = values;
      renderBoard();
      app.board.showWay(state.view === "edit" ? null : shown.moved);
      PANELS[state.view].update?.(app);
    }
    await letComputerMove(ticket);
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    if (ticket === app.ticket) fail(problem);
  }
}

/** The game; if only the ply or the score of a link is wrong, the game without them. */
async function askGame(state) {
  const { game, ply, match } = state;
  try {
    return await ask("game", { game, ply, match });
  } catch (problem) {
    if (problem.silent || (ply === null && match === null)) throw problem;
    const shown = await ask("game", { game });
    Object.assign(state, { ply: null, match: null, round: 1 });
    keep(true);
    return shown;
  }
}

async function showMove(shown, walk) {
  if (!shown.moved || app.state.view === "edit") return;
  if (walk) await app.board.walk(shown.moved, other(shown.to_move));
  else app.board.showWay(shown.moved);
}

/** No answer, or no game: say so, and offer what can be done. */
function fail(problem) {
  app.busy = false;
  say(sentence(problem.message));
  const offer = (text, act) => $("message").append(" ", make("button", { type: "button", onclick: act }, text));
  if (problem.silent) return offer("Try again", () => show());
  app.shown = null;
  renderViews();
  if (app.state.view !== "rules") $(`view-${app.state.view}`).hidden = true;
  else PANELS.rules.update();
  $("turn").textContent = "There is no game here.";
  $("steps").hidden = $("as-text").hidden = $("record").hidden = true;
  app.board.show(SQUARES.map((square) => ({ square, card: null, pawn: null })));
  offer("Deal a new one", () => go({ game: "", ply: null, match: null, view: "play" }));
}

/** The computer's turn, if it is: only at the end of the game so far, and while it is being played. */
async function letComputerMove(ticket) {
  const { state, shown } = app;
  const level = state[shown.to_move];
  const paused = isUnattended(state) && !app.running;
  if (state.view !== "play" || state.ply !== null || shown.winner || level === "you" || paused) return;
  const [move] = await Promise.all([
    ask("computer-move", { position: shown.position, level }, { fresh: true }),
    new Promise((done) => setTimeout(done, moving() ? THINK_MS : 0)),
  ]);
  if (ticket === app.ticket) await go({ game: `${shown.game} ${move.to}` }, { replace: true, walk: true });
}

/** Go to a square, if the rules allow it; what comes after the position shown is forgotten. */
async function playTo(square) {
  const { shown, state } = app;
  if (!shown || app.busy) return;
  const target = shown.squares.find((each) => each.square === square);
  if (shown.winner) {
    refuse(square, `The game is over: ${shown.winner} has won.`);
  } else if (state.view === "play" && !app.isHuman()) {
    const back = state.ply === null ? "" : " You are looking back: step to your own turn, or to the end to go on.";
    refuse(square, `It is ${shown.to_move}'s turn, and ${shown.to_move} is played by the computer.${back}`);
  } else if (target.refusal) {
    refuse(square, sentence(target.refusal.text));
  } else {
    const view = ["play", "analyse"].includes(state.view) ? state.view : "play";
    await go({ game: gameWith(shown, square), ply: null, view }, { walk: true });
  }
}

function refuse(square, text) {
  app.board.shake(square);
  say(text);
}

function say(text) {
  $("message").textContent = text;
}

function renderViews() {
  const { view } = app.state;
  document.body.dataset.view = view;
  for (const each of VIEWS) $(`view-${each}`).hidden = each !== view;
  for (const button of document.querySelectorAll("#views [data-view]")) {
    if (button.dataset.view === view) button.setAttribute("aria-current", "page");
    else button.removeAttribute("aria-current");
    if (button.dataset.view === view) document.title = `${button.textContent} · Collapsi, solved`;
  }
}

function render() {
  const { state, shown } = app;
  renderViews();
  renderTurn();
  renderBoard();
  $("ply").textContent = `${shown.ply} / ${shown.moves.length}`;
  // Not `disabled`: a button that has the focus would lose it.
  for (const id of ["first", "back"]) $(id).setAttribute("aria-disabled", shown.ply === 0);
  for (const id of ["forward", "last"]) $(id).setAttribute("aria-disabled", shown.ply === shown.moves.length);
  $("hints").setAttribute("aria-pressed", state.hints);
  $("text-board").textContent = shown.text;
  $("record").replaceChildren(...shown.moves.map((to, index) => make(index + 1 === shown.ply ? "strong" : "span", {}, `${to} `)));
  $("steps").hidden = $("as-text").hidden = $("record").hidden = state.view === "edit";
  PANELS[state.view].update?.(app);
}

function renderTurn() {
  const { shown, state } = app;
  const side = (name) => make("span", { class: name }, capital(name));
  const played = shown.moved ? make("span", { class: "went" }, `${capital(other(shown.to_move))} went from ${shown.moved[0]} to ${shown.moved.at(-1)}. `) : "";
  const rules = shown.rules === "standard" ? "" : ` (${shown.rules} rules)`;
  if (state.view === "edit") {
    $("turn").replaceChildren("Lay out a position");
  } else if (shown.winner) {
    const points = count(shown.points, "point", "points");
    $("turn").replaceChildren(played, side(shown.winner), ` wins: ${shown.to_move} cannot move (${points})`);
  } else {
    const steps = shown.steps.join(", ").replace(/, (\d)$/, " or $1");
    const here = shown.squares.find((square) => square.pawn === shown.to_move);
    const who = !isDuel(state) || state.view !== "play" ? "" : app.isHuman() ? " (you)" : " (computer)";
    $("turn").replaceChildren(played, side(shown.to_move), `${who} to move: ${steps} ${steps === "1" ? "step" : "steps"} from ${here.square}${rules}`);
  }
}

function renderBoard() {
  const { state, shown, analysis } = app;
  const names = (element, list) => $(element).replaceChildren(...(state.flip ? [...list].reverse() : list).map((name) => make("span", {}, name)));
  names("columns", ["a", "b", "c", "d"]);
  names("rows", ["1", "2", "3", "4"]);
  if (state.view === "edit") return; // the editor shows its own
  const values = new Map((analysis?.moves ?? []).map((move) => [move.to, valueOf(move, analysis)]));
  const mayMove = !shown.winner && (state.view !== "play" || app.isHuman());
  const squares = shown.squares.map((square) => {
    const value = values.get(square.square);
    const words = square.path ? [`${shown.to_move} can go here`] : [];
    if (value) words.push(value.words);
    return { ...square, legal: mayMove && square.path, value, label: words.join(": ") };
  });
  app.board.show(squares, { toMove: shown.winner ? null : shown.to_move, flip: state.flip });
}

/** A move's value as it is shown: from the mover's view, with a true minus sign. */
export function valueOf(move, analysis) {
  const wins = move.winner === analysis.to_move;
  return {
    text: `${wins ? "+" : "−"}${move.plies}`,
    wins,
    best: analysis.best.includes(move.to),
    words: `${wins ? "wins" : "loses"} in ${plies(move.plies)}`,
  };
}

function start() {
  app.board = new Board($("board"), {
    choose: (square) => (app.state.view === "edit" ? edit.lay(app, square) : playTo(square)),
    hover: (square) => {
      if (!app.shown || app.state.view === "edit") return;
      const path = square && app.shown.squares.find((each) => each.square === square).path;
      app.board.showWay(path ?? app.shown.moved);
    },
  });
  for (const button of document.querySelectorAll("#views [data-view]")) {
    button.addEventListener("click", () => go({ view: button.dataset.view }));
  }
  const step = (to) => {
    const last = app.shown.moves.length;
    const at = Math.min(Math.max(to, 0), last);
    if (app.busy || at === app.shown.ply) return;
    app.running = false;
    go({ ply: at === last ? null : at }, { replace: true, walk: at === app.shown.ply + 1 });
  };
  app.step = step;
  $("first").addEventListener("click", () => step(0));
  $("back").addEventListener("click", () => step(app.shown.ply - 1));
  $("forward").addEventListener("click", () => step(app.shown.ply + 1));
  $("last").addEventListener("click", () => step(app.shown.moves.length));
  $("flip").addEventListener("click", () => go({ flip: !app.state.flip }, { replace: true }));
  $("hints").addEventListener("click", () => go({ hints: !app.state.hints }, { replace: true }));
  $("help-button").addEventListener("click", () => $("help").showModal());
  for (const panel of Object.values(PANELS)) panel.start?.(app);
  keys.start(app);
  addEventListener("popstate", () => {
    app.running = false;
    app.state = readState(location.search);
    show();
  });
  show();
}

start();
