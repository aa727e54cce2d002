"""Write the counts of all similar deals: `python -m collapsi.census.similar_table ATLAS...`.

It needs an atlas of each rule set; `collapsi census --rules RULES --out ATLAS` writes one.
`collapsi.play.similar` describes the format.
"""

from __future__ import annotations

import json
import sys
from base64 import b85encode
from pathlib import Path
from typing import TYPE_CHECKING

from collapsi.census.atlas import Atlas
from collapsi.census.similar import count_similar
from collapsi.core.decks import deck_of
from collapsi.games.classic.made_up import classic_rules
from collapsi.play.similar import FILE, PLACES, all_surroundings, first_moves_of
from collapsi.system.files import write_atomically

if TYPE_CHECKING:
    from collections.abc import Mapping

    from collapsi.games.classic.rules import Rules
    from collapsi.play.similar import SimilarDeals, Surroundings


def pack(rules: Rules, found: Mapping[Surroundings, SimilarDeals]) -> bytes:
    """Encode the results of all similar deals as `collapsi.play.similar.Table` reads them."""
    digits = []
    deck = deck_of(rules)
    for group in all_surroundings(deck):
        similar = found[group]
        moves = {(move.place, move.card): move for move in similar.moves}
        ordered = [moves[kind] for kind in first_moves_of(group, rules)]
        numbers = [similar.wins, *(number for move in ordered for number in (move.best, move.wins))]
        width = group.layouts(deck).bit_length()
        digits += [f"{number // PLACES[group.distance]:0{width}b}" for number in numbers]
    bits = "".join(digits)
    size = -(-len(bits) // 8)
    return int(bits.ljust(8 * size, "0"), 2).to_bytes(size)


def main(folders: list[str]) -> None:
    """Write the file."""
    tables = {}
    for folder in folders:
        atlas = Atlas(Path(folder))
        packed = pack(classic_rules(atlas.rules), count_similar(atlas.frame))
        tables[atlas.rules] = b85encode(packed).decode()
    write_atomically(FILE, (json.dumps(tables, indent=1) + "\n").encode())


if __name__ == "__main__":
    main(sys.argv[1:])
