// The one object that all modules share: the state in the URL and what is shown of it. `main.js` adds the functions that panels call.

import { problemText } from "./api.js";
import { $ } from "./dom.js";
import { gameText } from "./state.js";
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
  running: false, // whether computers play each other
  ticket: 0, // the number of the latest change; answers to older questions are dropped
  busy: false, // between a change and its display; input is ignored because what is shown is old
  board: null,
  view: () => VIEWS[app.state.view],
  kind: () => app.view().kind,
  /** Whether a view has a panel. */
  has: (panel) => app.view().panels.includes(panel),
  say,
  attempt,
};

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
