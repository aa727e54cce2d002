// The state of the page, and the URL that holds all of it.

import { about, players, YOU } from "./about.js";
import { alone } from "./api.js";
import { load } from "./storage.js";

const VIEWS = ["play", "solo", "big", "lessons", "rules", "puzzles", "daily", "analyse", "edit", "share", "census"];
if (!alone) VIEWS.push("api"); // the static site has no service

export const LEVEL = "collapsi: level"; // the opponent chosen last, stored in the browser
export const RULES = "collapsi: rules"; // likewise the rules
export const SEATS = "collapsi: seats"; // the players of the big board
export const DEALS = "collapsi: deals chosen"; // by part of the state: what was chosen for the last deal of the other games

/** The most characters of a tree in a link; a longer one is shared as a file. */
export const MAX_TREE = 6000;

/** Whether a live game is played. */
export const inRoom = ({ room }) => Boolean(room);
/** The change of state that leaves the room. */
export const LEFT = { room: "", token: "", sealed: "" };

export const other = (colour) => ({ red: "blue", blue: "red" })[colour];

/** A game as text; in the URL spaces are underscores. */
export const gameText = (game) => game.replaceAll("_", " ");

/** The game up to the position shown, followed by these moves. */
export const gameWith = (shown, ...moves) => [shown.start, ...shown.moves.slice(0, shown.ply), ...moves].join(" ");

/** The state and its defaults, in the order of the URL. */
const START = {
  game: "", // the game for two: first position and moves
  solo: "", // the solo game
  big: "", // the game on the big board
  tree: "", // the game with its variations and comments, if it has any
  seats: "", // its players, by number
  points: "", // its match before this round
  lesson: "list", // lesson and step
  puzzle: "", // position and moves of a puzzle
  kind: "", // the kind of puzzles; empty is the easiest
  pass: "", // "ask" in a puzzle that asks whether one would rather pass; then the answer, "pass" or "move"
  daily: "", // the date of the deal of the day
  half: "", // the card of a move on the shifting board before its shift is chosen
  ply: null, // the position shown; null is the last
  red: YOU,
  blue: "perfect", // in a link that names no players; otherwise the service's first level
  view: "play",
  hints: false,
  flip: false,
  match: null, // points of red and blue before this round
  round: 1,
  draft: null, // the editor's position
  room: "", // the room of a live game,
  token: "", // the seat in it,
  sealed: "", // and its game as the service has signed it
};
const TEXTS = ["game", "solo", "big", "tree", "seats", "points", "lesson", "puzzle", "daily", "half", "draft", "room", "token", "sealed"]; // read as they are

const number = (text, least, most) => (/^\d{1,4}$/.test(text ?? "") && +text >= least && +text <= most ? +text : null);
const oneOf = (text, names, otherwise) => (names.includes(text) ? text : otherwise);

/** The parameters of a URL: after ?; after # on the static site, where the query belongs to its host. */
const parameters = ({ search, hash }) => new URLSearchParams(hash.includes("=") ? hash.slice(1) : search);

/** The game in a link to this page; any other text as it is. */
export const inLink = (text, part = "game") => (URL.canParse(text) ? (parameters(new URL(text)).get(part) ?? text) : text);

/** Read the state from the URL. */
export function readState() {
  const given = parameters(location);
  const names = players(about.levels).map(({ value }) => value);
  const namesGame = given.has("game") || given.has("red") || given.has("blue");
  return {
    ...START,
    ...Object.fromEntries(TEXTS.map((name) => [name, given.get(name) ?? START[name]])),
    kind: oneOf(given.get("kind"), [...about.puzzles.map(({ value }) => value), "own"], START.kind),
    pass: oneOf(given.get("pass"), ["ask", "pass", "move"], START.pass),
    ply: number(given.get("ply"), 0, 99),
    seats: given.get("seats") ?? (given.has("big") ? START.seats : load(SEATS, START.seats)),
    red: oneOf(given.get("red"), names, START.red),
    blue: oneOf(given.get("blue"), names, namesGame ? START.blue : oneOf(load(LEVEL, ""), names, about.first_level)),
    view: oneOf(given.get("view"), VIEWS, START.view),
    hints: given.get("hints") === "1",
    flip: given.get("flip") === "1",
    match: /^\d{1,2}-\d{1,2}$/.test(given.get("match") ?? "") ? given.get("match") : null,
    round: number(given.get("round"), 1, 999) ?? START.round,
  };
}

/** Write a state as a readable URL: spaces become _, slashes stay, defaults are left out. */
export function stateUrl(state) {
  const spaced = (name, value) => (name === "tree" ? value : String(value).replaceAll(" ", "_")); // comments stay as they are
  const written = (name, value) => encodeURIComponent(value === true ? "1" : spaced(name, value)).replaceAll("%2F", "/");
  const parts = Object.entries(state)
    .filter(([name, value]) => value !== START[name] && value !== null && value !== "")
    .filter(([name, value]) => name !== "tree" || encodeURIComponent(value).length <= MAX_TREE)
    .map(([name, value]) => `${name}=${written(name, value)}`);
  return `${location.pathname}${alone ? `${location.search}#` : "?"}${parts.join("&")}`;
}
