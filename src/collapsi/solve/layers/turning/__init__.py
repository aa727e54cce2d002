"""Every deal at once with turning lines (`shift-rotate`): all positions that can arise, layer by layer.

As in the classic game a *shape* is a position without its numbers, and is solved for all numberings at once.
New is that a move also turns a line. So there are two layers for each number of cards, before a walk and
before a shift, and the symmetries are fewer: those that make lines into lines.

What one can ask
----------------
- `solve_deals`: the value of every deal, by the place of blue's jack; `sweep`: the layers up to some number
  of cards, one after the other.
- What that will take: `bytes_needed` of memory, `positions_after` what is done already, and `is_ready` where
  nothing has to be compiled first.
- `Kept`: finished layers on disk, `most_bytes` of it; `kept_folder` is where.

How it is done
--------------
- `shapes`: the symmetries, the different shapes, and what follows from each.
- `plans`: which rows of one layer another is made from, and through which renaming of cells.
- `sweep`: from the smallest layer upwards.
- `kept`: the newest layer on disk.
- `deals`: the last layer, where red leaves the jack.
"""

from collapsi.solve.layers.turning.deals import solve_deals
from collapsi.solve.layers.turning.kept import Kept, Spent, kept_folder, most_bytes
from collapsi.solve.layers.turning.shapes import JACKS, Layer, Shape, group, layers, numbered
from collapsi.solve.layers.turning.sweep import (
    Piece,
    Solved,
    bytes_needed,
    is_ready,
    positions_after,
    sweep,
)

__all__ = [
    "JACKS",
    "Kept",
    "Layer",
    "Piece",
    "Shape",
    "Solved",
    "Spent",
    "bytes_needed",
    "group",
    "is_ready",
    "kept_folder",
    "layers",
    "most_bytes",
    "numbered",
    "positions_after",
    "solve_deals",
    "sweep",
]
