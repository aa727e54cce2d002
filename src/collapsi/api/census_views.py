"""What a census says of the kinds of deals, wherever it is kept: in an atlas, or with the page itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from collapsi.games.classic.symmetry import twins
from collapsi.games.registry import format_position

if TYPE_CHECKING:
    import random
    from collections.abc import Iterable

    from collapsi.api import json_types, models
    from collapsi.games.classic.position import Position


class Counted(Protocol):
    """A finished census of some rules."""

    @property
    def kinds(self) -> list[models.DealKind]:
        """How many deals there are of each length and number of winning first moves."""

    def find(self, deal: Position) -> json_types.DealRow:
        """What is known of one deal."""

    def draw(self, rng: random.Random, **wanted: Any) -> Position:
        """A random deal of a kind."""


def counts(kinds: Iterable[models.DealKind]) -> tuple[int, int]:
    """How many deals there are of these kinds, and how many truly different ones."""
    chosen = list(kinds)
    return sum(kind["deals"] for kind in chosen), sum(kind["different"] for kind in chosen)


def ready_json(rules: str, kinds: list[models.DealKind]) -> models.Census:
    """A finished census."""
    deals, different = counts(kinds)
    return {
        "rules": rules,
        "state": "ready",
        "progress": 1.0,
        "reason": None,
        "deals": deals,
        "different": different,
        "kinds": kinds,
    }


def deal_class_json(counted: Counted, deal: Position) -> models.DealClass:
    """What a census knows of a deal, how rare its kind is, and its twins."""
    found = counted.find(deal)
    length = [kind for kind in counted.kinds if kind["plies"] == found["plies"]]
    length_deals, length_different = counts(length)
    alike_deals, alike_different = counts(
        kind for kind in length if kind["winning_moves"] == found["winning_moves"]
    )
    deals, different = counts(counted.kinds)
    return {
        **found,
        "asked": format_position(deal),
        "length_deals": length_deals,
        "length_different": length_different,
        "alike_deals": alike_deals,
        "alike_different": alike_different,
        "deals": deals,
        "different": different,
        "twins": [format_position(twin) for twin in twins(deal)],
    }
