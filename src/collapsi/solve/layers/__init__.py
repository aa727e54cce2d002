"""Every deal at once: all positions that can arise, layer by layer, from two face-up cards up to sixteen.

A *shape* is a position without its numbers: the face-up cells, the mover's cell and the other's. Which shapes
follow from a shape depends only on the number under the mover. So shapes are solved instead of deals, each as
one array over all ways to lay numbers on its face-up cells.

What one can ask
----------------
- The answer to a question (`VALUES`, `GAMES`, `ONE_LINE`) for every deal: `solve_deals` under some rules,
  `solve_by_blue_first` under all first moves. Answers come by the distance of the jacks (`JACKS`), as arrays
  over the numberings of the other cells (`codes_of`).
- What that will take: `layers_of` some rules, `positions_in` one of them, `bytes_needed` for all, and
  `is_ready` where nothing has to be compiled first.
- What the answers come to: `least_numberings` finds the numberings that stand for others, `histogram` counts
  over them.

How it is done
--------------
- `numberings`: the ways to lay numbers on m cells, in order, and where each goes when the cells are renamed.
- `shapes`: the different shapes under all 384 symmetries, and what follows from each.
- `sweep`: from the smallest layer upwards, the arrays of one layer out of those of the layer below.
- `deals`: the last two layers, where the first moves are made.
- `tally`: counting over the answers.
"""

from collapsi.solve.layers.deals import DealAnswers, solve_by_blue_first, solve_deals
from collapsi.solve.layers.numberings import (
    NUMBERED,
    OFFICIAL,
    Decks,
    codes_of,
    count_numberings,
    counts_of,
    packed,
)
from collapsi.solve.layers.shapes import JACKS, Jacks, Layer, Shape, distance, layers_of
from collapsi.solve.layers.sweep import (
    GAMES,
    ONE_LINE,
    VALUES,
    Question,
    bytes_needed,
    is_ready,
    positions_in,
)
from collapsi.solve.layers.tally import histogram, least_numberings

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
    "positions_in",
    "solve_by_blue_first",
    "solve_deals",
]
