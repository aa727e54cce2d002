"""Drawings of objects of lower layers, for notebooks.

Drawing is a higher layer (`collapsi.draw`), but notebooks call `_repr_svg_` on any object. Therefore the
drawing functions are looked up by name at call time.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, cast


def draw(function: str, subject: Any) -> str:
    """Call a function of `collapsi.draw` by its name, `module.function`."""
    module, _, name = function.partition(".")
    return cast("str", getattr(import_module(f"collapsi.draw.{module}"), name)(subject))
