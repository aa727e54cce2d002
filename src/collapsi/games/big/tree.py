"""Monte Carlo tree search for two to four pawns, each player maximising its own points.

Like `kernel`, it runs interpreted and compiled: plain ints, flat tables, random numbers from an explicit
state. Exact results are used where they are cheap: with two pawns left, the exact search gives the winner if
it needs at most LOOK nodes; pawns that can never meet each make their longest run; and a position is settled
if its mover has a settled move that wins the round, or if all moves are settled.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

from collapsi.games.big.kernel import NODES
from collapsi.games.big.pawns import (
    CELL_BITS,
    GONE,
    MOVER,
    NO_PAWN,
    SEATS,
    below,
    exact_end,
    go,
    merit,
    moves_of,
    next_random,
    pawns_of,
    points_of,
    settle,
)

Table = Any

# Words of a node of the tree: cards, pawns, the move that led here, its prior, its children, its visits,
# whether it is settled, and the sum of the points of each seat.
UP, WORD, MOVE, MERIT, FIRST, COUNT, VISITS, SETTLED, SUMS = range(9)
NODE = SUMS + SEATS
ROOT = 0
PATH = 40  # most nodes of a path through the tree

# Words of `hand`: the state of a tree between two calls.
USED, LUCK, WEIGHTS = 4, 5, 8
HAND = 64
WHOLE = 1 << 16  # approximate sum of the priors of all moves of a node

# Tuning; see `docs/how-it-works.md`.
EXPLORE = 1.5  # weight of the prior of a move with few visits against the mean result
LOOK = 200  # nodes of the exact search with two pawns left
TWO_CARDS = 20  # most cards with which a playout uses the exact search
RIPE = 1  # playouts from a node before it gets children


def weigh(board: Table, steps: Table, up: int, word: int, players: int, moves: int, hand: Table) -> int:
    """Write the merit of each move to `hand` in reading order; return their sum."""
    mover = word >> MOVER & 3
    cell = word >> CELL_BITS * mover & NO_PAWN
    after = up & ~(1 << cell)
    pawns = pawns_of(word) & ~(1 << cell)
    replies = moves_of(board, steps, after, go(word, cell, players))
    total = 0
    at = WEIGHTS
    while moves:
        bit = moves & -moves
        moves ^= bit
        found = 1 + merit(board, steps, after, pawns, bit.bit_length() - 1, replies)
        hand[at] = found
        total += found
        at += 1
    return total


def play_out(
    board: Table, steps: Table, table: Table, stamp: int, stack: Table, todo: Table, deep: Table, run: Table,
    up: int, word: int, players: int, hand: Table,
) -> int:  # fmt: skip
    """Play a round to its end, with random moves weighted by the squares of their merits; return its word."""
    while word >> GONE < players - 1:
        run[NODES] += 1
        if word >> GONE == players - 2 and up.bit_count() <= TWO_CARDS:
            end = exact_end(board, steps, table, stamp, stack, todo, deep, run, up, word, players, LOOK, hand)
            if end:
                return end
        moves = moves_of(board, steps, up, word)
        weigh(board, steps, up, word, players, moves, hand)
        total = 0
        for at in range(WEIGHTS, WEIGHTS + moves.bit_count()):
            hand[at] *= hand[at]
            total += hand[at]
        hand[LUCK] = next_random(hand[LUCK])
        drawn = below(hand[LUCK], total)
        at = WEIGHTS
        while drawn >= hand[at]:
            drawn -= hand[at]
            at += 1
            moves &= moves - 1
        bit = moves & -moves
        up &= ~(1 << (word >> CELL_BITS * (word >> MOVER & 3) & NO_PAWN))
        word = settle(board, steps, up, go(word, bit.bit_length() - 1, players), players)
    return word


def expand(board: Table, steps: Table, players: int, tree: Table, node: int, hand: Table) -> None:
    """Add the children of a node, one for each move, unless the tree is full."""
    up = tree[node + UP]
    word = tree[node + WORD]
    moves = moves_of(board, steps, up, word)
    count = moves.bit_count()
    child = hand[USED]
    if child + count * NODE > len(tree):
        return
    total = weigh(board, steps, up, word, players, moves, hand)
    tree[node + FIRST] = child
    tree[node + COUNT] = count
    hand[USED] = child + count * NODE
    after = up & ~(1 << (word >> CELL_BITS * (word >> MOVER & 3) & NO_PAWN))
    at = WEIGHTS
    while moves:
        bit = moves & -moves
        moves ^= bit
        end = bit.bit_length() - 1
        then = settle(board, steps, after, go(word, end, players), players)
        tree[child + UP] = after
        tree[child + WORD] = then
        tree[child + MOVE] = end
        tree[child + MERIT] = hand[at] * WHOLE // total
        tree[child + FIRST] = 0
        tree[child + COUNT] = 0
        tree[child + VISITS] = 0
        tree[child + SETTLED] = then if then >> GONE == players - 1 else 0
        for seat in range(SEATS):
            tree[child + SUMS + seat] = 0
        child += NODE
        at += 1


def pick(tree: Table, node: int, players: int) -> int:
    """Return the child to visit next: the best by mean result plus prior (PUCT)."""
    mover = tree[node + WORD] >> MOVER & 3
    visits = tree[node + VISITS]
    top = players - 1
    # A child without visits counts as the mean of its parent.
    so_far = tree[node + SUMS + mover] / (visits * top) if visits else 0.5
    curious = sqrt(float(visits)) * EXPLORE / WHOLE
    best = -1.0
    found = tree[node + FIRST]
    for child in range(tree[node + FIRST], tree[node + FIRST] + tree[node + COUNT] * NODE, NODE):
        tried = tree[child + VISITS]
        worth = tree[child + SUMS + mover] / (tried * top) if tried else so_far
        if tree[child + SETTLED]:
            worth = points_of(tree[child + SETTLED], mover, players) / top
        worth += curious * tree[child + MERIT] / (1 + tried)
        if worth > best:
            best = worth
            found = child
    return found  # type: ignore[no-any-return]


def settled_by_children(tree: Table, node: int, players: int) -> int:
    """Return the end of the round if a settled move wins it, or all moves are settled; else 0."""
    mover = tree[node + WORD] >> MOVER & 3
    found = 0
    most = -1
    every = 1
    for child in range(tree[node + FIRST], tree[node + FIRST] + tree[node + COUNT] * NODE, NODE):
        end = tree[child + SETTLED]
        if end == 0:
            every = 0
        else:
            points = points_of(end, mover, players)
            if points > most:
                most = points
                found = end
    return found if every or most == players - 1 else 0


def grow(
    board: Table, steps: Table, table: Table, stamp: int, stack: Table, todo: Table, deep: Table, run: Table,
    players: int, tree: Table, path: Table, hand: Table, budget: int,
) -> None:  # fmt: skip
    """Run iterations of the tree search for about `budget` nodes."""
    limit = run[NODES] + budget
    while run[NODES] < limit:
        node = ROOT
        depth = 0
        end = 0
        while end == 0:
            path[depth] = node
            depth += 1
            run[NODES] += 1
            end = tree[node + SETTLED]
            if end:
                break
            if tree[node + FIRST] == 0:
                if tree[node + VISITS] == 0 and node != ROOT:
                    up = tree[node + UP]
                    word = tree[node + WORD]
                    end = exact_end(
                        board, steps, table, stamp, stack, todo, deep, run, up, word, players, LOOK,
                        hand,
                    )  # fmt: skip
                    tree[node + SETTLED] = end
                    if end:
                        break
                if tree[node + VISITS] >= RIPE or node == ROOT:
                    expand(board, steps, players, tree, node, hand)
                if tree[node + FIRST] == 0:
                    end = play_out(
                        board, steps, table, stamp, stack, todo, deep, run,
                        tree[node + UP], tree[node + WORD], players, hand,
                    )  # fmt: skip
                    break
            node = pick(tree, node, players)
        settled = 1
        for index in range(depth - 1, -1, -1):
            node = path[index]
            if settled and node != ROOT and tree[node + SETTLED] == 0:
                if tree[node + FIRST]:
                    tree[node + SETTLED] = settled_by_children(tree, node, players)
                settled = 1 if tree[node + SETTLED] else 0
            if tree[node + SETTLED] and index < depth - 1:
                end = tree[node + SETTLED]
            tree[node + VISITS] += 1
            for seat in range(players):
                tree[node + SUMS + seat] += points_of(end, seat, players)
