// What a move is worth, as it is shown.

import { plies } from "./dom.js";

/** From the mover's view, with a true minus sign. */
export function valueOf(move, analysis) {
  const wins = move.winner === analysis.to_move;
  return {
    text: `${wins ? "+" : "−"}${move.plies}`,
    wins,
    best: analysis.best.includes(move.move),
    words: `${wins ? "wins" : "loses"} in ${plies(move.plies)}`,
  };
}
