// The keyboard: squares are typed, arrows step, Space plays the best move.

import { $ } from "./dom.js";

export function start(app) {
  let column = ""; // the first half of a typed square
  addEventListener("keydown", (event) => {
    const target = event.target;
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || !app.shown || $("help").open) return;
    if (target.matches("input, textarea, select")) return;
    const onCard = target.matches(".card");
    if (event.key === "?") return void $("help").showModal();
    if (app.state.view === "edit") return;
    const square = column + event.key;
    column = "";
    const act = {
      ArrowLeft: () => app.step(app.shown.ply - 1),
      ArrowRight: () => app.shown.ply < app.shown.moves.length && app.step(app.shown.ply + 1),
      Home: () => app.step(0),
      End: () => app.step(app.shown.moves.length),
      f: () => $("flip").click(),
      h: () => $("hints").click(),
      u: () => $("undo").click(),
      n: () => $("deal").click(),
      " ": () => best(app),
    }[event.key];
    if (/^[abcd][1234]$/.test(square)) app.playTo(square);
    else if (/^[abcd]$/.test(event.key)) column = event.key;
    else if (event.key === " " && target.matches("button, summary, a") && !(onCard && !app.board.byKeyboard)) return;
    else if (act) act();
    else return;
    event.preventDefault();
  });
}

function best(app) {
  if (app.analysis) app.playTo(app.analysis.best[0]);
  else app.say("Space plays the best move while hints are shown (h).");
}
