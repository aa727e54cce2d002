// The page: one state, held by the URL; every change goes through `go`, asks the service, and is shown.

import { about, hasShifts, isStandard, learn, YOU } from "./about.js";
import { alone, ask, Problem } from "./api.js";
import { Board, moving } from "./board.js";
import { $, capital, count, make, sentence } from "./dom.js";
import { keep, recall } from "./kept.js";
import { notePlayed } from "./own.js";
import { gameWith, isDuel, isUnattended, readState, stateUrl, VIEWS } from "./state.js";
import { valueOf } from "./values.js";
import * as analyse from "./analyse.js";
import * as big from "./big.js";
import * as census from "./census.js";
import * as daily from "./daily.js";
import * as edit from "./edit.js";
import * as keys from "./keys.js";
import * as lessons from "./lessons.js";
import * as looking from "./looking.js";
import * as play from "./play.js";
import * as puzzles from "./puzzles.js";
import * as rules from "./rules.js";
import * as share from "./share.js";
import * as solo from "./solo.js";
import * as why from "./why.js";

const PANELS = { play, analyse, lessons, puzzles, daily, edit, share, census, solo, big, rules };
const THINK_MS = 350;
const MOVED = "collapsi: has moved"; // who has moved once knows how
const SHIFT_ONLY = "slide"; // the pawn has walked already

/** The game for two: which part of the state it is, and how the service is asked about it. */
const DUEL = {
  part: "game",
  deal: () => ask("deal", {}, { fresh: true }),
  game: askGame,
  values: (shown) => (shown.winner ? null : ask("analysis", { position: shown.position }, { instead: "values" })),
  valueOf,
  legend: "+5 wins in 5 plies (moves of both players), −4 loses in 4; the best are filled.",
};

const app = {
  state: null,
  shown: null, // the service's answer about the position on the board
  analysis: null, // its values, if hints are asked for
  running: false, // whether computer plays against computer
  ticket: 0, // answers to an older question are dropped
  busy: false, // between a change and its showing: what is shown is old, so it is not acted on
  board: null,
  go,
  show,
  step,
  playTo,
  playMove,
  halfway,
  takeBack,
  showWay,
  renderBoard,
  say,
  isHuman: () => kind().isHuman?.(app) ?? (app.state.view === "solo" || app.state[app.shown.to_move] === YOU),
};

/** Whose game a view shows: its own, or that of most views. */
const kindOf = (view) => PANELS[view].KIND ?? DUEL;
const kind = () => kindOf(app.state.view);

/** Change the state and show it: as a new entry of the browser's history, or in place of the last. */
async function go(change, { replace = false, walk = false } = {}) {
  if ("game" in change) change = { draft: null, ...change }; // what the editor held belonged to another game
  if (change.match === null) change = { ...change, round: 1 };
  if (["game", "ply", "view"].some((name) => name in change)) change = { half: "", ...change }; // it belonged to what was shown
  app.state = { ...app.state, ...change };
  writeUrl(replace);
  await show({ walk });
}

function writeUrl(replace) {
  const url = stateUrl(app.state);
  const { pathname, search, hash } = location;
  if (url !== pathname + search + hash) history[replace ? "replaceState" : "pushState"](null, "", url);
}

