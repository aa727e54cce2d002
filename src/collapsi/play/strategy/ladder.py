"""The strength of players in games: a round robin, or each player against its neighbour.

Thousands of games are played simultaneously, vectorised.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from collapsi.batch.positions import pick
from collapsi.core.intervals import Rate
from collapsi.core.players import PAIR, Player
from collapsi.games.classic.rules import STANDARD
from collapsi.play.strategy.measure import score
from collapsi.play.strategy.samples import Split, deals_of
from collapsi.play.strategy.states import count_moves
from collapsi.play.strategy.traps import tempting_many

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from collapsi.batch.positions import PositionBatch
    from collapsi.games.classic.rules import Rules
    from collapsi.play.characters import Character
    from collapsi.play.strategy import json_types

BATCH = 1000
"""Deals dealt at a time to find those that one player can win."""


@dataclass(frozen=True)
class Pairing:
    """The results of one player as red against another as blue, by kind of deal."""

    red: str
    blue: str
    random: Rate
    """Red's wins from random deals."""
    red_won: Rate
    """Red's wins from deals that red can win."""
    blue_won: Rate
    """Blue's wins from deals that blue can win."""

    def to_json(self) -> json_types.Pairing:
        """Return the results as JSON."""
        return {
            "red": self.red,
            "blue": self.blue,
            "red_wins_of_random_deals": rate_json(self.random),
            "red_wins_of_red_deals": rate_json(self.red_won),
            "blue_wins_of_blue_deals": rate_json(self.blue_won),
        }


@dataclass(frozen=True)
class HeadToHead:
    """Two players head to head: the same random deals with both colours."""

    player: str
    against: str
    won: Rate
    """The first player's wins."""

    def to_json(self) -> json_types.HeadToHead:
        """Return the result as JSON."""
        return {"player": self.player, "against": self.against, "won": rate_json(self.won)}


@dataclass(frozen=True)
class PlayerResult:
    """The total results of a player against all others."""

    name: str
    text: str
    random: Rate
    """From random deals, both colours."""
    red_won: Rate
    """As red from deals that red can win."""
    blue_won: Rate
    """As blue from deals that blue can win."""

    def to_json(self) -> json_types.PlayerResult:
        """Return the result as JSON."""
        return {
            "player": self.name,
            "text": self.text,
            "random_deals": rate_json(self.random),
            "as_red_of_red_deals": rate_json(self.red_won),
            "as_blue_of_blue_deals": rate_json(self.blue_won),
        }


@dataclass(frozen=True)
class Ladder:
    """Every pairing, and the total results, strongest player first."""

    pairings: tuple[Pairing, ...]
    standings: tuple[PlayerResult, ...]

    def between(self, name: str, other: str) -> Rate:
        """Return the wins of one player against another, from random deals and with both colours."""
        pairing = {(pairing.red, pairing.blue): pairing.random for pairing in self.pairings}
        return _total([pairing[name, other], _lost(pairing[other, name])])

    def to_json(self) -> json_types.Ladder:
        """Return the results as JSON."""
        return {
            "standings": [standing.to_json() for standing in self.standings],
            "pairings": [pairing.to_json() for pairing in self.pairings],
        }


def allowed_many(
    player: Character,
    states: PositionBatch,
    *,
    values: NDArray[np.int8] | None = None,
    jobs: int | None = None,
) -> NDArray[np.bool_]:
    """Return `Character.allowed` for a batch of positions, as a mask over end cells.

    `values` are those of all moves (`PositionBatch.values`), if they are known already.
    """
    if player.tempts:
        return tempting_many(player.tempts, states, partial(allowed_many, jobs=jobs), jobs=jobs)
    legal = states.legal()
    undecided = np.ones(len(states), np.bool_)
    if player.sight != 0:
        seen = (states.values(jobs) if values is None else values).astype(np.int64)
        if player.sight is not None:
            seen = np.where(states.plies(seen) <= player.sight, seen, 0)
        most = np.where(legal, seen, -99).max(axis=1, keepdims=True)
        legal &= seen == most
        undecided = most[:, 0] == 0
    if player.card is not None and undecided.any():
        (open_still,) = np.nonzero(undecided & legal.any(axis=1))
        undecided_states = states[open_still]
        moves = count_moves(undecided_states, legal[open_still], jobs=jobs)
        points = score(player.card, moves, undecided_states.face_up)
        most = np.maximum.reduceat(points, moves.begins[:-1]) if len(points) else points
        worse = points < most[moves.owners]
        legal[open_still[moves.owners[worse]], moves.ends[worse]] = False
    return legal


def choose_many(
    player: Character,
    states: PositionBatch,
    luck: NDArray[np.float64],
    slip: NDArray[np.float64],
    *,
    jobs: int | None = None,
) -> NDArray[np.int64]:
    """Return `Character.choose` for a batch of positions that are not over, as end cells.

    `luck` and `slip` are random numbers from [0, 1), for the choice of a move and for random moves.
    """
    allowed = states.legal()
    slips = slip < player.slips
    if not slips.all():
        allowed[~slips] = allowed_many(player, states[~slips], jobs=jobs)
    return pick(allowed, luck)


