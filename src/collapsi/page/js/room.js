// Live: a room of the service, where each player sits at a page of their own. The service has the game, says who may move, and
// signs every state; the page holds the last one, so that the game goes on after a restart of the service.

import { about, FRIEND, YOU } from "./about.js";
import { askOnce, Problem, problemText } from "./api.js";
import { isPlayed } from "./app.js";
import { $, setText } from "./dom.js";
import { people } from "./kinds.js";
import { send, showCopies } from "./share.js";
import { inRoom, LEFT, stateUrl } from "./state.js";
import { load, store } from "./storage.js";
import { VIEWS } from "./views.js";

const LINKS = "collapsi: rooms"; // by room, the newest last: the links of the seats, for the one who has made the room
const MAX_LINKS = 10;
const POLL_MS = 30_000; // the service answers after 20 seconds
const FIRST_WAIT_MS = 500; // after a failure; then twice as long, and so on
const MAX_WAIT_MS = 5000;
const NOT_FOUND = 404;

let here = null; // the room that the page is in: its last answer, and whether the connection is lost

export function start(app) {
  $("room-make").addEventListener("click", () => app.whenShown(() => makeRoom(app)));
  $("room-leave").addEventListener("click", () => app.go(LEFT)); // at once: a move may wait for the connection
  $("room-send").addEventListener("click", () => send(app, { url: $("room-invited").querySelector("input").value }, "room-invited"));
  for (const name of ["online", "offline"]) addEventListener(name, () => poke(here));
  document.addEventListener("visibilitychange", () => document.hidden || poke(here)); // a laptop that was closed
}

/** Whether a new deal is possible: before the first move, or at the end; but not for spectators. */
export const mayDeal = ({ shown }) => here?.answer?.you && (shown.winner || shown.over || !shown.moves.length);

/** Make a room for the game shown. Friends play the other seats, or the computer where the person has chosen friends for some. */
async function makeRoom(app) {
  const { shown, state } = app;
  const kind = app.kind();
  const mine = people(app)[0] ?? shown.to_move;
  const numbered = kind.seats(app).toSorted((one, next) => kind.numberIn(app, one) - kind.numberIn(app, next));
  const chosen = numbered.map((seat) => kind.playerOf(app, seat));
  const isPerson = (player) => !chosen.includes(FRIEND) || [YOU, FRIEND].includes(player);
  const seats = numbered.map((seat) => (seat === mine || isPerson(kind.playerOf(app, seat)) ? "person" : kind.levelOf(app, seat)));
  const query = { game: shown.game, seats: seats.join("."), match: state[kind.match.part] };
  await app.attempt(async () => {
    const room = await askOnce("rooms/new", query, { method: "POST" });
    const token = room.tokens[numbered.indexOf(mine)];
    const links = { ...load(LINKS, {}), [room.room]: { tokens: room.tokens } };
    store(LINKS, Object.fromEntries(Object.entries(links).slice(-MAX_LINKS)));
    await app.go({ room: room.room, token, sealed: room.sealed, hints: false });
    $("room").scrollIntoView({ block: "nearest" }); // the button stands far below, on a phone
  });
}

/** Be in the room that the state names, or in none; in a view that plays, show its game. */
export function follow(app) {
  const { room, token, sealed } = app.state;
  if (here?.room === room && here.token === token) return app.view().plays && here.answer && !isInState(app) ? sync(app) : null;
  here?.stop.abort();
  here = room ? { room, token, sealed, answer: null, met: new Set(), stop: new AbortController(), pokes: new Set() } : null;
  app.watching = false;
  if (here) poll(app, here);
  return null;
}

/** Ask for the room again and again: each answer comes when something has changed. */
async function poll(app, mine) {
  try {
    while (mine === here) {
      const query = { room: mine.room, token: mine.token, seen: mine.answer?.tag };
      const answer = await insist(app, mine, "rooms/state", query);
      if (mine === here) accept(app, mine, answer);
      if (answer?.wait) await pause(mine, 1000 * answer.wait);
    }
  } catch (problem) {
    if (mine !== here) return;
    app.busy = false;
    refuse(app, problemText(problem));
  }
}

