// The whole state of the page, and the URL that holds it.

import { about, players, YOU } from "./about.js";
import { alone } from "./api.js";

export const VIEWS = ["play", "analyse", "lessons", "puzzles", "daily", "edit", "share", "census", "solo", "big", "rules"];

/** Whether one person plays against the computer, and whether the computer plays against itself. */
export const isDuel = ({ red, blue }) => (red === YOU) !== (blue === YOU);
export const isUnattended = ({ red, blue }) => red !== YOU && blue !== YOU;

export const other = (colour) => ({ red: "blue", blue: "red" })[colour];

/** The game up to the position shown, and these moves after it. */
export const gameWith = (shown, ...moves) => [shown.start, ...shown.moves.slice(0, shown.ply), ...moves].join(" ");

const START = {
  game: "", // first position and all moves
  solo: "", // the same of the game for one
  big: "", // the same of the big board
  seats: "", // who plays there, by number
  points: "", // the match there before this round
  lesson: "list", // which lesson, and which step of it
  puzzle: "", // the same of a puzzle: a position, and what was tried there
  kind: "", // which puzzles are wanted; the easiest
  daily: "", // the date of the deal of the day
  half: "", // the card that a move goes to whose second half is still to be chosen
  ply: null, // which position is shown; null is the last
  red: YOU,
  blue: "perfect", // in a link that does not say; who comes without one meets somebody easier
  view: "play",
  hints: false,
  flip: false,
  match: null, // points of red and blue before this round
  round: 1,
  draft: null, // what the editor holds
};

const number = (text, least, most) => (/^\d{1,4}$/.test(text ?? "") && +text >= least && +text <= most ? +text : null);
const oneOf = (text, names, otherwise) => (names.includes(text) ? text : otherwise);

/** What an address says of the state: after ?, or after # where the page is alone and the query is its host's. */
const said = ({ search, hash }) => new URLSearchParams(hash.includes("=") ? hash.slice(1) : search);

/** A game in a link to this page, or the text as it is. */
export const inLink = (text, part = "game") => (URL.canParse(text) ? (said(new URL(text)).get(part) ?? text) : text);

/** The state in the address. */
export function readState() {
  const given = said(location);
  const names = players().map(({ value }) => value);
  const comesByLink = given.has("game") || given.has("red") || given.has("blue");
  return {
    game: given.get("game") ?? START.game,
    solo: given.get("solo") ?? START.solo,
    big: given.get("big") ?? START.big,
    seats: given.get("seats") ?? START.seats,
    points: given.get("points") ?? START.points,
    lesson: given.get("lesson") ?? START.lesson,
    puzzle: given.get("puzzle") ?? START.puzzle,
    kind: oneOf(given.get("kind"), [...about.puzzles.map(({ value }) => value), "own"], START.kind),
    daily: given.get("daily") ?? START.daily,
    half: given.get("half") ?? START.half,
    ply: number(given.get("ply"), 0, 99),
    red: oneOf(given.get("red"), names, START.red),
    blue: oneOf(given.get("blue"), names, comesByLink ? START.blue : about.first_level),
    view: oneOf(given.get("view"), VIEWS, START.view),
    hints: given.get("hints") === "1",
    flip: given.get("flip") === "1",
    match: /^\d{1,2}-\d{1,2}$/.test(given.get("match") ?? "") ? given.get("match") : null,
    round: number(given.get("round"), 1, 999) ?? START.round,
    draft: given.get("draft"),
  };
}

/** Readable: spaces become _, slashes stay, and what is as at the start is left out. */
export function stateUrl(state) {
  const written = (value) => encodeURIComponent(value === true ? "1" : String(value).replaceAll(" ", "_")).replaceAll("%2F", "/");
  const parts = Object.entries(state)
    .filter(([name, value]) => value !== START[name] && value !== null && value !== "")
    .map(([name, value]) => `${name}=${written(value)}`);
  return `${location.pathname}${alone ? `${location.search}#` : "?"}${parts.join("&")}`;
}
