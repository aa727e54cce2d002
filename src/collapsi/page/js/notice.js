// The notice that the page waits for the service, with a button to retry at once.

import { $, setText } from "./dom.js";

const PATIENCE_MS = 1000;

let said = "";
let act = null;
let timer = null; // until the notice is shown

$("service-again").addEventListener("click", () => act());

/** Show a notice after a second, unless it is cleared before; an empty text clears it. */
export function showNotice(text, again) {
  [said, act] = [text, again];
  if (!text) {
    clearTimeout(timer);
    timer = null;
    $("service-again").hidden = true;
    setText("service-said", "");
  } else if (timer === null) timer = setTimeout(write, PATIENCE_MS);
  else if (!$("service-again").hidden) write();
}

function write() {
  $("service-again").hidden = false;
  setText("service-said", said);
}
