"""Every deal at once: all positions that can arise, layer by layer, from two face-up cards up to sixteen.

A *shape* is a position without its numbers: the face-up cells, the mover's cell and the other pawn's. The
shapes that follow from a shape depend only on the number under the mover. So shapes are solved instead of
deals, each as one array over all ways to lay numbers on its face-up cells.

Interface
---------
- `solve_deals` answers a question (`VALUES`, `GAMES`, `ONE_LINE`) for every deal under some rules,
  `solve_by_blue_first` for all first moves. Answers are grouped by the distance of the jacks (`JACKS`), as
  arrays over the numberings of the other cells (`codes_of`).
- Cost: `layers_of` lists the layers of some rules, `positions_in` counts the positions of one, `bytes_needed`
  estimates the memory, and `is_ready` says whether the kernels are compiled already.
- Totals: `least_numberings` finds the representatives of truly different deals, `histogram` counts over them.

Implementation
--------------
- `numberings`: the ways to lay numbers on m cells, their ranks, and their images when cells are renamed.
- `shapes`: the different shapes under all 384 symmetries, and the shapes that follow from each.
- `sweep`: computes the arrays of each layer from those of the layer below, smallest layer first.
- `deals`: the last two layers, where the first moves are made.
- `tally`: counting over the answers.
"""

from collapsi.census.layers.deals import DealAnswers, solve_by_blue_first, solve_deals
from collapsi.census.layers.numberings import (
    NUMBERED,
    OFFICIAL,
    Decks,
    codes_of,
    count_numberings,
    counts_of,
    packed,
)
from collapsi.census.layers.shapes import JACKS, Jacks, Layer, Shape, distance, layers_of
from collapsi.census.layers.sweep import (
    GAMES,
    ONE_LINE,
    VALUES,
    Question,
    bytes_needed,
    is_ready,
    places_of,
    positions_in,
)
from collapsi.census.layers.tally import histogram, least_numberings

__all__ = [
    "GAMES",
    "JACKS",
    "NUMBERED",
    "OFFICIAL",
    "ONE_LINE",
    "VALUES",
    "DealAnswers",
    "Decks",
    "Jacks",
    "Layer",
    "Question",
    "Shape",
    "bytes_needed",
    "codes_of",
    "count_numberings",
    "counts_of",
    "distance",
    "histogram",
    "is_ready",
    "layers_of",
    "least_numberings",
    "packed",
    "places_of",
    "positions_in",
    "solve_by_blue_first",
    "solve_deals",
]
