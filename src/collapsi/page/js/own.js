// Positions of this person's games where they threw a win away: found in reviews, stored in the browser only.

import { YOU } from "./about.js";
import { load, remove, store } from "./storage.js";

const PLAYED = "collapsi: deals played"; // a game from a link is not counted as one's own
const THROWN = "collapsi: wins thrown away";
const MAX_DEALS = 50;
const MAX_POSITIONS = 100;

const positions = () => load(THROWN, []).filter((one) => typeof one?.position === "string");

/** Note that the person plays this deal. */
export function notePlayed(start) {
  const before = load(PLAYED, []);
  if (before[0] !== start) store(PLAYED, [start, ...before.filter((deal) => deal !== start)].slice(0, MAX_DEALS));
}

/** Store the positions of a reviewed game where the person threw the win away. */
export function collect(state, { positions: passed, moves, turning_points: turns }) {
  if (!load(PLAYED, []).includes(passed[0].position)) return;
  const known = positions();
  const mine = turns.filter((number) => state[moves[number - 1].player] === YOU).map((number) => passed[number - 1].position);
  const fresh = mine.filter((position) => !known.some((one) => one.position === position));
  if (fresh.length) store(THROWN, [...known, ...fresh.map((position) => ({ position, solved: false }))].slice(-MAX_POSITIONS));
}

/** Count the positions, and those that are solved. */
export function counted() {
  const all = positions();
  return { all: all.length, solved: all.filter(({ solved }) => solved).length };
}

/** Pick the oldest unsolved position other than the one before; any, if all are solved. */
export function pick(before) {
  const all = positions();
  const others = all.filter(({ position }) => position !== before);
  const open = others.filter(({ solved }) => !solved);
  const some = open.length ? open : others.length ? others : all;
  return (open.length ? some[0] : some[Math.floor(Math.random() * some.length)])?.position;
}

export const isOwn = (position) => positions().some((one) => one.position === position);

export function solve(position) {
  store(
    THROWN,
    positions().map((one) => (one.position === position ? { ...one, solved: true } : one)),
  );
}

export function forgetAll() {
  remove(THROWN);
  remove(PLAYED);
}
