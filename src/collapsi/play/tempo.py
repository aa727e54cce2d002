"""Tempo: what changes if the other player moves first, and where a player would rather pass."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from typing import TYPE_CHECKING

from collapsi.core.players import Player
from collapsi.play.analysis import analyse

if TYPE_CHECKING:
    from collapsi.games.classic.position import Position
    from collapsi.games.classic.rules import Rules


class Tempo(StrEnum):
    """Who wins a deal, depending on who starts."""

    STARTER = "starter"
    RED = "red"
    BLUE = "blue"
    SECOND = "second"

    @property
    def text(self) -> str:
        """The same in words."""
        return _TEXTS[self]


_TEXTS = {
    Tempo.STARTER: "the starter wins",
    Tempo.RED: "red wins either way",
    Tempo.BLUE: "blue wins either way",
    Tempo.SECOND: "whoever starts loses",
}

KINDS = (Tempo.SECOND, Tempo.BLUE, Tempo.RED, Tempo.STARTER)
"""By whether red wins if it starts, times 2, plus whether blue wins if it starts."""


def is_symmetric(rules: Rules) -> bool:
    """Return whether both players have the same first moves, so that only who starts makes a difference."""
    red, blue = rules.first_walks
    return red == blue


def passed(position: Position) -> Position:
    """Return the position with the other side to move."""
    return replace(position, to_move=position.to_move.other)


def tempo_of(deal: Position) -> Tempo | None:
    """Return who wins a deal, depending on who starts; None if the players have different first moves.

    >>> from collapsi.games.registry import parse_position
    >>> tempo_of(parse_position("JrA2A/AJbA2/2323/3434 r")).text
    'whoever starts loses'
    """
    if not is_symmetric(deal.rules):
        return None
    starts = {position.to_move: analyse(position).winner for position in (deal, passed(deal))}
    wins = [starts[player] is player for player in (Player.RED, Player.BLUE)]
    return KINDS[2 * wins[0] + wins[1]]
