// The views: the kind of game on the board, the title, and the panels, which stand in the order of index.html.

import * as daily from "./daily.js";
import { BIG, DUEL, SOLO } from "./kinds.js";
import * as lessons from "./lessons.js";
import * as puzzles from "./puzzles.js";

/** `plays`: only the player to move may move, and the computer answers. */
export const VIEWS = {
  play: { title: "Play", kind: DUEL, plays: true, panels: ["result", "players", "controls", "deal", "match", "open", "games"] },
  analyse: { title: "Analyse", kind: DUEL, panels: ["tree", "analysis", "review"] },
  lessons: { title: "Lessons", kind: lessons.KIND, panels: ["lessons"] },
  puzzles: { title: "Puzzles", kind: puzzles.KIND, panels: ["puzzles"] },
  daily: { title: "Deal of the day", kind: daily.KIND, panels: ["daily"] },
  edit: { title: "Editor", kind: DUEL, panels: ["edit"] },
  share: { title: "Share", kind: DUEL, panels: ["share", "open"] },
  census: { title: "Census", kind: DUEL, panels: ["census"] },
  solo: { title: "Solo", kind: SOLO, plays: true, panels: ["advice", "controls", "tree", "analysis", "deal", "share", "open", "games"] },
  big: {
    title: "Big board",
    kind: BIG,
    plays: true,
    panels: ["result", "players", "controls", "tree", "analysis", "review", "deal", "match", "share", "open", "games"],
  },
  rules: { title: "The rules", kind: DUEL, panels: ["rules"] },
};
