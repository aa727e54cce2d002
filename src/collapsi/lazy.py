"""A property that is worked out once, without a lock.

`functools.cached_property` of Python 3.11 holds one lock for all objects of a class while it works: a thread
that thinks about one position would keep everybody else from asking about another. Here two threads that ask
for the same thing at the same time both work it out, and as our objects never change, both find the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar, overload

if TYPE_CHECKING:
    from collections.abc import Callable

Found = TypeVar("Found")


class Lazy(Generic[Found]):
    """Work a property out when it is first asked for, and keep it.

    >>> class Deck:
    ...     @lazy
    ...     def size(self) -> int:
    ...         print("counting")
    ...         return 16
    >>> deck = Deck()
    >>> deck.size + deck.size
    counting
    32
    """

    def __init__(self, work: Callable[[Any], Found]) -> None:
        self.work = work
        self.__doc__ = work.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...
    @overload
    def __get__(self, instance: object, owner: type) -> Found: ...
    def __get__(self, instance: object | None, owner: type) -> Self | Found:
        """The value; from then on it stands in the object's own dictionary, where Python looks first."""
        if instance is None:
            return self
        found = instance.__dict__[self.name] = self.work(instance)
        return found


if TYPE_CHECKING:  # to a type checker it is a property
    from builtins import property as lazy
else:
    lazy = Lazy

__all__ = ["lazy"]
