"""The work of `collapsi big` and of the big board's ladder, with a bar, and what they print.

Loading this module loads the solvers, so commands do it when they run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table

from collapsi.big_facts.facts import find_facts, steps_of
from collapsi.big_facts.rounds import climb, pairs
from collapsi.cli.common import new_console, print_table
from collapsi.cli.facts_tables import PIPE_WIDTH, print_facts_tables
from collapsi.cli.progress import progress_bar, say_if_compiling
from collapsi.errors import MalformedError, OutputError
from collapsi.files import write_whole
from collapsi.games.crowd_players import level_named, level_text, levels
from collapsi.report.pieces import mean_text, rate_text
from collapsi.report.style import draw
from collapsi.solve import crowd_compiled
from collapsi.solve.jit import is_cached

if TYPE_CHECKING:
    from pathlib import Path

    from collapsi.big_facts.facts import BigFacts
    from collapsi.big_facts.rounds import Rung
    from collapsi.rules import CrowdRules

WORDS = {"rules", "seat", "level", "all others", ""}
"""Columns of words, which begin at the left."""


def big_facts(deals: int, seed: int) -> BigFacts:
    """Find the facts, with a bar."""
    _say_if_compiling()
    with progress_bar(steps_of(deals), "the big board") as say:
        return find_facts(deals, seed, progress=lambda text: say(text, 1))


def _say_if_compiling() -> None:
    say_if_compiling(ready=is_cached(crowd_compiled.grow) and is_cached(crowd_compiled.search))


def climbed(
    names: list[str] | None, rules: CrowdRules, rounds: int, seed: int, nodes: int
) -> tuple[Rung, ...]:
    """Everybody, or some, each against the one before."""
    climbing = list(levels(rules))
    if names is not None:
        wanted = [level_named(name, rules) for name in names]
        climbing = [level for level in climbing if level in wanted]
        if len(climbing) < max(2, len(names)):
            msg = "a ladder needs at least two players, each named once"
            raise MalformedError(msg)
    _say_if_compiling()
    with progress_bar(len(pairs(climbing)), "rounds") as say:
        return climb(climbing, rules, rounds, seed=seed, nodes=nodes, progress=lambda text: say(text, 1))


def print_ladder(rungs: tuple[Rung, ...], rules: CrowdRules, nodes: int) -> None:
    """Each level at a table of another's."""
    console = new_console()
    if not console.is_terminal:
        console.width = PIPE_WIDTH
    strongest = levels(rules)[-1]
    console.print(
        f"Rounds won by one level when all other seats are another’s, {rules} rules (95 % interval).\n"
        f"A fair share is {100 / rules.players:.1f} %. {strongest} looks at {nodes:,} positions a move.\n"
    )
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for name in ("level", "all others", "rounds", "won", "points", "CPU ms a move", ""):
        table.add_column(name, justify="left" if name in WORDS else "right", no_wrap=True)
    for rung in rungs:
        table.add_row(
            rung.level,
            rung.others,
            f"{rung.won.cases:,}",
            rate_text(rung.won),
            mean_text(rung.points),
            f"{rung.milliseconds:.1f}",
            level_text(rung.level),
        )
    print_table(console, table)


def write_picture(path: Path, facts: BigFacts) -> None:
    """The curve of what the engine expects beside what is exact, as SVG."""
    from collapsi.report.big_figures import calibration

    try:
        write_whole(path, draw(calibration, facts)[0])
    except OSError as error:
        msg = f"cannot write {path}: {error.strerror}"
        raise OutputError(msg) from None


def print_facts(facts: BigFacts) -> None:
    """Every table, each under what it is about."""
    from collapsi.report.big import shown  # Polars, which the ladder does without

    head = (
        f"The big board: {facts.deals:,} random deals for two solved, the other samples by that "
        f"(seed {facts.seed}); in brackets 95 % intervals"
    )
    print_facts_tables(head, shown(facts).values(), WORDS)
