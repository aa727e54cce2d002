// The moves of a person: by square, by name, in two halves on the shifting board; refusals; stepping through the game.

import { halfway, refusalAt } from "./legal.js";
import { notePlayed } from "./own.js";
import * as room from "./room.js";
import { gameWith, inRoom } from "./state.js";
import { store } from "./storage.js";
import { MOVED, renderBoard, renderTurn, SHIFT_ONLY, showWay } from "./table.js";
import { lineAfter } from "./variations.js";

/** Move to a square if the rules allow it: a whole move, or the first half of one. */
export async function playTo(app, square) {
  const { shown, state } = app;
  if (!shown || app.busy) return;
  const target = shown.squares.find((each) => each.square === square);
  const refusal = refusalAt(app, target);
  if (refusal) refuse(app, square, refusal);
  else if (!target.shifts) await playOn(app, target, target.move);
  else if (state.half === square) takeBack(app);
  else chooseCard(app, target);
}

/** Play a whole move by its name. */
export function playMove(app, move) {
  const target = app.shown.squares.find((square) => square.move === move || square.shifts?.some((shift) => shift.move === move));
  if (app.busy || !target) return null;
  const refusal = refusalAt(app, target);
  return refusal ? refuse(app, target.square, refusal) : playOn(app, target, move, target === halfway(app) ? SHIFT_ONLY : true);
}

function refuse(app, square, text) {
  app.board.shake(square);
  app.say(text);
}

/**
 * Play a move after the position shown; its pawn sets off at once, unless it has walked already. Later moves stay in the tree of
 * the game. In a game that is played the line ends here; in an analysis it goes on if the move is known.
 */
async function playOn(app, target, move, walk = true) {
  const { shown, state } = app;
  const kind = app.kind();
  store(MOVED, 1);
  if (kind.play) return kind.play(app, move);
  if (walk !== SHIFT_ONLY) app.board.setOff(target.strokes, shown.to_move);
  if (app.view().plays && inRoom(state)) return room.play(app, move, walk);
  if (state.view === "play") notePlayed(shown.start);
  if (state.view === "analyse") {
    const { game, ply } = lineAfter(app, move);
    return app.go({ [kind.part]: game, ply, half: "" }, { walk, play: true });
  }
  const view = app.view().plays || kind.isHuman ? state.view : "play";
  await app.go({ [kind.part]: gameWith(shown, move), ply: null, view, half: "" }, { walk, play: true });
}

/** Play the first half of a move: the pawn goes to a card, and arrows offer the shifts. */
function chooseCard(app, target) {
  setHalf(app, target.square);
  app.board.walk(target.strokes, app.shown.to_move);
}

/** Play the second half of a move. */
export function chooseShift(app, move) {
  if (app.busy) return;
  app.state.half = "";
  app.writeUrl(true); // Back leads to before the move
  playOn(app, null, move, SHIFT_ONLY);
}

/** Take the first half of a move back. */
export function takeBack(app) {
  const { half } = app.state;
  if (!half) return;
  setHalf(app, "");
  showWay(app);
  if (app.board.byKeyboard) app.board.focus(app.board.card(half));
}

function setHalf(app, half) {
  app.state.half = half;
  app.writeUrl(true);
  app.say("");
  renderTurn(app);
  renderBoard(app);
  app.update();
}

/** Show the position after a number of moves, or after the number that a function computes from what is shown by then. */
export const step = (app, to) => app.whenShown(() => stepNow(app, typeof to === "function" ? to() : to));

function stepNow(app, to) {
  const last = app.shown.moves.length;
  const at = Math.min(Math.max(to, 0), last);
  if (at === app.shown.ply || app.kind().still) return;
  app.running = false;
  app.go({ ply: at === last ? null : at }, { replace: true, walk: at === app.shown.ply + 1 });
}
