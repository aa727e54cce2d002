// Open: a position or game as text in any notation that the service reads, or a link to one.

import { ask, problemText } from "./api.js";
import { chosen } from "./deal.js";
import { $, setText } from "./dom.js";
import { inLink } from "./state.js";

let view = "";

export function start(app) {
  $("open").addEventListener("submit", (event) => {
    event.preventDefault();
    open(app, $("open-text").value.trim());
  });
  $("open-text").addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    $("open").requestSubmit();
  });
}

async function open(app, text) {
  const kind = app.kind();
  const rules = kind.opensByRules && app.has("deal") ? chosen(app).rules : null; // for a text that names none
  setText("open-error", "");
  try {
    const game = inLink(text, kind.part) || " ";
    const read = await ask(`${kind.path}game`, { game, rules }, { action: true, instead: "opened" });
    const isDeal = rules !== null && !read.moves.length && !URL.canParse(text); // begun here, not opened from elsewhere
    const change = { [kind.part]: read.game, ply: null, ...kind.match?.none, view: kind.view(app.state) };
    await app.go(change, { play: isDeal });
  } catch (problem) {
    setText("open-error", problemText(problem));
  }
}

export function update(app) {
  setText("open-label", app.kind().openLabel);
  $("open-text").placeholder = app.kind().example();
  if (view !== app.state.view) setText("open-error", "");
  view = app.state.view;
}
