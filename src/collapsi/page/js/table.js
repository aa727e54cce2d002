// The table: the line above the board, the board, the steps through the game, and which panels a view has.

import { about, hasShifts, isStandard } from "./about.js";
import { ask, problemText } from "./api.js";
import { moving } from "./board.js";
import * as chooser from "./chooser.js";
import { waits } from "./computer.js";
import { $, capital, count, make, refillChanged, sentence, setText, withArrows } from "./dom.js";
import { isFriend, isHuman, isMixed, people } from "./kinds.js";
import { halfway, mayMove } from "./legal.js";
import { drawWay, squareHalfway, squareWith, valuesOf } from "./squares.js";
import { load } from "./storage.js";
import { VIEWS } from "./views.js";
import * as why from "./why.js";

export const MOVED = "collapsi: has moved"; // kept in the browser after the first move: then the greeting is not shown any more
export const SHIFT_ONLY = "slide"; // an animation without the pawn, which has walked already

let greeted = null; // the start of a person's first game
let example = null; // the walk drawn on it
let lastPlayed = "play"; // the view of the game played last: "Play" leads back to it

export function render(app) {
  const { state, shown } = app;
  renderViews(app);
  renderTurn(app);
  renderHello(app);
  renderBoard(app);
  $("let-move").hidden = !waits(app);
  $("ply").textContent = `${shown.ply} / ${shown.moves.length}`;
  // Not `disabled`: a disabled button loses the focus.
  for (const id of ["first", "back"]) $(id).setAttribute("aria-disabled", shown.ply === 0);
  for (const id of ["forward", "last"]) $(id).setAttribute("aria-disabled", shown.ply === shown.moves.length);
  $("hints").setAttribute("aria-pressed", state.hints);
  $("hints").hidden = $("hints").disabled = Boolean(app.kind().secret);
  $("text-board").textContent = shown.text;
  const written = (move, index) => make(index + 1 === shown.ply ? "strong" : "span", {}, `${withArrows(move)} `);
  $("record").replaceChildren(...shown.moves.map(written));
  $("steps").hidden = $("as-text").hidden = $("record").hidden = state.view === "edit";
  $("seats").hidden = !shown.seats;
  why.update(app);
  chooser.update(app);
  $("end").hidden = $("games-continue").hidden = $("friend").hidden = true; // their panels show them
  app.update();
}

/** Show the title and the panels of the view; `empty`: there is no game, so none. */
export function renderViews(app, { empty = false } = {}) {
  const { view } = app.state;
  const { title, door, panels, plays } = app.view();
  document.body.dataset.view = view;
  document.title = `${title} · Collapsi, solved`;
  $("view").hidden = empty;
  $("view-title").textContent = title;
  for (const panel of document.querySelectorAll("[data-panel]")) {
    const name = panel.dataset.panel;
    panel.hidden = empty || !panels.includes(name);
    const heading = panel.querySelector(":scope > h3");
    if (heading) heading.hidden = name === panels[0]; // the title says it
  }
  if (plays) lastPlayed = view;
  for (const button of document.querySelectorAll("#views [data-view]")) markCurrent(button, button.dataset.view === door);
  $("game-bar").hidden = !plays || empty;
  const behind = plays ? [] : Object.keys(VIEWS).filter((name) => VIEWS[name].door === door);
  const places = behind.length > 1 ? behind : [];
  $("places").hidden = !places.length;
  refillChanged(
    $("places"),
    places.map((name) => [name, () => place(app, name)]),
  );
  for (const button of $("places").children) markCurrent(button, button.dataset.view === view);
}

function markCurrent(button, isCurrent) {
  if (isCurrent) button.setAttribute("aria-current", "page");
  else button.removeAttribute("aria-current");
}

/** A button for another view behind the same door. */
const place = (app, view) =>
  make("button", { type: "button", "data-view": view, "data-key": view, onclick: () => turnTo(app, view) }, VIEWS[view].title);

