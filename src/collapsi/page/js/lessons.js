// Lessons: how to move, and a lesson for each rule of the cards. All texts and positions come from the service.

import { ask } from "./api.js";
import { $, make, plies, refill, sentence, setText } from "./dom.js";
import { load, remove, store } from "./storage.js";

const DONE = "collapsi: lessons"; // stored in the browser: the steps done, by lesson
const LIST = "list";
const MOVING = "moving";
const IDEA = "idea";
const LIMIT = "limit";

let all = null; // the service's lessons
let step = null; // the step shown
let chosen = null; // the move whose count is shown
let solved = null; // the right move, once it was found

/** A step of a lesson as a kind of game. */
export const KIND = {
  part: "lesson",
  deal: async () => ({ position: LIST }),
  game: askStep,
  values: () => null,
  still: true, // there is nothing to step through
  isHuman: () => true,
  refuse: () => (step.task && solved ? "This step is done: press Next." : null),
  play,
  mark,
  turn,
};

/** The names of a lesson's steps; a drill's name is its number. */
function stepsOf(name) {
  if (name === MOVING) return all.moving.map((_, index) => String(index + 1));
  return [IDEA, LIMIT, ...Array.from({ length: all.drills }, (_, index) => String(index + 1))];
}

const lessonNames = () => [MOVING, ...all.lines.map(({ line }) => String(line))];
const titleOf = (name) => (name === MOVING ? "How to move" : `${lineOf(name).title}: ${lineOf(name).text}`);
const lineOf = (name) => all.lines[Number(name) - 1];

/** Return the step that the state names; the list of lessons if there is none. */
async function askStep(state) {
  all ??= await ask("lessons");
  const key = state.lesson;
  if (step?.key !== key) [chosen, solved] = [null, null];
  const [lesson, name] = key.split(".");
  const further = lesson !== MOVING && /^[1-9]\d{0,3}$/.test(name); // there is no last drill
  const known = lessonNames().includes(lesson) && (stepsOf(lesson).includes(name) || further);
  const found = known ? await readStep(lesson, name) : { list: true, position: all.moving[0].position };
  step = { ...found, key, lesson, name };
  const moves = step.task && solved ? ` ${solved}` : "";
  return ask("game", { game: step.position + moves });
}

async function readStep(lesson, name) {
  if (lesson === MOVING) {
    const task = all.moving[Number(name) - 1];
    return { task, position: task.position };
  }
  const { example, failure } = lineOf(lesson);
  if (name === IDEA) return { read: example, position: example.position };
  if (name === LIMIT) return { read: failure, position: (failure ?? example).position };
  const drill = await ask("drill", { line: lesson, seed: Number(name) - 1 });
  return { drill, read: drill, position: drill.position };
}

/** Begin the first lesson. */
export const begin = (app) => app.go({ view: "lessons", lesson: `${MOVING}.1`, ply: null });

/** The line above the board: the task, or the answer. */
function turn() {
  if (step.list) return "Choose a lesson";
  if (step.task) return solved ? step.task.right : step.task.task;
  if (step.drill) return solved ? step.drill.moves.find(({ move }) => move === solved).said : step.drill.task;
  return step.read?.text ?? lineOf(step.lesson).limit;
}

/** Whether counts are shown: in examples and solved drills. */
const isOpen = () => Boolean(step.read) && (!step.drill || solved !== null);

/** Mark a square. */
function mark(square) {
  if (step.task) {
    const legal = step.task.framed && !solved && square.path;
    return { legal, label: legal ? "you can go here" : "" };
  }
  if (!step.read) return {};
  const move = step.read.moves.find(({ to }) => to === square.square);
  const framed = { legal: Boolean(move?.left), label: move?.left ? "framed" : "" };
  if (!isOpen()) return framed;
  if (chosen === null) return move?.left ? { ...framed, value: badge(move.count, move.kept) } : {};
  const { marks } = step.read.moves.find((each) => each.move === chosen);
  const counted = marks.find((each) => each.square === square.square);
  const value = counted && badge(counted.text, true);
  return { legal: move?.move === chosen, value, label: counted ? `counts: ${counted.text}` : "" };
}

const badge = (text, best) => ({ text, wins: null, best });

/** Choose a move: try it, or show what is counted for it. */
async function play(app, chosenMove) {
  if (step.task) return tryTask(app, chosenMove);
  const move = step.read?.moves.find((each) => each.move === chosenMove);
  if (!move) return;
  if (isOpen()) return look(app, move);
  if (move.move !== step.drill.answer) return refuse(app, move.to, move.said);
  solved = move.move;
  await finish(app);
}

async function tryTask(app, move) {
  const { square } = app.shown.squares.find((each) => each.move === move);
  if (!step.task.wanted.includes(move)) return refuse(app, square, step.task.otherwise);
  solved = move;
  await finish(app, { walk: true });
}

function refuse(app, square, text) {
  app.board.shake(square);
  app.say(sentence(text));
}

