// The board: sixteen cards as buttons, pawns, the values on them, and the way of a move.

import { capital, draw, make } from "./dom.js";

const GAP = 0.022; // between cards, as a share of the board; also in style.css
const CARD = (1 - 3 * GAP) / 4;
const WIDTH = 4;
const HEIGHT = 5; // of the picture over the board, in the board's own proportions
const STEP_MS = 190;
const NAMES = { A: "ace", J: "jack", 2: "2", 3: "3", 4: "4" };

/** The squares in reading order. */
export const SQUARES = ["1", "2", "3", "4"].flatMap((row) => ["a", "b", "c", "d"].map((column) => column + row));

export const moving = () => !matchMedia("(prefers-reduced-motion: reduce)").matches;

export class Board {
  constructor(root, { choose, hover }) {
    this.root = root;
    this.flip = false;
    this.byKeyboard = false; // whether the focus came here by keyboard: then arrows go from card to card
    this.cards = [];
    for (const square of SQUARES) {
      const card = make("button", {
        type: "button",
        class: "card",
        "data-square": square,
        tabindex: this.cards.length ? "-1" : "0",
        onclick: () => choose(square),
        onmouseenter: () => hover(square),
        onmouseleave: () => hover(null),
        onfocus: () => this.byKeyboard && hover(square),
        onblur: () => hover(null),
      });
      this.cards.push(card);
      root.append(card);
    }
    this.way = draw("svg", { id: "way", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true" });
    root.append(this.way);
    document.addEventListener("pointerdown", () => (this.byKeyboard = false), true);
    document.addEventListener("keydown", (event) => event.key === "Tab" && (this.byKeyboard = true), true);
    root.addEventListener("keydown", (event) => this.roam(event));
  }

  card(square) {
    return this.cards[SQUARES.indexOf(square)];
  }

  /** Arrows lead from card to card, round the edges as the game does. */
  roam(event) {
    const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    const cell = this.cards.indexOf(document.activeElement);
    if (!by || cell < 0 || !this.byKeyboard) return;
    const turn = this.flip ? -1 : 1;
    const column = (cell % 4) + turn * by[0] + 4;
    const row = Math.floor(cell / 4) + turn * by[1] + 4;
    this.focus(this.cards[(column % 4) + 4 * (row % 4)]);
    event.preventDefault();
    event.stopPropagation();
  }

  focus(card) {
    for (const each of this.cards) each.tabIndex = each === card ? 0 : -1;
    card.focus();
  }

  /** Show squares: each has `card`, `pawn`, and may have `legal`, `value` and `label`. */
  show(squares, { toMove = null, flip = false } = {}) {
    this.stop();
    this.flip = flip;
    squares.forEach((square, cell) => {
      const card = this.cards[cell];
      const [column, row] = this.place(cell);
      card.style.order = 4 * row + column;
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
    const column = cell % 4;
    const row = Math.floor(cell / 4);
    return this.flip ? [3 - column, 3 - row] : [column, row];
  }

  centre(square) {
    const [column, row] = this.place(SQUARES.indexOf(square));
    return [column, row].map((index) => index * (CARD + GAP) + CARD / 2);
  }

  /** Draw the way of a move: each step a line, each card a dot with its number. */
  showWay(path) {
    const parts = [];
    const scale = ([x, y]) => [x * WIDTH, y * HEIGHT];
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
    const span = CARD + GAP;
    const around = (from, to) => (Math.abs(to - from) > 1.5 * span ? Math.sign(from - to) * span : to - from);
    const [dx, dy] = [around(x0, x1), around(y0, y1)];
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
    if (!moving() || document.hidden) return;
    const target = this.card(path.at(-1)).querySelector(".pawn");
    const ghost = make("div", { class: "ghost", "aria-hidden": "true" }, pawn(colour, false));
    const at = ([x, y], offset) => ({ left: `${(x - CARD / 2) * 100}%`, top: `${(y - CARD / 2) * 100}%`, offset });
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
    ghost.style.width = ghost.style.height = `${CARD * 100}%`;
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

export function pawn(colour, toMove) {
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

/** A move's value: sign and number, colour, and filled only if it is the best. */
export const badge = ({ text, wins, best }) =>
  make("span", { class: `value ${wins ? "win" : "loss"} ${best ? "best" : ""}` }, text);

function label(square) {
  const parts = [square.square, square.card === null ? "collapsed" : NAMES[square.card]];
  if (square.pawn) parts.push(`${square.pawn} pawn`);
  if (square.label) parts.push(square.label);
  return capital(parts.join(", "));
}
