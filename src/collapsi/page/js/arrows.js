// The second half of a move on the shifting board: an arrow at each end of the row and column that can be shifted.

import { draw, make } from "./dom.js";

/** A small arrow in a direction given by columns and rows. */
export const pointer = ([right, down]) =>
  draw(
    "svg",
    { class: "pointer", viewBox: "-6 -6 12 12", "aria-hidden": "true" },
    draw("polygon", { points: "-4,-5 5,0 -4,5", transform: `rotate(${(Math.atan2(down, right) * 180) / Math.PI})` }),
  );

/** Make an arrow button for each shift; `value` is that of its move, if known. */
export function arrowsOn(board, shifts, choose) {
  return shifts.map(({ move, by, beyond, text, value }) => {
    const turned = board.turned(by);
    const words = value ? `${text}: ${value.words}` : text;
    const kind = value ? `${value.wins ? "win" : "loss"} ${value.best ? "best" : ""}` : "";
    const attributes = { type: "button", "data-move": move, "aria-label": words, title: words, onclick: () => choose(move) };
    const arrow = make("button", { class: `arrow ${kind}`, ...attributes }, pointer(turned), value?.text);
    // Translate the arrow by half or all of its size, so that its near side touches the card.
    const edge = board.edge(beyond, turned);
    [arrow.style.left, arrow.style.top] = edge.map((share) => `${share * 100}%`);
    arrow.style.translate = turned.map((sign) => `${(sign - 1) * 50}%`).join(" ");
    return { arrow, by: turned };
  });
}
