// The big board: two to four at a table, people and computers in any mixture; rounds, matches, links.

import { about, fill, YOU } from "./about.js";
import { ask, bigDrawingUrl, Problem } from "./api.js";
import { moving } from "./board.js";
import { $, capital, make, refill, sentence, tell } from "./dom.js";
import { linkTo, showCopies, startDownloads } from "./share.js";
import { gameWith } from "./state.js";
import * as looking from "./looking.js";

const THINK_MS = 350;
const SLOW_MS = 900;
let boardShown = "";

/** How the service is asked about the big board. */
export const KIND = {
  part: "big",
  board: () => about.big.rules[0].board, // before anything lies on it
  deal: () => ask("big/deal", {}, { fresh: true }),
  game: askGame,
  values: () => null, // they come one after the other: see `looking`
  valueOf: ({ badge, wins, best, words }) => ({ text: badge, wins, best, words }),
  isHuman: ({ shown, state }) => playerOf(shown, state, shown.to_move) === YOU,
  refuse,
  turn,
  answer,
};

const rulesOf = (name) => about.big.rules.find((rules) => rules.name === name);

/** Who plays which number, as it stands in the state; who is not named there is you, or somebody easy. */
function playersIn(state, count_) {
  const named = state.seats.split(".");
  const known = new Set([YOU, ...about.big.rules.flatMap(({ levels }) => levels.map(({ value }) => value))]);
  const usual = (number) => (number ? about.big.first_level : YOU);
  return Array.from({ length: count_ }, (_, number) => (known.has(named[number]) ? named[number] : usual(number)));
}

const numberOf = (shown, seat) => shown.seats.find((each) => each.seat === seat).player;
/** How many take part in the match; all who play the round, where there is none. */
const partakers = (shown) => shown.match?.points.length ?? shown.seats.length;
const playerOf = (shown, state, seat) => playersIn(state, partakers(shown))[numberOf(shown, seat) - 1];
const peopleIn = (shown, state) => shown.seats.filter(({ seat }) => playerOf(shown, state, seat) === YOU);
/** The level of a computer; one that does not play by these rules is the strongest that does. */
function levelOf(shown, state, seat) {
  const { levels } = rulesOf(shown.rules);
  const level = playerOf(shown, state, seat);
  return levels.some(({ value }) => value === level) ? level : levels.at(-1).value;
}

/** The game; if only the ply or the match of a link is wrong, the game without them. */
async function askGame(state) {
  const { big: game, ply, points: match } = state;
  try {
    return await ask("big/game", { game, ply, match });
  } catch (problem) {
    if (problem.silent || (ply === null && !match)) throw problem;
    const shown = await ask("big/game", { game });
    Object.assign(state, { ply: null, points: "" });
    return shown;
  }
}

function refuse({ shown, state }) {
  if (shown.winner) return `The round is over: ${shown.winner} has won.`;
  if (playerOf(shown, state, shown.to_move) === YOU) return null;
  const back = state.ply === null ? "" : " You are looking back: step to a person's turn, or to the end to go on.";
  return `It is ${shown.to_move}'s turn, and ${shown.to_move} is played by the computer.${back}`;
}

function turn({ shown, state }) {
  const line = document.createDocumentFragment();
  if (shown.went) line.append(make("span", { class: "went" }, `${sentence(shown.went)} `));
  if (shown.winner) line.append(sentence(shown.turn));
  else {
    const person = playerOf(shown, state, shown.to_move) === YOU;
    const who = person ? (peopleIn(shown, state).length > 1 ? "" : " (you)") : " (computer)";
    line.append(make("span", { class: shown.to_move }, capital(shown.to_move)), `${who} to ${shown.task}`);
  }
  return line;
}

