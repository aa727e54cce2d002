// The keyboard: squares are typed, arrows step, Space plays the best move.

import { $ } from "./dom.js";
import { load, remove, store } from "./storage.js";
import { stepAside } from "./variations.js";

const OFF = "collapsi: no letter keys"; // people who use speech input may need to switch them off

export function start(app) {
  let typed = ""; // the first part of a square's name
  $("keys-on").checked = !load(OFF, 0);
  $("keys-on").addEventListener("change", () => ($("keys-on").checked ? remove(OFF) : store(OFF, 1)));
  addEventListener("keydown", (event) => {
    const target = event.target;
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || !app.shown || document.querySelector("dialog[open]"))
      return;
    if (target.matches("input:not([type=checkbox]), textarea, select")) return;
    const onCard = target.matches(".card");
    if (event.key === "?") return void $("help").showModal();
    if (!$("keys-on").checked && event.key.length === 1) return;
    const learns = app.state.view === "lessons";
    if (app.state.view === "rules" || (app.state.view === "edit" && event.key !== "f")) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (event.repeat && app.busy) return void event.preventDefault(); // a key held down does not pile up actions
    if (app.halfway() && halfKey(app, key)) return void event.preventDefault();
    const names = app.shown.squares.map(({ square }) => square);
    const square = [typed + key, key].find((text) => names.some((name) => name.startsWith(text)));
    typed = "";
    const act = {
      ArrowLeft: () => app.step(() => app.shown.ply - 1),
      ArrowRight: () => app.step(() => app.shown.ply + 1),
      ArrowUp: () => stepAside(app, -1),
      ArrowDown: () => stepAside(app, 1),
      Home: () => app.step(0),
      End: () => app.step(() => app.shown.moves.length),
      f: () => $("flip").click(),
      h: () => $("hints").click(),
      u: () => $({ puzzles: "puzzle-again", daily: "back" }[app.state.view] ?? "undo").click(),
      n: () => newOne(app)?.click(),
      " ": () => best(app),
    }[key];
    if (names.includes(square)) app.playTo(square);
    else if (square !== undefined) typed = square;
    else if (key === " " && target.matches("button, summary, a") && !(onCard && !app.board.byKeyboard)) return;
    else if (!act || (learns && key !== "f") || act() === false) return;
    event.preventDefault();
  });
}

/** The second half of a move: an arrow key aims, a letter shifts as it is written, Escape takes the first half back. */
function halfKey(app, key) {
  const shift = app.halfway().shifts.find((each) => each.shift === key);
  if (shift) app.playMove(shift.move);
  else if (key === "Escape") app.takeBack();
  else return app.board.aim(key);
  return true;
}

/** The button for a new game, or for the next puzzle. */
function newOne(app) {
  if (app.state.view === "puzzles") return $("puzzle-next");
  return app.has("deal") && !app.kind().match?.isOn(app) ? $("deal") : null; // a round is not left by a key
}

function best(app) {
  if (app.shown.winner || app.shown.over) app.say("The game is over.");
  else if (app.analysis && !app.analysis.best.length) app.say(app.analysis.noBest);
  else if (app.analysis) app.playMove(app.analysis.hint ?? app.analysis.best[0]);
  else if (app.state.hints)
    return; // the values are on their way
  else app.say("Space plays the best move while hints are shown (h).");
}