async function show({ walk = false } = {}) {
  const ticket = ++app.ticket;
  const { state } = app;
  const { part, deal, game, values: ask_ } = kind();
  app.busy = true;
  say("");
  looking.leave(app);
  try {
    if (!state[part]) {
      const dealt = await deal(state);
      if (ticket === app.ticket) await go({ [part]: dealt.position }, { replace: true });
      return;
    }
    const shown = await game(state);
    if (ticket !== app.ticket) return;
    app.shown = shown;
    app.analysis = null;
    if (shown.ply === shown.moves.length && state.ply !== null) {
      app.state.ply = null;
      writeUrl(true);
    }
    render();
    app.busy = false;
    const [values] = await Promise.all([state.hints ? ask_(shown) : null, showMove(shown, walk, ticket)]);
    if (ticket !== app.ticket) return;
    if (values) {
      app.analysis = values;
      renderBoard();
      why.update(app);
      app.showWay();
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
    writeUrl(true);
    return shown;
  }
}

async function showMove(shown, walk, ticket) {
  if (!shown.moved || app.state.view === "edit") return;
  if (walk && shown.shifted) await showShift(shown, walk, ticket);
  else if (walk) await app.board.walk(shown.moved_strokes, shown.moved_by);
  else app.showWay();
}

/** A move of two halves: the pawn walks, unless it has done so already, then the cards slide. */
async function showShift({ shifted, moved_strokes: strokes, moved_by: colour }, walk, ticket) {
  if (!moving() || document.hidden) return app.showWay();
  const { rows, columns, squares, slides } = shifted;
  app.board.show(squares, { rows, columns, flip: app.state.flip, shifting: true });
  app.board.passing = true;
  if (walk !== SHIFT_ONLY) await app.board.walk(strokes, colour);
  app.board.passing = false;
  if (ticket === app.ticket) await app.board.slide(slides, renderBoard);
  if (ticket === app.ticket) app.showWay();
}

/** Draw the way to a square, if the side to move may go there; otherwise the way, or the shift, of the move that led here. */
function showWay(isWanted = () => false) {
  const { shown, state } = app;
  if (state.view === "edit") return;
  const way = shown.squares.find(isWanted)?.strokes ?? halfway()?.strokes;
  if (!way && shown.shifted) app.board.showTrace(shown.shifted.trace);
  else app.board.showWay(way ?? shown.moved_strokes);
}

/** No answer, or no game: say so, and offer what can be done. */
function fail(problem) {
  app.busy = false;
  say(sentence(problem.message));
  if (problem.silent) return offer("Try again", () => show());
  app.shown = null;
  renderViews();
  if (app.state.view !== "rules") $(`view-${app.state.view}`).hidden = true;
  else PANELS.rules.update();
  $("turn").textContent = "There is no game here.";
  showEmptyBoard();
  const { part } = kind();
  const view = kind() === DUEL ? "play" : app.state.view;
  offer("Deal a new one", () => go({ [part]: "", ply: null, match: null, view }));
}

/** A board without a game, and nothing that belongs to one. */
function showEmptyBoard() {
  for (const id of ["steps", "as-text", "record", "hello", "legend"]) $(id).hidden = true;
  const { rows, columns, squares } = kind().board?.() ?? about.rules[0].board;
  app.board.show(squares.map((square) => ({ square, card: null, pawn: null })), { rows, columns });
}

function offer(text, act) {
  $("message").append(" ", make("button", { type: "button", onclick: act }, text));
}

/** The computer's turn, if it is: only at the end of the game so far, and while it is being played. */
async function letComputerMove(ticket) {
  if (kind().answer) return kind().answer(app, ticket);
  const { state, shown } = app;
  const level = state[shown.to_move];
  const paused = isUnattended(state) && !app.running;
  if (state.view !== "play" || state.ply !== null || shown.winner || level === YOU || paused) return;
  const [move] = await Promise.all([
    ask("computer-move", { position: shown.position, level }, { fresh: true }),
    new Promise((done) => setTimeout(done, moving() ? THINK_MS : 0)),
  ]);
  if (ticket === app.ticket) await go({ game: `${shown.game} ${move.move}` }, { replace: true, walk: true });
}

/** Go to a square, if the rules allow it: with a whole move, or with the first half of one. */
async function playTo(square) {
  const { shown, state } = app;
  if (!shown || app.busy) return;
  const target = shown.squares.find((each) => each.square === square);
  const refusal = refusalAt(target);
  if (refusal) refuse(square, refusal);
  else if (!target.shifts) await playOn(target.move);
  else if (state.half === square) takeBack();
  else chooseCard(target);
}

/** Why nobody may go to a square now, or null. */
function refusalAt(target) {
  const { shown, state } = app;
  if (kind().refuse?.(app)) return kind().refuse(app);
  if (shown.winner) return `The game is over: ${shown.winner} has won.`;
  if (["play", "daily"].includes(state.view) && !app.isHuman()) {
    const back = state.ply === null ? "" : " You are looking back: step to your own turn, or to the end to go on.";
    return `It is ${shown.to_move}'s turn, and ${shown.to_move} is played by the computer.${back}`;
  }
  return target.refusal ? sentence(target.refusal.text) : null;
}

/** Play a move; what comes after the position shown is forgotten. */
async function playOn(move, walk = true) {
  const { shown, state } = app;
  keep(MOVED, 1);
  if (kind().play) return kind().play(app, move);
  if (state.view === "play") notePlayed(shown.start);
  const view = kind() !== DUEL || state.view === "analyse" ? state.view : "play";
  await go({ [kind().part]: gameWith(shown, move), ply: null, view, half: "" }, { walk });
}

/** The first half of a move: the pawn goes to a card, and what may be shifted is asked for. */
function chooseCard(target) {
  showHalf(target.square);
  app.board.walk(target.strokes, app.shown.to_move);
}

/** The second half of a move. */
function chooseShift(move) {
  if (app.busy) return;
  showHalf("", { silent: true }); // Back leads to before the move
  playOn(move, SHIFT_ONLY);
}

/** Half a move is taken back. */
function takeBack() {
  const { half } = app.state;
  if (!half) return;
  showHalf("");
  app.showWay();
  if (app.board.byKeyboard) app.board.focus(app.board.card(half));
}

function showHalf(half, { silent = false } = {}) {
  app.state.half = half;
  writeUrl(true);
  if (silent) return;
  say("");
  renderTurn();
  renderBoard();
  PANELS[app.state.view].update?.(app);
}

/** The square that half a move has gone to, or null: what a link says may be wrong. */
function halfway() {
  const { state, shown } = app;
  if (!state.half || !shown || refusalAt({ refusal: null })) return null;
  return shown.squares.find(({ square, shifts }) => square === state.half && shifts) ?? null;
}

/** Play a whole move by its name. */
function playMove(move) {
  const { squares } = app.shown;
  const target = squares.find((square) => square.move === move || square.shifts?.some((shift) => shift.move === move));
  if (app.busy) return null;
  const refusal = refusalAt(target);
  return refusal ? refuse(target.square, refusal) : playOn(move, target === halfway() ? SHIFT_ONLY : true);
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
  renderHello();
  renderBoard();
  $("ply").textContent = `${shown.ply} / ${shown.moves.length}`;
  // Not `disabled`: a button that has the focus would lose it.
  for (const id of ["first", "back"]) $(id).setAttribute("aria-disabled", shown.ply === 0);
  for (const id of ["forward", "last"]) $(id).setAttribute("aria-disabled", shown.ply === shown.moves.length);
  $("hints").setAttribute("aria-pressed", state.hints);
  $("hints").hidden = $("hints").disabled = Boolean(kind().secret);
  $("text-board").textContent = shown.text;
  const written = (move, index) => make(index + 1 === shown.ply ? "strong" : "span", {}, `${move} `);
  $("record").replaceChildren(...shown.moves.map(written));
  $("steps").hidden = $("as-text").hidden = $("record").hidden = state.view === "edit";
  why.update(app);
  PANELS[state.view].update?.(app);
}

function renderTurn() {
  const { shown, state } = app;
  const side = (name) => make("span", { class: name }, capital(name));
  const went = shown.went ? make("span", { class: "went" }, `${sentence(shown.went)} `) : "";
  if (state.view === "edit") {
    $("turn").replaceChildren("Lay out a position");
  } else if (kind().turn) {
    $("turn").replaceChildren(kind().turn(app));
  } else if (state.view === "solo") {
    $("turn").replaceChildren(went, sentence(shown.turn));
  } else if (shown.winner) {
    const points = count(shown.points, "point", "points");
    $("turn").replaceChildren(went, side(shown.winner), ` wins: ${shown.to_move} cannot move (${points})`);
  } else {
    const played = isDuel(state) && state.view === "play";
    const who = kind().who?.(app) ?? (!played ? "" : app.isHuman() ? " (you)" : " (computer)");
    const title = isStandard(shown.rules) ? "" : ` (${shown.rules_title})`;
    $("turn").replaceChildren(went, side(shown.to_move), `${who} to ${halfway()?.then ?? shown.task}${title}`);
  }
}

/** One line for who has never moved: what to do, and where the rules are. */
function renderHello() {
  const { shown, state } = app;
  const plays = ["play", "solo", "big"].includes(state.view) && !shown.winner && !shown.over && app.isHuman();
  $("hello").hidden = !plays || recall(MOVED, 0);
  $("hello-aim").textContent = shown.aim;
}

function renderBoard() {
  const { state, shown, analysis } = app;
  if (state.view === "edit") return void ($("legend").hidden = $("half-back").hidden = true); // the editor shows its own
  const values = new Map((analysis?.moves ?? []).map((move) => [move.move, kind().valueOf(move, analysis)]));
  const mayMove = !shown.winner && ((state.view !== "play" && !kind().isHuman) || app.isHuman());
  const half = halfway();
  const squares = shown.squares.map((square) => {
    if (half) return { ...square, ...half.walked.find((laid) => laid.square === square.square), chosen: square === half };
    const value = square.shifts ? bestOf(square.shifts, analysis, values) : values.get(square.move);
    const words = square.path ? [`${shown.to_move} can go here`] : [];
    if (value) words.push(value.words);
    const usual = { ...square, legal: mayMove && square.path, value, label: words.join(": ") };
    return kind().mark ? { ...square, ...kind().mark(square) } : usual;
  });
  const shifting = hasShifts(shown.rules);
  $("legend").hidden = !values.size;
  const legend = analysis?.legend ?? kind().legend;
  $("legend").textContent = legend + (shifting ? " On a card stands what its best shift is worth." : "");
  $("half-back").hidden = !half;
  const { rows, columns } = shown;
  const toMove = shown.winner || shown.over ? null : shown.to_move;
  app.board.show(squares, { rows, columns, toMove, flip: state.flip, shifting });
  if (half) app.board.showArrows(half.shifts.map((shift) => ({ ...shift, value: values.get(shift.move) })), chooseShift);
}

/** What the best of these shifts is worth: of all moves, best first, the first that is one of them. */
function bestOf(shifts, analysis, values) {
  const best = analysis?.moves.find(({ move }) => shifts.some((shift) => shift.move === move));
  return best && values.get(best.move);
}

/** Show the position after so many moves. */
function step(to) {
  const last = app.shown.moves.length;
  const at = Math.min(Math.max(to, 0), last);
  if (app.busy || at === app.shown.ply || kind().still) return;
  app.running = false;
  go({ ply: at === last ? null : at }, { replace: true, walk: at === app.shown.ply + 1 });
}

/** Another view; the position of one game has nothing to do with that of the other. */
function turnTo(view) {
  const changes = kindOf(view) !== kind();
  go({ view, ...(changes ? { ply: null } : {}) });
}

async function start() {
  try {
    await learn();
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    say(sentence(problem.message));
    return offer("Try again", () => location.reload());
  }
  app.state = readState();
  app.board = new Board($("board"), {
    choose: (square) => (app.state.view === "edit" ? edit.lay(app, square) : playTo(square)),
    hover: (square) => app.shown && app.showWay((each) => each.square === square),
  });
  for (const button of document.querySelectorAll("#views [data-view]")) {
    button.hidden = !VIEWS.includes(button.dataset.view);
    button.addEventListener("click", () => turnTo(button.dataset.view));
  }
  for (const [id, act] of [["hello-learn", () => lessons.begin(app)], ["hello-more", () => turnTo("rules")]]) {
    $(id).addEventListener("click", (event) => {
      event.preventDefault();
      act();
    });
  }
  document.querySelector(".skip").addEventListener("click", (event) => {
    event.preventDefault(); // what stands after # may be the state
    $("panels").focus();
  });
  $("first").addEventListener("click", () => step(0));
  $("back").addEventListener("click", () => step(app.shown.ply - 1));
  $("forward").addEventListener("click", () => step(app.shown.ply + 1));
  $("last").addEventListener("click", () => step(app.shown.moves.length));
  $("flip").addEventListener("click", () => go({ flip: !app.state.flip }, { replace: true }));
  $("hints").addEventListener("click", () => go({ hints: !app.state.hints }, { replace: true }));
  $("help-button").addEventListener("click", () => $("help").showModal());
  $("half-back").addEventListener("click", takeBack);
  for (const panel of Object.values(PANELS)) panel.start?.(app);
  why.start(app);
  keys.start(app);
  addEventListener("popstate", () => {
    app.running = false;
    app.state = readState();
    show();
  });
  if (alone) showEmptyBoard(); // a game in a link has to wait for who can read it
  show();
}

start();
