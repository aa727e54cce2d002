"""Answer the exam with a Python function: `python -m collapsi.study.exam.asked MODULE:FUNCTION`.

The function gets a `collapsi.Position` and returns a move: the number of its end cell, or its end square. It
runs in a process of its own, so that the exam can end it; what it prints goes to standard error.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any

from collapsi.core.errors import CollapsiError
from collapsi.games.registry import parse_position

if TYPE_CHECKING:
    from collections.abc import Callable

    from collapsi.games.classic.position import Position


def load(name: str) -> Callable[..., Any]:
    """Import a function by its module and name, from the current folder or an installed package.

    >>> load("collapsi.play.levels:choose_move").__name__
    'choose_move'
    """
    module, colon, function = name.partition(":")
    if not colon or not module or not function:
        msg = f"{name!r:.60} does not name a function: write MODULE:FUNCTION"
        raise CollapsiError(msg)
    sys.path.insert(0, os.getcwd())  # noqa: PTH109 - sys.path has texts
    found = import_module(module)
    for part in function.split("."):
        found = getattr(found, part)
    if not callable(found):
        msg = f"{name} is no function"
        raise CollapsiError(msg)
    return found


def answer_lines(make: Callable[[], Callable[[Position], Any]]) -> None:
    """Answer the positions on standard input with the function that `make` returns, until one fails."""
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as output:
        os.dup2(2, 1)  # what the function prints is no answer
        try:
            choose = make()
            for line in sys.stdin:
                position = parse_position(line)
                output.write(f"{square(position, choose(position))}\n")
                output.flush()
        except BrokenPipeError:
            raise
        except BaseException as error:  # noqa: BLE001 - the exam reports it
            text = " ".join(str(error).split())
            with suppress(OSError):
                output.write(f"! {type(error).__name__}: {text:.500}\n")


def square(position: Position, move: Any) -> str:
    """Return the end square of a move that may be illegal.

    >>> square(parse_position("A223/4A2Jr/3A23/Jb3A4 r"), 4)
    'a2'
    """
    if isinstance(move, str):
        return move
    number = getattr(move, "move", move)  # a `MoveValue` has it
    if not hasattr(number, "__index__") or not 0 <= int(number) < position.board.size:
        msg = f"returned {move!r:.60}, not the number of an end cell or its square"
        raise CollapsiError(msg)
    return position.board.square(int(number))


if __name__ == "__main__":
    answer_lines(lambda: load(sys.argv[1]))
