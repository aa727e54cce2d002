// The page: one state, held by the URL. Every change goes through `go`, which asks the service and shows the answer.

import { about } from "./about.js";
import * as advice from "./advice.js";
import * as analysis from "./analysis.js";
import { alone, ask, problemText } from "./api.js";
import { app } from "./app.js";
import { Board } from "./board.js";
import * as census from "./census.js";
import * as chooser from "./chooser.js";
import * as controls from "./controls.js";
import * as daily from "./daily.js";
import * as deal from "./deal.js";
import * as dock from "./dock.js";
import { $ } from "./dom.js";
import * as edit from "./edit.js";
import * as games from "./games.js";
import * as keys from "./keys.js";
import { halfway } from "./legal.js";
import * as lessons from "./lessons.js";
import * as match from "./match.js";
import { chooseShift, playMove, playTo, step, takeBack } from "./moves.js";
import * as open from "./open.js";
import * as players from "./players.js";
import * as programs from "./programs.js";
import * as puzzles from "./puzzles.js";
import * as result from "./result.js";
import * as review from "./review.js";
import * as room from "./room.js";
import * as rules from "./rules.js";
import * as share from "./share.js";
import { entriesBefore, go, offer, playedBefore, show, treeBefore, writeUrl } from "./show.js";
import * as similar from "./similar.js";
import { readState } from "./state.js";
import { renderBoard, showEmptyBoard, showWay, start as startTable } from "./table.js";
import * as variations from "./variations.js";
import * as why from "./why.js";

const PANELS = {
  room,
  result,
  players,
  advice,
  controls,
  tree: variations,
  analysis,
  review,
  similar,
  deal,
  match,
  share,
  open,
  games,
  lessons,
  puzzles,
  daily,
  edit,
  census,
  programs,
  rules,
};

Object.assign(app, {
  go,
  show,
  writeUrl,
  step: (to) => step(app, to),
  playTo: (square) => playTo(app, square),
  playMove: (move) => playMove(app, move),
  chooseShift: (move) => chooseShift(app, move),
  halfway: () => halfway(app),
  takeBack: () => takeBack(app),
  showWay: (isWanted) => showWay(app, isWanted),
  renderBoard: () => renderBoard(app),
  /** Update the panels of the view. */
  update: () => {
    for (const name of app.view().panels) PANELS[name].update(app);
    dock.update();
  },
});

function readUrl() {
  app.state = readState();
  app.state.tree ||= treeBefore();
  app.linked = app.state.tree;
  app.played = playedBefore();
  app.entries = { ...entriesBefore() };
}

async function start() {
  try {
    Object.assign(about, await ask("about"));
  } catch (problem) {
    app.say(problemText(problem));
    return offer("Try again", () => location.reload());
  }
  readUrl();
  app.board = new Board($("board"), {
    choose: (square) => (app.state.view === "edit" ? edit.lay(app, square) : app.playTo(square)),
    hover: (square) => app.shown && app.showWay((each) => each.square === square),
  });
  startTable(app, { beginLessons: lessons.begin });
  for (const panel of Object.values(PANELS)) panel.start?.(app);
  chooser.start(app);
  why.start(app);
  dock.start(app);
  keys.start(app);
  addEventListener("popstate", () => {
    app.running = false;
    readUrl();
    show();
  });
  if (alone) showEmptyBoard(app); // a game in a link waits until Python is loaded
  show();
}

start();
