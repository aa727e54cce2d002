// The board: cards as buttons in rows and columns, pawns, the values on them, the way of a move, and shifts.

import { about, cardName } from "./about.js";
import { arrowsOn } from "./arrows.js";
import { capital, draw, make } from "./dom.js";

const GAP = 0.022; // between cards, as a fraction of the board; also in style.css
const TALL = 1.25; // how much taller than wide a card is
const STEP_MS = 190;
const SLIDE_MS = 420;
const THINK_MS = 350;

const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export const moving = () => !matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Pause before a move of the computer, unless motion is reduced. */
export const think = () => new Promise((done) => setTimeout(done, moving() ? THINK_MS : 0));

export class Board {
  constructor(root, { choose, hover }) {
    this.root = root;
    this.frame = root.parentElement;
    this.choose = choose;
    this.hover = hover;
    this.flip = false;
    this.byKeyboard = false; // whether the focus came by keyboard; then arrow keys go from card to card
    this.passing = false; // whether it shows the middle of a move; then nothing can be chosen
    this.shape = "";
    this.cards = [];
    this.arrows = [];
    this.animations = [];
    this.way = draw("svg", { id: "way", "aria-hidden": "true" });
    document.addEventListener("pointerdown", () => (this.byKeyboard = false), true);
    document.addEventListener(
      "keydown",
      (event) => {
        if (event.key === "Tab") this.byKeyboard = true;
      },
      true,
    );
    root.addEventListener("keydown", (event) => this.roam(event));
  }

  /** Make the cards, if the board has a new shape. */
  build(rows, columns, squares) {
    const shape = [rows.length, ...squares].join(" ");
    if (shape === this.shape) return;
    this.shape = shape;
    this.squares = squares;
    this.rows = rows.length;
    this.columns = columns.length;
    this.size = [columns, rows].map(({ length }) => (1 - (length - 1) * GAP) / length); // of a card, as a fraction of the board
    this.cards = squares.map((square, cell) =>
      make("button", {
        type: "button",
        class: "card",
        "data-square": square,
        tabindex: cell ? "-1" : "0",
        onclick: () => this.passing || this.choose(square),
        onmouseenter: () => this.hover(square),
        onmouseleave: () => this.hover(null),
        onfocus: () => this.byKeyboard && this.hover(square),
        onblur: () => this.hover(null),
      }),
    );
    this.way.setAttribute("viewBox", `0 0 ${this.columns} ${this.rows * TALL}`);
    this.root.replaceChildren(...this.cards, this.way);
    for (const [name, value] of [
      ["--rows", this.rows],
      ["--columns", this.columns],
    ])
      this.frame.style.setProperty(name, value);
  }

  /** The element with the focus, also where the board is in a shadow tree. */
  get focused() {
    return this.root.getRootNode().activeElement;
  }

  card(square) {
    return this.cards[this.squares.indexOf(square)];
  }

  /** Move the focus by an arrow key, around the edges as in the game. */
  roam(event) {
    const by = WAYS[event.key];
    const cell = this.cards.indexOf(this.focused);
    if (!by || cell < 0 || !this.byKeyboard || this.arrows.length) return;
    const turn = this.flip ? -1 : 1;
    const column = ((cell % this.columns) + turn * by[0] + this.columns) % this.columns;
    const row = (Math.floor(cell / this.columns) + turn * by[1] + this.rows) % this.rows;
    this.focus(this.cards[column + this.columns * row]);
    event.preventDefault();
    event.stopPropagation();
  }

  focus(card) {
    for (const each of this.cards) each.tabIndex = each === card ? 0 : -1;
    card.focus({ preventScroll: true });
  }

  /** Focus the arrow of a shift by an arrow key; return whether there is one. */
  aim(key) {
    const by = WAYS[key];
    const found = by && this.arrows.find(({ by: way }) => way.every((part, axis) => part === by[axis]));
    if (!found) return false;
    this.byKeyboard = true;
    found.arrow.focus();
    return true;
  }

  /** Show squares: each has `card`, `pawn`, and may have `gap`, `legal`, `chosen`, `value` and `label`. */
  show(squares, { rows, columns, toMove = null, flip = false, shifting = false }) {
    this.stop();
    const focused = this.root.contains(this.focused);
    this.showArrows([]);
    this.build(
      rows,
      columns,
      squares.map(({ square }) => square),
    );
    this.frame.classList.toggle("shifting", shifting);
    const what = shifting ? "places whose lines are shifted" : "cards that wraps around";
    this.root.setAttribute("aria-label", `Board of ${this.rows} by ${this.columns} ${what}`);
    this.flip = flip;
    const names = (list) => (flip ? [...list].reverse() : list).map((name) => make("span", {}, name));
    this.frame.querySelector("#columns").replaceChildren(...names(columns));
    this.frame.querySelector("#rows").replaceChildren(...names(rows));
    squares.forEach((square, cell) => {
      const card = this.cards[cell];
      card.style.order = flip ? squares.length - 1 - cell : cell;
      card.className = "card";
      card.classList.toggle("collapsed", square.card === null && !square.gap);
      card.classList.toggle("gap", Boolean(square.gap));
      card.classList.toggle("chosen", Boolean(square.chosen));
      card.classList.toggle("occupied", square.pawn !== null);
      card.classList.toggle("legal", Boolean(square.legal));
      card.classList.toggle("slower", Boolean(square.value && !square.value.best));
      const parts = [];
      if (square.card !== null) parts.push(make("span", { class: "corner" }, square.card), make("span", { class: "face" }, square.card));
      if (square.pawn) parts.push(pawn(square.pawn, square.pawn === toMove));
      if (square.value) parts.push(badge(square.value));
      card.replaceChildren(...parts);
      card.setAttribute("aria-label", label(square));
    });
    this.showWay(null);
    // The element with the focus may have been removed.
    if (focused && !this.root.contains(this.focused)) {
      this.focus(this.root.querySelector(`.card:has(.pawn.${toMove})`) ?? this.root.querySelector(".card:has(.pawn)") ?? this.cards[0]);
    }
  }

