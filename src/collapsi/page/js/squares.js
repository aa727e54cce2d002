// What a board shows on each square: the values of moves, where the side to move may go, why it cannot.
// The board in notebooks (ecosystem/notebook.js) uses it too, so nothing here asks the service.

import { plies } from "./dom.js";

/** An exact analysis of a game for two in the form of all kinds: each move with its badge and words. */
export function valued(found) {
  const value = (move) => {
    const wins = move.winner === found.to_move;
    const best = found.best.includes(move.move);
    return {
      ...move,
      badge: `${wins ? "+" : "−"}${move.plies}`,
      wins,
      best,
      words: `${wins ? "wins" : "loses"} in ${plies(move.plies)}`,
    };
  };
  const score = found.score > 0 ? `+${found.score}` : `−${-found.score}`;
  const text = `${found.winner} wins in ${plies(found.plies)} (score ${score})`;
  const legend = "+5 wins in 5 moves, counting both players, this one included; −4 loses in 4. The best are filled.";
  return { ...found, exact: true, text, legend, moves: found.moves.map(value) };
}

/** The values of an analysis by move. */
export const valuesOf = (moves) => new Map(moves.map(({ move, badge, wins, best, words }) => [move, { text: badge, wins, best, words }]));

/** A square with its value, and whether the side to move may go there; `moves` are those of the analysis, or none. */
export function squareWith(square, shown, moves, legal) {
  const values = valuesOf(moves);
  const value = square.shifts ? bestOf(square.shifts, moves, values) : values.get(square.move);
  const words = square.path ? [`${shown.to_move} can go here`] : [];
  if (value) words.push(value.words);
  const ends = deadEnds(shown).filter((end) => end.square === square.square);
  return {
    ...square,
    legal: legal && square.path,
    value,
    label: [words.join(": "), ...ends.map(({ text }) => text)].filter(Boolean).join(", "),
  };
}

/** A square while a move is half made: the pawn has gone to the square `half`. */
export const squareHalfway = (square, half) => ({
  ...square,
  ...half.walked.find((laid) => laid.square === square.square),
  chosen: square.square === half.square,
});

/** Draw a way; without one, why the game is over, or the way or the shift of the move that led here. */
export function drawWay(board, shown, way) {
  if (!way && shown.stuck) board.showDeadEnds(deadEnds(shown));
  else if (!way && shown.shifted) board.showTrace(shown.shifted.trace);
  else board.showWay(way ?? shown.moved_strokes);
}

/** Where the ways of those end who cannot move. */
const deadEnds = ({ stuck }) => (stuck ?? []).flatMap(({ dead_ends: ends }) => ends);

/** The value of the best of these shifts: the first of all moves, best first, that is one of them. */
function bestOf(shifts, moves, values) {
  const best = moves.find(({ move }) => shifts.some((shift) => shift.move === move));
  return best && values.get(best.move);
}
