"""Two other ways to search the big board, for tests: by proof numbers, and plainly; walks are in a list.

Nothing is shared with `collapsi.games.big.kernel`, neither code nor ideas: no look-ahead, no regions, no
bounds on lengths; where a card leads is looked up in a list of all walks. Only "who wins?" is answered.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numba
import numpy as np

ENDLESS = 1 << 60


@cache
def walks(side: int, cell: int, steps: int) -> list[tuple[int, int]]:
    """Every walk on an empty board, as the set of cells it needs and the bit of its end; no set twice."""
    found = set()

    def go(here: int, left: int, seen: int) -> None:
        if left == 0:
            found.add((seen & ~(1 << cell), 1 << here))
            return
        row, column = divmod(here, side)
        for r, c in ((row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)):
            there = r % side * side + c % side
            if not seen >> there & 1:
                go(there, left - 1, seen | 1 << there)

    go(cell, steps, 1 << cell)
    return sorted(found)


def ends(side: int, steps: tuple[int, ...], up: int, mover: int, other: int) -> list[int]:
    """The cells that the mover may go to."""
    found = 0
    for needs, end in walks(side, mover, steps[mover]):
        if needs & ~up == 0:
            found |= end
    found &= ~(1 << other)
    return [cell for cell in range(side * side) if found >> cell & 1]


def mover_wins(side: int, steps: tuple[int, ...], up: int, mover: int, other: int) -> bool:
    """Who wins, by depth-first proof-number search (df-pn) with a table of every node met.

    A node's numbers are how many leaves at least must still be settled to prove that its mover wins, and that
    it loses.
    """
    known: dict[tuple[int, int, int], tuple[int, int]] = {}
    moves: dict[tuple[int, int, int], list[tuple[int, int, int]]] = {}

    def children(node: tuple[int, int, int]) -> list[tuple[int, int, int]]:
        if node not in moves:
            face_up, here, there = node
            after = face_up & ~(1 << here)
            moves[node] = [(after, there, end) for end in ends(side, steps, face_up, here, there)]
        return moves[node]

    def numbers(node: tuple[int, int, int]) -> tuple[int, int]:
        if node not in known:
            count = len(children(node))
            known[node] = (1, count) if count else (ENDLESS, 0)
        return known[node]

    root = up, mover, other
    path = [(root, ENDLESS, ENDLESS)]
    while path:
        node, most_proof, most_disproof = path[-1]
        below = [numbers(child) for child in children(node)]
        # To win I must find one move after which the opponent is proven to lose.
        proof = min((disproof for _, disproof in below), default=ENDLESS)
        disproof = min(sum(child_proof for child_proof, _ in below), ENDLESS)
        known[node] = proof, disproof
        if proof >= most_proof or disproof >= most_disproof or proof == 0 or disproof == 0:
            path.pop()
            continue
        best = min(range(len(below)), key=lambda index: below[index][1])
        second = min((pair[1] for index, pair in enumerate(below) if index != best), default=ENDLESS)
        child_proof = min(most_disproof - disproof + below[best][0], ENDLESS)
        child_disproof = min(most_proof, second + 1)
        path.append((children(node)[best], child_proof, child_disproof))
    return known[root][0] == 0


def plain_mover_wins(side: int, steps: tuple[int, ...], up: int, mover: int, other: int) -> bool:
    """Who wins a whole deal: plain depth first, compiled, with a table of answers under their exact keys."""
    cells = side * side
    lists = [walks(side, cell, steps[cell]) if steps[cell] else [] for cell in range(cells)]
    first = np.cumsum([0, *map(len, lists)])
    needs = np.array([walk[0] for some in lists for walk in some], np.int64)
    leads = np.array([walk[1] for some in lists for walk in some], np.int64)
    room = np.zeros((cells + 1) * cells, np.int64)
    table = np.zeros(1 << 25, np.int64)
    return bool(_wins(needs, leads, first, room, table, 0, up, mover, other))


@numba.njit  # type: ignore[untyped-decorator]
def _ends(needs: Any, leads: Any, first: Any, cell: int, up: int) -> int:
    found = 0
    for index in range(first[cell], first[cell + 1]):
        if needs[index] & ~up == 0:
            found |= leads[index]
    return found


@numba.njit  # type: ignore[untyped-decorator]
def _wins(
    needs: Any, leads: Any, first: Any, room: Any, table: Any, depth: int, up: int, mover: int, other: int
) -> bool:  # fmt: skip
    key = up << 12 | mover << 6 | other
    slot = (key ^ key >> 19 ^ key >> 31) * 0x9E3779B1 >> 5 & len(table) - 1
    if table[slot] >> 1 == key:
        return bool(table[slot] & 1)
    cells = len(first) - 1
    after = up & ~(1 << mover)
    ends = _ends(needs, leads, first, mover, up) & ~(1 << other)
    # In the order of how many moves are left to me afterwards, the last cell first where that is the same.
    count = 0
    for end in range(cells):
        if ends >> end & 1:
            follow = _ends(needs, leads, first, end, after & ~(1 << other))
            size = 0
            while follow:
                follow &= follow - 1
                size += 1
            room[depth * cells + count] = size << 6 | end
            count += 1
    won = False
    for _ in range(count):
        best = 0
        for index in range(1, count):
            if room[depth * cells + index] > room[depth * cells + best]:
                best = index
        end = room[depth * cells + best] & 63
        room[depth * cells + best] = -1
        if not _wins(needs, leads, first, room, table, depth + 1, after, other, end):
            won = True
            break
    table[slot] = key << 1 | won
    return won
