// The rules in one screen: a small example for each, and what is special about each rule set. All of it is the service's.

import { about } from "./about.js";
import { drawingUrl } from "./api.js";
import { $, capital, make } from "./dom.js";

let drawn = false;

export function update() {
  if (drawn) return;
  drawn = true;
  $("examples").append(...about.examples.map(({ title, text, ...example }) => figure(example, make("strong", {}, `${title}. `), text)));
  $("ways").append(
    ...about.rules.map(({ name, title, text, example }) => {
      const shown = figure(example, make("strong", {}, `${title}. `), text);
      shown.dataset.rules = name;
      return shown;
    }),
  );
}

function figure({ position, move, alt }, ...caption) {
  const query = move === null ? { position } : { position, move };
  const size = { width: 402, height: 524 };
  return make(
    "figure",
    {},
    make("img", { src: drawingUrl(query), alt: capital(alt), loading: "lazy", ...size }),
    make("figcaption", {}, ...caption),
  );
}
