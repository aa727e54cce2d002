"""The words of a position or game in notation: the part that all kinds of games share.

A game is a position and the moves played from it, separated by spaces. In a URL the spaces may be written
`_`, `+` or `%20`. Case is ignored.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from collapsi.core.errors import IllegalMoveError, MalformedError, wrong_type
from collapsi.core.rows import shorten

if TYPE_CHECKING:
    from collapsi.core.game import Game
    from collapsi.core.state import StateT

LONGEST = 1000
"""The maximum length of a text in characters; a whole game needs about 90."""

_ESCAPES = (
    ("\ufeff", ""),
    ("%20", " "),
    ("%7C", "|"),
    ("%7c", "|"),
    ("%2F", "/"),
    ("%2f", "/"),
    ("%2C", ","),
    ("%2c", ","),
    ("%40", "@"),
    ("_", " "),
    ("+", " "),
)


def unquote(text: str) -> str:
    """Decode a text from a URL.

    >>> unquote("A223/4A2Jr/3A23/Jb3A4_r+joker")
    'A223/4A2Jr/3A23/Jb3A4 r joker'
    """
    for written, meant in _ESCAPES:
        text = text.replace(written, meant)
    return text


def words_of(text: str) -> list[str]:
    """Split a position or game into its words; raise if there are none."""
    if not isinstance(text, str):
        raise wrong_type(text, "a text")
    if len(text) > LONGEST:
        msg = f"{len(text):,} characters are too many for a position or game (at most {LONGEST:,})"
        raise MalformedError(msg)
    words = unquote(text).split()
    if not words:
        msg = "no position: the text is empty"
        raise MalformedError(msg)
    return words


def play_words(game: Game[StateT], words: list[str]) -> Game[StateT]:
    """Play moves in notation; the error for an illegal one names its number."""
    for number, square in enumerate(words, start=1):
        try:
            game = game.play(square.lower())
        except IllegalMoveError as error:
            msg = f"move {number}, {shorten(square)}: {error}"
            raise IllegalMoveError(msg) from None
    return game
