// The graph of a game: who was winning after each move, and how soon.

import { capital, count, draw, plies, withArrows } from "./dom.js";

const WIDTH = 420;
const HEIGHT = 220;
const LEFT = 46;
const MIDDLE = 100;
const TALL = 72; // from the middle line to a finished game
const MAX_PLIES = 15;

export function graph(review, here, go) {
  const { positions } = review;
  const wide = (WIDTH - LEFT - 14) / Math.max(positions.length - 1, 1);
  const spot = (position, index) => {
    const out = 8 + (TALL - 8) * (1 - position.plies / MAX_PLIES);
    return [LEFT + index * wide, position.winner === "red" ? MIDDLE - out : MIDDLE + out];
  };
  const spots = positions.map(spot);
  const name = (index) => withArrows(review.moves[index - 1].move);
  const turned = new Set(review.turning_points);
  const parts = [
    draw("line", { class: "axis", x1: LEFT - 8, x2: WIDTH - 4, y1: MIDDLE, y2: MIDDLE }),
    draw("text", { x: 2, y: MIDDLE - TALL + 4 }, "red"),
    draw("text", { x: 2, y: MIDDLE - TALL + 20 }, "wins"),
    draw("text", { x: 2, y: MIDDLE + TALL - 12 }, "blue"),
    draw("text", { x: 2, y: MIDDLE + TALL + 4 }, "wins"),
    draw("line", { class: "here", x1: spots[here][0], x2: spots[here][0], y1: 6, y2: HEIGHT - 20 }),
    draw("polyline", { class: "trace", points: spots.map((at) => at.join(",")).join(" ") }),
  ];
  positions.forEach((position, index) => {
    const [x, y] = spots[index];
    const when = index ? `After ${index}. ${name(index)}` : "At the start";
    const who = position.plies ? `${position.winner} wins in ${plies(position.plies)}` : `${position.winner} has won`;
    const area = { class: "spot", "data-ply": index, x: x - wide / 2, y: 0, width: wide, height: HEIGHT, onclick: () => go(index) };
    if (turned.has(index)) parts.push(draw("circle", { class: "turned", cx: x, cy: y, r: 9.5 }));
    parts.push(
      position.winner === "red"
        ? draw("circle", { class: "red-point", cx: x, cy: y, r: 5 })
        : draw("rect", { class: "blue-point", x: x - 4.5, y: y - 4.5, width: 9, height: 9 }),
      draw("text", { x, y: position.winner === "red" ? y - 14 : y + 25, "text-anchor": "middle" }, String(position.plies)),
      draw("text", { x, y: HEIGHT - 3, "text-anchor": "middle" }, index ? name(index) : "deal"),
      draw("rect", area, draw("title", {}, `${when}: ${who}`)),
    );
  });
  const last = positions.at(-1);
  const after = count(positions.length - 1, "move", "moves");
  const hands = `the win changed hands ${count(turned.size, "time", "times")}`;
  const summary = capital(`${last.winner} ${last.plies ? "is winning" : "won"} after ${after}; ${hands}.`);
  return draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": summary }, ...parts);
}
