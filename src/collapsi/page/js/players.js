// Players: who plays which colour, and above the board how they stand.

import { fill, YOU } from "./about.js";
import { $, capital, make, refill, refillChanged } from "./dom.js";
import { bigName } from "./kinds.js";
import { LEVEL, SEATS } from "./state.js";
import { store } from "./storage.js";

export function update(app) {
  refillChanged(
    $("players"),
    app
      .kind()
      .players(app)
      .map((player) => [JSON.stringify(player), () => field(app, player)]),
  );
  refill($("seats"), ...(app.shown.seats ?? []).map((seat) => chip(app, seat)));
}

function field(app, { name, label, value, options, change }) {
  const select = make("select", { "data-key": name, "data-player": name });
  fill(select, options);
  select.value = value;
  select.addEventListener("change", () => {
    const { value: chosen } = select; // a deal that is pending fills the list again
    app.running = false;
    const { seats } = change(chosen);
    if (seats) store(SEATS, seats);
    else if (chosen !== YOU) store(LEVEL, chosen);
    app.whenShown(() => app.go(change(chosen)));
  });
  return make("label", {}, `${label} `, select);
}

function chip(app, { seat, player, text }) {
  const { shown } = app;
  const now = shown.to_move === seat && !shown.winner;
  const total = shown.match ? `; in all ${shown.match.points[player - 1]}` : "";
  return make(
    "li",
    { class: now ? "now" : null, "aria-current": now ? "true" : null },
    make("span", { class: `letter ${seat}`, "aria-hidden": "true" }, seat[0].toUpperCase()),
    make("span", {}, make("strong", {}, capital(seat)), ` (${bigName(app, player)})`, make("span", { class: "note" }, ` ${text}${total}`)),
  );
}
