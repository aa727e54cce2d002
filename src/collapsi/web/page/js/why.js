// Why the best move is the best: asked of the service when somebody wants to know, beside the hints.

import { ask, Problem } from "./api.js";
import { $, sentence, tell } from "./dom.js";

export function start(app) {
  $("why-button").addEventListener("click", async () => {
    if (!app.analysis) return;
    const ticket = app.ticket;
    let text;
    try {
      text = (await ask("why", { position: app.shown.position })).why.text;
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      text = problem.message;
    }
    if (ticket === app.ticket) tell("why-said", sentence(text));
  });
}

/** There is something to ask while the values of a position for two are shown; of another position nothing is said yet. */
export function update(app) {
  const { view, hints } = app.state;
  $("why").hidden = !hints || Boolean(app.shown.winner) || ["solo", "big", "edit", "puzzles", "daily"].includes(view);
  $("why-button").setAttribute("aria-disabled", !app.analysis);
  tell("why-said", "");
}
