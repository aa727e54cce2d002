"""A game as the page shows it: every square of one position with where the pawn may go, how, and why not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from collapsi.analysis import position_json
from collapsi.errors import IllegalPositionError, MalformedError
from collapsi.faults import status
from collapsi.match import format_match
from collapsi.notation import format_game, format_position, format_published
from collapsi.rules import Player

if TYPE_CHECKING:
    from collapsi.game import Game
    from collapsi.match import Match
    from collapsi.position import Position


def game_json(game: Game, ply: int | None, match: Match, *, dealt: bool) -> dict[str, Any]:
    """The game, and the position after `ply` moves (all of them if None); `dealt`: whether it begins with a deal."""
    last = len(game.positions) - 1
    ply = last if ply is None else ply
    if ply > last:
        msg = f"there is no position after {ply} moves: the game has {last}"
        raise MalformedError(msg)
    position = game.positions[ply]
    return {
        **position_json(position),
        "game": format_game(game),
        "start": format_position(game.positions[0]),
        "moves": list(game.squares),
        "ply": ply,
        "squares": squares_json(position),
        "steps": list(position.steps),
        "cards_left": position.cards_left,
        "winner": None if position.winner is None else str(position.winner),
        "points": None if position.winner is None else position.cards_left,
        "moved": _squares(game.positions[ply - 1], game.moves[ply - 1]) if ply else None,
        "match": match_json(match, position),
        "text": str(position),
        "published": _published(position),
        "warnings": [] if dealt else [str(reason) for reason in status(position)],
    }


def squares_json(position: Position) -> list[dict[str, Any]]:
    """Every square in reading order."""
    pawns = {cell: str(Player(index)) for index, cell in enumerate(position.pawns)}
    found = []
    for cell, card in enumerate(position.cards):
        refusal = position.refusal(cell)
        found.append(
            {
                "square": position.board.square(cell),
                "card": None if card is None else card.letter,
                "pawn": pawns.get(cell),
                "path": None if refusal else _squares(position, cell),
                "refusal": {"kind": str(refusal[0]), "text": refusal[1]} if refusal else None,
            }
        )
    return found


def match_json(match: Match, position: Position) -> dict[str, Any]:
    """The points, this position counted if the round is over."""
    after = match.after(position)
    over = position.winner is not None and after.winner is None
    return {
        "red": after.red,
        "blue": after.blue,
        "winner": None if after.winner is None else str(after.winner),
        "next": format_match(after.next_round()) if over else None,
    }


def _squares(position: Position, end: int) -> list[str]:
    return [position.board.square(cell) for cell in position.path(end)]


def _published(position: Position) -> str | None:
    try:
        return format_published(position)
    except IllegalPositionError:
        return None
