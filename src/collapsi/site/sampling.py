"""Make `census.json` anew from atlases: `python -m collapsi.site.sampling ATLAS...`, one for each rule set.

An atlas is what `collapsi census --rules RULES --out ATLAS` writes.
"""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from collapsi.files import write_whole
from collapsi.notation import parse_position
from collapsi.site.examples import FILE, pack

if TYPE_CHECKING:
    from collapsi.atlas import Atlas

MOST = 100
"""Examples of a kind."""
SEED = 1


def sample(atlas: Atlas) -> list[dict[str, Any]]:
    """Every kind of deal with its numbers, and some of its truly different deals by chance."""
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
    from collapsi.atlas import Atlas

    atlases = [Atlas(Path(folder)) for folder in folders]
    kept = {atlas.rules: sample(atlas) for atlas in atlases}
    write_whole(FILE, (json.dumps(kept, indent=1) + "\n").encode())


if __name__ == "__main__":
    main(sys.argv[1:])
