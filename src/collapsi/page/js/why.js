// "Why is this best?": an explanation of the best move, next to the hints.

import { ask } from "./api.js";
import { $, sentence, setText } from "./dom.js";

export function start(app) {
  $("why-button").addEventListener("click", async () => {
    if (!app.analysis) return;
    const say = (text) => setText("why-said", sentence(text));
    const { ticket } = app;
    await app.attempt(async () => {
      const { why } = await ask("why", { position: app.shown.position });
      if (ticket === app.ticket) say(why.text);
    }, say);
  });
}

/** Offer the question while values are shown, and clear the answer about the position before. */
export function update(app) {
  const { view, hints } = app.state;
  $("why").hidden = !hints || Boolean(app.shown.winner) || !app.kind().explains || view === "edit";
  $("why-button").setAttribute("aria-disabled", !app.analysis);
  setText("why-said", "");
}