/** Store that a step is done, and focus the button to go on. */
async function finish(app, { walk = false } = {}) {
  note(step);
  await app.show({ walk });
  $("lesson-next").focus({ preventScroll: true });
  $("lesson-next").scrollIntoView({ block: "nearest" }); // on a phone the line above the board stays visible
}

/** Show what is counted for a move; again for all moves, if it is shown already. */
function look(app, { move, left }) {
  if (!left) return;
  chosen = chosen === move ? null : move;
  app.show();
}

const done = () => load(DONE, {});

const doneIn = (name) => stepsOf(name).filter((each) => (done()[name] ?? []).includes(each));

function note({ lesson, name }) {
  const kept = done();
  kept[lesson] = [...new Set([...(kept[lesson] ?? []), name])];
  store(DONE, kept);
}

export function start(app) {
  $("lesson-next").addEventListener("click", () => goOn(app));
  $("lesson-back").addEventListener("click", () => goBack(app));
  $("lesson-all").addEventListener("click", () => app.go({ lesson: LIST }));
  $("lesson-forget").addEventListener("click", () => {
    remove(DONE);
    app.show();
  });
}

/** The step before or after this one, or null; there is no last drill. */
function neighbour(by) {
  const steps = stepsOf(step.lesson);
  const at = steps.indexOf(step.name);
  if (at >= 0) return steps[at + by] ?? (by > 0 && step.drill ? String(Number(step.name) + 1) : null);
  return by < 0 && Number(step.name) === all.drills + 1 ? steps.at(-1) : String(Number(step.name) + by);
}

const isLast = () => step.name === stepsOf(step.lesson).at(-1);

function goOn(app) {
  if (!step.task && !step.drill) note(step); // reading it is enough
  if (!isLast()) return app.go({ lesson: `${step.lesson}.${neighbour(1)}` });
  app.go({ lesson: LIST });
}

function goBack(app) {
  const name = neighbour(-1);
  app.go({ lesson: name === null ? LIST : `${step.lesson}.${name}` });
}

export function update(app) {
  document.body.dataset.lesson = step.list ? LIST : "step";
  $("lesson-list").hidden = !step.list;
  $("lesson").hidden = Boolean(step.list);
  if (step.list) updateList(app);
  else updateStep(app);
}

function updateList(app) {
  const entries = lessonNames().map((name) => {
    const [steps, ready] = [stepsOf(name), doneIn(name)];
    const next = steps.find((each) => !ready.includes(each)) ?? steps[0];
    const state = ready.length === steps.length ? "done ✓" : ready.length ? `${ready.length} of ${steps.length} done` : "new";
    const onclick = () => app.go({ lesson: `${name}.${next}` });
    const parts = [make("span", {}, titleOf(name)), make("span", { class: "note" }, state)];
    return make("li", {}, make("button", { type: "button", "data-key": name, onclick }, ...parts));
  });
  refill($("lesson-entries"), ...entries);
  refill($("lesson-cards"), ...all.cards.flatMap(card));
  $("lesson-forget").hidden = !Object.keys(done()).length;
}

/** A card of rules to follow at the table. */
const card = ({ title, lines, kept }) => [
  make("h4", {}, title),
  make("ol", {}, ...lines.map((line) => make("li", {}, line))),
  make("p", { class: "note" }, kept),
];

function updateStep(app) {
  const { task, read, lesson, name } = step;
  const number = `${stepsOf(lesson).indexOf(name) + 1} of ${stepsOf(lesson).length}`;
  const titles = { [IDEA]: "the idea", [LIMIT]: "where it fails" };
  const place = titles[name] ?? (Number(name) > all.drills ? `drill ${name}` : `drill ${name} of ${all.drills}`);
  setText("lesson-place", task ? `How to move: ${number}` : `${lineOf(lesson).title}: ${place}`);
  setText("lesson-heading", task ? task.title : lineOf(lesson).text);
  setText("lesson-text", task ? task.text : (lineOf(lesson)[name] ?? "")); // the idea, the limit; a drill has none
  const open = isOpen();
  $("lesson-counted").hidden = !open;
  const left = open ? read.moves.filter((move) => move.left) : [];
  refill($("lesson-moves"), ...left.map((move) => counted(app, move)));
  $("lesson-next").textContent = isLast() ? "Finish" : "Next";
}

/** A row for a move that is left: its count, and its value. */
function counted(app, move) {
  const truth = `${move.kept ? "Kept" : "Left out"}; it ${move.wins ? "wins" : "loses"} in ${plies(move.plies)}.`;
  const pressed = String(chosen === move.move);
  const attributes = { type: "button", "data-key": move.move, "aria-pressed": pressed, onclick: () => look(app, move) };
  const parts = [make("strong", {}, `${move.move} ${move.count}`), make("span", {}, `${move.counted} ${truth}`)];
  return make("li", {}, make("button", attributes, ...parts));
}
