"""The numbers of the report as tables: each is a Polars frame, written as CSV and shown on the page."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from collapsi.census.deals import cards_of
from collapsi.census.layers import JACKS
from collapsi.core.cards import Card
from collapsi.games.classic.made_up import format_steps
from collapsi.games.classic.rules import STANDARD
from collapsi.games.solo.census import sample_census, take_census
from collapsi.games.solo.deals import DECKS
from collapsi.games.solo.rules import Exit
from collapsi.play.tempo import Tempo
from collapsi.report import big_tables, kept, lab, shifting_tables, skill

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from collapsi.census.fairness import OpeningRule
    from collapsi.census.lab.facts import DeckFacts
    from collapsi.facts.big.facts import BigFacts
    from collapsi.facts.shifting.facts import ShiftingFacts
    from collapsi.report.strategy_tables import Strategy

NUMBERS = [card for card in Card if card is not Card.JACK]
SOLO_SAMPLE = 100
"""Layouts of sixteen cards to solve for each deck and reading: one or two seconds."""
SOLO_SEED = 7
SOLO_COUNTED = 9
"""Cards of the decks whose layouts are all counted."""
DISTANCES_QUERY = (
    "select distance, cast(sum(weight) / 3153150 as int) as cells, sum(weight) as deals, "
    "100.0 * sum(case when winner = 'red' then weight else 0 end) / sum(weight) as red_percent, "
    "1.0 * sum(weight * plies) / sum(weight) as mean_plies from deals group by distance order by distance"
)
"""The table by distance of the jacks (`Findings.distances`) for one atlas, in SQL. There are 3,153,150 deals
with both jacks in given cells."""


@dataclass(frozen=True)
class JackNeighbours:
    """The cards next to the jacks, a row for each truly different deal."""

    red: NDArray[np.int64]
    """By number, ace first: how many are next to red's jack."""
    blue: NDArray[np.int64]
    weight: NDArray[np.int64]
    red_wins: NDArray[np.bool_]

    def right_guesses(self, counts: NDArray[np.int64]) -> float:
        """Return the share of deals whose winner is guessed right from these counts.

        The guess is the player who wins more of the deals with the same counts.
        """
        # Counts are at most four: as digits in base 5 a row of counts is one number.
        _, kinds = np.unique(counts @ 5 ** np.arange(counts.shape[1]), return_inverse=True)
        red = np.bincount(kinds, self.weight * self.red_wins)
        blue = np.bincount(kinds, self.weight * ~self.red_wins)
        return float(np.maximum(red, blue).sum() / self.weight.sum())


