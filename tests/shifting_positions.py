"""Positions of the shifting board for tests, from random games and laid out at random."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from collapsi import Card, deal
from collapsi.core.patch import Wrap
from collapsi.core.players import PAIR
from collapsi.games.shifting.state import LONGEST_SIDE, Shifting

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator

    from collapsi.games.shifting.rules import ShiftingRules


def random_game(rng: random.Random, rules: ShiftingRules) -> Iterator[Shifting]:
    """Every position of a game that both sides play at random, from a deal."""
    position = cast("Shifting", deal(rng, rules))
    yield position
    while position.moves:
        position = position.play(rng.choice(position.moves))
        yield position


def made_up(rng: random.Random, rules: ShiftingRules, most_cards: int) -> Shifting:
    """Any cards, jacks too, on a board shifted any number of times or strewn about; either side to move."""
    places = [divmod(cell, 4) for cell in range(16)]
    kind = rng.randrange(3)
    if rules.wrap is not Wrap.ROTATE and kind == 1:
        for _ in range(rng.randrange(40)):
            row, column = rng.choice(places)
            way = rng.choice([-1, 1])
            if rng.random() < 0.5:
                places = [(r, c + way) if r == row else (r, c) for r, c in places]
            else:
                places = [(r + way, c) if c == column else (r, c) for r, c in places]
    if rules.wrap is not Wrap.ROTATE and kind == 2:
        side = rng.choice([5, 6, 9, LONGEST_SIDE + 2 - most_cards])
        places = [divmod(cell, side) for cell in rng.sample(range(side * side), 16)]
    rows, columns = zip(*places, strict=True)
    if max(max(rows) - min(rows), max(columns) - min(columns)) > LONGEST_SIDE + 1 - most_cards:
        return made_up(rng, rules, most_cards)
    rng.shuffle(places)
    count = rng.randint(2, most_cards)
    cards: dict[tuple[int, int], Card | None] = dict.fromkeys(places)
    for place in places[:count]:
        cards[place] = rng.choice(list(Card))
    return Shifting.at(cards, (places[0], places[1]), rng.choice(PAIR), rules)


def endgame(rng: random.Random, rules: ShiftingRules, most_cards: int) -> Shifting:
    """A position of a random game with so many cards at the most, not over yet; either side to move."""
    while True:
        found = [
            position
            for position in random_game(rng, rules)
            if position.cards_left <= most_cards and position.moves
        ]
        if found:
            position = rng.choice(found)
            if rng.random() < 0.2:
                return cast("Shifting", _turned(position))
            return position


def _turned(position: Shifting) -> Any:
    """The same board, the other side to move."""
    from dataclasses import replace

    return replace(position, to_move=position.to_move.other)