  /** Show an arrow beyond the last card of a line for each shift, or none. */
  showArrows(shifts, choose = null) {
    for (const { arrow } of this.arrows) arrow.remove();
    this.arrows = arrowsOn(this, shifts, choose);
    this.root.append(...this.arrows.map(({ arrow }) => arrow));
  }

  /** A direction in columns and rows, as displayed. */
  turned(by) {
    return this.flip ? by.map((part) => 0 - part) : by;
  }

  /** The middle of a side of a card, in fractions of the board as displayed. */
  edge(square, by) {
    const cell = this.squares.indexOf(square);
    const middle = this.point(cell % this.columns, Math.floor(cell / this.columns));
    return middle.map((share, axis) => share + (by[axis] * this.size[axis]) / 2);
  }

  /** The centre of a column and row, in fractions of the board as displayed. */
  point(column, row) {
    const at = this.flip ? [this.columns - 1 - column, this.rows - 1 - row] : [column, row];
    return at.map((index, axis) => index * (this.size[axis] + GAP) + this.size[axis] / 2);
  }

  /** The same in the coordinates of the drawing. */
  scaled(column, row) {
    return this.point(column, row).map((share, axis) => share * [this.columns, this.rows * TALL][axis]);
  }

  /** Mark the shifted line with an arrow at each end. */
  showTrace([fromX, fromY, toX, toY]) {
    const [[x1, y1], [x2, y2]] = [this.scaled(fromX, fromY), this.scaled(toX, toY)];
    const turn = (Math.atan2(y2 - y1, x2 - x1) * 180) / Math.PI;
    const head = (x, y) => draw("polygon", { points: "-.1,-.16 .08,0 -.1,.16", transform: `translate(${x} ${y}) rotate(${turn})` });
    this.way.replaceChildren(head(x1, y1), head(x2, y2));
  }

  /** Draw the way of a move, given step by step as strokes: lines, and on each card a dot with its number. `from`: mark where it begins. */
  showWay(steps, from = null) {
    const begin = from === null ? [] : [draw("circle", { class: "begin", ...this.spot(from), r: 0.11 })];
    this.way.replaceChildren(...this.drawWays([steps ?? []]), ...begin);
  }

  /** Where the dot of a square stands. */
  spot(square) {
    const cell = this.squares.indexOf(square);
    const [x, y] = this.scaled(cell % this.columns, Math.floor(cell / this.columns));
    return { cx: x, cy: y - 0.32 };
  }

  /** Draw the ways of a pawn that cannot move, each with a cross where it ends. */
  showDeadEnds(ends) {
    const crosses = new Set(ends.map(({ square }) => square));
    const cross = (square) => {
      const { cx, cy } = this.spot(square);
      const parts = [draw("circle", { r: 0.13 }), draw("path", { d: "M-.05-.05.05.05M.05-.05-.05.05" })];
      return draw("g", { class: "dead", transform: `translate(${cx + 0.27} ${cy})` }, ...parts);
    };
    this.way.replaceChildren(...this.drawWays(ends.map(({ strokes }) => strokes)), ...[...crosses].map(cross));
  }

  /** The lines of ways, and the dots; a card on several ways has one. */
  drawWays(ways) {
    const scaled = (column, row) => this.scaled(column, row);
    const lines = ways.flat(2).map(([fromX, fromY, toX, toY]) => {
      const [[x1, y1], [x2, y2]] = [scaled(fromX, fromY), scaled(toX, toY)];
      return draw("line", { x1, y1, x2, y2 });
    });
    const dots = new Map();
    for (const steps of ways) {
      steps.forEach((strokes, index) => {
        const [x, y] = scaled(...strokes.at(-1).slice(2));
        const dot = [draw("circle", { cx: x, cy: y - 0.32, r: 0.11 }), draw("text", { x, y: y - 0.32 }, String(index + 1))];
        if (!dots.has(`${x} ${y}`)) dots.set(`${x} ${y}`, dot);
      });
    }
    return [...lines, ...[...dots.values()].flat()];
  }

  /** Let a pawn set off before the answer to its move has come; `walk` goes on from where it is by then. */
  setOff(steps, colour) {
    this.underWay = { way: `${colour} ${steps}`, since: performance.now() };
    this.walk(steps, colour, { stays: true });
  }