def red_wins(
    red: Character,
    blue: Character,
    dealt: PositionBatch,
    rng: np.random.Generator,
    *,
    jobs: int | None = None,
) -> NDArray[np.bool_]:
    """Play every deal once; return whether red won each."""
    states, games = dealt, np.arange(len(dealt))
    won = np.zeros(len(dealt), np.bool_)
    mover = Player.RED
    while len(states):
        over = ~states.legal().any(axis=1)
        won[games[over]] = mover is Player.BLUE
        states, games = states[~over], games[~over]
        luck, slip = rng.random((2, len(dealt)))
        player = red if mover is Player.RED else blue
        if len(states):
            states = states.played(choose_many(player, states, luck[games], slip[games], jobs=jobs))
        mover = mover.other
    return won


def lengths_played(
    player: Character, dealt: PositionBatch, rngs: Sequence[random.Random], *, jobs: int | None = None
) -> NDArray[np.int64]:
    """Let a player play both sides of every deal; return the numbers of plies. Red wins the odd ones.

    Game *n* takes its random numbers from the generator *n* in the order of `Character.choose`, so it is the
    same game as one that is played alone.
    """
    states, games = dealt, np.arange(len(dealt))
    plies = np.zeros(len(dealt), np.int64)
    while True:
        legal = states.legal()
        going = legal.any(axis=1)
        states, games, legal = states[going], games[going], legal[going]
        if not len(states):
            return plies
        plies[games] += 1
        own = [rngs[game] for game in games.tolist()]
        if player.slips > 0:
            sure = np.array([rng.random() >= player.slips for rng in own])
        else:
            sure = np.ones(len(states), np.bool_)
        if sure.any():
            legal[sure] = allowed_many(player, states[sure], jobs=jobs)
        counts = legal.sum(axis=1).tolist()
        numbers = np.array([rng.choice(range(count)) for rng, count in zip(own, counts, strict=True)])
        states = states.played(np.argmax(np.cumsum(legal, axis=1) > numbers[:, None], axis=1))


def won_deals(winner: Player, count: int, rng: np.random.Generator, rules: Rules = STANDARD) -> PositionBatch:
    """Return `count` random deals that one player can win."""
    found: list[PositionBatch] = []
    missing = count
    while missing > 0:
        dealt = deals_of(Split.FRESH, BATCH, rng, rules)
        won = (dealt.values() > 0).any(axis=1) == (winner is Player.RED)
        found.append(dealt[won][:missing])
        missing -= len(found[-1])
    return found[0].joined(found[1:])


def play_ladder(
    players: Sequence[Character],
    games: int,
    rng: np.random.Generator,
    rules: Rules = STANDARD,
    *,
    jobs: int | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> Ladder:
    """Play a round robin with both colours, on `games` deals of each kind, the same for all pairings."""
    dealt = deals_of(Split.FRESH, games, rng, rules)
    of_red, of_blue = (won_deals(side, games, rng, rules) for side in PAIR)
    pairings = []
    for red in players:
        for blue in players:
            progress(f"{red.name} against {blue.name}")
            pairings.append(
                Pairing(
                    red.name,
                    blue.name,
                    rate_of(red_wins(red, blue, dealt, rng, jobs=jobs)),
                    rate_of(red_wins(red, blue, of_red, rng, jobs=jobs)),
                    rate_of(~red_wins(red, blue, of_blue, rng, jobs=jobs)),
                )
            )
    standings = [_standing(player, pairings) for player in players]
    standings.sort(key=lambda standing: -standing.random.share)
    return Ladder(tuple(pairings), tuple(standings))


def play_neighbours(
    players: Sequence[Character],
    games: int,
    seed: int,
    rules: Rules = STANDARD,
    *,
    jobs: int | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> tuple[HeadToHead, ...]:
    """Play each player against the one before it: `games` random deals, each with both colours.

    Every match is seeded separately, so its result depends only on its two players.
    """
    matches = []
    for other, player in pairwise(players):
        progress(f"{player.name} against {other.name}")
        rng = np.random.default_rng(seed)
        dealt = deals_of(Split.FRESH, games, rng, rules)
        as_red = rate_of(red_wins(player, other, dealt, rng, jobs=jobs))
        as_blue = rate_of(~red_wins(other, player, dealt, rng, jobs=jobs))
        matches.append(HeadToHead(player.name, other.name, _total([as_red, as_blue])))
    return tuple(matches)


def rate_of(won: NDArray[np.bool_]) -> Rate:
    """Return the share of games won."""
    return Rate(int(won.sum()), len(won))


def _lost(rate: Rate) -> Rate:
    """Return the opponent's rate in the same games."""
    return Rate(rate.cases - rate.found, rate.cases)


def _total(rates: Sequence[Rate]) -> Rate:
    return Rate(sum(rate.found for rate in rates), sum(rate.cases for rate in rates))


def rate_json(rate: Rate) -> json_types.WinRate:
    """Return a share of games as JSON."""
    low, high = rate.interval
    return {"won": rate.found, "played": rate.cases, "share": rate.share, "low": low, "high": high}


def _standing(player: Character, pairings: Sequence[Pairing]) -> PlayerResult:
    """Sum the results of a player against the others, without those against itself."""
    red = [pairing for pairing in pairings if pairing.red == player.name != pairing.blue]
    blue = [pairing for pairing in pairings if pairing.blue == player.name != pairing.red]
    return PlayerResult(
        player.name,
        player.text,
        _total([*(pairing.random for pairing in red), *(_lost(pairing.random) for pairing in blue)]),
        _total([pairing.red_won for pairing in red]),
        _total([pairing.blue_won for pairing in blue]),
    )
