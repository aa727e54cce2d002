"""Whole games as transcripts that a person can read: `python -m tests.playthrough` writes them anew.

Each line of a transcript is a claim about the game: the board, what may be played, what each move is worth.
`test_golden.py` replays them; a difference is either a bug or a change to explain.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from collapsi import analyse, format_position, parse_game
from collapsi.games.big import search as big_search
from collapsi.games.big.analysis import BigAnalysis
from collapsi.games.big.endgame import analyse_endgame
from collapsi.games.big.notation import parse_big_game
from collapsi.games.shifting.solver import MOST_COUNTED
from collapsi.games.solo.analysis import analyse_solo
from collapsi.games.solo.notation import parse_solo_game
from collapsi.games.solo.search import moves_to_take_back

if TYPE_CHECKING:
    from collapsi.games.big.state import BigState

GOLDEN = Path(__file__).parent / "golden"

GAMES = {
    "perfect": "A223/4A2Jr/3A23/Jb3A4 r a2 a3 c4 d1 d4 a1 c1 b1 b2 c2 b3 d3 c3",
    "blunders": "A223/4A2Jr/3A23/Jb3A4 r a2 b4 b3 d1 b2 a1 b1",
    "choice": "3A42/2JrA3/A23Jb/4A32 r choice b3 a4 b1 d1 c1 a2 d4 c2 b4 d2 c4",
    "shift": "323A/2JrAA/4242/Jb3A3 r shift b1d b4u c2l e3u d3d d6u d4d d3l",
    "shift-box": "3A32/4AJr2/3A42/3JbA2 r shift-box d2d a4u a3r c3l c4r b2r d6u b2u d2r",
    "shift-rotate": "3332/.A2./3.4b4/Ar.2. b shift-rotate c1r a1r c2d d1l b2l",
    "joker": "3A42/2JrA3/A23Jb/4A32 r joker c1 a2 b4 d1 c4 a4 a1 c2",
}

BIG_GAMES = {
    "big": "43Jr423/324AA2/AJbA444/323.4./A32322/34A2AA r big "
    "d1 b2 f5 a1 f1 e5 a3 c5 f3 d6 e4 b6 c2 b4 e2 a5 e1 a6 f6",
    "big-endgame": "43..../2A...A/.3A.../.AA4../.33b44r./...... r big d4 b3 b2 c3 b1 c4 f2 b4 a2 b5",
    "big3": "2AA3A4/22Jr333/4AJbA24/343AA2/44Jg2.2/343A42 r big3 "
    "d2 c4 b5 f1 a5 d1 a2 f2 b6 f3 a4 a1 d5 f6 b2 e6 f4 b4 e4 d4 e3 d3 e1",
    "big4": "2AA3A4/22Jr333/4AJbA24/343AA2/44Jg2Jy2/343A42 r big4 "
    "d2 c4 b5 e6 f1 a5 f3 d1 e2 a3 a6 f2 f4 b6 b2 b3 d4 b4 c1 d3 b1 e3 a1",
    "five3": "A332Jr/4AA23/34223/34AA2/A24JbJg r five3 e2 c5 e4 b3 b4 a3 a2 b1 c3 a5 c1 d2 b5 d3 b2 c4 c2 d4",
}
MOST_SOLVED = 14
"""Cards of the big board up to which a transcript has values."""

SOLO_GAMES = {
    "solo-solved": "A2X/3Jr2/A2A b1 a1 a2 c2 b3 a3 c3 c1",
    "solo-stuck": "2AJr/A22/3XA closed b1 a1 a2 b2 c3 c2",
}


def transcript(text: str) -> str:
    """A game, position by position, with the value of every move."""
    game = parse_game(text)
    lines = [f"game: {text}"]
    for number, position in enumerate(game.positions):
        analysis = analyse(position)
        lines += [
            "",
            f"ply {number}: {format_position(position)}",
            *(f"  {line}" for line in str(position).split("\n")),
        ]
        few = position.rules.kind == "classic" or position.cards_left <= MOST_COUNTED
        games = f", {analysis.games} possible games" if few else ""
        lines.append(f"  {analysis.outcome}, score {analysis.score:+}{games}")
        lines += [f"  {move.name} {move.value:>3}  by {' '.join(move.path)}" for move in analysis.moves]
        lines += [f"  played: {game.squares[number]}"] if number < len(game.squares) else []
    return "\n".join(lines) + "\n"


def big_transcript(text: str) -> str:
    """A game of the big board: what may be played, who goes out, and values as soon as they are cheap."""
    game = parse_big_game(text)
    lines = [f"game: {text}"]
    for number, state in enumerate(game.positions):
        lines += ["", f"ply {number}: {state.text}", *(f"  {line}" for line in str(state).split("\n"))]
        if state.cards_left > MOST_SOLVED:
            lines.append(f"  moves: {' '.join(map(state.move_text, state.moves))}".rstrip())
        elif len(state.left) > 2:
            found = analyse_endgame(state)
            lines += [f"  {line}" for line in (*found.notes, *found.rows)]
        else:
            lines += [f"  {line}" for line in big_values(state)]
        lines += [f"  played: {game.squares[number]}"] if number < len(game.squares) else []
    return "\n".join(lines) + "\n"


def big_values(state: BigState) -> list[str]:
    """What the interpreted search finds of an endgame of two, which needs no compiler."""
    answer = None if state.over else big_search.solve(state, compiled=False)
    analysis = BigAnalysis(state, answer)
    return [*analysis.notes, *(f"{move.name} {move.value:>3}  {move.text}" for move in analysis.moves)]


def solo_transcript(text: str) -> str:
    """A solo game, position by position, with the number of solutions that each move leaves."""
    game = parse_solo_game(text)
    lines = [f"game: {text}"]
    for number, position in enumerate(game.positions):
        analysis = analyse_solo(position)
        lines += [
            "",
            f"move {number}: {position.text}",
            *(f"  {line}" for line in str(position).split("\n")),
            f"  {analysis.verdict}, result {position.result}",
        ]
        lines += [f"  {move.to} {move.solutions:>3}  by {' '.join(move.path)}" for move in analysis.moves]
        lines += [f"  played: {game.squares[number]}"] if number < len(game.squares) else []
    back = moves_to_take_back(game)
    return "\n".join([*lines, "", f"moves to take back: {back}"]) + "\n"


TRANSCRIPTS = {
    **{name: partial(transcript, text) for name, text in GAMES.items()},
    **{name: partial(big_transcript, text) for name, text in BIG_GAMES.items()},
    **{name: partial(solo_transcript, text) for name, text in SOLO_GAMES.items()},
}

if __name__ == "__main__":
    for name, write in TRANSCRIPTS.items():
        (GOLDEN / f"{name}.txt").write_text(write(), encoding="utf-8")
