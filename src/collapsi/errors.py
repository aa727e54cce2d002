"""What can be wrong with what a person gave us. Each is a `ValueError` whose message is one clear line."""

from __future__ import annotations


class CollapsiError(ValueError):
    """Something the user gave cannot be used; the message says what and where."""


class MalformedError(CollapsiError):
    """A text that cannot be read: no position, game, square or rule set."""


class IllegalPositionError(CollapsiError):
    """Cards and pawns that have no meaning as a position, such as two pawns on one card."""


class OutputError(CollapsiError):
    """A folder that cannot be written, or has something in it that must not be lost."""


class BusyError(OutputError):
    """A folder that another process is writing to."""


class AtlasError(OutputError):
    """An atlas that is missing, damaged, of another format or in the way; or what it has no answer to."""


class DamagedAtlasError(AtlasError):
    """An atlas whose files are not what was written: nothing in it can be trusted."""


class IllegalMoveError(CollapsiError):
    """A move that the rules do not allow in this position."""
