// Result: who won, and what to do next.

import { $, make } from "./dom.js";

export function update(app) {
  const { shown } = app;
  const { result, match, reviewView, swaps } = app.kind();
  $("result").hidden = !shown.winner;
  if (!shown.winner) return;
  const { title, text = "" } = result(app);
  const button = (name, onclick, look = null) => make("button", { type: "button", class: look, onclick }, name);
  const lookBack = () => (reviewView ? app.go({ view: reviewView, hints: true }) : $("look").click());
  $("result").replaceChildren(
    make("p", {}, make("strong", {}, title), text),
    make(
      "p",
      { class: "buttons" },
      button("Where did it turn?", lookBack, "main"),
      swaps && !match.isOn(app) ? button("Same deal, sides swapped", () => $("swap").click()) : null,
      match.isOn(app) && match.next(app) ? button("Next round", () => $("match-next").click()) : null,
    ),
  );
}
