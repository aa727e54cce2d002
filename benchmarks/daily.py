"""Measure how hard the deal of the day is, with red played at several levels.

Each level plays the deal of every day once, from a first date on:

    python benchmarks/daily.py --first 2026-01-01 --days 1200

The opponent's moves depend only on the date and the moves so far. Red's random choices depend on the seed,
the date and the level, so the same arguments give the same table.
"""

from __future__ import annotations

import argparse
import random
from datetime import date, timedelta

from collapsi.core.intervals import Rate
from collapsi.games.levels import Level
from collapsi.games.registry import kind_named
from collapsi.play.daily import PERSON, DailyGame, parse_date
from collapsi.play.levels import choose_move

LEVELS = (Level.RANDOM, Level.TWO, Level.FOUR, Level.PERFECT)


def person_wins(day: date, level: Level, seed: int) -> bool:
    """Play the deal of a day with red at a level, and return whether red wins."""
    rng = random.Random(f"{seed} {day.isoformat()} {level}")
    game = DailyGame.start(day)
    while not game.over:
        mine = game.to_move is PERSON
        game = game.play(choose_move(game.game.position, level, rng) if mine else game.reply)
    return game.won


def main() -> None:
    """Play all days at all levels and print red's share of wins with 95 % intervals."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--first", type=parse_date, default=date(2026, 1, 1), help="first date")
    parser.add_argument("--days", type=int, default=1200)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    kind_named("classic").solver.warm_up()
    wins = dict.fromkeys(LEVELS, 0)
    for number in range(arguments.days):
        day = arguments.first + timedelta(number)
        for level in LEVELS:
            wins[level] += person_wins(day, level, arguments.seed)
    print("red plays  days  red wins")
    for level, won in wins.items():
        print(f"{level:<9}  {arguments.days:,}  {Rate(won, arguments.days)}")


if __name__ == "__main__":
    main()
