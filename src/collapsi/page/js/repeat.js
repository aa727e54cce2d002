// Puzzles that were missed come back: the next day, and each time they are solved later. Stored in the browser only.

import { daysAfter, isDate, today } from "./dates.js";
import { load, store } from "./storage.js";

const MISSED = "collapsi: puzzles missed"; // the oldest first; `step` counts how often it was solved again
const DAYS_LATER = [1, 3, 7]; // then it is done

const isEntry = (one) => typeof one?.position === "string" && Number.isInteger(one.step) && isDate(one.due);
const missed = () => load(MISSED, []).filter(isEntry);
const isDue = ({ due }) => due <= today();

/** Note the first answer to a puzzle: a miss comes back tomorrow, a success later, or is done with. `pass`: what it asks. */
export function noteTry(position, right, pass) {
  const known = missed().find((one) => one.position === position);
  if (right && !(known && isDue(known))) return; // nothing to repeat, or not yet
  const step = right ? known.step + 1 : 0;
  const others = missed().filter((one) => one.position !== position);
  const next = step < DAYS_LATER.length ? [{ position, step, due: daysAfter(today(), DAYS_LATER[step]), ...(pass && { pass }) }] : [];
  store(MISSED, [...others, ...next]);
}

/** The puzzle that has been due longest, other than the one before; undefined if there is none. */
export function pickDue(before) {
  const due = missed().filter((one) => isDue(one) && one.position !== before);
  return due.sort((one, next) => (one.due < next.due ? -1 : 1))[0];
}

/** Whether a puzzle was missed and comes back later. */
export const isResting = (position) => missed().some((one) => one.position === position && !isDue(one));

/** Whether a puzzle was missed and is due. */
export const isBack = (position) => missed().some((one) => one.position === position && isDue(one));

/** How many come back, and how many of them today. */
export const countMissed = () => ({ all: missed().length, due: missed().filter(isDue).length });

/** Remove some puzzles. */
export function forgetMissed(positions) {
  store(
    MISSED,
    missed().filter(({ position }) => !positions.includes(position)),
  );
}
