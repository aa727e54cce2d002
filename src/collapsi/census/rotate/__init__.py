"""Every deal of `shift-rotate` at once: all positions that can arise, layer by layer.

As in the classic game a *shape* is a position without its numbers, and is solved for all numberings at once.
In addition a move rotates a line. So there are two layers for each number of cards, before a walk and before
a shift, and there are fewer symmetries: those that map lines to lines.

Interface
---------
- `solve_deals`: the value of every deal, by the place of blue's jack; `sweep`: the layers up to some number
  of cards, one after the other.
- Cost: `bytes_needed` estimates the memory, `positions_after` counts the positions that are left to solve,
  and `is_ready` says whether the kernels are compiled already.
- `LayerStore`: finished layers on disk, at most `max_disk_bytes`; by default in `layer_store_folder`.

Implementation
--------------
- `shapes`: the symmetries, the different shapes, and the shapes that follow from each.
- `plans`: the rows from which each row of a layer is computed, and through which renaming of cells.
- `sweep`: the computation, smallest layer first.
- `storage`: the newest layer on disk.
- `deals`: the last layer, where red leaves the jack.
"""

from collapsi.census.rotate.deals import solve_deals
from collapsi.census.rotate.shapes import JACKS, Layer, Shape, group, layers, numbered
from collapsi.census.rotate.storage import ElapsedTime, LayerStore, layer_store_folder, max_disk_bytes
from collapsi.census.rotate.sweep import (
    SolvedLayers,
    WorkDone,
    bytes_needed,
    is_ready,
    positions_after,
    sweep,
)

__all__ = [
    "JACKS",
    "ElapsedTime",
    "Layer",
    "LayerStore",
    "Shape",
    "SolvedLayers",
    "WorkDone",
    "bytes_needed",
    "group",
    "is_ready",
    "layer_store_folder",
    "layers",
    "max_disk_bytes",
    "numbered",
    "positions_after",
    "solve_deals",
    "sweep",
]
