"""The big board for two: exact winners of deals, and games between strong players."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from collapsi.core.intervals import Rate
from collapsi.core.players import Player
from collapsi.facts.big import STRONG_NODES
from collapsi.facts.big.rounds import play_round
from collapsi.games.big import search as big_search
from collapsi.games.big.engine import estimate
from collapsi.games.big.rules import BIG
from collapsi.games.big.search import TranspositionTable, Win
from collapsi.games.registry import deal

if TYPE_CHECKING:
    from collections.abc import Callable

    from collapsi.facts import json_types
    from collapsi.games.big.state import BigState

MOST_NODES = 150_000_000
"""Limit for the winner of one deal, about a minute. Deals that need more are counted as unsolved."""

GAMES = 2
"""Games between strong players for each deal that is solved."""

FIRST_SOLVED = 30
"""Positions of those games with at most this many cards are solved."""

STEP = 2
"""Every how many cards a position is solved."""


@dataclass(frozen=True)
class TwoPlayerGames:
    """Exact winners of deals, and results of games between strong players."""

    red: Rate
    """Deals that red wins under perfect play, of those solved."""
    unsolved: int
    red_in_play: Rate
    """Games between strong players that red won."""
    plies: tuple[tuple[int, int], ...]
    """Games by number of plies."""
    decided: tuple[tuple[int, Rate], ...]
    """By cards left: how often the winner under perfect play from there on has won the game."""

    @property
    def mean_plies(self) -> float:
        """Mean length of games between strong players."""
        return sum(plies * games for plies, games in self.plies) / (self.red_in_play.cases or 1)

    def to_json(self) -> json_types.BigTwo:
        """Return the results as JSON."""
        return {
            "solved": self.red.cases,
            "unsolved": self.unsolved,
            "red": self.red.to_json(),
            "games": self.red_in_play.cases,
            "red_in_play": self.red_in_play.to_json(),
            "plies": {str(plies): games for plies, games in self.plies},
            "decided": [{"cards": cards, "won": share.to_json()} for cards, share in self.decided],
        }


def winner_of(state: BigState, table: TranspositionTable, nodes: int | None = None) -> Player | None:
    """Return the winner under perfect play, or None if `nodes` nodes do not suffice."""
    win = big_search.solve(state, winner_only=True, nodes=nodes, table=table).bounds.win
    if win is Win.UNKNOWN:
        return None
    return state.to_move if win is Win.WINS else state.to_move.other


def measure_two(deals: int, seed: int, *, progress: Callable[[str], None] = lambda _: None) -> TwoPlayerGames:
    """Solve random deals, and play `GAMES` games between strong players for each."""
    rng = random.Random(f"{seed} two")
    table = TranspositionTable()
    winners = []
    for number in range(deals):
        progress(f"two players: deal {number + 1} of {deals}")
        winners.append(winner_of(deal(rng, BIG), table, MOST_NODES))
    table.clear()
    solved = [winner for winner in winners if winner is not None]
    plies: Counter[int] = Counter()
    decided: dict[int, list[bool]] = {}
    red = 0
    for number in range(GAMES * deals):
        progress(f"two players: game {number + 1} of {GAMES * deals}")
        states: list[BigState] = []

        def strong(state: BigState, states: list[BigState] = states) -> int:
            states.append(state)
            return estimate(state, seed=rng.getrandbits(32), nodes=STRONG_NODES).moves[0][0]

        end = play_round(BIG, strong, rng)
        red += end.winner is Player.RED
        plies[len(states)] += 1
        small = TranspositionTable(megabytes=64)
        for state in states:
            if state.cards_left <= FIRST_SOLVED and state.cards_left % STEP == 0:
                right = winner_of(state, small) is end.winner
                decided.setdefault(state.cards_left, []).append(right)
    return TwoPlayerGames(
        Rate(solved.count(Player.RED), len(solved)),
        len(winners) - len(solved),
        Rate(red, GAMES * deals),
        tuple(sorted(plies.items())),
        tuple((cards, Rate(sum(seen), len(seen))) for cards, seen in sorted(decided.items(), reverse=True)),
    )
