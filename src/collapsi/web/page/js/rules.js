// The rules in one screen: a small example for each, and what is special about each rule set. All of it is the service's.

import { about } from "./about.js";
import { bigDrawingUrl, drawingUrl, showPicture, soloDrawingUrl } from "./api.js";
import { $, capital, make } from "./dom.js";

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
  $("big-ways").append(...about.big.rules.map((rules) => figure(rules, rules.example, { "data-rules": rules.name }, bigUrl)));
  $("big-match-how").textContent = about.big.match;
  $("solo-how").textContent = about.solo.text;
  $("solo-ways").append(...about.solo.rules.map((rules) => figure(rules, rules.example, { "data-exit": rules.exit }, soloUrl)));
}

const url = ({ position, move }) => drawingUrl(move === null ? { position } : { position, move });
const bigUrl = ({ position, move }) => bigDrawingUrl({ position, move });
const soloUrl = ({ position, move }) => soloDrawingUrl({ game: position, move });

function figure({ title, text }, example, attributes = {}, urlOf = url) {
  const size = { width: 402, height: 524 }; // of the larger board; the smaller has the same shape
  return make(
    "figure",
    attributes,
    showPicture(make("img", { alt: capital(example.alt), loading: "lazy", ...size }), urlOf(example)),
    make("figcaption", {}, make("strong", {}, `${title}. `), text),
  );
}
