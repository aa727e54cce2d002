"""What the chapter on rules that people can follow is made from: a study of the kept card, and a ladder."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from collapsi.rules import STANDARD
from collapsi.strategy.ladder import climb
from collapsi.strategy.players import character
from collapsi.strategy.rulecard import kept_card, kept_record
from collapsi.strategy.samples import Part
from collapsi.strategy.study import games_of, measured

if TYPE_CHECKING:
    from collections.abc import Callable

    from collapsi.strategy.ladder import Ladder, Rate
    from collapsi.strategy.study import Study

GAMES = 12_000
"""What `--games` is for the study: half a minute or less."""

LADDER_GAMES = 300
SEED = 7
"""Not the one that the card was found with: these are other deals than those it was measured on then."""

PLAYERS = ("random", "2", "roamer", "4", "card", "expert", "perfect")
"""Few enough that everybody meets everybody in a short time."""

LETTERS = "A234"


@dataclass(frozen=True)
class Strategy:
    """The card that comes with the package: what it is worth, and how strong it is in games."""

    study: Study
    ladder: Ladder
    ladder_games: int

    @property
    def study_command(self) -> str:
        """What makes the study again."""
        return f"collapsi strategy --card kept --games {self.study.games} --seed {self.study.seed}"

    @property
    def ladder_command(self) -> str:
        """What makes the ladder again."""
        players = ",".join(PLAYERS)
        return f"collapsi ladder --players {players} --games {self.ladder_games} --seed {self.study.seed}"

    def card_worth(self) -> pl.DataFrame:
        """Wins kept by phase, in per cent: the card, chance, and the card when it was found."""
        found = kept_record()["worth"]
        earlier = {tuple(phase["plies"]): phase for phase in found["phases"]}
        chance = dict(self.study.chance.phases)
        phases: list[tuple[str, Any, Any, Any]] = [
            (f"{plies[0]}–{plies[1]}", share, chance[plies], earlier[plies])
            for plies, share in self.study.worth.phases
        ]
        phases.append(("all", self.study.worth.kept, self.study.chance.kept, found["kept"]))
        return pl.DataFrame(
            [
                {
                    "plies": plies,
                    "positions": share.cases,
                    "card_percent": 100 * share.value,
                    "card_margin": 100 * share.margin,
                    "chance_percent": 100 * random.value,
                    "chance_margin": 100 * random.margin,
                    "when_found_percent": 100 * before["share"],
                    "when_found_margin": 100 * before["margin"],
                    "when_found_positions": before["cases"],
                }
                for plies, share, random, before in phases
            ]
        )

    def card_lines(self) -> pl.DataFrame:
        """Wins kept, and cards looked at a decision, if the card ended after so many lines."""
        lines = [(0, self.study.chance), *((len(card.lines), worth) for card, worth in self.study.by_lines)]
        return pl.DataFrame(
            [
                {
                    "lines": count,
                    "kept_percent": 100 * worth.kept.value,
                    "margin": 100 * worth.kept.margin,
                    "cards_looked_at": worth.effort,
                }
                for count, worth in lines
            ]
        )

    def worth_of_numbers(self) -> pl.DataFrame:
        """By ply and number: how many more wins in a hundred are kept, by landing and by next cards."""
        return pl.DataFrame(
            [
                {
                    "ply": at.ply,
                    "positions": at.positions,
                    "card": letter,
                    "landing": 100 * landing.value,
                    "landing_margin": 100 * landing.margin,
                    "next": 100 * following.value,
                    "next_margin": 100 * following.margin,
                }
                for at in self.study.numbers
                for letter, landing, following in zip(LETTERS, at.landing, at.next, strict=True)
            ]
        )

    def single_rules(self) -> pl.DataFrame:
        """Every rule by itself after the sure rules, the best first."""
        return pl.DataFrame(
            [
                {
                    "kept_percent": 100 * rule.kept.value,
                    "margin": 100 * rule.kept.margin,
                    "adds": 100 * rule.gain,
                    "works": rule.works,
                    "rule": rule.text,
                }
                for rule in self.study.alone
            ]
        )

    def standings(self) -> pl.DataFrame:
        """How everybody fared against all others, the strongest first."""
        return pl.DataFrame(
            [
                {
                    "player": standing.name,
                    "how": standing.text,
                    "games": standing.random.played,
                    **_columns("won", standing.random),
                    **_columns("as_red", standing.red_won),
                    **_columns("as_blue", standing.blue_won),
                }
                for standing in self.ladder.standings
            ]
        )

    def pairings(self) -> pl.DataFrame:
        """Everybody against everybody: from any deals with both colours, and from deals one can win."""
        rate = {(pairing.red, pairing.blue): pairing for pairing in self.ladder.pairings}
        names = [standing.name for standing in self.ladder.standings]
        return pl.DataFrame(
            [
                {
                    "player": name,
                    "against": other,
                    **_columns("won", self.ladder.between(name, other)),
                    **_columns("as_red", rate[name, other].red_won),
                    **_columns("as_blue", rate[other, name].blue_won),
                }
                for name in names
                for other in names
                if name != other
            ]
        )


def _columns(name: str, rate: Rate) -> dict[str, float]:
    """A rate in per cent, with its interval."""
    low, high = rate.interval
    return {f"{name}_percent": 100 * rate.share, f"{name}_low": 100 * low, f"{name}_high": 100 * high}


def find_strategy(
    games: int = GAMES,
    ladder_games: int = LADDER_GAMES,
    *,
    jobs: int | None = None,
    progress: Callable[[str, int], None] = lambda _text, _done: None,
) -> Strategy:
    """Measure the kept card and play the ladder; `progress` is told what comes next and how much is done, out
    of `work_of`.
    """
    study = measured(kept_card(), STANDARD, SEED, games=games, jobs=jobs, progress=progress)
    ladder = climb(
        [character(name) for name in PLAYERS],
        ladder_games,
        np.random.default_rng(SEED),
        STANDARD,
        jobs=jobs,
        progress=lambda text: progress(text, ladder_games),
    )
    return Strategy(study, ladder, ladder_games)


def work_of(games: int = GAMES, ladder_games: int = LADDER_GAMES) -> int:
    """Games to solve and games to play, in all."""
    return games_of(Part.FRESH, games) + len(PLAYERS) ** 2 * ladder_games
