"""How many lost positions a player wins back, compared with another player on the same deals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from collapsi.batch.positions import pick
from collapsi.core.intervals import paired_difference
from collapsi.core.players import PAIR, Player
from collapsi.games.classic.rules import STANDARD
from collapsi.play.strategy.ladder import BATCH, rate_json, rate_of, red_wins
from collapsi.play.strategy.samples import Split, deals_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from collapsi.batch.positions import PositionBatch
    from collapsi.core.intervals import Mean, Rate
    from collapsi.games.classic.rules import Rules
    from collapsi.play.characters import Character
    from collapsi.play.strategy import json_types

PLIES = (0, 4, 8)
"""Random plies before the positions that are to be won back; even numbers, so that red is to move."""


@dataclass(frozen=True)
class WonBack:
    """The wins of two players against one opponent, from positions that the opponent can win."""

    against: str
    plies: int
    """Random plies before the position."""
    won: dict[str, Rate]
    """By player."""
    difference: Mean
    """The first player's share minus the second's, with an interval for pairs of games."""

    def to_json(self) -> json_types.WonBack:
        """Return the result as JSON."""
        return {
            "against": self.against,
            "plies": self.plies,
            "won": [{"player": name, **rate_json(rate)} for name, rate in self.won.items()],
            "difference": self.difference.to_json(),
        }


def play_won_back(
    players: tuple[Character, Character],
    opponents: Sequence[Character],
    games: int,
    seed: int,
    rules: Rules = STANDARD,
    *,
    plies: Sequence[int] = PLIES,
    jobs: int | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> tuple[WonBack, ...]:
    """Let both players play lost positions against every opponent: `games` per colour, for each of `plies`.

    The positions are the same for all, and so are the random numbers of each game, by ply. Red is to move.
    """
    found = []
    for before in plies:
        lost = {side: lost_positions(side, before, games, seed, rules) for side in PAIR}
        for opponent in opponents:
            progress(f"against {opponent.name}")
            first, second = (_play(player, opponent, lost, seed, jobs) for player in players)
            won = {player.name: rate_of(each) for player, each in zip(players, (first, second), strict=True)}
            pairs = (first & second, first & ~second, ~first & second, ~first & ~second)
            difference = paired_difference(*(int(pair.sum()) for pair in pairs))
            found.append(WonBack(opponent.name, before, won, difference))
    return tuple(found)


def lost_positions(
    loser: Player, plies: int, count: int, seed: int, rules: Rules = STANDARD
) -> PositionBatch:
    """Return `count` positions after some random plies, red to move, that one player loses by force."""
    rng = np.random.default_rng([seed, plies, loser])
    parts: list[PositionBatch] = []
    missing = count
    while missing > 0:
        states = deals_of(Split.FRESH, BATCH, rng, rules)
        for _ in range(plies):
            states = states[states.legal().any(axis=1)]
            states = states.played(pick(states.legal(), rng.random(len(states))))
        states = states[states.legal().any(axis=1)]
        red_wins_it = (states.values() > 0).any(axis=1)
        parts.append(states[red_wins_it == (loser is Player.BLUE)][:missing])
        missing -= len(parts[-1])
    return parts[0].joined(parts[1:])


def _play(
    player: Character,
    opponent: Character,
    lost: Mapping[Player, PositionBatch],
    seed: int,
    jobs: int | None,
) -> NDArray[np.bool_]:
    """Return which of its lost positions the player wins."""
    lucks = np.random.default_rng(seed).spawn(len(PAIR))  # by colour, the same for every player
    as_red = red_wins(player, opponent, lost[Player.RED], lucks[0], jobs=jobs)
    as_blue = ~red_wins(opponent, player, lost[Player.BLUE], lucks[1], jobs=jobs)
    return np.concatenate([as_red, as_blue])
