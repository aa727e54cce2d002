"""Whole games as transcripts that a person can read: `python -m tests.playthrough` writes them anew.

Each line of a transcript is a claim about the game: the board, what may be played, what each move is worth.
`test_golden.py` replays them; a difference is either a bug or a change to explain.
"""

from __future__ import annotations

from pathlib import Path

from collapsi import analyse, format_position, parse_game

GOLDEN = Path(__file__).parent / "golden"

GAMES = {
    "perfect": "A223/4A2Jr/3A23/Jb3A4 r a2 a3 c4 d1 d4 a1 c1 b1 b2 c2 b3 d3 c3",
    "blunders": "A223/4A2Jr/3A23/Jb3A4 r a2 b4 b3 d1 b2 a1 b1",
    "joker": "3A42/2JrA3/A23Jb/4A32 r joker c1 a2 b4 d1 c4 a4 a1 c2",
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


if __name__ == "__main__":
    for name, text in GAMES.items():
        (GOLDEN / f"{name}.txt").write_text(transcript(text), encoding="utf-8")
