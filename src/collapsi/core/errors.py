"""Errors in user input. Each is a `ValueError` with a one-line message."""

from __future__ import annotations


class CollapsiError(ValueError):
    """Base class: the input cannot be used; the message names the problem and its place."""


class MalformedError(CollapsiError):
    """A text that is not a valid position, game, square or rule set."""


class IllegalPositionError(CollapsiError):
    """Cards and pawns that do not form a position, such as two pawns on one card."""


class OutputError(CollapsiError):
    """A folder that is not writable, or contains files that must not be overwritten."""


class BusyError(OutputError):
    """A folder that another process is writing to."""


class AtlasError(OutputError):
    """An atlas that is missing, damaged, in another format or in the way, or has no data for a query."""


class DamagedAtlasError(AtlasError):
    """An atlas with damaged files: none of its data can be trusted."""


class IllegalMoveError(CollapsiError):
    """A move that the rules do not allow in this position."""


def wrong_type(given: object, accepted: str) -> TypeError:
    """Return a one-line error for an argument of a wrong type.

    >>> str(wrong_type(1.5, "a position, a game or a text"))
    'expected a position, a game or a text, not 1.5 (float)'
    """
    shown = " ".join(f"{given!r:.60}".split())
    kind = "" if given is None else f" ({type(given).__name__})"
    return TypeError(f"expected {accepted}, not {shown}{kind}")