/** Show a board without a game, and nothing that belongs to one. */
export function showEmptyBoard(app) {
  for (const id of ["steps", "as-text", "record", "hello", "legend", "let-move", "seats", "end", "games-continue", "friend", "room"])
    $(id).hidden = true;
  const { rows, columns, squares } = app.kind().board?.() ?? about.rules[0].board;
  const empty = squares.map((square) => ({ square, card: null, pawn: null }));
  app.board.show(empty, { rows, columns });
}

export function renderTurn(app) {
  const { shown, state } = app;
  const kind = app.kind();
  const side = (name) => make("span", { class: name }, capital(name));
  const isOver = shown.winner || shown.over;
  const before = isOver && shown.stuck ? shown.stuck.map(({ text }) => sentence(text)).join(" ") : shown.went && sentence(shown.went);
  const went = before ? make("span", { class: "went" }, `${before} `) : ""; // what happened, or why the loser cannot move
  if (state.view === "edit") $("turn").replaceChildren("Lay out a position");
  else if (kind.turn) $("turn").replaceChildren(kind.turn(app));
  else if (!shown.task && shown.turn) $("turn").replaceChildren(went, sentence(shown.turn));
  else if (shown.winner) {
    const points = count(shown.points, "point", "points");
    $("turn").replaceChildren(went, side(shown.winner), ` wins with ${points}: ${shown.to_move} cannot move`);
  } else {
    const who = kind.who?.(app) ?? (app.view().plays ? whoMoves(app) : "");
    const title = kind.rulesTitle?.() ?? (isStandard(shown.rules) ? "" : ` (${shown.rules_title})`);
    $("turn").replaceChildren(went, side(shown.to_move), `${who} to ${halfway(app)?.then ?? shown.task}${title}`);
  }
}

function whoMoves(app) {
  if (app.watching) return "";
  if (isHuman(app)) return isMixed(app) && people(app).length === 1 ? " (you)" : "";
  if (isFriend(app, app.shown.to_move)) return " (your friend)";
  return isMixed(app) ? " (computer)" : "";
}

/** Greet a person who has never moved, under the board and until the end of their first game. */
function renderHello(app) {
  const { shown } = app;
  const plays = app.view().plays && !shown.winner && !shown.over;
  if (plays && isHuman(app) && !load(MOVED, 0)) greeted = shown.start;
  $("hello").hidden = !plays || greeted !== shown.start;
  $("hello").classList.toggle("begun", shown.moves.length > 0);
  $("hello-aim").textContent = shown.aim;
  if (!$("hello").hidden) showExample(app);
}

/** Draw a walk on the board that is greeted, until the first move: as many steps as its card says, over the edge. */
async function showExample(app) {
  const { shown } = app;
  const { walk } = await ask("walk", { position: shown.start }).catch((problem) => void problemText(problem) ?? {});
  if (shown !== app.shown) return;
  example = walk ? { start: shown.start, walk } : null;
  setText("hello-walk", walk ? ` (drawn: ${walk.text})` : "");
  if (!shown.moved) showWay(app);
}

export function renderBoard(app) {
  const { state, shown, analysis } = app;
  if (state.view === "edit") {
    $("legend").hidden = $("half-back").hidden = true; // the editor shows its own board
    return;
  }
  const moves = analysis?.moves ?? [];
  const values = valuesOf(moves);
  const half = halfway(app);
  const squares = shown.squares.map((square) => {
    if (half) return squareHalfway(square, half);
    if (app.kind().mark) return { ...square, ...app.kind().mark(square) };
    return squareWith(square, shown, moves, mayMove(app));
  });
  const shifting = hasShifts(shown.rules);
  $("legend").hidden = !values.size;
  $("legend").textContent = (analysis?.legend ?? "") + (shifting ? " On a card stands what its best shift is worth." : "");
  $("half-back").hidden = !half;
  const { rows, columns } = shown;
  const toMove = shown.winner || shown.over ? null : shown.to_move;
  app.board.show(squares, { rows, columns, toMove, flip: state.flip, shifting });
  if (!half) return;
  const shifts = half.shifts.map((shift) => ({ ...shift, value: values.get(shift.move) }));
  app.board.showArrows(shifts, app.chooseShift);
}

