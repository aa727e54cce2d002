"""The census for a page without a service: how many deals there are of each kind, and examples of every kind.

Both are kept in `census.json`, which `sampling` makes from atlases. What an atlas knows of a single deal is
worked out anew.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from collapsi.analysis import analyse, colour
from collapsi.errors import AtlasError, CollapsiError
from collapsi.faults import refuse_partial
from collapsi.notation import parse_rules
from collapsi.position import Position
from collapsi.rules import Card, Player
from collapsi.symmetry import NEAREST, standing_for, symmetries, transform, weight
from collapsi.web.kinds import ready_json

if TYPE_CHECKING:
    import random

    from collapsi import json_shapes
    from collapsi.rules import Rules
    from collapsi.web import models

FILE = Path(__file__).parent / "census.json"
DIGITS = 8
"""Hexadecimal digits of a packed deal."""


def pack(deal: Position) -> str:
    """A deal that stands for others, as eight digits: where blue's jack is, and two bits for each number.

    >>> import collapsi
    >>> pack(collapsi.parse_position("Jr3A4/34Jb3/2A3A/222A r"))
    '28ee4854'
    """
    code = NEAREST.index(deal.pawns[1])
    for card in deal.cards:
        if card is not None and card is not Card.JACK:
            code = code << 2 | card - Card.ACE
    return f"{code:0{DIGITS}x}"


def unpack(text: str, rules: Rules) -> Position:
    """The deal that was packed.

    >>> from collapsi.rules import STANDARD
    >>> print(unpack("28ee4854", STANDARD).text)
    Jr3A4/34Jb3/2A3A/222A r
    """
    code = int(text, 16)
    blue = NEAREST[code >> 28]
    numbers = [Card(Card.ACE + (code >> 2 * place & 3)) for place in range(13, -1, -1)]
    for jack in (0, blue):
        numbers.insert(jack, Card.JACK)
    return Position(tuple(numbers), (0, blue), Player.RED, rules)


class Examples:
    """The census of some rules."""

    def __init__(self, rules: Rules, kept: list[dict[str, Any]]) -> None:
        self.rules = rules
        self.kinds = cast(
            "list[models.DealKind]",
            [{name: value for name, value in kind.items() if name != "examples"} for kind in kept],
        )
        self._examples = [str(kind["examples"]) for kind in kept]

    def find(self, deal: Position) -> json_shapes.DealRow:
        """What an atlas would know of a deal."""
        refuse_partial(deal)
        listed = standing_for(deal)
        solved = analyse(listed)
        moves = sorted(solved.moves, key=lambda move: move.cell)
        _, blue = listed.pawns
        return {
            "deal": listed.text,
            "distance": 1 + NEAREST.index(blue),
            "weight": weight(listed),
            "winner": colour(solved.winner),
            "plies": solved.plies,
            "score": solved.score,
            "winning_moves": sum(move.score > 0 for move in moves),
            "games": None,
            "first_moves": {move.to: move.score for move in moves},
        }

    def draw(self, rng: random.Random, **wanted: Any) -> Position:
        """One of the examples of a kind, turned, moved or reflected by chance.

        A kind is drawn by the number of its deals. Unlike an atlas this has some deals of each kind only.
        """
        fitting = [
            number
            for number, kind in enumerate(self.kinds)
            if all(cast("dict[str, Any]", kind)[name] == value for name, value in wanted.items())
        ]
        if not fitting:
            asked = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in wanted.items())
            msg = f"there is no deal with {asked}"
            raise AtlasError(msg)
        number = rng.choices(fitting, [self.kinds[kind]["deals"] for kind in fitting])[0]
        packed = self._examples[number]
        start = DIGITS * rng.randrange(len(packed) // DIGITS)
        deal = unpack(packed[start : start + DIGITS], self.rules)
        return transform(deal, rng.choice(symmetries(deal.board)))


@cache
def _kept() -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


@cache
def ready(rules: str) -> Examples:
    """The census of some rules, if it is one of those that are kept."""
    if rules not in _kept():
        msg = f"this page has the census of {', '.join(_kept())} only, not of {rules}"
        raise CollapsiError(msg)
    return Examples(parse_rules(rules), _kept()[rules])


def status(rules: str) -> models.Census:
    """Its counts."""
    return ready_json(rules, ready(rules).kinds)
