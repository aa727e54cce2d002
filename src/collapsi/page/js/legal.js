// Whether a person may move, and where.

import { howToGoOn } from "./computer.js";
import { sentence } from "./dom.js";
import { isFriend, isHuman } from "./kinds.js";
import { inRoom } from "./state.js";

/** Whether a person may move now: in a view that plays only in their own turn, elsewhere for either side. */
export const mayMove = (app) => !app.shown.winner && (!(app.view().plays || app.kind().isHuman) || isHuman(app)) && !looksBack(app);

/** Whether an earlier position of a live game is shown: no move is taken back there. */
const looksBack = ({ state, view }) => inRoom(state) && view().plays && state.ply !== null;

/** Why a person may not move to a square now, or null. */
export function refusalAt(app, target) {
  const { shown, state } = app;
  const refusal = app.kind().refuse?.(app);
  if (refusal) return refusal;
  if (shown.winner) return `The game is over: ${shown.winner} has won.`;
  if (app.view().plays && app.watching) return "You are watching: only the players can move.";
  if (looksBack(app)) return "You are looking back: step to the end to go on.";
  if (!mayMove(app)) {
    const back = state.ply === null ? "" : " You are looking back: step to your own turn, or to the end to go on.";
    const player = isFriend(app, shown.to_move) ? "your friend" : "the computer";
    return `It is ${shown.to_move}'s turn, and ${shown.to_move} is played by ${player}.${back}${howToGoOn(app)}`;
  }
  return target?.refusal ? sentence(target.refusal.text) : null;
}

/** The square of the first half of a move, or null; the one in a link may be wrong. */
export function halfway(app) {
  const { state, shown } = app;
  if (!state.half || !shown || refusalAt(app)) return null;
  return shown.squares.find(({ square, shifts }) => square === state.half && shifts) ?? null;
}