/** Animate the move that led to the position shown, or draw its way. */
export async function showMove(app, walk, ticket) {
  const { shown } = app;
  if (!shown.moved) return showWay(app);
  if (app.state.view === "edit") return;
  if (walk && shown.shifted) await showShift(app, walk, ticket);
  else if (walk) {
    await app.board.walk(shown.moved_strokes, shown.moved_by);
    if (ticket === app.ticket && shown.stuck) showWay(app);
  } else showWay(app);
}

/** Animate a move in two halves: the pawn walks, unless it has done so already, then the cards slide. */
async function showShift(app, walk, ticket) {
  const { shifted, moved_strokes: strokes, moved_by: colour } = app.shown;
  if (!moving() || document.hidden) return showWay(app);
  const { rows, columns, squares, slides } = shifted;
  app.board.show(squares, { rows, columns, flip: app.state.flip, shifting: true });
  app.board.passing = true;
  if (walk !== SHIFT_ONLY) await app.board.walk(strokes, colour);
  app.board.passing = false;
  if (ticket === app.ticket) await app.board.slide(slides, () => renderBoard(app));
  if (ticket === app.ticket) showWay(app);
}

/** Draw the way to a square, if the side to move may go there; otherwise the way, or the shift, of the move that led here. */
export function showWay(app, isWanted = () => false) {
  const { shown, state } = app;
  if (state.view === "edit") return;
  const way = shown.squares.find(isWanted)?.strokes ?? halfway(app)?.strokes;
  const isExample = !way && !shown.moved && !$("hello").hidden && example?.start === shown.start;
  if (isExample) return app.board.showWay(example.walk.strokes, example.walk.square);
  drawWay(app.board, shown, way);
}

/** Wire the controls of the table. `beginLessons` opens the first lesson, for newcomers. */
export function start(app, { beginLessons }) {
  for (const button of document.querySelectorAll("#views [data-view]")) {
    const { view } = button.dataset;
    button.addEventListener("click", () => turnTo(app, VIEWS[view].plays ? lastPlayed : view));
  }
  const follow = (link, act) =>
    link.addEventListener("click", (event) => {
      event.preventDefault(); // where the state is after #, a link must not replace it
      act();
    });
  const leave = (act) => {
    scrollTo(0, 0); // the links stand under the board
    act();
  };
  follow($("hello-learn"), () => leave(() => beginLessons(app)));
  follow($("hello-more"), () => leave(() => turnTo(app, "rules")));
  follow(document.querySelector(".skip"), () => $("panels").focus());
  $("first").addEventListener("click", () => app.step(0));
  $("back").addEventListener("click", () => app.step(() => app.shown.ply - 1));
  $("forward").addEventListener("click", () => app.step(() => app.shown.ply + 1));
  $("last").addEventListener("click", () => app.step(() => app.shown.moves.length));
  for (const name of ["flip", "hints"]) {
    const turn = () => app.go({ [name]: !app.state[name] }, { replace: true });
    $(name).addEventListener("click", () => app.whenShown(turn)); // at once it would supersede a deal that is pending
  }
  $("help-button").addEventListener("click", () => $("help").showModal());
  $("half-back").addEventListener("click", () => app.takeBack());
  const letMove = () => {
    document.querySelector(".card[tabindex='0']").focus({ preventScroll: true }); // the button goes
    app.go({}, { replace: true, play: true });
  };
  $("let-move").addEventListener("click", () => app.whenShown(() => waits(app) && letMove()));
}

/** Go to another view; the ply belongs to the game of its kind. */
function turnTo(app, view) {
  app.go(VIEWS[view].kind === app.kind() ? { view } : { view, ply: null });
}