@dataclass
class Findings:
    """The data of the report."""

    standard: pl.DataFrame
    """An atlas of `standard`, with games."""
    joker: pl.DataFrame
    fairness: list[OpeningRule]
    strategy: Strategy
    shifting: ShiftingFacts
    big: BigFacts
    decks: list[DeckFacts]

    def tables(self) -> dict[str, pl.DataFrame]:
        """Return every table by name."""
        return {
            **{name: table(self) for name, table in TABLES.items()},
            **{name: table(self.shifting) for name, table in shifting_tables.TABLES.items()},
            **{name: table(self.big) for name, table in big_tables.TABLES.items()},
            **{name: table() for name, table in kept.TABLES.items()},
        }

    def lengths(self) -> pl.DataFrame:
        """Return deals, share and truly different deals by length, for both rules."""
        sides = []
        for name, frame in (("standard", self.standard), ("joker", self.joker)):
            counts = frame.group_by("plies").agg(
                _deals().alias(f"{name}_deals"), pl.len().alias(f"{name}_different"), pl.col("winner").first()
            )
            share = (100 * pl.col(f"{name}_deals") / pl.col(f"{name}_deals").sum()).alias(f"{name}_percent")
            sides.append(counts.with_columns(share).with_columns(pl.col("winner").cast(pl.String)))
        both = sides[0].join(sides[1], on=["plies", "winner"], how="full", coalesce=True)
        columns = [
            f"{name}_{kind}" for name in ("standard", "joker") for kind in ("deals", "percent", "different")
        ]
        return both.sort("plies").select("plies", "winner", *columns)

    def red_share(self, frame: pl.DataFrame) -> float:
        """Return the share of deals that red wins."""
        return float(frame.select(_red_share()).item())

    def distances(self) -> pl.DataFrame:
        """Return cells, deals, red's share and mean length by distance of the jacks."""
        rows = []
        for jacks in JACKS:
            row: dict[str, Any] = {
                "distance": jacks.distance,
                "example": STANDARD.board.square(jacks.blue),
                "cells": jacks.places,
            }
            for name, frame in (("standard", self.standard), ("joker", self.joker)):
                part = frame.filter(pl.col("distance") == jacks.distance)
                row[f"{name}_deals"] = part.select(_deals()).item()
                row[f"{name}_red_percent"] = 100 * part.select(_red_share()).item()
                row[f"{name}_mean_plies"] = part.select(
                    (pl.col("plies") * _weight()).sum() / _weight().sum()
                ).item()
            rows.append(row)
        return pl.DataFrame(rows)

    def tempo(self) -> pl.DataFrame:
        """Return who wins, depending on who starts, by distance of the jacks; 0: all deals."""
        rows = []
        for name, frame in (("standard", self.standard), ("joker", self.joker)):
            for distance in (*(jacks.distance for jacks in JACKS), 0):
                part = frame.filter(pl.col("distance") == distance) if distance else frame
                deals = part.select(_deals()).item()
                for kind in Tempo:
                    found = part.filter(pl.col("tempo") == kind.value)
                    count = found.select(_deals()).item()
                    rows.append(
                        {
                            "rules": name,
                            "distance": distance,
                            "tempo": kind.value,
                            "text": kind.text,
                            "deals": count,
                            "percent": 100 * count / deals,
                            "different": len(found),
                        }
                    )
        return pl.DataFrame(rows)

    @cached_property
    def around(self) -> JackNeighbours:
        """The cards next to the jacks of every truly different deal in `standard`."""
        red: list[Any] = []
        blue: list[Any] = []
        weight, won = [], []
        for jacks in JACKS:
            part = self.standard.filter(pl.col("distance") == jacks.distance)
            cards = cards_of(jacks.blue, part["numbering"].to_numpy())
            weight.append(part["weight"].to_numpy().astype(np.int64))
            won.append(part["score"].to_numpy() > 0)
            for counts, jack in ((red, 0), (blue, jacks.blue)):
                there = cards[:, list(STANDARD.board.neighbours(jack))]
                counts.append(np.stack([(there == int(card)).sum(axis=1) for card in NUMBERS], axis=1))
        return JackNeighbours(*(np.concatenate(parts) for parts in (red, blue, weight, won)))

    def aces(self) -> pl.DataFrame:
        """Return red's share in `standard` by the numbers of aces next to red's and next to blue's jack."""
        around = self.around
        return (
            pl.DataFrame(
                {
                    "next_to_red": around.red[:, 0],
                    "next_to_blue": around.blue[:, 0],
                    "deals": around.weight,
                    "red": around.weight * around.red_wins,
                }
            )
            .group_by("next_to_red", "next_to_blue")
            .agg(pl.col("deals").sum(), pl.col("red").sum())
            .with_columns(red_percent=100 * pl.col("red") / pl.col("deals"))
            .drop("red")
            .sort("next_to_red", "next_to_blue")
        )

    def guesses(self) -> pl.DataFrame:
        """Return how often the best guess of the winner is right, by what is counted before the game."""
        around = self.around
        nothing = np.zeros((len(around.weight), 1), np.int64)
        aces = np.stack([around.red[:, 0], around.blue[:, 0]], axis=1)
        every = np.concatenate([around.red, around.blue], axis=1)
        return pl.DataFrame(
            [
                {"counted": text, "right_percent": 100 * around.right_guesses(counts)}
                for text, counts in (
                    ("nothing", nothing),
                    ("the aces next to red’s jack", aces[:, :1]),
                    ("the aces next to both jacks", aces),
                    ("every number next to both jacks", every),
                )
            ]
        )

    def neighbours(self) -> pl.DataFrame:
        """Return red's share in `standard` by the number of each card next to each jack."""
        around = self.around
        weight, red = around.weight, around.red_wins
        rows = []
        for name, table in (("red", around.red), ("blue", around.blue)):
            for column, card in enumerate(NUMBERS):
                for number in range(5):
                    chosen = table[:, column] == number
                    deals = int(weight[chosen].sum())
                    if deals:
                        share = 100 * float(weight[chosen & red].sum()) / deals
                        rows.append(
                            {
                                "jack": name,
                                "card": card.letter,
                                "next_to_it": number,
                                "deals": deals,
                                "red_percent": share,
                            }
                        )
        return pl.DataFrame(rows)

    def games(self) -> pl.DataFrame:
        """Return the possible games of a deal in `standard`: smallest, mean, largest, and quantiles."""
        games, weight = self.standard["games"].to_numpy(), self.standard["weight"].to_numpy().astype(np.int64)
        order = np.argsort(games)
        reached = np.cumsum(weight[order]) / weight.sum()
        rows = [{"what": "all deals together", "games": int((games * weight).sum())}]
        rows.append({"what": "mean", "games": round(float((games * weight).sum() / weight.sum()))})
        rows += [
            {
                "what": f"{percent} % of deals have at most",
                "games": int(games[order][np.searchsorted(reached, percent / 100)]),
            }
            for percent in (1, 10, 25, 50, 75, 90, 99)
        ]
        rows.insert(2, {"what": "smallest", "games": int(games.min())})
        rows.append({"what": "largest", "games": int(games.max())})
        return pl.DataFrame(rows)

    def shortest(self) -> pl.DataFrame:
        """Return all truly different deals of the shortest length."""
        return self.standard.filter(pl.col("plies") == pl.col("plies").min()).select(
            "deal", "distance", "weight", "winning_moves", "games"
        )

    def examples(self) -> pl.DataFrame:
        """Return a deal of every length in `standard`, with the fewest winning first moves, then games."""
        return (
            self.standard.sort("plies", "winning_moves", "games", "distance", "numbering")
            .group_by("plies", maintain_order=True)
            .first()
            .select("plies", pl.col("winner").cast(pl.String), "deal", "winning_moves", "games")
        )

    def opening_rules(self) -> pl.DataFrame:
        """Return all different opening rules, fairest first."""
        return pl.DataFrame(
            [
                {
                    "red_first": format_steps(rule.red_first),
                    "blue_first": format_steps(rule.blue_first),
                    "red_wins": rule.red_wins,
                    "red_percent": 100 * rule.red_share,
                    "mean_plies": rule.mean_plies,
                    "decisive_percent": 100 * rule.decisive_share,
                    "one_line_percent": 100 * rule.one_line_share,
                }
                for rule in self.fairness
            ]
        )


