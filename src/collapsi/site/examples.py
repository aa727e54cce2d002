"""The census of the static page: the number of deals of each kind, and examples of every kind.

Both are stored in `census.json`, which `sampling` writes from atlases. The facts of a single deal, which an
atlas stores, are computed.
"""

from __future__ import annotations

import json
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from collapsi.api.census_views import ready_json
from collapsi.core.cards import Card
from collapsi.core.errors import AtlasError, CollapsiError
from collapsi.core.players import Player
from collapsi.core.symmetry import NEAREST, symmetries
from collapsi.games.analysis import colour
from collapsi.games.classic.faults import refuse_partial
from collapsi.games.classic.made_up import classic_rules
from collapsi.games.classic.position import Position
from collapsi.games.classic.symmetry import transform, weight
from collapsi.play.analysis import analyse
from collapsi.play.tempo import tempo_of

if TYPE_CHECKING:
    import random

    from collapsi.api import json_types, models
    from collapsi.games.classic.rules import Rules

FILE = Path(__file__).parent / "census.json"
DIGITS = 8
"""Hexadecimal digits of a packed deal."""


def pack(deal: Position) -> str:
    """Encode a canonical deal as eight hexadecimal digits: blue's jack, and two bits for each number.

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
    """Decode a deal that `pack` encoded.

    >>> from collapsi.games.classic.rules import STANDARD
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
    """The census of one rule set."""

    def __init__(self, rules: Rules, kept: list[dict[str, Any]]) -> None:
        self.rules = rules
        self.kinds = cast(
            "list[models.DealKind]",
            [{name: value for name, value in kind.items() if name != "examples"} for kind in kept],
        )
        self._examples = [str(kind["examples"]) for kind in kept]

    def find(self, deal: Position) -> json_types.DealRow:
        """Return the facts of a deal that an atlas would have."""
        refuse_partial(deal)
        listed = deal.canonical()
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
            "tempo": tempo_of(listed),
            "games": None,
            "first_moves": {move.to: move.score for move in moves},
        }

    def draw(self, rng: random.Random, **wanted: Any) -> Position:
        """Draw an example of a kind at random, under a random symmetry.

        A kind is drawn in proportion to its number of deals. Unlike an atlas, this has only some deals of
        each kind.
        """
        fitting = [
            number
            for number, kind in enumerate(self.kinds)
            if all(cast("dict[str, Any]", kind)[name] == value for name, value in wanted.items())
        ]
        if not fitting:
            criteria = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in wanted.items())
            msg = f"there is no deal with {criteria}"
            raise AtlasError(msg)
        number = rng.choices(fitting, [self.kinds[kind]["deals"] for kind in fitting])[0]
        packed = self._examples[number]
        start = DIGITS * rng.randrange(len(packed) // DIGITS)
        deal = unpack(packed[start : start + DIGITS], self.rules)
        return transform(deal, rng.choice(symmetries(deal.board)))


@cache
def _stored() -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


@lru_cache(maxsize=16)
def ready(rules: str) -> Examples:
    """Return the census of a rule set that is stored with the page."""
    if rules not in _stored():
        msg = f"this page has the census of {', '.join(_stored())} only, not of {rules}"
        raise CollapsiError(msg)
    return Examples(classic_rules(rules), _stored()[rules])


def status(rules: str) -> models.Census:
    """Return the counts of the census of a rule set."""
    return ready_json(rules, ready(rules).kinds)
