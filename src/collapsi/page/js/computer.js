// The computer's turn.

import { ask } from "./api.js";
import { isPlayed } from "./app.js";
import { think } from "./board.js";
import { $, capital, setText } from "./dom.js";
import { isFriend, isHuman, isUnattended } from "./kinds.js";
import { inRoom } from "./state.js";

const SLOW_MS = 900;

const isOver = ({ shown }) => Boolean(shown.winner || shown.over);

/** Whether the computer is to move. */
const isComputers = (app) => !isHuman(app) && !isFriend(app, app.shown.to_move);

/** Whether the computer is to move, and waits for "Let the computer move". */
export function waits(app) {
  if (!app.view().plays || app.state.ply !== null || isOver(app) || isPlayed() || inRoom(app.state)) return false;
  return isComputers(app) && !isUnattended(app);
}

/** The end of a refusal: how to go on, if the computer waits. */
export const howToGoOn = (app) => (waits(app) ? ` Press “${$("let-move").textContent}” to go on.` : "");

/** Let the computer move if it is its turn: only after the last move, and while the game is being played. */
export async function letComputerMove(app, ticket) {
  const kind = app.kind();
  if (kind.answer) return kind.answer(app, ticket);
  const { state, shown } = app;
  if (!app.view().plays || state.ply !== null || isOver(app) || !isComputers(app) || inRoom(state)) return; // there the service moves
  if (isUnattended(app) ? !app.running : waits(app)) return;
  const name = capital(shown.to_move);
  const slow = setTimeout(() => ticket === app.ticket && setText("computer-said", `${name} is thinking …`), SLOW_MS);
  const query = { position: shown.position, level: kind.levelOf(app, shown.to_move) };
  const [move] = await Promise.all([
    ask(`${kind.path}computer-move`, query, { fresh: true, instead: "computer-move" }).finally(() => clearTimeout(slow)),
    think(),
  ]);
  if (ticket !== app.ticket) return;
  const said = move.said ? `${name}, the computer, about ${move.move}: ${move.said}.` : "";
  await app.go({ [kind.part]: `${shown.game} ${move.move}` }, { replace: true, walk: true, play: true });
  setText("computer-said", said);
}
