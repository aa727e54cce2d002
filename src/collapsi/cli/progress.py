"""Progress of long work: bars, status lines, and the announcement of a compilation."""

from __future__ import annotations

import time
from contextlib import ExitStack, contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any, Protocol

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from collapsi.cli.output import complain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from collapsi.games.kind import Solver

LOG_SECONDS = 60.0
"""The time between two lines of progress in a log, where no bar is shown."""
GETTING_READY = "getting the solver ready (it is compiled the first time only)"


class Advance(Protocol):
    """Advances a bar: called with the text of the next step and its size."""

    def __call__(self, text: str, size: int = 1) -> None: ...


class BarConsole(Console):
    """Standard error for a bar that does not hide the cursor.

    A hidden cursor would stay hidden after a signal that kills the program.
    """

    def show_cursor(self, show: bool = True) -> bool:  # noqa: ARG002 - Rich hides it with this when a bar starts
        """Do nothing."""
        return False


def new_log() -> Callable[[str], None]:
    """Return a function that prints a line on standard error, if the last one was some time ago."""
    logged = time.monotonic()

    def log(text: str) -> None:
        nonlocal logged
        if time.monotonic() - logged >= LOG_SECONDS:
            complain(text)
            logged = time.monotonic()

    return log


@contextmanager
def progress_bar(
    total: int, task: str, *, wanted: bool = True, solvers: Iterable[Any] | None = None
) -> Iterator[Advance]:
    """Show a bar on standard error; if that is not a terminal, print a line from time to time.

    The bar advances by the size of a step when the next step begins. `solvers` are the compiled functions
    that the work needs: a compilation is announced first.
    """
    if solvers is not None:
        from collapsi.solving.jit import is_cached

        say_if_compiling(ready=all(map(is_cached, solvers)))
    console = BarConsole(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f} %"),
        TimeElapsedColumn(),
    )
    shown = wanted and console.is_terminal
    log = new_log()
    with Progress(*columns, console=console, transient=True, disable=not shown) as bar:
        number = bar.add_task(task, total=total)
        done = waiting = 0

        def advance(text: str, size: int = 1) -> None:
            nonlocal done, waiting
            bar.update(number, description=text, advance=waiting)
            done, waiting = done + waiting, size
            if wanted and not shown:
                log(f"{task}: {100 * done // total} % ({text})")

        yield advance


@contextmanager
def status_line(text: str) -> Iterator[Callable[[str], None]]:
    """Show one line with the time on standard error, if that is a terminal; the function changes its text."""
    console = BarConsole(stderr=True)
    columns = TimeElapsedColumn(), TextColumn("{task.description}")
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as line:
        task = line.add_task(text)
        yield lambda text: line.update(task, description=text)


@contextmanager
def moves_progress(solver: Solver) -> Iterator[Callable[[int, int], None] | None]:
    """Yield a callback for the number of settled moves and of all moves; None if it would not be seen.

    The bar appears with the first call: short work shows none.
    """
    if not BarConsole(stderr=True).is_terminal:
        yield None
        return
    with ExitStack() as stack:
        advance: Advance | None = None
        settled = 0

        def progress(done: int, moves: int) -> None:
            nonlocal advance, settled
            if advance is None:
                advance = stack.enter_context(progress_bar(moves, "solving"))
            text = f"solving: {done} of {moves} moves" if solver.is_warm() else GETTING_READY
            advance(text, done - settled)
            advance(text, 0)
            settled = done

        yield progress


class PartsDone(Protocol):
    """The progress of work that is done in parts; its text describes it."""

    @property
    def parts(self) -> int: ...

    @property
    def of(self) -> int: ...


@contextmanager
def parts_progress() -> Iterator[Callable[[PartsDone], None]]:
    """Show a bar on a terminal; elsewhere print a line from time to time."""
    console = BarConsole(stderr=True)
    if not console.is_terminal:
        log = new_log()
        yield lambda progress: log(str(progress))
        return
    columns = (BarColumn(bar_width=20), TextColumn("{task.description}"))
    with Progress(*columns, console=console, transient=True) as bar:
        number = bar.add_task("getting ready", total=None)

        def show(progress: PartsDone) -> None:
            bar.update(number, completed=progress.parts, total=progress.of, description=str(progress))

        yield show


def amount_of_work(positions: int, memory: int) -> str:
    """Describe the size of the work before it begins.

    >>> amount_of_work(2_300_000_000, 1_800_000_000), amount_of_work(7_000_000, 500_000_000)
    ('2.3 billion positions, about 1.8 GB of memory', '7.0 million positions, about 0.5 GB of memory')
    """
    many = f"{positions / 1e9:.1f} billion" if positions > 5e7 else f"{positions / 1e6:.1f} million"
    return f"{many} positions, about {memory / 1e9:.1f} GB of memory"


def log_step(number: int, steps: int, text: str) -> None:
    """Print a line on standard error for each step of long work, where no bar is shown."""
    if not BarConsole(stderr=True).is_terminal:
        complain(f"step {number} of {steps}: {text}")


def say_if_compiling(*, ready: bool) -> None:
    """Announce a compilation, once per process; refuse if nothing can be compiled."""
    from collapsi.solving.jit import check_compiles

    check_compiles("this would take hours to weeks")
    if not ready:
        _say_compiling()


@cache
def _say_compiling() -> None:
    """Print once: a command may need several solvers."""
    complain("compiling, this first time only: about ten seconds for each solver")
