// Match: rounds whose points add up.

import { newGame } from "./deal.js";
import { $, onClick, setText } from "./dom.js";

export function start(app) {
  const match = () => app.kind().match;
  onClick("match-start", () => newGame(app, {}, match().first));
  const nextRound = () => {
    const next = match().next(app);
    if (next) newGame(app, { rules: next.rules }, next.change);
  };
  onClick("match-next", () => app.whenShown(nextRound));
  onClick("match-stop", () => app.go(match().none));
}

export function update(app) {
  const { title, text, isOn, isOver, next, score } = app.kind().match;
  const on = isOn(app);
  setText("match-title", title);
  setText("match-note", text());
  $("match-start").textContent = on ? "A new match" : "Start a match";
  $("match-stop").hidden = !on || isOver(app);
  $("match-next").hidden = !on || !next(app);
  setText("match-score", on ? score(app) : "");
}
