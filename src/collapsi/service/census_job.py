"""Take a census and write its atlas: `python -m collapsi.service.census_job RULES FOLDER`.

It is a separate process because the census takes all cores and gigabytes that Python would not return to the
system. It runs at low priority, so that the service stays responsive. Each line on standard output is the
share of the work done; an error is one line on standard error, with exit code 2.
"""

from __future__ import annotations

import os
import sys
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from collapsi.census.atlas import Atlas, write_atlas
from collapsi.census.atlas_files import open_writer
from collapsi.census.layers import VALUES, bytes_needed, layers_of, positions_in
from collapsi.census.lengths import take_census
from collapsi.core.errors import BusyError, CollapsiError
from collapsi.games.classic.made_up import classic_rules
from collapsi.solving.jit import check_compiles
from collapsi.system.memory import check_memory

if TYPE_CHECKING:
    from collapsi.census.atlas_files import AtlasWriter
    from collapsi.census.layers import Layer

WRITING = 0.15
"""The share of the time that tallying and writing take, about."""
LOOK_AGAIN_SECONDS = 0.5
"""How often to see whether another writer is done."""


def main(rules: str, folder: Path) -> None:
    """Make an atlas of these rules in the folder, unless another process makes it."""
    step_back()
    with ExitStack() as held:
        place = wait_for(folder, held)
        if not is_whole(folder, rules):  # another server with the same cache may have made it meanwhile
            make(rules, place)
    say(1)


def step_back() -> None:
    """Let others go first, where the system knows such a thing."""
    if hasattr(os, "nice"):
        with suppress(OSError):
            os.nice(10)


def wait_for(folder: Path, held: ExitStack) -> AtlasWriter:
    """The folder, once no other process writes to it."""
    while True:
        try:
            return held.enter_context(open_writer(folder, force=True))
        except BusyError:
            say(0)
            time.sleep(LOOK_AGAIN_SECONDS)


def is_whole(folder: Path, rules: str) -> bool:
    """Whether the atlas is there already."""
    try:
        atlas = Atlas(folder)
        atlas.check_intact()
    except CollapsiError:
        return False
    return atlas.rules == rules


def make(rules: str, place: AtlasWriter) -> None:
    """Take the census and write it down."""
    check_compiles()
    played = classic_rules(rules)
    every = layers_of(played)
    check_memory(bytes_needed(every, VALUES), f"the census of {rules}")
    total = sum(positions_in(layer) for layer in every.values())
    done = 0

    def progress(layer: Layer) -> None:
        """Told before each layer."""
        nonlocal done
        say(done / total * (1 - WRITING))
        done += positions_in(layer)

    census = take_census(played, progress=progress)
    say(1 - WRITING)
    write_atlas(place, census)


def say(share: float) -> None:
    """Print the share of the work that is done."""
    sys.stdout.write(f"{share:.4f}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    try:
        main(sys.argv[1], Path(sys.argv[2]))
    except CollapsiError as error:
        sys.stderr.write(f"{error}\n")
        sys.exit(2)
    except (OSError, MemoryError) as error:
        sys.stderr.write(f"{getattr(error, 'strerror', None) or 'there is too little memory'}\n")
        sys.exit(2)
