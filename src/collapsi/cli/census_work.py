"""The work on all deals that the commands start: room is made sure of first, and a bar shows how far it is.

Loading this module loads the solvers, so commands do it when they run.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from collapsi import verify
from collapsi.census import count_all_games, count_different, take_census, take_census_by_search
from collapsi.cli.common import complain
from collapsi.errors import CollapsiError
from collapsi.fairness import STEP_SETS, compare_opening_rules
from collapsi.memory import check_memory
from collapsi.rules import JOKER
from collapsi.solve import compiled
from collapsi.solve.jit import is_cached
from collapsi.solve.layers import GAMES, VALUES, bytes_needed, is_ready, layers_of, positions_in
from collapsi.solve.search import may_compile

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from collapsi.census import Census, GameCount
    from collapsi.fairness import OpeningRule
    from collapsi.rules import Rules
    from collapsi.solve.layers import Layer, Question
    from collapsi.verify import Verification


def census_by_layers(rules: Rules, jobs: int | None) -> Census:
    """Every deal solved at once."""
    with _layers_progress(rules, VALUES) as progress:
        return take_census(rules, jobs=jobs, progress=progress)


def census_by_search(rules: Rules, jobs: int | None) -> Census:
    """Every truly different deal solved by itself."""
    _say_if_compiling(ready=is_cached(compiled.solve_many))
    with _progress(count_different(), "deals") as say:
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


def opening_rules_compared(jobs: int | None) -> list[OpeningRule]:
    """Every opening rule, fairest first."""
    check_memory_for_all("fairness")
    _say_if_compiling(ready=is_ready(VALUES))
    with _progress(13 + len(STEP_SETS), "layers") as say:  # layers of 2 to 14 cards, then blue's first moves
        return compare_opening_rules(jobs=jobs, progress=lambda text: say(text, 1))


def check_memory_for_all(what: str) -> None:
    """Whether there is memory for the layers that any first moves lead to."""
    check_memory(bytes_needed(layers_of(JOKER), VALUES), what)


@contextmanager
def _layers_progress(rules: Rules, question: Question) -> Iterator[Callable[[Layer], None]]:
    """A bar over the layers of a sweep, after a look whether there is memory for it."""
    every = layers_of(rules)
    check_memory(bytes_needed(every, question), rules.name)
    _say_if_compiling(ready=is_ready(question))
    with _progress(sum(map(positions_in, every.values())), "layers") as say:
        yield lambda layer: say(f"{layer.cards:>2} cards, {len(layer.index):,} shapes", positions_in(layer))


class BarConsole(Console):
    """Standard error, for a bar beside which the cursor stays.

    Hidden it would stay hidden after a signal that kills, and the signal might have to wait for a layer if it
    were caught.
    """

    def show_cursor(self, show: bool = True) -> bool:  # noqa: ARG002 - Rich hides it with this when a bar starts
        """Leave it as it is."""
        return False


@contextmanager
def _progress(total: int, task: str) -> Iterator[Callable[[str, int], None]]:
    """A bar on standard error, if that is a terminal: advance it by an amount and say what comes next."""
    console = BarConsole(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f} %"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        number = bar.add_task(task, total=total)
        waiting = 0

        def say(text: str, size: int) -> None:
            nonlocal waiting
            bar.update(number, description=text, advance=waiting)
            waiting = size

        yield say


def _say_if_compiling(*, ready: bool) -> None:
    """Why nothing is seen to happen at first; or that nothing would for weeks."""
    if not may_compile():
        msg = "Numba may not compile (NUMBA_DISABLE_JIT is set), and without that all deals would take weeks"
        raise CollapsiError(msg)
    if not ready:
        complain("compiling, this first time only: some ten seconds")
