"""Take a census and write its atlas, as a process of its own: `python -m collapsi.web.census_job RULES FOLDER`.

A process of its own, because the census takes gigabytes that Python would not give back, and both cores: it runs at low priority,
so that whoever plays meanwhile does not notice. Each line printed is the share of the work done.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from collapsi.atlas import check_free, write_atlas
from collapsi.census import VARIANTS, take_census
from collapsi.errors import CollapsiError
from collapsi.memory import check_memory
from collapsi.solve.layers.shapes import layers
from collapsi.solve.layers.sweep import VALUES, bytes_needed, positions_in

if TYPE_CHECKING:
    from collapsi.solve.layers.shapes import Layer

WRITING = 0.15
"""The share of the time that tallying and writing take, about."""


def main(rules: str, folder: Path) -> None:
    """Do it."""
    os.nice(10)
    check_free(folder, force=True)
    variant = VARIANTS[rules]
    every = layers(variant.red_first, variant.blue_first)
    check_memory(bytes_needed(every, VALUES), f"the census of {rules}")
    total = sum(positions_in(layer) for layer in every.values())
    done = 0

    def progress(layer: Layer) -> None:
        """Told before each layer."""
        nonlocal done
        say(done / total * (1 - WRITING))
        done += positions_in(layer)

    census = take_census(variant, progress=progress)
    say(1 - WRITING)
    write_atlas(folder, census, force=True)
    say(1)


def say(share: float) -> None:
    """One line for whoever waits."""
    sys.stdout.write(f"{share:.4f}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    try:
        main(sys.argv[1], Path(sys.argv[2]))
    except CollapsiError as error:
        sys.stderr.write(f"{error}\n")
        sys.exit(1)
