"""Write `census.json` from atlases: `python -m collapsi.site.sampling ATLAS...`, one for each rule set.

`collapsi census --rules RULES --out ATLAS` writes an atlas.
"""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from collapsi.games.registry import parse_position
from collapsi.site.examples import FILE, pack
from collapsi.system.files import write_atomically

if TYPE_CHECKING:
    from collapsi.census.atlas import Atlas

MOST = 100
"""Most examples of a kind."""
SEED = 1


def sample(atlas: Atlas) -> list[dict[str, Any]]:
    """Return every kind of deal with its counts and a random sample of its different deals."""
    rng = random.Random(SEED)
    found = []
    for kind in atlas.kinds().iter_rows(named=True):
        wanted = {name: kind[name] for name in ("plies", "winner", "winning_moves")}
        deals = atlas.filter(**wanted)["deal"].to_list()
        chosen = sorted(rng.sample(deals, min(MOST, len(deals))))
        found.append({**kind, "examples": "".join(pack(parse_position(deal)) for deal in chosen)})
    return found


def main(folders: list[str]) -> None:
    """Write the file."""
    from collapsi.census.atlas import Atlas

    atlases = [Atlas(Path(folder)) for folder in folders]
    census = {atlas.rules: sample(atlas) for atlas in atlases}
    write_atomically(FILE, (json.dumps(census, indent=1) + "\n").encode())


if __name__ == "__main__":
    main(sys.argv[1:])
