// Advice for solo: whether the board can still be solved, a hint, a solution step by step, and the way back.

import { $, sentence, setText } from "./dom.js";
import { askSolution } from "./kinds.js";

export function start(app) {
  const button = (id, act) => $(id).addEventListener("click", () => app.whenShown(() => advise(app, act)));
  button("solo-check", ({ text }) => say(text));
  button("solo-hint", (found) => hint(app, found));
  button("solo-next", ({ solution, text }) => (solution.length ? app.playMove(solution[0]) : say(text)));
  button("solo-back", ({ back, text }) => (back ? app.step(app.shown.ply - back) : say(text)));
}

const say = (text) => setText("solo-said", sentence(text));

/** Ask about the position shown, and act on the answer if it is still shown then. */
async function advise(app, act) {
  const { ticket } = app;
  await app.attempt(async () => {
    const found = await askSolution(app.shown);
    if (ticket === app.ticket) act(found);
  });
}

function hint(app, found) {
  if (!found.hint) return say(found.text);
  const { move, path, text } = found.moves.find((each) => each.move === found.hint);
  app.showWay((square) => square.move === move);
  say(`go to ${move} (${path.join(" ")}): then it can be solved in ${text}`);
}

export function update({ shown }) {
  setText("solo-rules", shown.rules_text);
  const end = shown.solved ? shown.turn : `${shown.turn}: undo, or go back to where it went wrong`;
  setText("solo-said", shown.over ? sentence(end) : "");
}