/** When a position is shown and the pawn has walked: values, if they are wanted, and the computer's turn. */
async function answer(app, ticket) {
  looking.begin(app, ticket);
  const { state, shown } = app;
  const paused = !peopleIn(shown, state).length && !app.running;
  if (state.ply !== null || shown.winner || paused || KIND.isHuman(app)) return;
  const slow = setTimeout(() => ticket === app.ticket && tell("big-said", `${capital(shown.to_move)} is thinking …`), SLOW_MS);
  const query = { position: shown.position, level: levelOf(shown, state, shown.to_move) };
  const [move] = await Promise.all([
    ask("big/computer-move", query, { fresh: true, instead: "big move" }).finally(() => clearTimeout(slow)),
    new Promise((done) => setTimeout(done, moving() ? THINK_MS : 0)),
  ]);
  if (ticket !== app.ticket) return;
  const said = move.said ? `${capital(shown.to_move)}, the computer, about ${move.move}: ${move.said}.` : "";
  await app.go({ big: `${shown.game} ${move.move}` }, { replace: true, walk: true });
  tell("big-said", said);
}

/** The next position in a direction where a person is to move, or null; any, if people are by themselves or there is none. */
function personsTurn({ shown, state }, by) {
  const last = shown.moves.length;
  const mixed = peopleIn(shown, state).length < shown.seats.length && peopleIn(shown, state).length > 0;
  const isPersons = (ply) => playerOf(shown, state, shown.movers[ply]) === YOU;
  let ply = shown.ply + by;
  while (mixed && ply > 0 && ply < last && !isPersons(ply)) ply += by;
  return ply < 0 || ply > last || (by < 0 && mixed && !isPersons(ply)) ? null : ply;
}

/** A click on a button does something; the second click of a double click does not do it again. */
const once = (id, act) => $(id).addEventListener("click", (event) => event.detail > 1 || act());

export function start(app) {
  fill($("big-rules"), about.big.rules.map(({ name, title }) => ({ value: name, text: title })));
  $("big-rules").addEventListener("change", () => tell("big-note", noteOn()));
  tell("big-match-note", about.big.match);
  once("big-deal", () => newGame(app, $("big-rules").value));
  once("big-again", () => app.busy || app.go({ big: app.shown.start, ply: null, hints: false }));
  $("big-undo").addEventListener("click", () => app.step(personsTurn(app, -1) ?? app.shown.ply));
  $("big-redo").addEventListener("click", () => app.step(personsTurn(app, 1) ?? app.shown.ply));
  $("big-run").addEventListener("click", () => {
    if (app.busy) return;
    app.running = !app.running;
    if (app.running) app.go({ big: gameWith(app.shown), ply: null });
    else app.show();
  });
  once("big-match-start", () => newGame(app, $("big-rules").value, "start"));
  once("big-match-next", () => {
    const { match } = app.shown;
    if (match?.next) newGame(app, match.next_rules, match.next);
  });
  once("big-match-stop", () => app.go({ points: "" }));
  looking.start(app);
  startDownloads(app, "big-", () => bigDrawingUrl({ position: app.shown.position, ...(looking.isSolved(app) ? { values: true } : {}) }));
  $("big-open").addEventListener("submit", (event) => {
    event.preventDefault();
    open(app, $("big-text").value);
  });
}

const noteOn = () => rulesOf($("big-rules").value).text;

async function newGame(app, rules, points = "") {
  if (app.busy) return;
  app.busy = true;
  app.running = false;
  const ticket = ++app.ticket;
  try {
    const dealt = await ask("big/deal", { rules }, { fresh: true });
    if (ticket === app.ticket) await app.go({ big: dealt.position, ply: null, hints: false, points });
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    app.busy = false;
    app.say(sentence(problem.message));
  }
}

/** Open a board or game in our notation, or a link to one. */
async function open(app, text) {
  tell("big-error", "");
  const game = URL.canParse(text) ? (new URL(text).searchParams.get("big") ?? text) : text;
  try {
    const read = await ask("big/game", { game: game || " " });
    await app.go({ big: read.game, ply: null, points: "" });
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    tell("big-error", sentence(problem.message));
  }
}

