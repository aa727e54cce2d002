// A new game: a random deal, one that a person can win, or the same deal again.

import { fill, YOU } from "./about.js";
import { ask, problemText } from "./api.js";
import { $, make, onClick, refillChanged, setText } from "./dom.js";
import { DEALS, RULES } from "./state.js";
import { load, store } from "./storage.js";
import { VIEWS } from "./views.js";

const SLOW_MS = 800;
const forms = {}; // by part of the state: the values chosen for the next deal, and the deal shown when they were set

const formOf = ({ part }) => (forms[part] ??= { start: "", values: { ...load(DEALS, {})[part] } });

/** The values chosen for the next deal. */
export const chosen = (app) => formOf(app.kind()).values;

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
  formOf(app.kind()).start = ""; // the rules chosen are those of this deal again
  app.running = false;
  app.go({ [app.kind().part]: app.shown.start, ply: null, hints: false, ...change }, { play: true });
}

const reportHere = (text) => setText("deal-error", text);

/**
 * Deal and show a new game, in this view or another. It does not depend on what is shown, so it also works while an answer is on
 * its way. `done` is called when it is dealt.
 */
export async function newGame(app, query = {}, round = null, { view = app.state.view, report = reportHere, done = () => {} } = {}) {
  const { part, path, match } = VIEWS[view].kind;
  const change = round ?? match?.none;
  const ended = view === app.state.view && match?.isOn(app) && change === match.none;
  app.busy = true;
  app.running = false;
  const ticket = ++app.ticket; // drops a move that the computer is thinking about
  report("");
  const slow = setTimeout(() => ticket === app.ticket && app.say("Looking for such a deal …"), SLOW_MS);
  try {
    const wanted = { ...formOf({ part }).values, ...query };
    const dealt = await ask(`${path}deal`, wanted, { fresh: true, instead: "opened" }).finally(() => clearTimeout(slow));
    if (ticket !== app.ticket) return;
    done();
    if (part === "game") store(RULES, wanted.rules);
    else store(DEALS, { ...load(DEALS, {}), [part]: { ...wanted, seed: "" } });
    await app.go({ view, [part]: dealt.position, ply: null, hints: false, ...change }, { play: true });
    if (ended) app.say("The match has ended with this new deal; Back returns to it.");
  } catch (problem) {
    const text = problemText(problem);
    if (ticket !== app.ticket) return;
    app.say("");
    report(text);
    app.ready();
  }
}

export function update(app) {
  const { shown } = app;
  const kind = app.kind();
  const form = formOf(kind);
  const isNew = form.start !== shown.start;
  if (isNew) Object.assign(form, { start: shown.start, values: { ...form.values, ...kind.dealt(shown) } }); // otherwise a choice stays
  setText("deal-title", kind.dealTitle);
  refillChanged(
    $("deal-fields"),
    kind.fields().map((each) => [`${form.start} ${JSON.stringify(each)}`, () => field(app, each)]),
  );
  setText("deal-note", kind.note(shown));
  $("winnable").hidden = !kind.swaps;
  $("again").hidden = Boolean(kind.match?.isOn(app)); // a round is played once
  $("swap").hidden = !kind.swaps || $("again").hidden;
}

function field(app, { name, label, options, ...attributes }) {
  const values = chosen(app);
  const input = make(options ? "select" : "input", { id: `deal-${name}`, "data-key": name, autocomplete: "off", ...attributes });
  if (options) fill(input, options);
  if (name in values) input.value = values[name];
  values[name] = input.value;
  input.addEventListener(options ? "change" : "input", () => {
    values[name] = input.value.trim();
  });
  return make("label", {}, `${label} `, input);
}
