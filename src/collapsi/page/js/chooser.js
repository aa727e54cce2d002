// The chooser of games. What there is to choose comes from the service; a choice deals a new game at once.

import { about } from "./about.js";
import { drawingUrl, showPicture } from "./api.js";
import { newGame } from "./deal.js";
import { $, make, setText } from "./dom.js";
import { VIEWS } from "./views.js";

const PICTURE = { width: 402, height: 524 };

/** The view that plays a game, by the prefix of its questions. */
const viewOf = ({ path }) => Object.keys(VIEWS).find((name) => VIEWS[name].plays && VIEWS[name].kind.path === path);

/** The game on the board and the way it is played, as the service offers them; neither for rules of one's own. */
function current(app) {
  const { path, dealt } = app.kind();
  const given = dealt(app.shown);
  const isShown = ({ deal: wanted }) => Object.entries(wanted).every(([name, value]) => given[name] === value);
  const game = about.games.find((one) => one.path === path && one.choices.some(isShown));
  return { game, choice: game?.choices.find(isShown) };
}

export function start(app) {
  $("chooser-button").addEventListener("click", () => open(app));
  $("chooser").addEventListener("click", (event) => event.target === $("chooser") && $("chooser").close()); // beside it
  $("chooser-form").addEventListener("submit", (event) => {
    event.preventDefault();
    choose(app, about.games[0], { rules: $("chooser-rules").value.trim() });
  });
}

function open(app) {
  const { moves, winner, over } = app.shown;
  const isRunning = moves.length && !winner && !over;
  setText("chooser-note", `A choice deals a new game at once.${isRunning ? " The game on the board stays in “My games”." : ""}`);
  setText("chooser-error", "");
  const here = current(app);
  $("chooser-games").replaceChildren(...about.games.map((game) => tile(app, game, here)));
  $("chooser").showModal();
}

/** A game with its picture; if there are several ways to play it, with a button for each. */
function tile(app, game, here) {
  const { title, text, choices, example } = game;
  const { path, subject } = VIEWS[viewOf(game)].kind;
  const query = { ...subject(example), ...(example.move === null ? {} : { move: example.move }) };
  const button = (choice, attributes, ...parts) =>
    make("button", { type: "button", onclick: () => choose(app, game, choice.deal), ...attributes }, ...parts);
  const image = showPicture(make("img", { alt: "", ...PICTURE }), drawingUrl(path, query));
  const isHere = game === here.game ? "true" : null;
  const words = make("span", {}, make("strong", {}, title), make("span", { class: "note" }, text));
  const first = choices.length === 1 ? choices[0].name : null;
  return make(
    "li",
    {},
    button(choices[0], { class: "tile", "data-choice": first, "aria-current": isHere }, image, words),
    choices.length === 1 ? null : make("p", { class: "buttons" }, ...choices.map((choice) => way(choice))),
  );

  function way(choice) {
    const isThis = choice === here.choice ? "true" : null;
    return button(choice, { "data-choice": choice.name, "aria-label": `${title}: ${choice.title}`, "aria-current": isThis }, choice.title);
  }
}

function choose(app, game, query) {
  const report = (text) => setText("chooser-error", text);
  return newGame(app, query, null, { view: viewOf(game), report, done: () => $("chooser").close() });
}

/** Name the game that is played. */
export function update(app) {
  if (!app.view().plays) return;
  const { game, choice } = current(app);
  const name = game?.title ?? app.shown.rules_title;
  setText("game-name", game?.choices.length > 1 ? `${name}, ${choice.title.toLowerCase()}` : name);
}
