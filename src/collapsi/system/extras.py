"""Optional libraries: which extra of `collapsi` installs a missing one."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from collapsi.core.errors import CollapsiError

if TYPE_CHECKING:
    from collections.abc import Iterator


class MissingExtraError(ModuleNotFoundError, CollapsiError):
    """A library is not installed; the message has the command that installs it."""


@contextmanager
def needs(extra: str) -> Iterator[None]:
    """Import libraries of an extra inside this context; if one is missing, the error names the extra.

    >>> with needs("atlas"):  # doctest: +ELLIPSIS
    ...     import polarbears
    Traceback (most recent call last):
    collapsi.system.extras.MissingExtraError: polarbears is not installed: pip install "collapsi[atlas]" ...
    """
    try:
        yield
    except ModuleNotFoundError as error:
        library = (error.name or "").partition(".")[0]
        if library in ("", "collapsi"):  # a bug of this package
            raise
        msg = f'{library} is not installed: pip install "collapsi[{extra}]" brings it'
        raise MissingExtraError(msg, name=library) from None
