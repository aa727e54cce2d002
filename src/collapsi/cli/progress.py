"""A bar that shows how far long work is."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@contextmanager
def progress_bar(total: int, task: str, *, wanted: bool = True) -> Iterator[Callable[[str, int], None]]:
    """A bar on standard error, if that is a terminal: advance it by an amount and say what comes next."""
    console = Console(stderr=True)
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