export function update(app) {
  const { shown, state } = app;
  $("big-undo").setAttribute("aria-disabled", personsTurn(app, -1) === null);
  $("big-redo").setAttribute("aria-disabled", personsTurn(app, 1) === null);
  $("big-run").hidden = peopleIn(shown, state).length > 0 || Boolean(shown.winner);
  $("big-run").textContent = app.running ? "Pause" : shown.ply ? "Go on" : "Start";
  // What was chosen for the next deal stays until there is one.
  if (shown.start !== boardShown) $("big-rules").value = shown.rules;
  boardShown = shown.start;
  tell("big-note", noteOn());
  tell("big-said", "");
  $("big-warnings").replaceChildren(...shown.warnings.map((text) => make("li", {}, `Cannot arise in play: ${text}.`)));
  refill($("seats"), ...shown.seats.map((seat) => seatChip(app, seat)));
  refill($("big-players"), ...playerFields(app));
  updateResult(app);
  updateMatch(app);
  looking.update(app);
  const part = { view: "big", big: shown.game, ply: state.ply, seats: state.seats, points: state.points };
  showCopies("big-copies", {
    Link: linkTo({ ...part, red: state.red, blue: state.blue, flip: state.flip, hints: state.hints }),
    "Game as text": shown.game,
    "Position as text": shown.position,
  });
}

/** What a player is called: by number in a match, and whether it is a person. */
function playerName({ shown, state }, number) {
  const players = playersIn(state, partakers(shown));
  const alone = players.filter((each) => each === YOU).length === 1;
  const kind = players[number - 1] === YOU ? (alone ? "you" : "person") : "computer";
  return shown.match ? `player ${number}, ${kind}` : kind;
}

/** Who plays a colour, and how they stand. */
function seatChip(app, { seat, player, text }) {
  const { shown } = app;
  const now = shown.to_move === seat && !shown.winner;
  const total = shown.match ? `; in all ${shown.match.points[player - 1]}` : "";
  return make(
    "li",
    { class: now ? "now" : null, "aria-current": now ? "true" : null },
    make("span", { class: `letter ${seat}`, "aria-hidden": "true" }, seat[0].toUpperCase()),
    make(
      "span",
      {},
      make("strong", {}, capital(seat)),
      ` (${playerName(app, player)})`,
      make("span", { class: "note" }, ` ${text}${total}`),
    ),
  );
}

/** For every player a list to choose from: you, or a level of the computer. */
function playerFields(app) {
  const { shown, state } = app;
  const chosen = playersIn(state, partakers(shown));
  const levels = rulesOf(shown.rules).levels.map(({ value, text }) => ({ value, text: `Computer: ${text}` }));
  return chosen.map((player, index) => {
    const seat = shown.seats.find((each) => each.player === index + 1)?.seat;
    const name = shown.match ? `Player ${index + 1}${seat ? ` (${seat})` : ""}` : capital(seat);
    const select = make("select", { "data-key": `player-${index}`, "data-player": index + 1 });
    fill(select, [{ value: YOU, text: "You" }, ...levels]);
    select.value = player === YOU || !seat ? player : levelOf(shown, state, seat);
    select.addEventListener("change", () => {
      app.running = false;
      app.go({ seats: chosen.with(index, select.value).join(".") });
    });
    return make("label", {}, `${name} `, select);
  });
}

function updateResult(app) {
  const { shown } = app;
  $("big-result").hidden = !shown.winner;
  if (!shown.winner) return;
  const who = `${capital(shown.winner)} (${playerName(app, numberOf(shown, shown.winner))})`;
  const button = (text, onclick, kind = null) => make("button", { type: "button", class: kind, onclick }, text);
  const points = [...shown.seats].sort((one, other) => other.points - one.points).map(({ seat, points: made }) => `${seat} ${made}`);
  $("big-result").replaceChildren(
    make("p", {}, make("strong", {}, `${who} won the round.`), ` Points: ${points.join(", ")}.`),
    make(
      "p",
      { class: "buttons" },
      button("Where did it turn?", () => $("big-look").click(), "main"),
      shown.match?.next ? button("Next round", () => $("big-match-next").click()) : null,
    ),
  );
}

function updateMatch(app) {
  const { shown } = app;
  const { match } = shown;
  $("big-match-start").textContent = match ? "A new match" : "Start a match";
  $("big-match-stop").hidden = !match || match.winner !== null;
  $("big-match-next").hidden = !match?.next;
  $("big-again").hidden = Boolean(match); // a round is played once
  if (!match) return tell("big-match-score", "");
  const won = match.winner === null ? "" : ` Player ${match.winner} has won the match.`;
  const next = match.next ? ` Next: ${sentence(match.next_text)}` : "";
  tell("big-match-score", `${sentence(`${match.title}: ${match.text}`)}${won}${next}`);
}
