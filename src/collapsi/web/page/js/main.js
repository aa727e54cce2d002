// The page: one state, held by the URL; every change goes through `go`, asks the service, and is shown.

import { ask, Problem } from "./api.js";
import { Board, moving } from "./board.js";
import { $, capital, make, plies } from "./dom.js";
import { readState, stateUrl, VIEWS } from "./state.js";
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
  board: null,
  go,
  show,
  playTo,
  say,
  isHuman: () => app.state[app.shown.to_move] === "you",
};

/** Change the state and show it: as a new entry of the browser's history, or in place of the last. */
async function go(change, { replace = false, walk = false } = {}) {
  app.state = { ...app.state, ...change };
  const url = stateUrl(app.state);
  if (url !== location.pathname + location.search) history[replace ? "replaceState" : "pushState"](null, "", url);
  await show({ walk });
}

async function show({ walk = false } = {}) {
  const ticket = ++app.ticket;
  const { state } = app;
  say("");
  try {
    if (!state.game) {
      const dealt = await ask("deal", {}, { fresh: true });
      if (ticket === app.ticket) await go({ game: dealt.position }, { replace: true });
      return;
    }
    const shown = await ask("game", { game: state.game, ply: state.ply, match: state.match });
    if (ticket !== app.ticket) return;
    app.shown = shown;
    app.analysis = null;
    render();
    if (state.hints && !shown.winner) {
      const values = await ask("analysis", { position: shown.position });
      if (ticket !== app.ticket) return;
      app.analysis = values;
      renderBoard();
      PANELS[state.view].update?.(app);
    }
    if (shown.moved && state.view !== "edit") {
      const colour = shown.to_move === "red" ? "blue" : "red";
      if (walk) await app.board.walk(shown.moved, colour);
      else app.board.showWay(shown.moved);
    }
    if (ticket === app.ticket) await letComputerMove(ticket);
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    if (ticket === app.ticket) say(problem.message);
    if (!app.shown) offerDeal();
  }
}

/** The computer's turn, if it is: only at the end of the game so far, and while it is being played. */
async function letComputerMove(ticket) {
  const { state, shown } = app;
  const level = state[shown.to_move];
  const both = state.red !== "you" && state.blue !== "you";
  if (state.view !== "play" || state.ply !== null || shown.winner || level === "you" || (both && !app.running)) return;
  const [move] = await Promise.all([
    ask("computer-move", { position: shown.position, level }, { fresh: true }),
    new Promise((done) => setTimeout(done, moving() ? THINK_MS : 0)),
  ]);
  if (ticket === app.ticket) await go({ game: `${shown.game} ${move.to}` }, { replace: true, walk: true });
}

/** Go to a square, if the rules allow it; what comes after the position shown is forgotten. */
async function playTo(square) {
  const { shown, state } = app;
  if (!shown) return;
  const target = shown.squares.find((each) => each.square === square);
  if (shown.winner) {
    refuse(square, `The game is over: ${shown.winner} has won.`);
  } else if (state.view === "play" && !app.isHuman()) {
    refuse(square, `It is ${shown.to_move}'s turn, and ${shown.to_move} is played by the computer.`);
  } else if (target.refusal) {
    refuse(square, `${capital(target.refusal.text)}.`);
  } else {
    const moves = [...shown.moves.slice(0, shown.ply), square];
    const view = ["play", "analyse"].includes(state.view) ? state.view : "play";
    await go({ game: [shown.start, ...moves].join(" "), ply: null, view }, { walk: true });
  }
}

function refuse(square, text) {
  app.board.shake(square);
  say(text);
}

function say(text) {
  $("message").textContent = text;
}

function offerDeal() {
  $("turn").textContent = "There is no game here.";
  $("steps").hidden = $("as-text").hidden = true;
  $("message").append(" ", make("button", { type: "button", onclick: () => go({ game: "", ply: null, match: null }) }, "Deal a new one"));
}

function render() {
  const { state, shown } = app;
  document.body.dataset.view = state.view;
  for (const view of VIEWS) $(`view-${view}`).hidden = view !== state.view;
  for (const button of document.querySelectorAll("#views [data-view]")) {
    if (button.dataset.view === state.view) button.setAttribute("aria-current", "page");
    else button.removeAttribute("aria-current");
  }
  renderTurn();
  renderBoard();
  $("ply").textContent = `${shown.ply} / ${shown.moves.length}`;
  $("first").disabled = $("back").disabled = shown.ply === 0;
  $("forward").disabled = $("last").disabled = shown.ply === shown.moves.length;
  $("hints").setAttribute("aria-pressed", state.hints);
  $("text-board").textContent = shown.text;
  $("steps").hidden = $("as-text").hidden = state.view === "edit";
  PANELS[state.view].update?.(app);
}

function renderTurn() {
  const { shown, state } = app;
  const side = (name) => make("span", { class: name }, capital(name));
  if (state.view === "edit") {
    $("turn").replaceChildren("Lay out a position");
  } else if (shown.winner) {
    const points = `${shown.points} ${shown.points === 1 ? "point" : "points"}`;
    $("turn").replaceChildren(side(shown.winner), ` wins: ${shown.to_move} cannot move (${points})`);
  } else {
    const steps = shown.steps.join(", ").replace(/, (\d)$/, " or $1");
    const here = shown.squares.find((square) => square.pawn === shown.to_move);
    $("turn").replaceChildren(side(shown.to_move), ` to move: ${steps} ${steps === "1" ? "step" : "steps"} from ${here.square}`);
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
  const step = (to) => go({ ply: to >= app.shown.moves.length ? null : Math.max(to, 0) }, { replace: true, walk: to === app.shown.ply + 1 });
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