/** The room cannot be entered: its link is wrong, or its game is not known any more. */
function refuse(app, text) {
  app.say(text);
  const leave = document.createElement("button");
  leave.type = "button";
  leave.textContent = "Play here without a room";
  leave.addEventListener("click", () => app.go(LEFT));
  $("message").append(" ", leave);
}

/** Ask until there is an answer; if the service does not know the room any more, have it made again first. Null if we have left. */
async function insist(app, mine, path, query, method = "GET") {
  for (let wait = FIRST_WAIT_MS; mine === here; wait = Math.min(2 * wait, MAX_WAIT_MS)) {
    const stop = new AbortController();
    const abort = () => stop.abort();
    const timer = setTimeout(abort, POLL_MS);
    mine.stop.signal.addEventListener("abort", abort, { once: true, signal: stop.signal });
    if (method === "GET") mine.pokes.add(abort);
    try {
      const answer = await askOnce(path, query, { method, signal: stop.signal });
      setLost(app, mine, false);
      return answer;
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      if (problem.status === NOT_FOUND && mine.sealed && path !== "rooms/restore") {
        await insist(app, mine, "rooms/restore", { token: mine.token, sealed: mine.sealed }, "POST");
        continue;
      }
      if (!problem.silent) throw problem;
      if (stop.signal.aborted) continue; // poked, or it took too long
      setLost(app, mine, true);
      await pause(mine, wait);
    } finally {
      clearTimeout(timer);
      mine.pokes.delete(abort);
      abort(); // removes the listener
    }
  }
  return null;
}

/** Wait for some time, or until the page is poked. */
const pause = (mine, ms) =>
  new Promise((done) => {
    const end = () => {
      clearTimeout(timer);
      mine.pokes.delete(end);
      done();
    };
    const timer = setTimeout(end, ms);
    mine.pokes.add(end);
  });

/** Ask again at once, without waiting for an answer or for a pause to end. */
function poke(mine) {
  for (const end of mine?.pokes ?? []) end();
}

function setLost(app, mine, lost) {
  if (mine.lost === lost || mine !== here) return;
  mine.lost = lost;
  if (app.shown && app.view().plays) update(app);
}

const versionOf = (sealed) => Number(sealed.split("~")[2] ?? -1);

/** Take an answer; if the service has an earlier version than the page, it has been restarted: send what the page has. */
async function accept(app, mine, answer, walk = true) {
  if (answer.version < versionOf(mine.sealed) && mine.sent !== mine.sealed) {
    mine.sent = mine.sealed;
    answer = (await insist(app, mine, "rooms/restore", { token: mine.token, sealed: mine.sealed }, "POST")) ?? answer;
    if (mine !== here) return;
  }
  Object.assign(mine, { answer, sealed: answer.sealed });
  app.watching = answer.you === null;
  if (!app.view().plays && app.shown) return;
  if (isShown(app)) update(app);
  else sync(app, walk);
}

/** Whether the state has the game, the players and the match of the room. */
const isInState = ({ state }) => Object.entries(changeTo(here.answer)).every(([name, value]) => state[name] === value) && isPlayed();

const isShown = (app) => isInState(app) && app.shown?.game === here.answer.game;

const viewOf = ({ path }) => Object.keys(VIEWS).find((name) => VIEWS[name].plays && VIEWS[name].kind.path === path);

/** The change of state that shows a room. */
function changeTo(answer) {
  const view = viewOf(answer);
  const { part, match, roomSeating } = VIEWS[view].kind;
  const playerOf = ({ seat, level }) => (seat === answer.you ? YOU : (level ?? FRIEND));
  const score = answer.match === null ? match.none : { ...match.none, [match.part]: answer.match };
  if ("round" in score && answer.match !== null) score.round = answer.round;
  const { room, sealed } = answer;
  const { token } = here;
  return { view, [part]: answer.game, ...roomSeating(answer, playerOf), ...score, room, token, sealed };
}

