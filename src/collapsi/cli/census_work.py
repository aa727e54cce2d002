"""The work on all deals that the commands start: room is made sure of first, and a bar shows how far it is.

Loading this module loads the solvers, so commands do it when they run.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np

from collapsi import verify
from collapsi.census import count_all_games, count_deals, count_different, take_census, take_census_by_search
from collapsi.cli.common import complain
from collapsi.cli.progress import amount_of_work, progress_bar, say_if_compiling
from collapsi.fairness import STEP_SETS, compare_opening_rules
from collapsi.made_up import deck_of, with_options
from collapsi.memory import check_memory
from collapsi.rules import JOKER, STANDARD
from collapsi.solve import compiled
from collapsi.solve.jit import is_cached
from collapsi.solve.layers import GAMES, VALUES, bytes_needed, is_ready, layers_of, positions_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from collapsi.census import Census, GameCount
    from collapsi.fairness import OpeningRule
    from collapsi.made_up import Deck
    from collapsi.rules import Rules
    from collapsi.solve.layers import Layer, Question
    from collapsi.verify import Verification


def census_by_layers(rules: Rules, jobs: int | None) -> Census:
    """Every deal solved at once."""
    with _layers_progress(rules, VALUES) as progress:
        return take_census(rules, jobs=jobs, progress=progress)


def census_by_search(rules: Rules, jobs: int | None) -> Census:
    """Every truly different deal solved by itself."""
    say_if_compiling(ready=is_cached(compiled.solve_many))
    layers_of(rules)  # says which deals cannot be counted
    with progress_bar(count_different(rules), "deals") as say:
        return take_census_by_search(
            rules, jobs=jobs, progress=lambda done, total, more: say(f"{done:,} of {total:,} deals", more)
        )


def possible_games(rules: Rules, jobs: int | None) -> GameCount:
    """The possible games of every deal."""
    with _layers_progress(rules, GAMES) as progress:
        return count_all_games(rules, jobs=jobs, progress=progress)


def verification(rules: Rules, count: int, jobs: int | None) -> Verification:
    """Random deals compared with the search, other ones every time."""
    with _layers_progress(rules, VALUES) as progress:
        return verify.verify(rules, count, np.random.default_rng(), jobs=jobs, progress=progress)


def opening_rules_compared(jobs: int | None, rules: Rules = STANDARD) -> list[OpeningRule]:
    """Every opening rule, fairest first, with the deck of some rules."""
    check_memory_for_all("fairness", deck_of(rules))
    say_if_compiling(ready=is_ready(VALUES))
    layers = 13 + len(STEP_SETS)  # of 2 to 14 cards, then blue's first moves
    with progress_bar(layers, "layers") as say:
        return compare_opening_rules(deck_of(rules), jobs=jobs, progress=lambda text: say(text, 1))


def check_memory_for_all(what: str, deck: Deck | None = None) -> None:
    """Whether there is memory for the layers that any first moves lead to."""
    check_memory(bytes_needed(layers_of(with_options(JOKER, deck=deck)), VALUES), what)


@contextmanager
def _layers_progress(rules: Rules, question: Question) -> Iterator[Callable[[Layer], None]]:
    """A bar over the layers of a sweep, after a look whether there is memory for it."""
    every = layers_of(rules)
    memory, positions = bytes_needed(every, question), sum(map(positions_in, every.values()))
    check_memory(memory, rules.name)
    if deck_of(rules) != deck_of(STANDARD):
        complain(f"{rules}: {count_deals(rules):,} deals, {amount_of_work(positions, memory)}")
    say_if_compiling(ready=is_ready(question))
    with progress_bar(positions, "layers") as say:
        yield lambda layer: say(f"{layer.cards:>2} cards, {len(layer.index):,} shapes", positions_in(layer))
