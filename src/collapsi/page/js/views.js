// The views: the kind of game on the board, the title, and the panels, which stand in the order of index.html.

import { alone } from "./api.js";
import * as daily from "./daily.js";
import { BIG, DUEL, SOLO } from "./kinds.js";
import * as lessons from "./lessons.js";
import * as puzzles from "./puzzles.js";

/**
 * `door`: the entry of the navigation that leads to it, named after its first view.
 * `plays`: only the player to move may move, and the computer answers.
 */
export const VIEWS = {
  play: {
    title: "Play",
    door: "play",
    kind: DUEL,
    plays: true,
    panels: ["result", "room", "players", "controls", "deal", "match", "open", "games"],
  },
  solo: {
    title: "Solo",
    door: "play",
    kind: SOLO,
    plays: true,
    panels: ["result", "advice", "controls", "tree", "analysis", "deal", "share", "open", "games"],
  },
  big: {
    title: "Big board",
    door: "play",
    kind: BIG,
    plays: true,
    panels: ["result", "room", "players", "controls", "tree", "analysis", "review", "deal", "match", "share", "open", "games"],
  },
  lessons: { title: "Lessons", door: "lessons", kind: lessons.KIND, panels: ["lessons"] },
  rules: { title: "Rules", door: "lessons", kind: DUEL, panels: ["rules"] },
  puzzles: { title: "Puzzles", door: "puzzles", kind: puzzles.KIND, panels: ["puzzles"] },
  daily: { title: "Deal of the day", door: "daily", kind: daily.KIND, panels: ["daily"] },
  analyse: { title: "Analysis", door: "analyse", kind: DUEL, panels: ["tree", "analysis", "review", "similar"] },
  edit: { title: "Editor", door: "analyse", kind: DUEL, panels: ["edit"] },
  share: { title: "Share and files", door: "analyse", kind: DUEL, panels: ["share", "open"] },
  census: { title: "Census", door: "census", kind: DUEL, panels: ["census"] },
  ...(alone ? {} : { api: { title: "API", door: "census", kind: DUEL, panels: ["programs"] } }), // the static site has no service
};
