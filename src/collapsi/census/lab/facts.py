"""The facts of the laboratory about a deck: exact numbers over all its deals."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from collapsi.census.lab.chance import random_play
from collapsi.census.layers import NUMBERED, ONE_LINE, VALUES, counts_of, packed, solve_deals
from collapsi.core.decks import deck_of
from collapsi.games.classic.made_up import with_options

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from collapsi.census import json_types
    from collapsi.census.layers import DealAnswers, Decks, Layer
    from collapsi.core.decks import Deck
    from collapsi.games.classic.rules import Rules


@dataclass(frozen=True)
class DeckFacts:
    """Totals over every deal of a deck."""

    rules: Rules
    lengths: Mapping[int, int]
    """Deals by plies under perfect play; red wins those of an odd number."""
    winning_first_moves: Mapping[int, int]
    """Deals by how many of red's first moves win."""
    first_move_decides: int
    """Deals in which some of red's first moves win and others lose."""
    one_line: int
    """Deals that only one line wins: the loser can play so that the winner has exactly one winning move at
    every turn, from the deal to the end."""
    choices: float
    """Mean number of legal moves over all plies of all deals, if both play at random."""

    @property
    def deck(self) -> Deck:
        """The numbers of aces, twos, threes and fours."""
        return deck_of(self.rules)

    @property
    def deals(self) -> int:
        """All deals."""
        return sum(self.lengths.values())

    @property
    def red_share(self) -> float:
        """The share of deals that red wins."""
        return sum(deals for plies, deals in self.lengths.items() if plies % 2) / self.deals

    @property
    def unfairness(self) -> float:
        """How far red's share is from one half."""
        return abs(self.red_share - 0.5)

    @property
    def mean_plies(self) -> float:
        """The mean length of a game under perfect play."""
        return sum(plies * deals for plies, deals in self.lengths.items()) / self.deals

    @property
    def mean_winning_first_moves(self) -> float:
        """Mean number of red's first moves that win."""
        return sum(moves * deals for moves, deals in self.winning_first_moves.items()) / self.deals

    @property
    def decisive_share(self) -> float:
        """The share of deals in which the first move decides."""
        return self.first_move_decides / self.deals

    @property
    def one_line_share(self) -> float:
        """The share of deals that only one line wins."""
        return self.one_line / self.deals

    def to_json(self) -> json_types.DeckFacts:
        """Return the facts as JSON."""
        return {
            "rules": self.rules.name,
            "deck": list(self.deck),
            "deals": self.deals,
            "red_wins": sum(deals for plies, deals in self.lengths.items() if plies % 2),
            "red_share": self.red_share,
            "mean_plies": self.mean_plies,
            "shortest": min(self.lengths),
            "longest": max(self.lengths),
            "lengths": {str(plies): deals for plies, deals in self.lengths.items()},
            "choices": self.choices,
            "first_move_decides": self.first_move_decides,
            "decisive_share": self.decisive_share,
            "winning_first_moves": {str(moves): deals for moves, deals in self.winning_first_moves.items()},
            "mean_winning_first_moves": self.mean_winning_first_moves,
            "one_line": self.one_line,
            "one_line_share": self.one_line_share,
        }


def find_facts(
    rules: Rules,
    decks: Decks,
    *,
    jobs: int | None = None,
    progress: Callable[[Layer], None] = lambda _: None,
) -> list[DeckFacts]:
    """Solve every deal of several decks together, with the first moves of these rules."""
    numbers = counts_of(NUMBERED, decks)
    ranks = [np.flatnonzero(numbers == packed(deck)) for deck in decks]
    parts = solve_deals(rules, ONE_LINE, decks=decks, jobs=jobs, progress=progress)
    lines = [_one_line(parts, of_deck) for of_deck in ranks]
    del parts
    values = solve_deals(rules, VALUES, decks=decks, jobs=jobs, progress=progress)
    return [
        _facts(with_options(rules, deck=deck), values, of_deck, one_line)
        for deck, of_deck, one_line in zip(decks, ranks, lines, strict=True)
    ]


def _one_line(parts: Sequence[DealAnswers], ranks: NDArray[np.int64]) -> int:
    return sum(
        part.jacks.places * int(np.isin(part.answers[ranks], (1, 2)).sum())  # red's or blue's line
        for part in parts
    )


def _facts(rules: Rules, parts: Sequence[DealAnswers], ranks: NDArray[np.int64], one_line: int) -> DeckFacts:
    lengths: Counter[int] = Counter()
    winning: Counter[int] = Counter()
    decides = 0
    for part in parts:
        values = part.answers[ranks].astype(np.int64)
        moves = sum((answers[ranks] > 0).astype(np.int64) for answers in part.moves.values())
        for plies, deals in enumerate(np.bincount(16 - np.abs(values) - rules.uncounted).tolist()):
            lengths[plies] += deals * part.jacks.places
        counted = np.bincount(moves).tolist()
        for wins, deals in enumerate(counted):
            winning[wins] += deals * part.jacks.places
        decides += sum(counted[1 : len(part.moves)]) * part.jacks.places
    return DeckFacts(
        rules,
        {plies: deals for plies, deals in sorted(lengths.items()) if deals},
        {wins: deals for wins, deals in sorted(winning.items()) if deals},
        decides,
        one_line,
        random_play(rules).choices,
    )
