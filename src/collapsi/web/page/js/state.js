// The whole state of the page, and the URL that holds it.

export const VIEWS = ["play", "analyse", "edit", "share", "census", "rules"];
export const PLAYERS = new Map([
  ["you", "You"],
  ["random", "Computer: random"],
  ["1", "Computer: looks 1 ply ahead"],
  ["2", "Computer: looks 2 plies ahead"],
  ["4", "Computer: looks 4 plies ahead"],
  ["perfect", "Computer: perfect"],
]);

/** Whether one person plays against the computer, and whether the computer plays against itself. */
export const isDuel = ({ red, blue }) => (red === "you") !== (blue === "you");
export const isUnattended = ({ red, blue }) => red !== "you" && blue !== "you";

export const other = (colour) => ({ red: "blue", blue: "red" })[colour];

/** The game up to the position shown, and these moves after it. */
export const gameWith = (shown, ...moves) => [shown.start, ...shown.moves.slice(0, shown.ply), ...moves].join(" ");

const START = {
  game: "", // first position and all moves
  ply: null, // which position is shown; null is the last
  red: "you",
  blue: "perfect",
  view: "play",
  hints: false,
  flip: false,
  match: null, // points of red and blue before this round
  round: 1,
  draft: null, // what the editor holds
};

const number = (text, least, most) => (/^\d{1,4}$/.test(text ?? "") && +text >= least && +text <= most ? +text : null);
const oneOf = (text, names, otherwise) => (names.includes(text) ? text : otherwise);

export function readState(search) {
  const given = new URLSearchParams(search);
  const players = [...PLAYERS.keys()];
  return {
    game: given.get("game") ?? "",
    ply: number(given.get("ply"), 0, 16),
    red: oneOf(given.get("red"), players, START.red),
    blue: oneOf(given.get("blue"), players, START.blue),
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
  const parts = Object.entries(state)
    .filter(([name, value]) => value !== START[name] && value !== null && value !== "")
    .map(([name, value]) => `${name}=${encodeURIComponent(value === true ? "1" : String(value).replaceAll(" ", "_")).replaceAll("%2F", "/")}`);
  return `${location.pathname}?${parts.join("&")}`;
}
