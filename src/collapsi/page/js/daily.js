// The deal of the day. The game, the first result and the streak are stored in the browser only.

import { about, YOU } from "./about.js";
import { ask, Problem } from "./api.js";
import { think } from "./board.js";
import { daysAfter, isDate, today } from "./dates.js";
import { $, capital, count, make, refillChanged, sentence, setText } from "./dom.js";
import { notePlayed } from "./own.js";
import { send, showCopies } from "./share.js";
import { other, stateUrl } from "./state.js";
import { load, store } from "./storage.js";

const DAYS = "collapsi: deals of the day"; // by date: the moves of the game under way, and the first result
const STREAK = "collapsi: streak";
const MAX_DAYS = 1000;
const MORE_DAYS = 30;

let listed = 7; // the days before today in the list

let day = null; // the service's answer about the game shown

const dayBefore = (date) => daysAfter(date, -1);

/** The deal of a day as a kind of game; `daily` in the state is the date. */
export const KIND = {
  part: "daily",
  secret: true, // no hints
  deal: async () => ({ position: today() }),
  game: askGame,
  values: () => null,
  isHuman: (app) => isLast(app) && !day.over && app.shown.to_move === day.person,
  refuse: (app) => (isLast(app) ? null : "You are looking back: step to the end to go on."),
  who: (app) => (app.shown.to_move === day.person ? " (you)" : " (computer)"),
  play,
  answer,
};

const isLast = ({ shown }) => shown.ply === shown.moves.length;

const movesOf = (date) => {
  const { moves } = load(DAYS, {})[date] ?? {};
  return Array.isArray(moves) ? moves : [];
};

function storeDay(date, change) {
  const days = load(DAYS, {});
  const all = Object.entries({ ...days, [date]: { ...days[date], ...change } }).sort(([one], [next]) => (one < next ? 1 : -1));
  store(DAYS, Object.fromEntries(all.slice(0, MAX_DAYS)));
}

async function askGame(state) {
  const { daily: date, ply } = state;
  if (isDate(date) && date > today()) throw new Problem(`the deal of ${date} is not open yet: come back on that day`);
  let found;
  try {
    found = await ask("daily", { date, moves: movesOf(date).join(" ") });
  } catch (problem) {
    if (problem.silent || !movesOf(date).length) throw problem;
    storeDay(date, { moves: [] }); // the stored moves are no game
    found = await ask("daily", { date });
  }
  const last = found.game.split(" ").length - found.position.split(" ").length;
  const shown = await ask("game", { game: found.game, ply: ply !== null && ply > last ? null : ply });
  day = found;
  return shown;
}

/** Play a move of the person. */
async function play(app, move) {
  notePlayed(app.shown.start);
  await goOn(app, move);
}

function goOn(app, move) {
  storeDay(day.date, { moves: [...movesOf(day.date), move] });
  return app.go({ ply: null }, { replace: true, walk: true });
}

/** Play the computer's move, or finish the game. */
async function answer(app, ticket) {
  if (!isLast(app)) return;
  if (day.over) return finish(app);
  if (day.reply === null) return;
  await think();
  if (ticket === app.ticket) await goOn(app, day.reply);
}

/** Store the first result of a day; that of today counts for the streak. */
function finish(app) {
  if (load(DAYS, {})[day.date]?.result) return;
  storeDay(day.date, { result: day.result, won: day.won, game: day.game });
  if (day.date === today()) {
    const { days = 0, best = 0, last = "" } = load(STREAK, {});
    const row = day.won ? (last === dayBefore(day.date) ? days : 0) + 1 : 0;
    store(STREAK, { days: row, best: Math.max(best, row), last: day.date });
  }
  update(app);
}

/** The games of the days that are over: the first of each day. */
export const finished = () =>
  Object.entries(load(DAYS, {}))
    .filter(([, one]) => typeof one?.game === "string")
    .map(([date, { game }]) => ({ key: date, game, red: YOU }));

export function start(app) {
  $("daily-again").addEventListener("click", () => {
    storeDay(day.date, { moves: [] });
    app.go({ ply: null }, { replace: true });
  });
  $("daily-look").addEventListener("click", () => {
    const players = { [day.person]: YOU, [other(day.person)]: day.level };
    app.go({ view: "analyse", game: day.game, ply: null, match: null, hints: true, ...players });
  });
  $("daily-share").addEventListener("click", () => share(app));
  $("daily-more").addEventListener("click", () => {
    listed += MORE_DAYS;
    updateDays(app);
  });
  $("daily-today").addEventListener("click", () => app.go({ daily: today(), ply: null }));
}

export function update(app) {
  const { result } = load(DAYS, {})[day.date] ?? {};
  const isToday = day.date === today();
  const computer = `The computer is ${day.level_text}, and plays the same for every player.`;
  const which = isToday ? `Today’s deal (${day.date})` : `The deal of ${day.date}`;
  setText("daily-what", `${which}: you are ${day.person}, and you can win. ${computer} No hints, no undo.`);
  $("daily-today").hidden = isToday;
  $("daily-over").hidden = !day.over;
  if (day.over) setText("daily-end", `${day.won ? "You have won." : "The computer has won."} ${again(result)}`);
  $("daily-result").hidden = !result;
  setText("daily-text", result ?? "");
  showCopies("daily-copies", { "Your result, to share": result && shareText(result) });
  $("daily-share").hidden = !navigator.share;
  const marks = about.marks.map(({ value, text }) => make("li", {}, `${value} ${text}`));
  $("daily-marks").replaceChildren(...marks);
  updateStreak();
  updateDays(app);
}

const share = (app) => send(app, { text: shareText(load(DAYS, {})[day.date].result) }, "daily-copies");

/** The result and a link to the deal; it does not give the solution away. */
const shareText = (result) => `${result} ${new URL(stateUrl({ daily: day.date, view: "daily" }), location.href).href}`;

/** The days before, and how they ended: the latest, and all that were played. */
function updateDays(app) {
  const days = load(DAYS, {});
  const latest = [dayBefore(today())];
  while (latest.length < listed) latest.push(dayBefore(latest.at(-1)));
  const played = Object.keys(days).filter((date) => isDate(date) && date < latest.at(-1));
  const rows = [];
  for (const then of [...latest, ...played.sort().reverse()]) {
    const { result, moves } = days[then] ?? {};
    const how = result ? result.replace(/^.*?: /, "") : moves?.length ? "begun" : "not played yet";
    const act = { type: "button", "data-key": then, onclick: () => app.go({ daily: then, ply: null }) };
    rows.push([`${then} ${how}`, () => make("li", {}, make("button", act, make("span", {}, then), make("span", { class: "note" }, how)))]);
  }
  refillChanged($("daily-days"), rows);
}

/** A remark if an earlier game counts. */
const again = (result) => (result && result !== day.result ? "Your first game of this deal counts." : "");

function updateStreak() {
  const { days = 0, best = 0, last = "" } = load(STREAK, {});
  const alive = last === today() || last === dayBefore(today()) ? days : 0;
  const text = `Streak: ${count(alive, "day", "days")} won in a row, ${count(best, "day", "days")} at best`;
  setText("daily-streak", best ? sentence(capital(text)) : "Win on several days in a row for a streak.");
}
