// Deals like this one: how often they are won, and how they begin. Asked for when it is opened, for rules that have it.

import { rulesNamed } from "./about.js";
import { ask, problemText } from "./api.js";
import { $, make, setText } from "./dom.js";

export function start(app) {
  $("similar").addEventListener("toggle", () => app.shown && update(app));
}

export async function update(app) {
  const { rules, start: deal } = app.shown;
  const { ticket } = app;
  $("similar").hidden = !rulesNamed(rules)?.similar;
  if ($("similar").hidden || !$("similar").open) return;
  try {
    const found = await ask("similar", { position: deal });
    if (ticket === app.ticket) show(found.text, found);
  } catch (problem) {
    const reason = problemText(problem);
    if (ticket === app.ticket) show(reason); // not a whole deal
  }
}

function show(text, found = null) {
  setText("similar-text", text);
  $("similar-table").hidden = !found;
  if (found) $("similar-moves").replaceChildren(...found.first_moves.map((move) => row(move, found.deals)));
}

const share = (part, all) => `${((100 * part) / all).toFixed(1)}\u00a0%`;

const row = ({ text, squares, best, wins }, deals) =>
  make(
    "tr",
    {},
    make("th", { scope: "row" }, `${text} `, make("span", { class: "note" }, squares.join(" "))),
    make("td", {}, share(best, deals)),
    make("td", {}, share(wins, deals)),
  );
