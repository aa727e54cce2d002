"""Could play have led here? A search backwards, from a position to some deal.

The numbers on collapsed cards are not known, only which numbers they must have been: the deck without what is
still face up. Going back, a pawn returns to a collapsed card, and that card is given one of those numbers
(or the jack, for a player's first move) such that the move was legal.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from collapsi.board import cells_of
from collapsi.reach import LazyReach, row
from collapsi.rules import Card, Player

if TYPE_CHECKING:
    from collections.abc import Iterable

    from collapsi.position import Position

MOST_STATES = 60_000
"""How many states are looked at before the question is left open. Random positions that cannot arise need far
fewer; only boards made up to be hard, with many collapsed cards, come near."""


def can_be_reached(position: Position) -> bool:
    """Whether some deal and some legal moves end in this position; True also where the search gives up.

    The position must pass the other checks of `collapsi.faults`: cards, side to move and jacks.

    >>> import collapsi
    >>> can_be_reached(collapsi.parse_position("A2r23/4Ab2./3A23/.3A4 r"))
    False
    """
    rules = position.rules
    everything = (1 << position.board.size) - 1
    counts = Counter(position.cards)
    numbers = [card for card, _ in rules.cards if card is not Card.JACK]
    reach = LazyReach(position.board)
    hopeless: set[tuple[int, tuple[int, int], tuple[int, ...]]] = set()

    def back(face_up: int, pawns: tuple[int, int], hidden: tuple[int, ...]) -> bool:
        collapsed = everything & ~face_up
        plies = collapsed.bit_count()
        state = (face_up, pawns, hidden)
        if plies == 0 or len(hopeless) >= MOST_STATES:
            return True
        if state in hopeless:
            return False
        mover = Player((plies - 1) % 2)
        end = pawns[mover]
        for start in cells_of(collapsed):
            before = (start, pawns[1]) if mover is Player.RED else (pawns[0], start)
            # What stood on the card: (steps to choose from, numbers still hidden before).
            stood: Iterable[tuple[tuple[int, ...], tuple[int, ...]]]
            if plies <= len(Player):
                stood = [(rules.first_steps[mover], hidden)]
            else:
                stood = (
                    ((int(card),), (*hidden[:index], hidden[index] - 1, *hidden[index + 1 :]))
                    for index, card in enumerate(numbers)
                    if hidden[index]
                )
            for steps, rest in stood:
                if any(reach[row(number, start) | face_up] >> end & 1 for number in steps) and back(
                    face_up | 1 << start, before, rest
                ):
                    return True
        hopeless.add(state)
        return False

    return back(position.face_up, position.pawns, tuple(rules.deck[card] - counts[card] for card in numbers))
