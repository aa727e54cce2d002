"""The tables of the chapter on rules that people can follow: a study of the bundled card, and a ladder."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from collapsi.games.classic.rules import STANDARD
from collapsi.play.strategy.ladder import play_ladder
from collapsi.play.strategy.players import character
from collapsi.play.strategy.rulecard import bundled_card, bundled_record
from collapsi.play.strategy.samples import Split
from collapsi.play.strategy.study import games_of, measure_card
from collapsi.play.strategy.won_back import PLIES, play_won_back
from collapsi.report.pieces import rate_columns

if TYPE_CHECKING:
    from collections.abc import Callable

    from collapsi.play.strategy.ladder import Ladder
    from collapsi.play.strategy.study import CardStudy
    from collapsi.play.strategy.won_back import WonBack

GAMES = 12_000
"""The option `--games` of the study: at most half a minute."""

LADDER_GAMES = 300
WON_BACK_GAMES = 100
SEED = 7
"""Different from the seed of the search for the card, so that it is measured on other deals."""

PLAYERS = ("random", "2", "roamer", "4", "card", "expert", "perfect")
"""Few enough for a quick round robin."""

LETTERS = "A234"


@dataclass(frozen=True)
class Strategy:
    """The measurements of the bundled card, and its strength in games."""

    study: CardStudy
    ladder: Ladder
    ladder_games: int
    won_back: tuple[WonBack, ...]
    won_back_games: int

    @property
    def study_command(self) -> str:
        """The command that reproduces the study."""
        return f"collapsi strategy --card kept --games {self.study.games} --seed {self.study.seed}"

    @property
    def ladder_command(self) -> str:
        """The command that reproduces the ladder."""
        players = ",".join(PLAYERS)
        return f"collapsi ladder --players {players} --games {self.ladder_games} --seed {self.study.seed}"

    @property
    def won_back_command(self) -> str:
        """The command that reproduces the positions won back."""
        players = ",".join(PLAYERS)
        seed = self.study.seed
        return f"collapsi ladder --won-back --players {players} --games {self.won_back_games} --seed {seed}"

    def card_worth(self) -> pl.DataFrame:
        """Return the wins kept by phase, in per cent: by the card, by chance, and by the card when found."""
        found = bundled_record()["worth"]
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
        """Return the wins kept and the effort of the first lines of the card, by number of lines."""
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
        """Return the values of the numbers by ply in wins per hundred, as landing card and as next cards."""
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
        """Return every single rule after the sure rules, best first."""
        return pl.DataFrame(
            [
                {
                    "kept_percent": 100 * rule.kept.value,
                    "margin": 100 * rule.kept.margin,
                    "adds": 100 * rule.gain,
                    "works": rule.works,
                    "rule": rule.text,
                }
                for rule in self.study.single_rules
            ]
        )

    def standings(self) -> pl.DataFrame:
        """Return the total results of all players, strongest first."""
        return pl.DataFrame(
            [
                {
                    "player": standing.name,
                    "how": standing.text,
                    "games": standing.random.cases,
                    **rate_columns("won", standing.random),
                    **rate_columns("as_red", standing.red_won),
                    **rate_columns("as_blue", standing.blue_won),
                }
                for standing in self.ladder.standings
            ]
        )

    def pairings(self) -> pl.DataFrame:
        """Return the results of all pairings: from random deals with both colours, and from won deals."""
        rate = {(pairing.red, pairing.blue): pairing for pairing in self.ladder.pairings}
        names = [standing.name for standing in self.ladder.standings]
        return pl.DataFrame(
            [
                {
                    "player": name,
                    "against": other,
                    **rate_columns("won", self.ladder.between(name, other)),
                    **rate_columns("as_red", rate[name, other].red_won),
                    **rate_columns("as_blue", rate[other, name].blue_won),
                }
                for name in names
                for other in names
                if name != other
            ]
        )

    def positions_won_back(self) -> pl.DataFrame:
        """Return the lost positions that the levels without errors win back from each player."""
        return pl.DataFrame(
            [
                {
                    "against": row.against,
                    "plies": row.plies,
                    **{
                        column: value
                        for name, rate in row.won.items()
                        for column, value in rate_columns(name, rate).items()
                    },
                    "more_percent": 100 * row.difference.value,
                    "more_low": 100 * row.difference.low,
                    "more_high": 100 * row.difference.high,
                }
                for row in self.won_back
            ]
        )


def find_strategy(
    games: int = GAMES,
    ladder_games: int = LADDER_GAMES,
    won_back_games: int = WON_BACK_GAMES,
    *,
    jobs: int | None = None,
    progress: Callable[[str, int], None] = lambda _text, _done: None,
) -> Strategy:
    """Measure the bundled card, play the ladder, and play lost positions.

    `progress(text, games)` is called for each step; the games sum to `total_cost`.
    """
    study = measure_card(bundled_card(), STANDARD, SEED, games=games, jobs=jobs, progress=progress)
    ladder = play_ladder(
        [character(name) for name in PLAYERS],
        ladder_games,
        np.random.default_rng(SEED),
        STANDARD,
        jobs=jobs,
        progress=lambda text: progress(text, ladder_games),
    )
    tempting, perfect = character("tempting"), character("perfect")
    won_back = play_won_back(
        (tempting, perfect),
        [character(name) for name in PLAYERS],
        won_back_games,
        SEED,
        STANDARD,
        jobs=jobs,
        progress=lambda text: progress(text, won_back_games),
    )
    return Strategy(study, ladder, ladder_games, won_back, won_back_games)


def total_cost() -> int:
    """Return the total number of games to solve and to play, by default."""
    won_back = len(PLIES) * len(PLAYERS) * WON_BACK_GAMES
    return games_of(Split.FRESH, GAMES) + len(PLAYERS) ** 2 * LADDER_GAMES + won_back
