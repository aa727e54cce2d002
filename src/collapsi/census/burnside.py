"""The number of deals of any rule set, and of its deals up to symmetry, by Burnside's lemma.

No deal is enumerated: `collapsi.census.different` finds the different deals one by one and must agree.
"""

from __future__ import annotations

from collections import Counter
from math import comb, prod
from typing import TYPE_CHECKING

from collapsi.core.cards import Card
from collapsi.games.registry import kind_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from collapsi.core.rules import RuleSet
    from collapsi.core.symmetry import Symmetry


def count_deals(rules: RuleSet) -> int:
    """Count all deals, with the jacks of the players distinguished.

    Where symmetries map red's jack to every cell, as on a torus, deals are counted with it in one place.

    >>> from collapsi.games.shifting.rules import SHIFT
    >>> from collapsi.games.classic.rules import STANDARD
    >>> count_deals(STANDARD), count_deals(SHIFT)
    (47297250, 454053600)
    """
    every = _count_unchanged(tuple(range(rules.board.size)), rules)  # the identity
    red_may_be = {symmetry[0] for symmetry in kind_of(rules).symmetries(rules)}
    return every // rules.board.size if len(red_may_be) == rules.board.size else every


def count_different(rules: RuleSet) -> int:
    """Count the deals up to symmetry, by Burnside's lemma.

    >>> from collapsi.games.classic.rules import STANDARD
    >>> count_different(STANDARD)
    1982769
    """
    found = kind_of(rules).symmetries(rules)
    return sum(_count_unchanged(symmetry, rules) for symmetry in found) // len(found)


def _count_unchanged(symmetry: Symmetry, rules: RuleSet) -> int:
    """Count the deals that a symmetry leaves unchanged.

    The jacks of the players lie on fixed cells, and each cycle of the other cells has cards of one kind.
    """
    fixed = [cell for cell, image in enumerate(symmetry) if cell == image]
    placed = rules.count_jack_placements(fixed)
    if not placed:
        return 0
    cycles = Counter(_cycle_lengths(symmetry))
    cycles[1] -= rules.players
    kinds = [count - rules.players if card is Card.JACK else count for card, count in rules.cards]
    return placed * _count_spread(cycles, kinds)


def _cycle_lengths(symmetry: Symmetry) -> Iterator[int]:
    left = set(range(len(symmetry)))
    while left:
        cell, length = left.pop(), 1
        while (cell := symmetry[cell]) in left:
            left.remove(cell)
            length += 1
        yield length


def _count_spread(cycles: Counter[int], kinds: Sequence[int]) -> int:
    """Count the ways to assign one kind of card to every cycle so that all cards are used."""
    if not kinds:
        return 1
    total = 0
    for taken in _cycles_for(kinds[0], sorted(cycles.items(), reverse=True)):
        ways = prod(comb(cycles[length], count) for length, count in taken.items())
        total += ways * _count_spread(cycles - taken, kinds[1:])
    return total


def _cycles_for(cards: int, cycles: Sequence[tuple[int, int]]) -> Iterator[Counter[int]]:
    """Yield the ways to choose cycles with `cards` cells in total, by their lengths."""
    if not cycles:
        if not cards:
            yield Counter()
        return
    (length, most), *others = cycles
    for count in range(min(most, cards // length) + 1):
        for taken in _cycles_for(cards - count * length, others):
            yield taken + Counter({length: count})
