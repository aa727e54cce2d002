"""The game for two on the big board: who wins from the deal, and games between strong players."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from collapsi.big_facts import STRONG_NODES
from collapsi.big_facts.rounds import play_round
from collapsi.games.crowd import deal_crowd
from collapsi.games.crowd_engine import estimate
from collapsi.intervals import Rate
from collapsi.rules import BIG, Player
from collapsi.solve import crowd_search
from collapsi.solve.crowd_search import Room, Win

if TYPE_CHECKING:
    from collections.abc import Callable

    from collapsi import json_shapes
    from collapsi.games.crowd import Crowd

MOST_NODES = 150_000_000
"""For the winner of one deal: a minute, about. What takes longer is said to be unsolved."""

GAMES = 2
"""Games between strong players for each deal that is solved."""

FIRST_SOLVED = 30
"""Cards from which on every position of those games is solved."""

STEP = 2
"""So many cards between two points of what was decided when."""


@dataclass(frozen=True)
class Two:
    """Exact winners of deals, and how games between strong players went."""

    red: Rate
    """Deals that red wins with perfect play, of those solved."""
    unsolved: int
    red_in_play: Rate
    """Games between strong players that red won."""
    plies: tuple[tuple[int, int], ...]
    """Games by their number of plies."""
    decided: tuple[tuple[int, Rate], ...]
    """By cards left: how often who would win with perfect play from there on has won in the end."""

    @property
    def mean_plies(self) -> float:
        """How long games between strong players last."""
        return sum(plies * games for plies, games in self.plies) / (self.red_in_play.cases or 1)

    def to_json(self) -> json_shapes.CrowdTwo:
        """As plain data."""
        return {
            "solved": self.red.cases,
            "unsolved": self.unsolved,
            "red": self.red.to_json(),
            "games": self.red_in_play.cases,
            "red_in_play": self.red_in_play.to_json(),
            "plies": {str(plies): games for plies, games in self.plies},
            "decided": [{"cards": cards, "won": share.to_json()} for cards, share in self.decided],
        }


def winner_of(state: Crowd, room: Room, nodes: int | None = None) -> Player | None:
    """Who wins with perfect play; None if so many nodes do not suffice."""
    win = crowd_search.solve(state, winner_only=True, nodes=nodes, room=room).bounds.win
    if win is Win.UNKNOWN:
        return None
    return state.to_move if win is Win.WINS else state.to_move.other


def study_two(deals: int, seed: int, *, progress: Callable[[str], None] = lambda _: None) -> Two:
    """Solve so many deals, and let strong players play twice as many."""
    rng = random.Random(f"{seed} two")
    room = Room()
    winners = []
    for number in range(deals):
        progress(f"two players: deal {number + 1} of {deals}")
        winners.append(winner_of(deal_crowd(rng, BIG), room, MOST_NODES))
    room.forget()
    solved = [winner for winner in winners if winner is not None]
    plies: Counter[int] = Counter()
    decided: dict[int, list[bool]] = {}
    red = 0
    for number in range(GAMES * deals):
        progress(f"two players: game {number + 1} of {GAMES * deals}")
        states: list[Crowd] = []

        def strong(state: Crowd, states: list[Crowd] = states) -> int:
            states.append(state)
            return estimate(state, seed=rng.getrandbits(32), nodes=STRONG_NODES).moves[0][0]

        end = play_round(BIG, strong, rng)
        red += end.winner is Player.RED
        plies[len(states)] += 1
        small = Room(megabytes=64)
        for state in states:
            if state.cards_left <= FIRST_SOLVED and state.cards_left % STEP == 0:
                right = winner_of(state, small) is end.winner
                decided.setdefault(state.cards_left, []).append(right)
    return Two(
        Rate(solved.count(Player.RED), len(solved)),
        len(winners) - len(solved),
        Rate(red, GAMES * deals),
        tuple(sorted(plies.items())),
        tuple((cards, Rate(sum(seen), len(seen))) for cards, seen in sorted(decided.items(), reverse=True)),
    )
