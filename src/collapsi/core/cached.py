"""A cached property without a lock.

`functools.cached_property` of Python 3.11 holds one lock per class while it computes, so a thread that solves
one position would block all threads that use another. Here two threads may compute the same value at the same
time; as the objects are immutable, both results are equal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


class CachedProperty:
    """Compute an attribute on first access and store it in the object.

    >>> class Deck:
    ...     @cached_property
    ...     def size(self) -> int:
    ...         print("counting")
    ...         return 16
    >>> deck = Deck()
    >>> deck.size + deck.size
    counting
    32
    """

    def __init__(self, function: Callable[[Any], Any]) -> None:
        self.function = function
        self.__doc__ = function.__doc__

    def __get__(self, instance: Any, owner: type) -> Any:
        """Compute and store the value; later accesses find it in the object's dictionary first."""
        if instance is None:
            return self
        value = instance.__dict__[self.function.__name__] = self.function(instance)
        return value


if TYPE_CHECKING:  # type checkers treat it as a property
    from builtins import property as cached_property
else:
    cached_property = CachedProperty

__all__ = ["cached_property"]
