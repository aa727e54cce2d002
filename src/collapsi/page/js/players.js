// Players: who plays which colour, and above the board how they stand.

import { about, FRIEND, fill, isPerson, YOU } from "./about.js";
import { $, capital, make, refill, refillChanged } from "./dom.js";
import { bigName, hasFriend, isFriend } from "./kinds.js";
import { linkTo, send, showCopies } from "./share.js";
import { inRoom, LEVEL, SEATS } from "./state.js";
import { store } from "./storage.js";

export function start(app) {
  $("friend-invite").addEventListener("click", () => app.whenShown(() => invite(app)));
  $("friend-send").addEventListener("click", () => send(app, { url: $("friend-link").querySelector("input").value }, "friend-link"));
}

/** Let a friend play the seats of the computer, or that of the other people. */
function invite(app) {
  const kind = app.kind();
  const mine = kind.seats(app).find((seat) => kind.playerOf(app, seat) === YOU) ?? app.shown.to_move;
  app.go(kind.seating(app, (seat) => (seat === mine ? YOU : FRIEND)));
}

/** When it is a friend's turn: the link that makes them the one to move. */
function updateFriend(app) {
  const { shown } = app;
  const kind = app.kind();
  const isLive = inRoom(app.state);
  $("friend-ways").hidden = isLive || kind.seats(app).length < 2;
  $("friend-invite").hidden = hasFriend(app);
  for (const id of ["room-make", "friend-live"]) $(id).hidden = !about.rooms;
  $("friend-more").hidden = kind.seats(app).length < 3;
  $("players").hidden = isLive;
  $("friend").hidden = isLive || shown.winner || shown.over || !isFriend(app, shown.to_move);
  if ($("friend").hidden) return;
  const others = (player) => (isPerson(player) ? FRIEND : player);
  const turned = (seat) => (seat === shown.to_move ? YOU : others(kind.playerOf(app, seat)));
  const link = linkTo(app, { ...kind.seating(app, turned), tree: "", ply: null, hints: false, flip: false });
  showCopies("friend-link", { [`Link for ${shown.to_move}`]: link });
}

export function update(app) {
  updateFriend(app);
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
    else if (!isPerson(chosen)) store(LEVEL, chosen);
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
