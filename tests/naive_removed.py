"""The shifting board as if collapsed cards were taken off the table, in coordinates and without the package.

That is what "only face-up cards count for where a line ends" comes to: a collapsed card can be neither
entered nor passed, like a gap, and gaps move with their line as it does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

Place = tuple[int, int]


def value(cards: dict[Place, int], mover: Place, other: Place, *, box: bool) -> int:
    """Cards left face up under perfect play, negative if the mover loses; `cards` are steps by place."""
    best = -len(cards)
    for end in {path[-1] for path in walks(cards, [mover], cards[mover], box=box)} - {other}:
        for along, way in ((0, 1), (0, -1), (1, 1), (1, -1)):

            def slid(place: Place, along: int = along, way: int = way, end: Place = end) -> Place:
                row, column = place
                if place[along] != end[along]:
                    return place
                return (row, column + way) if along == 0 else (row + way, column)

            left = {slid(place): steps for place, steps in cards.items() if place != mover}
            best = max(best, -value(left, slid(other), slid(end), box=box))
    return best


def walks(cards: dict[Place, int], path: list[Place], steps: int, *, box: bool) -> Iterator[list[Place]]:
    """Every way to go on from the end of a path."""
    if steps == 0:
        yield path
        return
    for row, column in ((0, 1), (0, -1), (1, 0), (-1, 0)):
        there = step(cards, path[-1], (row, column), box=box)
        if there in cards and there not in path:
            yield from walks(cards, [*path, there], steps - 1, box=box)


def step(cards: dict[Place, int], here: Place, way: Place, *, box: bool) -> Place:
    """Where a step goes, which may be a gap."""
    there = here[0] + way[0], here[1] + way[1]
    crossed = 0 if way[0] == 0 else 1  # the coordinate that all places of the line share
    line = [place for place in cards if box or place[crossed] == here[crossed]]
    numbers = [place[1 - crossed] for place in line]
    if min(numbers) <= there[1 - crossed] <= max(numbers):
        return there
    first = min(numbers) if sum(way) > 0 else max(numbers)
    return (here[0], first) if crossed == 0 else (first, here[1])
