// Share: the link, the texts, and the board and game to download.

import { askPicture, drawingUrl, problemText } from "./api.js";
import { $, make, refill } from "./dom.js";
import { stateUrl } from "./state.js";
import { isTooLong } from "./variations.js";

const PNG_SCALE = 2;
const SHARED = ["tree", "ply", "red", "blue", "hints", "flip"];

export function start(app) {
  const download = (type, act) => $(`save-${type}`).addEventListener("click", () => act(`collapsi.${type}`));
  download("svg", (name) => savePicture(app, name, (picture) => picture));
  download("png", (name) => savePicture(app, name, toPng));
  download("txt", (name) => save(new Blob([`${app.state.tree || app.shown.game}\n`], { type: "text/plain" }), name));
}

export function update(app) {
  const { shown } = app;
  $("share-note").hidden = !isTooLong(app.state.tree);
  showCopies("copies", {
    Link: linkTo(app),
    "Game as text": app.state.tree || shown.game,
    "Position as text": shown.position,
    "Position in the published solver's form": shown.published,
  });
}

/** A link to the game shown, with a change of the state, without what belongs to other games. */
export function linkTo({ state: here, shown, kind }, change = {}) {
  const { part, shared, view } = kind();
  const state = { ...here, ...change };
  const names = [...SHARED, ...shared];
  const given = Object.entries(state).filter(([name]) => names.includes(name));
  return new URL(stateUrl({ [part]: shown.game, ...Object.fromEntries(given), view: view(state) }), location.href).href;
}

/** Show a row with a copy button for each text by its name; null is left out. */
export function showCopies(id, texts) {
  const given = Object.entries(texts).filter(([, text]) => text);
  refill($(id), ...given.map(([name, text], index) => row(name, text, `${id}-${index}`)));
}

function row(name, text, id) {
  const field = make("input", { id, "data-key": id, readonly: true, value: text, onfocus: () => field.select() });
  const act = { "data-key": `${id}-button`, "aria-label": `Copy: ${name}`, onclick: () => copy(field, button) };
  const button = make("button", { type: "button", ...act }, "Copy");
  return make("div", { class: "row" }, make("label", { for: id }, name), field, button);
}

async function copy(field, button) {
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    field.select();
    document.execCommand("copy"); // where the page may not use the clipboard
  }
  button.textContent = "Copied";
  setTimeout(() => (button.textContent = "Copy"), 1500);
}

/** Share something with another program; copy the first text of these rows, if the browser does not allow that. */
export async function send(app, data, rows) {
  const copyIt = (said) => {
    $(rows).querySelector("button").click();
    app.say(said);
  };
  if (!navigator.share) return copyIt("The link is copied: paste it into a message.");
  try {
    await navigator.share(data);
  } catch (error) {
    if (error.name !== "AbortError") copyIt("This browser could not share it: the text is copied."); // otherwise the person has changed their mind
  }
}

/** Save the board, with the values if they are shown. */
async function savePicture(app, name, convert) {
  const { path, subject, drawsValues } = app.kind();
  const query = { ...subject(app.shown), ...(drawsValues(app) ? { values: true } : {}) };
  try {
    save(await convert(await askPicture(drawingUrl(path, query))), name);
  } catch (problem) {
    app.say(problemText(problem));
  }
}

function save(blob, name) {
  const url = URL.createObjectURL(blob);
  make("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

async function toPng(blob) {
  const url = URL.createObjectURL(blob);
  const image = new Image();
  image.src = url;
  await image.decode();
  const [width, height] = [image.naturalWidth * PNG_SCALE, image.naturalHeight * PNG_SCALE];
  const canvas = make("canvas", { width, height });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(url);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}