/** Show the game of the room; a move more than before is animated. */
function sync(app, walk = true) {
  const { answer } = here;
  const isNext = app.shown && answer.game.startsWith(`${app.shown.game} `);
  return app.go({ ...changeTo(answer), ply: null }, { replace: true, walk: isNext && walk, play: true });
}

/** Play a move in the room: the service decides whether it counts. */
export async function play(app, move, walk) {
  const mine = here;
  if (!mine?.answer) return;
  app.busy = true;
  await change(app, mine, "rooms/move", { version: mine.answer.version, move }, walk);
}

/** Deal again in the room; `match` begins a match. */
export const dealAgain = (app, match = null) => here?.answer && change(app, here, "rooms/round", { version: here.answer.version, match });

async function change(app, mine, path, query, walk = true) {
  try {
    const answer = await insist(app, mine, path, { room: mine.room, token: mine.token, ...query }, "POST");
    if (answer && mine === here) await accept(app, mine, answer, walk);
  } catch (problem) {
    const text = problemText(problem);
    if (mine !== here) return;
    await app.show(); // as it is: the pawn may have set off
    app.say(text);
    poke(mine);
  } finally {
    if (mine === here && app.busy && isShown(app)) app.ready();
  }
}

const isLocal = () => ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);

/** A link into the room, with its game for a service that was restarted. On another machine "localhost" is that machine. */
function linkFor(token) {
  const page = isLocal() && about.rooms.address ? about.rooms.address : location.href;
  return new URL(stateUrl({ room: here.room, token, sealed: here.sealed }), page).href;
}

/** Below the board: who is there, and the link for who is not. In the panels: all links. */
export function update(app) {
  const isLive = inRoom(app.state);
  $("room").hidden = $("room-links").hidden = !isLive;
  if (!isLive || !here) return;
  const { answer, lost, room } = here;
  setText("room-said", lost ? "Reconnecting …" : (answer?.said ?? "Coming to the table …"));
  $("room").classList.toggle("lost", Boolean(lost));
  if (!answer) return;
  const tokens = load(LINKS, {})[room]?.tokens ?? []; // those of others are known to the one who has made the room
  const others = answer.seats.filter(({ seat, level }) => level === null && seat !== answer.you);
  const invited = others.filter(({ seat }) => tokens[seat - 1]);
  const nameOf = ({ seat, colour }) => colour ?? `player ${seat}`;
  const link = (player) => [`Link for ${nameOf(player)}`, linkFor(tokens[player.seat - 1])];
  const links = (seats) => Object.fromEntries(seats.map(link));
  const expected = invited.filter(({ seat, present }) => !present && !here.met.has(seat));
  for (const { seat, present } of others) if (present) here.met.add(seat);
  $("room-invite").hidden = !expected.length;
  if (expected.length) showInvitation(links(expected), nameOf(expected[0]), others.length === 1);
  const own = answer.you === null ? {} : { "Your own link, for another device": linkFor(here.token) };
  const known = invited.filter((seat) => !expected.includes(seat));
  showCopies("room-copies", { ...links(known), "Link to watch": linkFor(answer.watch), ...own });
  if (answer.you !== null && answer.to_move === answer.you) document.title = "Your move · Collapsi";
}

function showInvitation(links, name, isOne) {
  showCopies("room-invited", links);
  $("room-send").textContent = isOne ? "Send this link to your friend" : `Send the link for ${name}`;
  setText("room-how", isOne ? `Whoever opens it plays ${name}.` : "Each player needs a link of their own.");
  $("room-alone").hidden = !isLocal() || Boolean(about.rooms.address);
}
