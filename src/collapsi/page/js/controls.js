// Controls: undo, redo, and start or pause where computers play each other.

import { $, setText } from "./dom.js";
import { isUnattended, personsTurn } from "./kinds.js";
import { gameWith, inRoom } from "./state.js";

export function start(app) {
  const by = (plies) => app.step(() => personsTurn(app, plies) ?? app.shown.ply);
  $("undo").addEventListener("click", () => (app.halfway() ? app.takeBack() : by(-1)));
  $("redo").addEventListener("click", () => by(1));
  $("run").addEventListener("click", () => (app.running ? pause(app) : app.whenShown(() => run(app))));
}

/** Let the computers play on from the position shown. */
function run(app) {
  if (!isUnattended(app) || app.shown.winner) return;
  app.running = true;
  app.go({ [app.kind().part]: gameWith(app.shown), ply: null }, { play: true });
}

/** Stop them at once, also while an answer is pending. */
function pause(app) {
  app.running = false;
  app.show();
}

export function update(app) {
  const { shown } = app;
  $("undo").hidden = $("redo").hidden = inRoom(app.state); // no move is taken back there
  $("undo").setAttribute("aria-disabled", personsTurn(app, -1) === null && !app.halfway());
  $("redo").setAttribute("aria-disabled", personsTurn(app, 1) === null);
  $("run").hidden = !isUnattended(app) || Boolean(shown.winner);
  $("run").textContent = app.running ? "Pause" : shown.ply ? "Go on" : "Start";
  setText("computer-said", "");
}
