"""Take a census and write its atlas: `python -m collapsi.web.census_job RULES FOLDER`.

A process of its own, because the census takes gigabytes that Python would not give back, and both cores: it
runs at low priority, so that whoever plays meanwhile does not notice. Each line printed is the share of the
work done. What stands in the way is one line on standard error, and exit code 2.
"""

from __future__ import annotations

import os
import sys
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from collapsi.atlas import Atlas, write_atlas
from collapsi.atlas_files import claim
from collapsi.census import take_census
from collapsi.errors import BusyError, CollapsiError
from collapsi.memory import check_memory
from collapsi.notation import parse_rules
from collapsi.solve.jit import check_compiles
from collapsi.solve.layers import VALUES, bytes_needed, layers_of, positions_in

if TYPE_CHECKING:
    from collapsi.atlas_files import Claim
    from collapsi.solve.layers import Layer

WRITING = 0.15
"""The share of the time that tallying and writing take, about."""
LOOK_AGAIN_SECONDS = 0.5
"""How often to see whether another writer is done."""


def main(rules: str, folder: Path) -> None:
    """Have a whole atlas of these rules in the folder: if nobody else makes it, by taking the census."""
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


def wait_for(folder: Path, held: ExitStack) -> Claim:
    """The folder, once no other process writes to it."""
    while True:
        try:
            return held.enter_context(claim(folder, force=True))
        except BusyError:
            say(0)
            time.sleep(LOOK_AGAIN_SECONDS)


def is_whole(folder: Path, rules: str) -> bool:
    """Whether the atlas is there already."""
    try:
        atlas = Atlas(folder)
        atlas.check_whole()
    except CollapsiError:
        return False
    return atlas.rules == rules


def make(rules: str, place: Claim) -> None:
    """Take the census and write it down."""
    check_compiles()
    played = parse_rules(rules)
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
    """One line for whoever waits."""
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
