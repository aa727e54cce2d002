"""How strong players are in games: everybody against everybody, thousands of games side by side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from collapsi.intervals import wilson
from collapsi.rules import PAIR, STANDARD, Player
from collapsi.strategy.measure import score
from collapsi.strategy.samples import Part, deals_of, pick
from collapsi.strategy.states import count_moves

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from collapsi.opponent import Character
    from collapsi.rules import Rules
    from collapsi.strategy import shapes
    from collapsi.strategy.states import States

BATCH = 1000
"""Deals dealt at a time to find those that one side wins."""


@dataclass(frozen=True)
class Rate:
    """So many won of so many played."""

    won: int
    played: int

    @property
    def share(self) -> float:
        """The share won."""
        return self.won / self.played if self.played else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Where the true share is in 95 of 100 cases (Wilson's interval).

        >>> [round(end, 3) for end in Rate(0, 100).interval]
        [0.0, 0.037]
        """
        return wilson(self.won, self.played)

    @property
    def lost(self) -> Rate:
        """The same games as the opponent saw them."""
        return Rate(self.played - self.won, self.played)

    def __add__(self, other: Rate) -> Rate:
        return Rate(self.won + other.won, self.played + other.played)

    def to_json(self) -> shapes.Rate:
        """As plain data."""
        low, high = self.interval
        return {"won": self.won, "played": self.played, "share": self.share, "low": low, "high": high}


@dataclass(frozen=True)
class Pairing:
    """What came of red against blue: how many games red won, by whose deals they were."""

    red: str
    blue: str
    random: Rate
    """From any deals: red's wins."""
    red_won: Rate
    """From deals that red can win: red's wins."""
    blue_won: Rate
    """From deals that blue can win: blue's wins."""

    def to_json(self) -> shapes.Pairing:
        """As plain data."""
        return {
            "red": self.red,
            "blue": self.blue,
            "red_wins_of_random_deals": self.random.to_json(),
            "red_wins_of_red_deals": self.red_won.to_json(),
            "blue_wins_of_blue_deals": self.blue_won.to_json(),
        }


@dataclass(frozen=True)
class Standing:
    """How a player fared against all others."""

    name: str
    text: str
    random: Rate
    """From any deals, both colours."""
    red_won: Rate
    """As red from deals that red can win."""
    blue_won: Rate
    """As blue from deals that blue can win."""

    def to_json(self) -> shapes.Standing:
        """As plain data."""
        return {
            "player": self.name,
            "text": self.text,
            "random_deals": self.random.to_json(),
            "as_red_of_red_deals": self.red_won.to_json(),
            "as_blue_of_blue_deals": self.blue_won.to_json(),
        }


@dataclass(frozen=True)
class Ladder:
    """Every pairing, and where everybody stands: the strongest first."""

    pairings: tuple[Pairing, ...]
    standings: tuple[Standing, ...]

    def between(self, name: str, other: str) -> Rate:
        """How one player fared against another, from any deals and with both colours."""
        pairing = {(pairing.red, pairing.blue): pairing.random for pairing in self.pairings}
        return pairing[name, other] + pairing[other, name].lost

    def to_json(self) -> shapes.Ladder:
        """As plain data."""
        return {
            "standings": [standing.to_json() for standing in self.standings],
            "pairings": [pairing.to_json() for pairing in self.pairings],
        }


def allowed_many(player: Character, states: States, *, jobs: int | None = None) -> NDArray[np.bool_]:
    """`Character.allowed` for many positions: whether each end cell is among the moves."""
    legal = states.legal()
    undecided = np.ones(len(states), np.bool_)
    if player.sight != 0:
        values = states.values(jobs).astype(np.int64)
        if player.sight is not None:
            plies = states.face_up[:, None] - np.abs(values)
            values = np.where(plies <= player.sight, values, 0)
        most = np.where(legal, values, -99).max(axis=1, keepdims=True)
        legal &= values == most
        undecided = most[:, 0] == 0
    if player.card is not None and undecided.any():
        (open_still,) = np.nonzero(undecided & legal.any(axis=1))
        some = states[open_still]
        moves = count_moves(some, legal[open_still], jobs=jobs)
        points = score(player.card, moves, some.face_up)
        most = np.maximum.reduceat(points, moves.begins[:-1]) if len(points) else points
        worse = points < most[moves.owners]
        legal[open_still[moves.owners[worse]], moves.ends[worse]] = False
    return legal


def red_wins(
    red: Character, blue: Character, dealt: States, rng: np.random.Generator, *, jobs: int | None = None
) -> NDArray[np.bool_]:
    """Play every deal once: whether red won."""
    states, games = dealt, np.arange(len(dealt))
    won = np.zeros(len(dealt), np.bool_)
    mover = Player.RED
    while len(states):
        legal = states.legal()
        over = ~legal.any(axis=1)
        won[games[over]] = mover is Player.BLUE
        states, games, legal = states[~over], games[~over], legal[~over]
        luck, slip = rng.random((2, len(dealt)))
        player = red if mover is Player.RED else blue
        slips = slip[games] < player.slips
        if len(states) and not slips.all():
            legal[~slips] = allowed_many(player, states[~slips], jobs=jobs)
        states = states.played(pick(legal, luck[games]))
        mover = mover.other
    return won


def won_deals(winner: Player, count: int, rng: np.random.Generator, rules: Rules = STANDARD) -> States:
    """So many random deals that one side can win."""
    found: list[States] = []
    missing = count
    while missing > 0:
        dealt = deals_of(Part.FRESH, BATCH, rng, rules)
        won = (dealt.values() > 0).any(axis=1) == (winner is Player.RED)
        found.append(dealt[won][:missing])
        missing -= len(found[-1])
    return found[0].joined(found[1:])


def climb(
    players: Sequence[Character],
    games: int,
    rng: np.random.Generator,
    rules: Rules = STANDARD,
    *,
    jobs: int | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> Ladder:
    """Everybody against everybody, with both colours: so many deals of each kind, the same for all."""
    dealt = deals_of(Part.FRESH, games, rng, rules)
    of_red, of_blue = (won_deals(side, games, rng, rules) for side in PAIR)
    pairings = []
    for red in players:
        for blue in players:
            progress(f"{red.name} against {blue.name}")
            pairings.append(
                Pairing(
                    red.name,
                    blue.name,
                    _rate(red_wins(red, blue, dealt, rng, jobs=jobs)),
                    _rate(red_wins(red, blue, of_red, rng, jobs=jobs)),
                    _rate(~red_wins(red, blue, of_blue, rng, jobs=jobs)),
                )
            )
    standings = [_standing(player, pairings) for player in players]
    standings.sort(key=lambda standing: -standing.random.share)
    return Ladder(tuple(pairings), tuple(standings))


def _rate(won: NDArray[np.bool_]) -> Rate:
    return Rate(int(won.sum()), len(won))


def _standing(player: Character, pairings: Sequence[Pairing]) -> Standing:
    """A player's games against the others; against itself proves nothing."""
    red = [pairing for pairing in pairings if pairing.red == player.name != pairing.blue]
    blue = [pairing for pairing in pairings if pairing.blue == player.name != pairing.red]
    nothing = Rate(0, 0)
    lost = (pairing.random.lost for pairing in blue)
    return Standing(
        player.name,
        player.text,
        sum((pairing.random for pairing in red), nothing) + sum(lost, nothing),
        sum((pairing.red_won for pairing in red), nothing),
        sum((pairing.blue_won for pairing in blue), nothing),
    )
