"""What is shown while long work goes on: a bar, and why nothing is seen to happen at first."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from collapsi.cli.common import complain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class BarConsole(Console):
    """Standard error, for a bar beside which the cursor stays.

    Hidden it would stay hidden after a signal that kills, and the signal might have to wait for a layer if it
    were caught.
    """

    def show_cursor(self, show: bool = True) -> bool:  # noqa: ARG002 - Rich hides it with this when a bar starts
        """Leave it as it is."""
        return False


@contextmanager
def progress_bar(total: int, task: str, *, wanted: bool = True) -> Iterator[Callable[[str, int], None]]:
    """A bar on standard error, if that is a terminal: advance it by an amount and say what comes next."""
    console = BarConsole(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f} %"),
        TimeElapsedColumn(),
    )
    shown = wanted and console.is_terminal
    with Progress(*columns, console=console, transient=True, disable=not shown) as bar:
        number = bar.add_task(task, total=total)
        waiting = 0

        def say(text: str, size: int) -> None:
            nonlocal waiting
            bar.update(number, description=text, advance=waiting)
            waiting = size

        yield say


@contextmanager
def moves_told() -> Iterator[Callable[[int, int], None] | None]:
    """What a solver can tell how many moves are settled, and of how many; None if nobody would see it.

    The bar appears with the first word: work that is soon done shows none.
    """
    from collapsi.solve.search import may_compile
    from collapsi.solve.shift_search import compiled_is_loaded

    if not BarConsole(stderr=True).is_terminal:
        yield None
        return
    with ExitStack() as stack:
        say: Callable[[str, int], None] | None = None
        settled = 0

        def told(done: int, moves: int) -> None:
            nonlocal say, settled
            if say is None:
                say = stack.enter_context(progress_bar(moves, "solving"))
            text = f"solving: {done} of {moves} moves"
            if may_compile() and not compiled_is_loaded():
                text = "getting the solver ready (it is compiled the first time only)"
            say(text, done - settled)
            say(text, 0)
            settled = done

        yield told


def amount_of_work(positions: int, memory: int) -> str:
    """What will be done, said before it is begun.

    >>> amount_of_work(2_300_000_000, 1_800_000_000), amount_of_work(7_000_000, 500_000_000)
    ('2.3 billion positions, about 1.8 GB of memory', '7.0 million positions, about 0.5 GB of memory')
    """
    many = f"{positions / 1e9:.1f} billion" if positions > 5e7 else f"{positions / 1e6:.1f} million"
    return f"{many} positions, about {memory / 1e9:.1f} GB of memory"


def say_if_compiling(*, ready: bool) -> None:
    """Why nothing is seen to happen at first; or that nothing would for weeks."""
    from collapsi.solve.jit import check_compiles

    check_compiles()
    if not ready:
        complain("compiling, this first time only: some ten seconds")
