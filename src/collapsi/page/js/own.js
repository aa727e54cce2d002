// Positions of this person's games where they threw a win away: found by reviews, stored in the browser only.

import { YOU } from "./about.js";
import { ask, Problem } from "./api.js";
import { forgetMissed, isResting } from "./repeat.js";
import { load, remove, store } from "./storage.js";

const PLAYED = "collapsi: deals played"; // a game from a link is not counted as one's own
const THROWN = "collapsi: wins thrown away";
const SEARCHED = "collapsi: games searched"; // the keys of the finished games that were reviewed here
const MAX_DEALS = 50;
const MAX_POSITIONS = 500; // then the oldest solved one goes

let search = null; // the one that is running

const positions = () => load(THROWN, []).filter((one) => typeof one?.position === "string");

/** Note that the person plays this deal. */
export function notePlayed(start) {
  const before = load(PLAYED, []);
  if (before[0] !== start) store(PLAYED, [start, ...before.filter((deal) => deal !== start)].slice(0, MAX_DEALS));
}

/** Store what is found in a review that the person asked for, if the game is one of theirs. */
export function collect(state, review) {
  if (load(PLAYED, []).includes(review.positions[0].position)) add(state, review);
}

/** Store the positions of a reviewed game where the person threw the win away. */
function add(players, { positions: passed, moves, turning_points: turns }) {
  const known = positions();
  const mine = turns.filter((number) => players[moves[number - 1].player] === YOU).map((number) => passed[number - 1].position);
  const fresh = mine.filter((position) => !known.some((one) => one.position === position));
  if (!fresh.length) return;
  const kept = [...known, ...fresh.map((position) => ({ position, solved: false }))];
  while (kept.length > MAX_POSITIONS)
    kept.splice(
      Math.max(
        kept.findIndex(({ solved }) => solved),
        0,
      ),
      1,
    );
  store(THROWN, kept);
}

/**
 * Review the finished games that were not searched yet, one after another, until all are done or the service does not answer.
 * `progress` hears how many are done, and of how many.
 */
export function searchGames(games, progress) {
  search ??= reviewAll(games, progress).finally(() => (search = null));
  return search;
}

async function reviewAll(games, progress) {
  const keys = games.map(({ key }) => key);
  const searched = load(SEARCHED, []).filter((key) => keys.includes(key)); // others are no longer kept
  const open = games.filter(({ key }) => !searched.includes(key));
  for (const [index, { key, game, ...players }] of open.entries()) {
    progress(index, open.length);
    try {
      add(players, await ask("review", { game }, { action: true }));
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      if (problem.silent) break; // no answer: it goes on at the next visit
    }
    searched.push(key);
    store(SEARCHED, searched);
  }
  progress(0, 0);
}

/** Count the positions, and those that are solved. */
export function counted() {
  const all = positions();
  return { all: all.length, solved: all.filter(({ solved }) => solved).length };
}

/** Pick the oldest unsolved position other than the one before, which does not come back later; any, if there is none. */
export function pick(before) {
  const all = positions();
  const others = all.filter(({ position }) => position !== before);
  const open = others.filter(({ position, solved }) => !solved && !isResting(position));
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

/** Remove the positions; the games that were searched are not searched again. */
export function forgetAll() {
  forgetMissed(positions().map(({ position }) => position));
  remove(THROWN);
  remove(PLAYED);
}
