// Match: rounds whose points add up.

import { newGame } from "./deal.js";
import { $, onClick, setText } from "./dom.js";
import { dealAgain, mayDeal } from "./room.js";
import { inRoom } from "./state.js";

export function start(app) {
  const match = () => app.kind().match;
  onClick("match-start", () => (inRoom(app.state) ? dealAgain(app, true) : newGame(app, {}, match().first)));
  const nextRound = () => {
    if (inRoom(app.state)) return dealAgain(app);
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
  const isLive = inRoom(app.state);
  $("match-start").hidden = isLive && !mayDeal(app);
  $("match-stop").hidden = !on || isOver(app) || isLive;
  $("match-next").hidden = !on || !next(app) || (isLive && !mayDeal(app));
  setText("match-score", on ? score(app) : "");
}
