// Puzzles: find the move that wins, or decide whether you would rather pass. From the service, or from one's own games.

import { about, fill } from "./about.js";
import { ask, problemText } from "./api.js";
import * as daily from "./daily.js";
import { $, count, make, sentence, setText } from "./dom.js";
import * as games from "./games.js";
import { counted, forgetAll, isOwn, pick, searchGames, solve } from "./own.js";
import { countMissed, isBack, noteTry, pickDue } from "./repeat.js";
import { load, store } from "./storage.js";

const OWN = "own";
const COUNTS = "collapsi: puzzles"; // stored in the browser: solved and tried by kind, and the last position, which counts once
let shownAnswer = ""; // the position whose answer was shown on request

const PASS = "pass"; // the kind of puzzles that ask whether one would rather pass, and one of the two answers
const ASK = "ask";
const MOVE = "move";
const asksPass = ({ state }) => state.pass !== "";
const isTried = (app) => (asksPass(app) ? app.state.pass !== ASK : app.shown.moves.length > 0);
const tryOut = (position, move) => ask("puzzle/try", { position, move });
const trialOf = ({ state, shown }) => tryOut(shown.start, state.pass || shown.moves[0]);
const kindIn = (state) => state.kind || about.puzzles[0].value;

/** A puzzle as a kind of game. */
export const KIND = {
  part: "puzzle",
  path: "",
  secret: true, // no hints
  deal: (state) => draw(state),
  values: () => null,
  isHuman: (app) => !isTried(app) && !asksPass(app),
  refuse,
  who: () => "",
  answer,
};

function refuse(app) {
  if (asksPass(app)) return "There is no move to find here. Decide below: would you rather pass, or move?";
  return isTried(app) ? "You have moved here: try again, or take the next puzzle." : null;
}

/** Draw another puzzle: one that was missed and is due, or one of the chosen kind. */
async function draw(state, { before = null, repeat = true } = {}) {
  const due = repeat && pickDue(before);
  if (due) {
    store(COUNTS, { ...load(COUNTS, {}), last: "" }); // it may be the last one tried, some days ago
    return { position: due.position, change: { pass: due.pass ? ASK : "" } };
  }
  const own = state.kind === OWN && pick(before);
  if (own) return { position: own, change: { pass: "" } };
  const made = await ask("puzzle", { kind: state.kind === OWN ? null : kindIn(state) }, { fresh: true });
  return { position: made.position, change: { pass: made.kind === PASS ? ASK : "" } };
}

export function start(app) {
  fill($("puzzle-kind"), [...about.puzzles, { value: OWN, text: "from my own games" }]);
  $("puzzle-kind").addEventListener("change", () => choose(app));
  $("puzzle-next").addEventListener("click", () => next(app));
  $("puzzle-again").addEventListener("click", () => {
    if (isTried(app)) app.go({ puzzle: app.shown.start, ply: null, pass: app.state.pass && ASK });
  });
  for (const turn of [PASS, MOVE]) $(`puzzle-${turn}`).addEventListener("click", () => app.whenShown(() => decide(app, turn)));
  $("puzzle-answer").addEventListener("click", () => showAnswer(app));
  $("puzzle-forget").addEventListener("click", () => {
    forgetAll();
    update(app);
  });
}

/** Change to another kind. */
async function choose(app) {
  const kind = $("puzzle-kind").value;
  if (kind === OWN && !counted().all) await search(app);
  if (kind === OWN && !counted().all) {
    $("puzzle-kind").value = kindIn(app.state);
    return app.say("There are none yet: they come from games that you have finished, where you threw a win away.");
  }
  next(app, { kind, repeat: false });
}

/** Look for positions in the games that the person has finished. */
const search = (app) =>
  searchGames([...games.finished(), ...daily.finished()], (done, all) => {
    setText("puzzle-search", all ? `Looking through your games: ${done + 1} of ${all} …` : "");
    updateCounts(app);
  });

/** Show another puzzle; pending answers about the one before are dropped. */
async function next(app, { kind = app.state.kind, repeat = true } = {}) {
  app.busy = true;
  const ticket = ++app.ticket;
  try {
    const made = await draw({ ...app.state, kind }, { before: app.shown?.start, repeat });
    shownAnswer = "";
    if (ticket === app.ticket) await app.go({ puzzle: made.position, ply: null, kind, ...made.change });
  } catch (problem) {
    const text = problemText(problem);
    if (ticket !== app.ticket) return;
    app.say(text);
    app.ready();
  }
}

/** Answer whether one would rather pass. */
async function decide(app, turn) {
  const { shown, ticket } = app;
  if (!asksPass(app) || isTried(app)) return;
  await app.attempt(async () => {
    const { kind, right } = await tryOut(shown.start, turn);
    if (ticket !== app.ticket) return;
    note(app.state, shown.start, kind, right);
    await app.go({ pass: turn });
  });
}

