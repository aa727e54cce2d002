// The board: cards as buttons in rows and columns, pawns, the values on them, and the way of a move.

import { cardName } from "./about.js";
import { $, capital, draw, make } from "./dom.js";

const GAP = 0.022; // between cards, as a share of the board; also in style.css
const TALL = 1.25; // how much taller than wide a card is
const STEP_MS = 190;

export const moving = () => !matchMedia("(prefers-reduced-motion: reduce)").matches;

export class Board {
  constructor(root, { choose, hover }) {
    this.root = root;
    this.choose = choose;
    this.hover = hover;
    this.flip = false;
    this.byKeyboard = false; // whether the focus came here by keyboard: then arrows go from card to card
    this.shape = "";
    this.cards = [];
    this.way = draw("svg", { id: "way", "aria-hidden": "true" });
    document.addEventListener("pointerdown", () => (this.byKeyboard = false), true);
    document.addEventListener("keydown", (event) => event.key === "Tab" && (this.byKeyboard = true), true);
    root.addEventListener("keydown", (event) => this.roam(event));
  }

  /** Make the cards, if the board has another shape than before. */
  build(rows, columns, squares) {
    const shape = [rows.length, ...squares].join(" ");
    if (shape === this.shape) return;
    this.shape = shape;
    this.squares = squares;
    this.rows = rows.length;
    this.columns = columns.length;
    this.size = [columns, rows].map(({ length }) => (1 - (length - 1) * GAP) / length); // of a card, as a share of the board
    this.cards = squares.map((square, cell) =>
      make("button", {
        type: "button",
        class: "card",
        "data-square": square,
        tabindex: cell ? "-1" : "0",
        onclick: () => this.choose(square),
        onmouseenter: () => this.hover(square),
        onmouseleave: () => this.hover(null),
        onfocus: () => this.byKeyboard && this.hover(square),
        onblur: () => this.hover(null),
      }),
    );
    this.way.setAttribute("viewBox", `0 0 ${this.columns} ${this.rows * TALL}`);
    this.root.replaceChildren(...this.cards, this.way);
    this.root.setAttribute("aria-label", `Board of ${this.rows} by ${this.columns} cards that wraps around`);
    for (const [name, value] of [["--rows", this.rows], ["--columns", this.columns]]) $("frame").style.setProperty(name, value);
  }

  card(square) {
    return this.cards[this.squares.indexOf(square)];
  }

  /** Arrows lead from card to card, round the edges as the game does. */
  roam(event) {
    const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    const cell = this.cards.indexOf(document.activeElement);
    if (!by || cell < 0 || !this.byKeyboard) return;
    const turn = this.flip ? -1 : 1;
    const column = ((cell % this.columns) + turn * by[0] + this.columns) % this.columns;
    const row = (Math.floor(cell / this.columns) + turn * by[1] + this.rows) % this.rows;
    this.focus(this.cards[column + this.columns * row]);
    event.preventDefault();
    event.stopPropagation();
  }

  focus(card) {
    for (const each of this.cards) each.tabIndex = each === card ? 0 : -1;
    card.focus();
  }

  /** Show squares: each has `card`, `pawn`, and may have `legal`, `value` and `label`. */
  show(squares, { rows, columns, toMove = null, flip = false }) {
    this.stop();
    this.build(rows, columns, squares.map(({ square }) => square));
    this.flip = flip;
    const names = (list) => (flip ? [...list].reverse() : list).map((name) => make("span", {}, name));
    $("columns").replaceChildren(...names(columns));
    $("rows").replaceChildren(...names(rows));
    squares.forEach((square, cell) => {
      const card = this.cards[cell];
      const [column, row] = this.place(cell);
      card.style.order = this.columns * row + column;
      card.className = "card";
      card.classList.toggle("collapsed", square.card === null);
      card.classList.toggle("occupied", square.pawn !== null);
      card.classList.toggle("legal", Boolean(square.legal));
      card.classList.toggle("slower", Boolean(square.value && !square.value.best));
      const parts = [];
      if (square.card !== null)
        parts.push(make("span", { class: "corner" }, square.card), make("span", { class: "face" }, square.card));
      if (square.pawn) parts.push(pawn(square.pawn, square.pawn === toMove));
      if (square.value) parts.push(badge(square.value));
      card.replaceChildren(...parts);
      card.setAttribute("aria-label", label(square));
    });
    this.showWay(null);
  }

  /** Column and row on the screen. */
  place(cell) {
    const column = cell % this.columns;
    const row = Math.floor(cell / this.columns);
    return this.flip ? [this.columns - 1 - column, this.rows - 1 - row] : [column, row];
  }

