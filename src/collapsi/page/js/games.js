// My games: what was played on this page, stored in this browser only. A game can be continued, starred, deleted and downloaded.

import { about, players, YOU } from "./about.js";
import { $, capital, count, make, refill, setText } from "./dom.js";
import { inRoom } from "./state.js";
import { load, store } from "./storage.js";

const GAMES = "collapsi: my games"; // newest first
const MAX_GAMES = 200; // then the oldest without a star goes
const MAX_LISTED = 20; // rows at first

let isWhole = false; // whether all games are listed
let deleted = null; // the last game deleted, which can be put back

const VIEW_OF = { game: "play", solo: "solo", big: "big" }; // by part of the state
const isGame = (one) =>
  ["id", "part", "start", "game", "at"].every((name) => typeof one?.[name] === "string") &&
  Object.hasOwn(VIEW_OF, one.part) &&
  Number.isInteger(one.moves);
const all = () => load(GAMES, []).filter(isGame);

/** Store games, newest first; beyond the limit the oldest without a star are dropped, then the oldest. */
function storeAll(games) {
  const kept = games.toSorted((one, next) => (one.at < next.at ? 1 : -1));
  while (kept.length > MAX_GAMES) {
    const last = kept.findLastIndex(({ starred }) => !starred);
    kept.splice(last < 0 ? kept.length - 1 : last, 1);
  }
  store(GAMES, kept);
}

/** Keep the game shown, if it is being played: with all its lines, its players and its result. */
export function note(app) {
  const { shown, state } = app;
  const { part } = app.kind();
  if (!app.entries[part] || app.entries[part].start !== shown.start) app.entries[part] = { start: shown.start, id: newId() };
  if (!shown.moves.length) return;
  const { id } = app.entries[part];
  const before = all().find((one) => one.id === id);
  const game = state.tree || shown.game;
  const same = before && before.game === game && before.line === shown.game;
  if (same) return;
  const over = Boolean(shown.winner || shown.over);
  const result = over ? (shown.winner ?? (shown.solved ? "solved" : "stuck")) : "";
  const { red, blue, seats } = state;
  const entry = { ...before, id, part, start: shown.start, game, line: shown.game, moves: shown.moves.length, result, red, blue, seats };
  storeAll([{ ...entry, rules: shown.rules_title, at: new Date().toISOString() }, ...all().filter((one) => one.id !== id)]);
}

/** The games for two that are over, newest first: to look for positions where the person threw a win away. */
export const finished = () =>
  all()
    .filter(({ part, result }) => part === "game" && result)
    .map(({ id, game, line = game, red, blue }) => ({ key: `${id} ${line.length}`, game: line, red, blue }));

const newId = () => `${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 8)}`;

export function start(app) {
  $("games-continue").addEventListener("click", () => {
    const game = unfinished(app);
    if (!game) return;
    document.querySelector(".card[tabindex='0']").focus({ preventScroll: true }); // the button goes
    open(app, game, true);
  });
  $("games-export").addEventListener("click", () => download(all().map(record).join("\n\n")));
  $("games-more").addEventListener("click", () => {
    isWhole = true;
    update(app);
  });
}

/** The latest game of any kind that is not over; none while another game is being played. */
const unfinished = (app) => (app.shown.moves.length ? null : all().find(({ result }) => !result));

function open(app, { id, part, start: deal, game, line, red, blue, seats }, isPlayed) {
  app.entries[part] = { start: deal, id };
  app.linked = game === line ? "" : game;
  const kept = part === "big" ? { seats } : part === "game" ? { red, blue } : {};
  app.go({ [part]: line, ply: null, hints: false, view: VIEW_OF[part], ...kept }, { play: isPlayed });
}

export function update(app) {
  const games = all();
  const last = unfinished(app);
  $("games-continue").hidden = !last || inRoom(app.state);
  $("games-continue").title = last ? titleOf(last) : "";
  $("games-export").hidden = !games.length;
  $("games-more").hidden = isWhole || games.length <= MAX_LISTED;
  setText("games-none", games.length ? "" : "Games that you play here are kept in this browser.");
  refill($("games-list"), ...(isWhole ? games : games.slice(0, MAX_LISTED)).map((one) => row(app, one)));
  const parts = deleted
    ? ["The game is deleted. ", make("button", { type: "button", "data-key": "undo", onclick: () => putBack(app) }, "Undo")]
    : [];
  refill($("games-said"), ...parts);
}

const titleOf = (one) =>
  [one.rules, opponents(one), count(one.moves, "move", "moves"), outcome(one), one.at.slice(0, 10)].filter(Boolean).join(", ");

function row(app, one) {
  const title = titleOf(one);
  const star = {
    "aria-pressed": String(Boolean(one.starred)),
    "aria-label": `Star: ${title}`,
    "data-key": `star ${one.id}`,
    onclick: () => toggle(app, one),
  };
  const bin = { "aria-label": `Delete: ${title}`, "data-key": `delete ${one.id}`, onclick: () => remove(app, one) };
  return make(
    "li",
    { class: "game-row" },
    make("button", { type: "button", "data-key": one.id, onclick: () => open(app, one, false) }, title),
    make("button", { type: "button", class: "small", ...star }, one.starred ? "★" : "☆"),
    make("button", { type: "button", class: "small", ...bin }, "✕"),
  );
}

function opponents({ part, red, blue }) {
  if (part !== "game") return "";
  const levels = players(about.levels);
  const name = (value) =>
    value === YOU ? "you" : (levels.find((one) => one.value === value)?.text.replace("Computer: ", "") ?? "computer");
  return `${name(red)} against ${name(blue)}`;
}

const outcome = ({ result }) => (!result ? "not over" : ["solved", "stuck"].includes(result) ? result : `${result} won`);

function toggle(app, one) {
  storeAll(all().map((each) => (each.id === one.id ? { ...each, starred: !each.starred } : each)));
  update(app);
}

function remove(app, one) {
  deleted = one;
  storeAll(all().filter(({ id }) => id !== one.id));
  update(app);
}

function putBack(app) {
  storeAll([deleted, ...all()]);
  deleted = null;
  update(app);
}

const tag = (name, value) => `[${name} "${value.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"]`;

/** A game as it stands in a game file. */
function record({ at, part, red, blue, result, game }) {
  const named = part === "game" ? [tag("Red", red), tag("Blue", blue)] : [];
  return [tag("Date", at.slice(0, 10)), ...named, tag("Result", result ? capital(result) : "*"), "", game].join("\n");
}

function download(text) {
  const url = URL.createObjectURL(new Blob([`${text}\n`], { type: "text/plain" }));
  make("a", { href: url, download: "collapsi-games.txt" }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