@cache
def solo_decks() -> pl.DataFrame:
    """Return the shares of solvable layouts of the solo decks: counted for nine cards, else sampled."""
    rows = []
    for deck in DECKS.values():
        row: dict[str, Any] = {"deck": deck.name, "cards": deck.board.size, "layouts": deck.layouts}
        for reading in Exit:
            few = deck.board.size <= SOLO_COUNTED
            census = (
                take_census(deck, reading)
                if few
                else sample_census(deck, reading, count=SOLO_SAMPLE, seed=SOLO_SEED)
            )
            low, high = (100 * share for share in census.rate.interval)
            row[f"{reading}_percent"] = round(100 * census.rate.share, 1)
            row[f"{reading}_between"] = "all counted" if few else f"{low:.1f} to {high:.1f}"
        rows.append(row)
    return pl.DataFrame(rows)


def solo_commands() -> list[str]:
    """Return the commands, in a shell, that reproduce `solo_decks`: one run for each number in per cent."""
    found = []
    for counted, options in ((True, ""), (False, f" --sample {SOLO_SAMPLE} --seed {SOLO_SEED}")):
        decks = " ".join(deck.name for deck in DECKS.values() if (deck.board.size <= SOLO_COUNTED) == counted)
        run = f"collapsi census --rules solo --deck $deck --exit $exit{options}"
        found.append(f"for deck in {decks}; do for exit in {' '.join(Exit)}; do {run}; done; done")
    return found


TABLES: dict[str, Callable[[Findings], pl.DataFrame]] = {
    "lengths": Findings.lengths,
    "jack_distances": Findings.distances,
    "tempo": Findings.tempo,
    "cards_next_to_jacks": Findings.neighbours,
    "possible_games": Findings.games,
    "shortest": Findings.shortest,
    "examples": Findings.examples,
    "opening_rules": Findings.opening_rules,
    "card_kinds": lambda findings: findings.strategy.card_kinds(),
    "card_worth": lambda findings: findings.strategy.card_worth(),
    "card_lines": lambda findings: findings.strategy.card_lines(),
    "worth_of_numbers": lambda findings: findings.strategy.worth_of_numbers(),
    "ladder": lambda findings: findings.strategy.standings(),
    "ladder_pairings": lambda findings: findings.strategy.pairings(),
    "won_back": lambda findings: findings.strategy.positions_won_back(),
    "single_rules": lambda findings: findings.strategy.single_rules(),
    "aces_next_to_jacks": Findings.aces,
    "guesses_at_sight": Findings.guesses,
    "solo": lambda _: solo_decks(),
    "decks": lambda findings: lab.decks(findings.decks),
    "skill": lambda _: skill.skill(),
}
"""Tables by the names of their files, except those of the Shifting Board and the big board."""
TABLE_NAMES = (*TABLES, *shifting_tables.TABLES, *big_tables.TABLES, *kept.TABLES)


def _weight() -> pl.Expr:
    return pl.col("weight").cast(pl.Int64)


def _deals() -> pl.Expr:
    return _weight().sum()


def _red_share() -> pl.Expr:
    return _weight().filter(pl.col("score") > 0).sum() / _weight().sum()
