// The one object that all modules share: the state in the URL and what is shown of it. `main.js` adds the functions that panels call.

import { problemText } from "./api.js";
import { $ } from "./dom.js";
import { gameText, inRoom } from "./state.js";
import { VIEWS } from "./views.js";

export const app = {
  state: null, // see state.js
  shown: null, // the service's answer about the position on the board
  analysis: null, // its values, if hints are on: see `answers` in kinds.js
  played: {}, // by part of the state: the game being played; in any other game the computer waits for "Let the computer move"
  trees: {}, // by part of the state: all moves entered, see tree.js
  entries: {}, // by part of the state: the start and the id of the game in the list of my games
  wantsTurn: false, // whether the next review opens where the game turned
  linked: "", // the tree of the URL, until it is read
  watching: false, // whether a room is watched, without a seat in it
  running: false, // whether computers play each other
  ticket: 0, // the number of the latest change; answers to older questions are dropped
  busy: false, // between a change and its display: what is shown is old, so a card cannot be chosen, and controls wait
  board: null,
  view: () => (inRoom(app.state) ? inARoom : VIEWS)[app.state.view],
  kind: () => app.view().kind,
  /** Whether a view has a panel. */
  has: (panel) => app.view().panels.includes(panel),
  say,
  attempt,
  whenShown,
  ready,
  dropWaiting,
};

/** The views while a live game is played: it is not left by accident. */
const inARoom = Object.fromEntries(
  Object.entries(VIEWS).map(([name, view]) => [
    name,
    { ...view, panels: view.panels.filter((panel) => !["deal", "open"].includes(panel)) },
  ]),
);

let waiting = []; // what a person did while an answer was pending, with the view it was done in

/** Act on what is shown; while an answer is pending, as soon as that is shown, so that no click is lost. */
function whenShown(act) {
  if (app.busy) waiting.push({ act, view: app.state.view });
  else act();
}

/** What is shown is up to date: run the actions that wait for it. An action that changes the state makes the rest wait further. */
function ready() {
  app.busy = false;
  while (waiting.length && !app.busy) {
    const { act, view } = waiting.shift();
    if (view === app.state.view) act();
  }
}

/** Drop the actions that wait: there is nothing to act on. */
function dropWaiting() {
  waiting = [];
}

/** Whether the game shown is being played, so that the computer may move in it. */
export function isPlayed() {
  const { part } = app.kind();
  return app.played[part] === gameText(app.state[part]);
}

/** Run an action; if the service refuses, report why, unless another position is shown by then. */
async function attempt(act, report = say) {
  const { ticket } = app;
  try {
    await act();
  } catch (problem) {
    const text = problemText(problem);
    if (ticket === app.ticket) report(text);
  }
}

/** Show a message below the board. */
function say(text) {
  $("message").textContent = text;
}
