// Census: this deal among the exact results of all deals, and deals of a chosen length and difficulty.

import { ask, drawingUrl, problemText, showPicture } from "./api.js";
import { $, capital, grouped, make, plies, setText } from "./dom.js";
import { stateUrl } from "./state.js";

const LOOK_MS = 400;

let waiting = null;

export function start(app) {
  $("kind-plies").addEventListener("change", () => fillMoves(app.census));
  $("kind-moves").addEventListener("change", () => countKind(app.census));
  $("kind").addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      const wanted = { rules: app.census.rules, plies: $("kind-plies").value, winning_moves: $("kind-moves").value };
      const dealt = await ask("deal", wanted, { fresh: true, action: true, instead: "opened" });
      await app.go({ game: dealt.position, ply: null, match: null }, { play: true });
    } catch (problem) {
      setText("kind-note", problemText(problem));
    }
  });
}

export async function update(app) {
  clearTimeout(waiting);
  const { rules, rules_title: title, rules_text: text, start: deal } = app.shown;
  const ticket = app.ticket;
  $("census-rules").replaceChildren(make("strong", {}, `${title}. `), text);
  try {
    const census = await ask("census", { rules }, { fresh: true });
    if (ticket !== app.ticket) return;
    $("census-wait").hidden = census.state === "ready";
    $("census-body").hidden = census.state !== "ready";
    if (census.state === "failed") setText("census-wait-text", `The census could not be taken: ${census.reason}.`);
    if (census.state === "working") {
      const done = `Solving every deal: ${Math.round(census.progress * 100)} % done.`;
      setText("census-wait-text", `${done} The result is kept. You can go on playing meanwhile.`);
      $("census-progress").value = census.progress;
      waiting = setTimeout(() => ticket === app.ticket && update(app), LOOK_MS);
    }
    if (census.state !== "ready") return;
    if (app.census?.rules !== rules) {
      app.census = census;
      fillKinds(census);
    }
    let found = null;
    let reason = "";
    try {
      found = await ask("census/deal", { position: deal });
    } catch (problem) {
      reason = problemText(problem);
    }
    if (ticket !== app.ticket) return;
    if (found) $("deal-class").replaceChildren(...describe(app, found));
    else $("deal-class").replaceChildren(make("p", {}, `The census knows whole deals only. ${reason}`));
    $("lengths").replaceChildren(bars(census, found?.plies));
  } catch (problem) {
    const reason = problemText(problem);
    if (ticket !== app.ticket) return;
    $("census-wait").hidden = $("census-body").hidden = true;
    if (problem.silent) app.say(reason);
    else $("census-rules").append(" ", make("strong", {}, reason)); // these rules have no census
  }
}

const share = (part, all) => {
  const percent = (part / all) * 100;
  const one = all / part;
  const rare = grouped(one >= 10 ? Math.round(one) : +one.toFixed(1));
  return `${percent >= 0.1 ? percent.toFixed(1) : percent.toPrecision(2)}\u00a0%, one deal in ${rare}`;
};

function describe(app, found) {
  const moves = Object.keys(found.first_moves).length;
  const { winning_moves: winning, weight } = found;
  const whole = (deals) => `${grouped(deals)} of ${grouped(found.deals)} deals (${share(deals, found.deals)})`;
  const lines = [
    [make("strong", {}, `${capital(found.winner)} wins in ${plies(found.plies)}.`), ` So do ${whole(found.length_deals)}.`],
    [
      `${winning} of its ${moves} first moves ${winning === 1 ? "wins" : "win"}. Just as long and just as hard are `,
      `${grouped(found.alike_deals)} deals (${share(found.alike_deals, found.deals)}).`,
    ],
    [
      `${grouped(weight)} of the deals ${weight === 1 ? "is" : "are"} this one: turned, reflected, or moved by a hidden symmetry. `,
      ` Counted once each, ${grouped(found.length_different)} deals of this length are truly different, `,
      `${grouped(found.different)} of all.`,
    ],
  ];
  const twins = found.twins.length - 1;
  const words = [
    "It has no twin: every guise of it is a shift, turn or reflection.",
    "It has a twin: no shift, turn or reflection leads there, yet it is the same game.",
    "It has two twins: no shift, turn or reflection leads there, yet they are the same game.",
  ][twins];
  return [
    ...lines.map((line) => make("p", {}, ...line)),
    make("p", {}, words),
    twins ? make("ul", { class: "twins" }, ...found.twins.slice(1).map((position) => twin(app, position))) : "",
  ];
}

function twin(app, position) {
  const change = { game: position, ply: null, match: null };
  const go = (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return; // opens a new tab
    event.preventDefault();
    app.go(change);
  };
  const size = { width: 402, height: 524 };
  const image = showPicture(make("img", { alt: `Twin: ${position}`, ...size }), drawingUrl("", { position }));
  return make("li", {}, make("a", { href: stateUrl({ ...app.state, ...change }), onclick: go }, image, "open it"));
}

function byLength(census) {
  const lengths = new Map();
  for (const kind of census.kinds) {
    const one = lengths.get(kind.plies) ?? { plies: kind.plies, winner: kind.winner, deals: 0 };
    one.deals += kind.deals;
    lengths.set(kind.plies, one);
  }
  return [...lengths.values()];
}

function bars(census, here) {
  const lengths = byLength(census);
  const most = Math.max(...lengths.map((one) => one.deals));
  return make(
    "div",
    { class: "bars" },
    ...lengths.map((one) => {
      const bar = make("span", { class: `bar ${one.winner}-bar` });
      bar.style.width = `${(one.deals / most) * 100}%`;
      return make(
        "div",
        { class: one.plies === here ? "this" : "" },
        make("span", {}, `${one.winner} wins in ${one.plies}`),
        bar,
        make("span", { class: "count" }, grouped(one.deals)),
      );
    }),
  );
}

function fillKinds(census) {
  $("kind-plies").replaceChildren(
    make("option", { value: "" }, "any"),
    ...byLength(census).map((one) => make("option", { value: one.plies }, `${plies(one.plies)}, ${one.winner} wins`)),
  );
  fillMoves(census);
}

function fillMoves(census) {
  const length = $("kind-plies").value;
  const kinds = census.kinds.filter((kind) => !length || kind.plies === +length);
  const numbers = [...new Set(kinds.map((kind) => kind.winning_moves))].sort((one, two) => one - two);
  const options = numbers.map((number) => make("option", { value: number }, String(number)));
  $("kind-moves").replaceChildren(make("option", { value: "" }, "any"), ...options);
  countKind(census);
}

function countKind(census) {
  const [length, moves] = [$("kind-plies").value, $("kind-moves").value];
  const fits = (kind) => (!length || kind.plies === +length) && (!moves || kind.winning_moves === +moves);
  const kinds = census.kinds.filter(fits);
  setText("kind-note", `${grouped(kinds.reduce((sum, kind) => sum + kind.deals, 0))} deals are of this kind.`);
}
