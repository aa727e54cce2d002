// A new game: a random deal, one that a person can win, or the same deal again.

import { fill, YOU } from "./about.js";
import { ask, problemText } from "./api.js";
import { $, make, onClick, refillChanged, setText } from "./dom.js";
import { RULES } from "./state.js";
import { store } from "./storage.js";

const SLOW_MS = 800;
const forms = {}; // by part of the state: the values chosen for the next deal, and the deal shown when they were set

const formOf = (app) => (forms[app.kind().part] ??= { start: "", values: {} });

/** The values chosen for the next deal. */
export const chosen = (app) => formOf(app).values;

export function start(app) {
  $("deal-form").addEventListener("submit", (event) => {
    event.preventDefault();
    newGame(app);
  });
  $("deal").addEventListener("click", (event) => event.detail > 1 && event.preventDefault()); // the second click of a double click
  onClick("winnable", () => newGame(app, { winner: app.state.red !== YOU && app.state.blue === YOU ? "blue" : "red" }));
  onClick("again", () => app.whenShown(() => again(app)));
  onClick("swap", () => app.whenShown(() => again(app, { red: app.state.blue, blue: app.state.red })));
}

function again(app, change = {}) {
  formOf(app).start = ""; // the rules chosen are those of this deal again
  app.running = false;
  app.go({ [app.kind().part]: app.shown.start, ply: null, hints: false, ...change }, { play: true });
}

/** Deal and show a new game. It does not depend on what is shown, so it also works while an answer is on its way. */
export async function newGame(app, query = {}, change = app.kind().match?.none) {
  const { part, path, match } = app.kind();
  const ended = match?.isOn(app) && change === match.none;
  app.busy = true;
  app.running = false;
  const ticket = ++app.ticket; // drops a move that the computer is thinking about
  setText("deal-error", "");
  const slow = setTimeout(() => ticket === app.ticket && app.say("Looking for such a deal …"), SLOW_MS);
  try {
    const wanted = { ...chosen(app), ...query };
    if (part === "game") store(RULES, wanted.rules);
    const dealt = await ask(`${path}deal`, wanted, { fresh: true, instead: "opened" }).finally(() => clearTimeout(slow));
    if (ticket !== app.ticket) return;
    await app.go({ [part]: dealt.position, ply: null, hints: false, ...change }, { play: true });
    if (ended) app.say("The match has ended with this new deal; Back returns to it.");
  } catch (problem) {
    const text = problemText(problem);
    if (ticket !== app.ticket) return;
    app.say("");
    setText("deal-error", text);
    app.ready();
  }
}

export function update(app) {
  const { shown } = app;
  const kind = app.kind();
  const form = formOf(app);
  const isNew = form.start !== shown.start;
  if (isNew) Object.assign(form, { start: shown.start, values: { ...form.values, ...kind.dealt(shown) } }); // otherwise a choice stays
  setText("deal-title", kind.dealTitle);
  refillChanged(
    $("deal-fields"),
    kind.fields(shown).map((each) => [`${form.start} ${JSON.stringify(each)}`, () => field(app, each)]),
  );
  setText("deal-note", kind.note(form.values, shown));
  $("winnable").hidden = !kind.swaps;
  $("again").hidden = Boolean(kind.match?.isOn(app)); // a round is played once
  $("swap").hidden = !kind.swaps || $("again").hidden;
}

function field(app, { name, label, options, ...attributes }) {
  const { values } = formOf(app);
  const input = make(options ? "select" : "input", { id: `deal-${name}`, "data-key": name, autocomplete: "off", ...attributes });
  if (options) fill(input, options);
  if (name in values) input.value = values[name];
  values[name] = input.value;
  input.addEventListener(options ? "change" : "input", () => {
    values[name] = input.value.trim();
    setText("deal-note", app.kind().note(values, app.shown));
  });
  return make("label", {}, `${label} `, input);
}
