"""Games with many variations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from collapsi import parse_position

if TYPE_CHECKING:
    from collections.abc import Iterator

EXAMPLE = "A223/4A2Jr/3A23/Jb3A4 r"


def wide_tree(moves: int, start: str = EXAMPLE) -> str:
    """A game with this number of moves: the main line takes the first legal moves, variations the others."""
    left = iter(range(moves))
    position = parse_position(start)
    return " ".join([position.text, *_lines(position, left)])


def _lines(state: Any, left: Iterator[int]) -> Iterator[str]:
    """The moves after a state with all their variations, as long as there are moves `left`."""
    main, *others = state.moves or [None]
    if main is None or next(left, None) is None:
        return
    yield state.move_text(main)
    for other in others:
        if next(left, None) is None:
            return
        yield f"({' '.join([state.move_text(other), *_lines(state.play(other), left)])})"
    yield from _lines(state.play(main), left)
