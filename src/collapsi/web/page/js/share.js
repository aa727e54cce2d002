// Share: the link, the texts, pictures to download, and texts to open.

import { askPicture, drawingUrl, Problem } from "./api.js";
import { $, make, refill, sentence, tell } from "./dom.js";
import { open } from "./play.js";
import { stateUrl } from "./state.js";

const PNG_SCALE = 2;

export function start(app) {
  startDownloads(app, "", (query) => drawingUrl({ position: app.shown.position, ...query }));
  $("import").addEventListener("submit", (event) => {
    event.preventDefault();
    tell("import-error", "");
    open(app, $("import-text").value.trim(), "import-error", null, { view: app.state.hints ? "analyse" : "play" });
  });
}

export function update(app) {
  const { shown, state } = app;
  const others = { draft: null, half: "", solo: "", big: "", seats: "", points: "", puzzle: "", kind: "", daily: "" };
  const texts = {
    Link: linkTo({ ...state, view: state.hints ? "analyse" : "play", ...others }),
    "Game as text": shown.game,
    "Position as text": shown.position,
    "Position in the published solver's form": shown.published,
  };
  showCopies("copies", texts);
}

export const linkTo = (state) => new URL(stateUrl(state), location.href).href;

/** A row with a button to copy it for each text by its name; texts that are null are left out. */
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
    document.execCommand("copy"); // where the page is not trusted with the clipboard
  }
  button.textContent = "Copied";
  setTimeout(() => (button.textContent = "Copy"), 1500);
}

/** Three buttons: the board as a picture of either kind, with the values if they are shown, and the game as text. */
export function startDownloads(app, before, urlOf) {
  const url = () => urlOf(app.state.hints ? { values: true } : {});
  const start = (kind, act) => $(`${before}save-${kind}`).addEventListener("click", () => act(`collapsi.${kind}`));
  start("svg", (name) => savePicture(app, url(), name, (picture) => picture));
  start("png", (name) => savePicture(app, url(), name, toPng));
  start("txt", (name) => save(new Blob([`${app.shown.game}\n`], { type: "text/plain" }), name));
}

async function savePicture(app, url, name, convert) {
  try {
    save(await convert(await askPicture(url)), name);
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    app.say(sentence(problem.message));
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
