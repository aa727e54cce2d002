// Result: who won, and what to do next. The main buttons stand under the board, where every screen shows them.

import { $, make } from "./dom.js";
import { dealAgain, mayDeal } from "./room.js";
import { inRoom } from "./state.js";

export function start(app) {
  $("end-again").addEventListener("click", () => {
    if (inRoom(app.state)) dealAgain(app);
    else $(nextRound(app) ? "match-next" : "deal").click();
  });
  $("end-look").addEventListener("click", () => {
    const { reviewView, lookBack } = app.kind();
    if (lookBack) return $(lookBack).click();
    app.wantsTurn = true; // the review opens where the game turned
    if (reviewView) app.go({ view: reviewView, hints: true });
    else $("look").click();
  });
}

const nextRound = (app) => Boolean(app.kind().match?.isOn(app) && app.kind().match.next(app));

export function update(app) {
  const { shown } = app;
  const { result, match, swaps } = app.kind();
  const isOver = shown.winner || shown.over;
  $("result").hidden = $("end").hidden = !isOver;
  if (!isOver) return;
  $("end-look").hidden = Boolean(shown.solved); // nothing went wrong
  const { title, text = "" } = result(app);
  const button = (name, onclick) => make("button", { type: "button", onclick }, name);
  $("end-again").hidden = inRoom(app.state) && !mayDeal(app);
  $("end-again").textContent = nextRound(app) ? "Next round" : "Play again";
  $("result").replaceChildren(
    make("p", {}, make("strong", {}, title), text),
    swaps && !match.isOn(app) && !inRoom(app.state)
      ? make(
          "p",
          { class: "buttons" },
          button("Same deal, sides swapped", () => $("swap").click()),
        )
      : "",
  );
}
