// Controls: undo, redo, and start or pause where computers play each other.

import { $, setText } from "./dom.js";
import { isUnattended, personsTurn } from "./kinds.js";
import { gameWith } from "./state.js";

export function start(app) {
  $("undo").addEventListener("click", () => (app.halfway() ? app.takeBack() : app.step(personsTurn(app, -1) ?? app.shown.ply)));
  $("redo").addEventListener("click", () => app.step(personsTurn(app, 1) ?? app.shown.ply));
  $("run").addEventListener("click", () => {
    if (app.busy && !app.running) return; // a pause is never ignored
    app.running = !app.running;
    if (app.running)
      app.go({ [app.kind().part]: gameWith(app.shown), ply: null }, { play: true }); // from the position shown
    else app.show();
  });
}

export function update(app) {
  const { shown } = app;
  $("undo").setAttribute("aria-disabled", personsTurn(app, -1) === null && !app.halfway());
  $("redo").setAttribute("aria-disabled", personsTurn(app, 1) === null);
  $("run").hidden = !isUnattended(app) || Boolean(shown.winner);
  $("run").textContent = app.running ? "Pause" : shown.ply ? "Go on" : "Start";
  setText("computer-said", "");
}
