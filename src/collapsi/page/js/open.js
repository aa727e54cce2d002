// Open: a position or game as text in any notation that the service reads, or a link to one.

import { ask, problemText } from "./api.js";
import { chosen } from "./deal.js";
import { $, capital, make, setText } from "./dom.js";
import { gamesIn, MAX_BYTES, MAX_GAME, titleOf } from "./file.js";
import { inLink } from "./state.js";

let view = "";

export function start(app) {
  $("open").addEventListener("submit", (event) => {
    event.preventDefault();
    open(app, $("open-text").value.trim());
  });
  $("open-file").addEventListener("change", () => {
    const [file] = $("open-file").files;
    $("open-file").value = ""; // the same file can be chosen again
    openFile(app, file);
  });
  $("open-text").addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    $("open").requestSubmit();
  });
}

/** Open the game of a file, or list its games. */
async function openFile(app, file) {
  if (!file) return;
  setText("open-error", "");
  $("open-games").replaceChildren();
  if (file.size > MAX_BYTES) return setText("open-error", `The file is too large: at most ${MAX_BYTES / 1e6} MB.`);
  const games = gamesIn(await file.text());
  if (!games.length) return setText("open-error", "There is no game in this file.");
  if (games.length === 1) return openGame(app, games[0]);
  const row = (game) => make("li", {}, make("button", { type: "button", onclick: () => openGame(app, game) }, titleOf(game)));
  $("open-games").replaceChildren(...games.map(row));
}

/** Open a game of a file; an error names its line. */
async function openGame(app, { line, tags, text }) {
  await open(app, text, { rules: tags.Rules, where: `Line ${line}: ` });
}

async function open(app, text, { rules: named = null, where = "" } = {}) {
  const kind = app.kind();
  const rules = kind.opensByRules ? (named ?? (app.has("deal") ? chosen(app).rules : null)) : null; // for a text that names none
  setText("open-error", "");
  if (text.length > MAX_GAME && !URL.canParse(text)) return setText("open-error", capital(`${where}this game is too long for the page.`));
  try {
    const game = inLink(text, kind.part) || " ";
    const read = await ask(`${kind.path}game`, { game, rules }, { action: true, instead: "opened" });
    const isDeal = rules !== null && !where && !read.moves.length && !URL.canParse(text); // begun here, not opened from elsewhere
    const change = { [kind.part]: read.game, ply: null, ...kind.match?.none, view: kind.view(app.state) };
    await app.go(change, { play: isDeal });
  } catch (problem) {
    setText("open-error", where + problemText(problem));
  }
}

export function update(app) {
  setText("open-label", app.kind().openLabel);
  $("open-text").placeholder = app.kind().example();
  if (view !== app.state.view) setText("open-error", "");
  view = app.state.view;
}
