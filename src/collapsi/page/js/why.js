// "Why is this best?": an explanation of the best move, and what the most tempting other one runs into.

import { ask } from "./api.js";
import { $, make, sentence, setText, withArrows } from "./dom.js";
import { gameWith } from "./state.js";

export function start(app) {
  $("why-button").addEventListener("click", async () => {
    if (!app.analysis) return;
    const say = (text) => setText("why-said", withArrows(sentence(text)));
    const { ticket } = app;
    await app.attempt(async () => {
      const { why, tempting } = await ask("why", { position: app.shown.position });
      if (ticket !== app.ticket) return;
      say(why.text);
      const none = app.analysis.moves.length > 1 ? "No other move is worse." : "There is no other move.";
      setText("why-tempting", tempting ? withArrows(sentence(tempting.text)) : none);
      $("why-line").replaceChildren(...(tempting ? line(app, [tempting.move, ...tempting.line]) : []));
    }, say);
  });
}

/** What the tempting move runs into: in an analysis as a variation to step through. */
function line(app, moves) {
  if (app.state.view !== "analyse") return [withArrows(moves.join(" "))];
  const { shown } = app;
  const show = (index) => {
    const ply = index + 1 === moves.length ? null : shown.ply + index + 1;
    app.whenShown(() => app.go({ [app.kind().part]: gameWith(shown, ...moves), ply }));
  };
  return moves.map((move, index) => make("button", { type: "button", onclick: () => show(index) }, withArrows(move)));
}

/** Offer the question while values are shown, and clear the answer about the position before. */
export function update(app) {
  const { view, hints } = app.state;
  $("why").hidden = !hints || Boolean(app.shown.winner) || !app.kind().explains || view === "edit";
  $("why-button").setAttribute("aria-disabled", !app.analysis);
  for (const id of ["why-said", "why-tempting", "why-line"]) setText(id, "");
}
