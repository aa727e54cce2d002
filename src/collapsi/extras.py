"""What plain `collapsi` does not bring: the libraries of its extras, and how to install a missing one."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from collapsi.errors import CollapsiError

if TYPE_CHECKING:
    from collections.abc import Iterator


class MissingExtraError(ModuleNotFoundError, CollapsiError):
    """A library that is not installed; the message has the command that installs it."""


@contextmanager
def needs(extra: str) -> Iterator[None]:
    """Import what comes with an extra; if it is missing, name the extra of whoever asked first.

    >>> with needs("atlas"):
    ...     import polarbears
    Traceback (most recent call last):
    collapsi.extras.MissingExtraError: polarbears is not installed: pip install "collapsi[atlas]" brings it
    """
    try:
        yield
    except ModuleNotFoundError as error:
        library = (error.name or "").partition(".")[0]
        if library in ("", "collapsi"):  # a fault of ours
            raise
        msg = f'{library} is not installed: pip install "collapsi[{extra}]" brings it'
        raise MissingExtraError(msg, name=library) from None