  centre(square) {
    return this.place(this.squares.indexOf(square)).map((index, axis) => index * (this.size[axis] + GAP) + this.size[axis] / 2);
  }

  /** Draw the way of a move: each step a line, each card a dot with its number. */
  showWay(path) {
    const parts = [];
    const scale = ([x, y]) => [x * this.columns, y * this.rows * TALL];
    for (let step = 1; step < (path?.length ?? 0); step++) {
      for (const [from, to] of this.strokes(path[step - 1], path[step])) {
        const [[x1, y1], [x2, y2]] = [scale(from), scale(to)];
        parts.push(draw("line", { x1, y1, x2, y2 }));
      }
    }
    (path ?? []).slice(1).forEach((square, index) => {
      const [x, y] = scale(this.centre(square));
      parts.push(draw("circle", { cx: x, cy: y - 0.32, r: 0.11 }), draw("text", { x, y: y - 0.32 }, String(index + 1)));
    });
    this.way.replaceChildren(...parts);
  }

  /** A step as one stroke, or over an edge as two: out on one side and in on the other. */
  strokes(here, there) {
    const [x0, y0] = this.centre(here);
    const [x1, y1] = this.centre(there);
    const around = (from, to, span) => (Math.abs(to - from) > 1.5 * span ? Math.sign(from - to) * span : to - from);
    const [dx, dy] = [around(x0, x1, this.size[0] + GAP), around(y0, y1, this.size[1] + GAP)];
    const there_ = [x0 + dx, y0 + dy];
    if (Math.abs(there_[0] - x1) + Math.abs(there_[1] - y1) < 1e-6) return [[[x0, y0], [x1, y1]]];
    return [
      [[x0, y0], [x0 + dx * 0.75, y0 + dy * 0.75]],
      [[x1 - dx * 0.75, y1 - dy * 0.75], [x1, y1]],
    ];
  }

  /** Walk the pawn of a colour along a path, step by step; the board already shows where it ends. */
  async walk(path, colour) {
    this.showWay(path);
    if (!moving() || document.hidden || path.length < 2) return;
    const target = this.card(path.at(-1)).querySelector(".pawn");
    const ghost = make("div", { class: "ghost", "aria-hidden": "true" }, pawn(colour, false));
    const [wide, high] = this.size;
    const at = ([x, y], offset) => ({ left: `${(x - wide / 2) * 100}%`, top: `${(y - high / 2) * 100}%`, offset });
    const steps = path.length - 1;
    const frames = [at(this.centre(path[0]), 0)];
    for (let step = 1; step <= steps; step++) {
      const strokes = this.strokes(path[step - 1], path[step]);
      if (strokes.length === 2) {
        frames.push(at(strokes[0][1], (step - 0.5) / steps), at(strokes[1][0], (step - 0.5) / steps));
      }
      frames.push(at(strokes.at(-1)[1], step / steps));
    }
    if (target) target.style.visibility = "hidden";
    ghost.style.width = `${wide * 100}%`;
    ghost.style.height = `${high * 100}%`;
    this.root.append(ghost);
    this.animation = ghost.animate(frames, { duration: STEP_MS * steps, easing: "linear" });
    this.ghost = ghost;
    await this.animation.finished.catch(() => {});
    ghost.remove();
    if (target) target.style.visibility = "";
  }

  stop() {
    this.animation?.cancel();
    this.ghost?.remove();
  }

  shake(square) {
    const card = this.card(square);
    card.classList.remove("shake");
    void card.offsetWidth; // so that the animation starts again
    card.classList.add("shake");
  }
}

function pawn(colour, toMove) {
  return draw(
    "svg",
    { class: `pawn ${colour}`, viewBox: "-32 -32 64 64", "aria-hidden": "true" },
    toMove ? draw("circle", { class: "ring", r: 30 }) : null,
    draw("path", {
      d: "M-19 24C-19 12-9 10-7 0A12 12 0 1 1 7 0C9 10 19 12 19 24Z",
      stroke: "#fff",
      "stroke-width": 2.5,
      "stroke-linejoin": "round",
    }),
    draw("text", { y: 20 }, colour[0].toUpperCase()),
  );
}

/** A move's value: sign and number, colour, and filled only if it is the best; or what is counted, if `wins` is null. */
export const badge = ({ text, wins, best }) =>
  make("span", { class: `value ${wins === null ? "count" : wins ? "win" : "loss"} ${best ? "best" : ""}` }, text);

function label(square) {
  const parts = [square.square, square.card === null ? "collapsed" : cardName(square.card)];
  if (square.pawn) parts.push(`${square.pawn} pawn`);
  if (square.label) parts.push(square.label);
  return capital(parts.join(", "));
}
