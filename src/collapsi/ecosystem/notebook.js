// The board in a notebook: the page's own board, over a game that Python knows. Python gives the view; moves are sent to it.

import { about, hasShifts } from "../page/js/about.js";
import { Board } from "../page/js/board.js";
import { make, sentence } from "../page/js/dom.js";
import { drawWay, squareHalfway, squareWith, valued, valuesOf } from "../page/js/squares.js";

function render({ model, el }) {
  Object.assign(about, model.get("about"));
  const button = (text, onclick, more = {}) => make("button", { type: "button", onclick, ...more }, text);
  const turn = make("p", { id: "turn", role: "status" });
  const cards = make("div", { id: "board", role: "group" });
  const frame = make("div", { id: "frame" }, make("div", { id: "columns" }), make("div", { id: "rows" }), cards);
  const legend = make("p", { id: "legend" });
  const message = make("p", { id: "message", role: "alert" });
  const record = make("p", { id: "record" });
  const back = button("Take back", () => model.send({ back: true }));
  const values = button("Values", () => {
    model.set("values", !model.get("values"));
    model.save_changes();
  });
  el.dataset.lmSuppressShortcuts = "true"; // keys on the board are not commands of JupyterLab
  const root = el.attachShadow({ mode: "open" }); // its ids and styles stay inside
  root.append(make("style", {}, model.get("style")), turn, frame, make("p", { class: "buttons" }, back, values), legend, record, message);
  const board = new Board(cards, { choose, hover: (square) => showWay(square) });
  let half = null; // the square of the first half of a move that shifts

  function choose(square) {
    const { shown } = model.get("view");
    const target = shown.squares.find((each) => each.square === square);
    const refusal = shown.winner ? `The game is over: ${shown.winner} has won.` : target.refusal && sentence(target.refusal.text);
    if (refusal) {
      board.shake(square);
      message.textContent = refusal;
    } else if (!target.shifts) model.send({ move: target.move });
    else {
      half = half?.square === square ? null : target;
      show();
    }
  }

  function showWay(square = null) {
    const { shown } = model.get("view");
    drawWay(board, shown, shown.squares.find((each) => each.square === square)?.strokes ?? half?.strokes);
  }

  function show() {
    const { shown, analysis, said } = model.get("view");
    const found = analysis && valued(analysis);
    const moves = found?.moves ?? [];
    const squares = shown.squares.map((square) => (half ? squareHalfway(square, half) : squareWith(square, shown, moves, !shown.winner)));
    const { rows, columns, winner } = shown;
    board.show(squares, { rows, columns, toMove: winner ? null : shown.to_move, shifting: hasShifts(shown.rules) });
    if (half) {
      const shifts = half.shifts.map((shift) => ({ ...shift, value: valuesOf(moves).get(shift.move) }));
      board.showArrows(shifts, (move) => model.send({ move }));
    }
    turn.textContent = sentence(said);
    legend.textContent = found ? `${sentence(found.text)} ${found.legend}` : "";
    record.textContent = shown.moves.join(" ");
    message.textContent = "";
    values.setAttribute("aria-pressed", Boolean(analysis));
    back.setAttribute("aria-disabled", !shown.moves.length);
    showWay();
  }

  const renew = () => {
    half = null;
    show();
  };
  model.on("change:view", renew);
  show();
  return () => model.off("change:view", renew);
}

export default { render };
