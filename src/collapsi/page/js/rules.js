// The rules on one screen: an example for each, and the rule sets. All texts come from the service.

import { about } from "./about.js";
import { drawingUrl, showPicture } from "./api.js";
import { $, capital, make } from "./dom.js";
import { BIG, DUEL, SOLO } from "./kinds.js";

let drawn = false;

export function update() {
  if (drawn) return;
  drawn = true;
  $("examples").append(...about.examples.map((lesson) => figure(lesson, lesson)));
  const ways = (list) => list.map((rules) => figure(rules, rules.example, { "data-rules": rules.name }));
  $("ways").append(...ways(about.rules.filter(({ shifts }) => !shifts)));
  $("shifting-how").textContent = about.shifting.text;
  $("shifting-ways").append(...ways(about.rules.filter(({ shifts }) => shifts)));
  $("shifting-open").append(...about.shifting.open.map((text) => make("li", {}, text)));
  $("big-how").textContent = about.big.text;
  $("big-ways").append(...about.big.rules.map((rules) => figure(rules, rules.example, { "data-rules": rules.name }, BIG)));
  $("big-match-how").textContent = about.big.match;
  $("solo-how").textContent = about.solo.text;
  $("solo-ways").append(...about.solo.rules.map((rules) => figure(rules, rules.example, { "data-exit": rules.exit }, SOLO)));
}

function figure({ title, text }, example, attributes = {}, { path, subject } = DUEL) {
  const query = example.move === null ? subject(example) : { ...subject(example), move: example.move };
  const size = { width: 402, height: 524 }; // of the larger board; the smaller has the same shape
  return make(
    "figure",
    attributes,
    showPicture(make("img", { alt: capital(example.alt), loading: "lazy", ...size }), drawingUrl(path, query)),
    make("figcaption", {}, make("strong", {}, `${title}. `), text),
  );
}
