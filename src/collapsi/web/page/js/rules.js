// The rules in one screen: a small example for each, drawn by the service.

import { drawingUrl } from "./api.js";
import { $, make } from "./dom.js";

const EXAMPLES = [
  ["From your jack", "The first move goes exactly one step, up, down, left or right.", { position: "A223/4A2Jr/3A23/Jb3A4 r", move: "c2" }, "Red goes from the jack on d2 one step to c2"],
  ["The number counts", "Then you go exactly as many steps as the card under your pawn says. You may turn at every step.", { position: "A2.3/43r2A/3A23/.3bA4 r", move: "d3" }, "Red goes three steps from b2 to d3, with a turn"],
  ["The board wraps", "Leave it on one side, and come in on the other.", { position: "A2.3/2r2.A/3A23/.3bA4 r", move: "d1" }, "Red goes two steps from a2: to a1, and over the edge to d1"],
  ["No card twice", "Not even the card you start on: four steps along a row would end where they began, and are not allowed.", { position: "A2.3/4r22A/3A23/.3bA. r", move: "b1" }, "Red goes four steps from a2 in a curve to b1"],
  ["Pass, but do not land", "You may walk through the other pawn, but not end on its card.", { position: "A2.3/.2r2bA/3..3/.3A. r", move: "d2" }, "Red goes two steps from b2 through the blue pawn on c2 to d2"],
  ["Cards collapse", "The card you leave collapses for good. Nobody may enter or cross it.", { position: "A2.3/.2r.A/3A23/.3bA. r", move: "c3" }, "c2 has collapsed, so red goes round it from b2 to c3"],
  ["The end", "If you cannot move on your turn, you lose. The winner scores a point for each card still face up.", { position: "..../.2r../..../.3b.. r" }, "Red on b2 has no card to go to and has lost"],
];

let drawn = false;

export function update() {
  if (drawn) return;
  drawn = true;
  $("examples").append(
    ...EXAMPLES.map(([title, text, query, alt]) =>
      make(
        "figure",
        {},
        make("img", { src: drawingUrl(query), alt, width: 402, height: 524, loading: "lazy" }),
        make("figcaption", {}, make("strong", {}, `${title}. `), text),
      ),
    ),
  );
}
