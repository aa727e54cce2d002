// The keyboard: squares are typed, arrows step, Space plays the best move.

import { $ } from "./dom.js";

const OFF = "collapsi: no letter keys"; // kept in the browser: whoever speaks to a computer may need letters left alone

export function start(app) {
  let column = ""; // the first half of a typed square
  $("keys-on").checked = localStorage.getItem(OFF) === null;
  $("keys-on").addEventListener("change", () => ($("keys-on").checked ? localStorage.removeItem(OFF) : localStorage.setItem(OFF, "1")));
  addEventListener("keydown", (event) => {
    const target = event.target;
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || !app.shown || $("help").open) return;
    if (target.matches("input:not([type=checkbox]), textarea, select")) return;
    const onCard = target.matches(".card");
    if (event.key === "?") return void $("help").showModal();
    if (!$("keys-on").checked && event.key.length === 1) return;
    if (app.state.view === "rules" || (app.state.view === "edit" && event.key !== "f")) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const square = column + key;
    column = "";
    const act = {
      ArrowLeft: () => app.step(app.shown.ply - 1),
      ArrowRight: () => app.step(app.shown.ply + 1),
      Home: () => app.step(0),
      End: () => app.step(app.shown.moves.length),
      f: () => $("flip").click(),
      h: () => $("hints").click(),
      u: () => $("undo").click(),
      n: () => app.state.view === "play" && app.state.match === null && $("deal").click(),
      " ": () => best(app),
    }[key];
    if (/^[abcd][1234]$/.test(square)) app.playTo(square);
    else if (/^[abcd]$/.test(key)) column = key;
    else if (key === " " && target.matches("button, summary, a") && !(onCard && !app.board.byKeyboard)) return;
    else if (act) act();
    else return;
    event.preventDefault();
  });
}

function best(app) {
  if (app.shown.winner) app.say("The game is over.");
  else if (app.analysis) app.playTo(app.analysis.best[0]);
  else if (app.state.hints) return; // the values are on their way
  else app.say("Space plays the best move while hints are shown (h).");
}
