"""Whole games as transcripts that a person can read: `python -m tests.playthrough` writes them anew.

Each line of a transcript is a claim about the game: the board, what may be played, what each move is worth.
`test_golden.py` replays them; a difference is either a bug or a change to explain.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

from collapsi import analyse, format_position, parse_game
from collapsi.games.solo_analysis import analyse_solo
from collapsi.games.solo_notation import format_solo, parse_solo_game
from collapsi.solve.solo import moves_to_take_back

GOLDEN = Path(__file__).parent / "golden"

GAMES = {
    "perfect": "A223/4A2Jr/3A23/Jb3A4 r a2 a3 c4 d1 d4 a1 c1 b1 b2 c2 b3 d3 c3",
    "blunders": "A223/4A2Jr/3A23/Jb3A4 r a2 b4 b3 d1 b2 a1 b1",
    "joker": "3A42/2JrA3/A23Jb/4A32 r joker c1 a2 b4 d1 c4 a4 a1 c2",
}

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
        lines.append(f"  {analysis.outcome}, score {analysis.score:+}, {analysis.games} possible games")
        lines += [f"  {move.to} {move.value:>3}  by {' '.join(move.path)}" for move in analysis.moves]
        lines += [f"  played: {game.squares[number]}"] if number < len(game.squares) else []
    return "\n".join(lines) + "\n"


def solo_transcript(text: str) -> str:
    """A solo game, position by position, with the number of solutions that each move leaves."""
    game = parse_solo_game(text)
    lines = [f"game: {text}"]
    for number, position in enumerate(game.positions):
        analysis = analyse_solo(position)
        lines += [
            "",
            f"move {number}: {format_solo(position)}",
            *(f"  {line}" for line in str(position).split("\n")),
            f"  {analysis.verdict}, result {position.result}",
        ]
        lines += [f"  {move.to} {move.solutions:>3}  by {' '.join(move.path)}" for move in analysis.moves]
        lines += [f"  played: {game.squares[number]}"] if number < len(game.squares) else []
    back = moves_to_take_back(game)
    return "\n".join([*lines, "", f"moves to take back: {back}"]) + "\n"


TRANSCRIPTS = {
    **{name: partial(transcript, text) for name, text in GAMES.items()},
    **{name: partial(solo_transcript, text) for name, text in SOLO_GAMES.items()},
}

if __name__ == "__main__":
    for name, write in TRANSCRIPTS.items():
        (GOLDEN / f"{name}.txt").write_text(write(), encoding="utf-8")