  /**
   * Walk the pawn of a colour along a way, step by step; the board already shows where it ends.
   * `stays`: it does not yet, so the pawn stays at the end of the way until the board is shown again.
   */
  async walk(steps, colour, { stays = false } = {}) {
    this.showWay(steps);
    if ((!moving() && !stays) || document.hidden || !steps.length) return;
    const target = this.root.querySelector(`.card .pawn.${colour}`);
    const ghost = make("div", { class: "ghost", "aria-hidden": "true" }, pawn(colour, false));
    const [wide, high] = this.size;
    const at = (column, row, offset) => {
      const [x, y] = this.point(column, row);
      return { left: `${(x - wide / 2) * 100}%`, top: `${(y - high / 2) * 100}%`, offset: offset / steps.length };
    };
    const [[[column, row]]] = steps;
    const frames = [at(column, row, 0)];
    steps.forEach((strokes, step) => {
      strokes.forEach(([fromX, fromY, toX, toY], part) => {
        if (part) frames.push(at(fromX, fromY, step + part / strokes.length)); // in again on the other side
        frames.push(at(toX, toY, step + (part + 1) / strokes.length));
      });
    });
    target.style.visibility = "hidden";
    ghost.style.width = `${wide * 100}%`;
    ghost.style.height = `${high * 100}%`;
    this.root.append(ghost);
    const duration = moving() ? STEP_MS * steps.length : 0;
    this.animation = ghost.animate(frames, { duration, easing: "linear", fill: "forwards" });
    const { way, since } = this.underWay ?? {};
    if (!stays && way === `${colour} ${steps}`) this.animation.currentTime = Math.min(performance.now() - since, duration);
    this.ghost = ghost;
    await this.animation.finished.catch(() => {});
    if (stays) return;
    this.underWay = null;
    ghost.remove();
    target.style.visibility = "";
  }

  /** Animate a shift; `showAfter` shows the cards where they lie after it. */
  async slide(slides, showAfter) {
    const from = new Map(slides.map(({ before }) => [before, this.card(before).getBoundingClientRect()]));
    showAfter();
    this.animations = slides.map(({ before, after, strokes }) => {
      const card = this.card(after);
      const frames = glide(
        from.get(before),
        card.getBoundingClientRect(),
        strokes.map((stroke) => this.run(stroke)),
      );
      return card.animate(frames, { duration: SLIDE_MS, easing: "ease-in-out" });
    });
    await Promise.all(this.animations.map((animation) => animation.finished.catch(() => {})));
  }

  /** The vector of a stroke, in columns and rows as displayed. */
  run([fromX, fromY, toX, toY]) {
    return this.turned([toX - fromX, toY - fromY]);
  }

  stop() {
    this.animation?.cancel();
    this.ghost?.remove();
    for (const animation of this.animations) animation.cancel();
    this.animations = [];
  }

  shake(square) {
    const card = this.card(square);
    card.classList.remove("shake");
    void card.offsetWidth; // restarts the animation
    card.classList.add("shake");
  }
}

/** The keyframes of a card that slides: straight, or out on one side and in on the other. */
function glide(from, to, runs) {
  const at = (x, y, more = {}) => {
    const scale = `scale(${from.width / to.width}, ${from.height / to.height})`;
    return { transformOrigin: "0 0", transform: `translate(${x}px, ${y}px) ${scale}`, zIndex: 1, ...more };
  };
  const [x, y] = [from.left - to.left, from.top - to.top];
  const there = { transformOrigin: "0 0", transform: "none", zIndex: 1 };
  if (runs.length < 2) return [at(x, y), there];
  const [out, back] = runs.map(([right, down]) => [right * to.width, down * to.height]);
  return [
    at(x, y, { opacity: 1, offset: 0 }),
    at(x + out[0], y + out[1], { opacity: 0, offset: 0.5 }),
    at(-back[0], -back[1], { opacity: 0, offset: 0.5 }),
    { ...there, opacity: 1, offset: 1 },
  ];
}

function pawn(colour, toMove) {
  return draw(
    "svg",
    { class: `pawn ${colour}`, viewBox: "-32 -32 64 64", "aria-hidden": "true" },
    toMove ? draw("circle", { class: "ring", r: 30 }) : null,
    draw("path", {
      d: about.pawn,
      stroke: "#fff",
      "stroke-width": 2.5,
      "stroke-linejoin": "round",
    }),
    draw("text", { y: 20 }, colour[0].toUpperCase()),
  );
}

/** A move's value: sign and number, colour, and filled only if it is the best; or a count, if `wins` is null. */
export const badge = ({ text, wins, best }) =>
  make("span", { class: `value ${wins === null ? "count" : wins ? "win" : "loss"} ${best ? "best" : ""}` }, text);

function label(square) {
  const parts = [square.square, square.gap ? "gap" : square.card === null ? "collapsed" : cardName(square.card)];
  if (square.pawn) parts.push(`${square.pawn} pawn`);
  if (square.label) parts.push(square.label);
  return capital(parts.join(", "));
}