/** Count a move that was tried, and append the proof to the game, to step through. */
async function answer(app, ticket) {
  const { shown } = app;
  if (asksPass(app) || shown.moves.length !== 1 || shown.ply !== 1) return;
  const trial = await trialOf(app);
  if (ticket !== app.ticket) return;
  note(app.state, shown.start, trial.kind, trial.right);
  updateCounts(app);
  if (trial.line.length > 1) await app.go({ puzzle: [shown.start, ...trial.line].join(" "), ply: 1 }, { replace: true });
  $("puzzle-next").scrollIntoView({ block: "nearest" }); // on a phone it is below the board
}

/** Count the first answer. */
function note(state, position, rated, right) {
  const counts = load(COUNTS, {});
  if (right && isOwn(position) && counts.last !== position) solve(position);
  if (counts.last === position) return;
  const kind = isOwn(position) ? OWN : (rated ?? kindIn(state));
  const { solved = 0, tried = 0 } = counts[kind] ?? {};
  const score = isBack(position) ? {} : { [kind]: { solved: solved + (right ? 1 : 0), tried: tried + 1 } }; // a repetition does not count
  store(COUNTS, { ...counts, ...score, last: position });
  noteTry(position, right, state.pass !== "");
}

async function showAnswer(app) {
  const { shown, ticket } = app;
  await app.attempt(async () => {
    const { line } = asksPass(app) ? { line: [MOVE] } : await ask("analysis", { position: shown.start });
    const { kind, right } = await tryOut(shown.start, line[0]);
    if (ticket !== app.ticket) return;
    note(app.state, shown.start, kind, false);
    shownAnswer = shown.start;
    if (asksPass(app)) return app.go({ pass: right ? MOVE : PASS });
    await app.go({ puzzle: [shown.start, ...line].join(" "), ply: 1 }, { walk: true });
  });
}

export function update(app) {
  const { shown } = app;
  const again = !isTried(app) && isBack(shown.start) ? "You missed this one. " : "";
  setText("puzzle-task", again + task(app));
  $("puzzle-kind").value = kindIn(app.state);
  for (const turn of [PASS, MOVE]) $(`puzzle-${turn}`).hidden = !asksPass(app) || isTried(app);
  $("puzzle-again").hidden = !isTried(app);
  $("puzzle-answer").hidden = isTried(app);
  updateCounts(app);
  updateVerdict(app);
  search(app);
}

function task(app) {
  const { shown } = app;
  if (asksPass(app)) return `You play ${shown.to_move}. Would you rather pass?`;
  return isOwn(shown.start) ? "You threw a win away here. Find a move that wins." : "Exactly one move wins. Which?";
}

function updateCounts(app) {
  const counts = load(COUNTS, {});
  const { all, solved } = counted();
  const kind = kindIn(app.state);
  const { solved: right = 0, tried = 0 } = counts[kind] ?? {};
  setText("puzzle-count", kind === OWN ? "" : `Solved at the first move: ${right} of ${tried} (${kind}).`);
  const kept = count(all, "position", "positions");
  setText("puzzle-own", all ? `${kept} from your own games stored in this browser, ${solved} solved.` : "");
  $("puzzle-forget").hidden = !all;
  const { all: missed, due } = countMissed();
  setText("puzzle-missed", missed ? `${count(missed, "puzzle", "puzzles")} to repeat, ${due ? due : "none"} of them today.` : "");
}

async function updateVerdict(app) {
  const { shown, ticket } = app;
  if (!isTried(app)) return $("puzzle-verdict").replaceChildren();
  await app.attempt(async () => {
    const trial = await trialOf(app);
    if (ticket === app.ticket) showVerdict(app, shown, trial);
  });
}

function showVerdict(app, shown, trial) {
  $("puzzle-verdict").className = `said ${trial.right ? "fine" : "wrong"}`;
  const word = shownAnswer === shown.start && trial.right ? "The answer:" : trial.right ? "✓ Right." : "✗ No.";
  const answer = asksPass(app) && trial.right ? ` Rather ${trial.move}.` : "";
  const texts = [make("p", {}, make("strong", {}, word), `${answer} ${sentence(trial.text)}`)];
  if (asksPass(app)) {
    const proof = [trial.start, ...trial.line].join(" ");
    const step = () => app.go({ game: proof, ply: 0, view: "analyse" });
    texts.push(make("p", { class: "buttons" }, make("button", { type: "button", onclick: step }, "Step through perfect play")));
  } else if (trial.line.length > 1) {
    const proof = `${trial.right ? "Perfect play from there" : "What refutes it"}: ${trial.line.join(" ")}. Step through it with ◀ and ▶.`;
    texts.push(make("p", { class: "note" }, proof));
  }
  if (trial.right && trial.rating) texts.push(make("p", { class: "note" }, sentence(trial.rating)));
  $("puzzle-verdict").replaceChildren(...texts);
}
