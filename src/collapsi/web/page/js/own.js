// Positions from games on this page where its reader threw a win away: found in reviews, kept in the browser only.

import { YOU } from "./about.js";
import { forget, keep, recall } from "./kept.js";

const PLAYED = "collapsi: deals played"; // a game that came by a link is nobody's own
const THROWN = "collapsi: wins thrown away";
const MOST_DEALS = 50;
const MOST_POSITIONS = 100;

const positions = () => recall(THROWN, []).filter((one) => typeof one?.position === "string");

/** Somebody moves in a game of this deal. */
export function notePlayed(start) {
  const before = recall(PLAYED, []);
  if (before[0] !== start) keep(PLAYED, [start, ...before.filter((deal) => deal !== start)].slice(0, MOST_DEALS));
}

/** A game was looked back on: keep the moments where its reader could still win, and then could not. */
export function collect(state, { positions: passed, moves, turning_points: turns }) {
  if (!recall(PLAYED, []).includes(passed[0].position)) return;
  const known = positions();
  const mine = turns.filter((number) => state[moves[number - 1].player] === YOU).map((number) => passed[number - 1].position);
  const fresh = mine.filter((position) => !known.some((one) => one.position === position));
  if (fresh.length) keep(THROWN, [...known, ...fresh.map((position) => ({ position, solved: false }))].slice(-MOST_POSITIONS));
}

/** How many there are, and how many have been solved. */
export function counted() {
  const all = positions();
  return { all: all.length, solved: all.filter(({ solved }) => solved).length };
}

/** One to be solved: the longest kept that is not, other than the one before; any, if all are. */
export function pick(before) {
  const all = positions();
  const others = all.filter(({ position }) => position !== before);
  const open = others.filter(({ solved }) => !solved);
  const some = open.length ? open : others.length ? others : all;
  return (open.length ? some[0] : some[Math.floor(Math.random() * some.length)])?.position;
}

export const isOwn = (position) => positions().some((one) => one.position === position);

export function solve(position) {
  keep(THROWN, positions().map((one) => (one.position === position ? { ...one, solved: true } : one)));
}

export function forgetAll() {
  forget(THROWN);
  forget(PLAYED);
}
