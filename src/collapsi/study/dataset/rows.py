"""The rows of a dataset: positions as text and as numbers, and the value of every move."""

from __future__ import annotations

from functools import lru_cache
from itertools import permutations
from typing import TYPE_CHECKING, Any

import numpy as np

from collapsi.batch.positions import best_of
from collapsi.core.cards import Card
from collapsi.core.reach import MOST_CELLS
from collapsi.core.symmetry import canonical_ways
from collapsi.games.classic.rules import STANDARD
from collapsi.study.dataset.games import SOURCES
from collapsi.system.extras import needs

with needs("atlas"):
    import polars as pl

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from collapsi.batch.positions import PositionBatch
    from collapsi.games.classic.rules import Rules
    from collapsi.study.dataset.games import PlayedPositions

COLUMNS: dict[str, tuple[Any, str]] = {
    "position": (pl.String, "the position in our notation"),
    "cards": (
        pl.Array(pl.UInt8, MOST_CELLS),
        "the sixteen cells in reading order: 0 collapsed, 1 jack, 2 ace, 3 two, 4 three, 5 four",
    ),
    "red": (pl.UInt8, "the cell of red's pawn, 0 (a1) to 15 (d4)"),
    "blue": (pl.UInt8, "the cell of blue's pawn"),
    "to_move": (pl.String, "`red` or `blue`"),
    "legal": (pl.UInt16, "the legal moves as bits: bit *c* is set if the player to move can end on cell *c*"),
    "move_values": (
        pl.Array(pl.Int8, MOST_CELLS),
        "by end cell, the cards face up at the end, negative if the player to move loses; 0: no legal move",
    ),
    "move_plies": (
        pl.Array(pl.UInt8, MOST_CELLS),
        "by end cell, the plies from here to the end, this move included; 0: no legal move",
    ),
    "value": (pl.Int8, "the value of the best move"),
    "best": (pl.UInt16, "the best moves as bits: the fastest wins or, if there are none, the slowest losses"),
    "ply": (pl.UInt8, "the number of the move to be made, from 1 for a deal"),
    "source": (pl.String, "the players of the game: `random`, `levels` or `slips`"),
    "deal_class": (
        pl.Int64,
        "the symmetry class of the deal that the game began with (`Position.symmetry_class`)",
    ),
    "symmetry_class": (pl.Int64, "the symmetry class of the position itself"),
}
"""The columns with their types and descriptions."""

BITS = 1 << np.arange(MOST_CELLS, dtype=np.int64)


def frame_of(played: PlayedPositions) -> pl.DataFrame:
    """Return the rows of positions as a table."""
    states, values = played.states, played.values
    cards, pawns = codes_of(states), pawns_of(states)
    blue = states.roots[:, 3] > 0
    legal = values != 0
    columns: dict[str, Any] = {
        "position": texts_of(states),
        "cards": cards,
        "red": pawns[:, 0],
        "blue": pawns[:, 1],
        "to_move": pl.Series(np.where(blue, "blue", "red")),
        "legal": (legal * BITS).sum(axis=1),
        "move_values": values,
        "move_plies": plies_of(states, values),
        "value": np.where(legal, values, -MOST_CELLS).max(axis=1),
        "best": (best_of(values) * BITS).sum(axis=1),
        "ply": MOST_CELLS + 1 - states.face_up,
        "source": pl.Series([str(source) for source in SOURCES]).gather(played.sources),
        "deal_class": symmetry_classes(played.dealt)[played.games],
        "symmetry_class": symmetry_classes(states),
    }
    types = {name: kind for name, (kind, _) in COLUMNS.items()}
    narrow = {
        name: column.astype(_numpy_type(types[name])) if isinstance(column, np.ndarray) else column
        for name, column in columns.items()
    }
    return pl.DataFrame(narrow, schema=types)


def plies_of(states: PositionBatch, values: NDArray[np.int8]) -> NDArray[np.int64]:
    """Return the plies to the end after each move: `Position.outcome`, vectorised."""
    moves = states.face_up[:, None] - np.abs(values.astype(np.int64))
    if states.rules.uncounted:
        rows = np.arange(len(states))
        mover, other = (states.cards[rows, states.roots[:, column]] == Card.JACK for column in (1, 2))
        moves = moves - mover[:, None] - (other[:, None] & (moves > 1))
    return np.where(values != 0, moves, 0)


def _numpy_type(kind: Any) -> Any:
    """Return the type of NumPy for the numbers of a column."""
    inner = kind.inner if isinstance(kind, pl.Array) else kind
    types: dict[Any, Any] = {pl.UInt8: np.uint8, pl.Int8: np.int8, pl.UInt16: np.uint16, pl.Int64: np.int64}
    return types[inner]


def codes_of(states: PositionBatch) -> NDArray[np.uint8]:
    """Return the cells as numbers: 0 for a collapsed card, otherwise one more than its number in `Card`."""
    face_up = states.roots[:, :1] >> np.arange(MOST_CELLS) & 1
    return ((states.cards + 1) * face_up).astype(np.uint8)


def pawns_of(states: PositionBatch) -> NDArray[np.int64]:
    """Return the cells of red's and of blue's pawn."""
    mover, other = states.roots[:, 1], states.roots[:, 2]
    blue = states.roots[:, 3] > 0
    return np.stack([np.where(blue, other, mover), np.where(blue, mover, other)], axis=1)


def texts_of(states: PositionBatch) -> pl.Series:
    """Return the positions in our notation, built as one array of characters: `Position.text`, vectorised."""
    letters = np.frombuffer(("." + "".join(card.letter for card in Card)).encode(), np.uint8)
    pawns, rows = pawns_of(states), np.arange(len(states))
    suffix = _suffix(states.rules)
    width = MOST_CELLS + 3 + 2
    block = np.full((len(states), width + 2 + len(suffix)), ord("/"), np.uint8)
    cells = np.arange(MOST_CELLS)
    before = (pawns[:, :1] < cells).astype(np.int64) + (pawns[:, 1:] < cells)
    places = cells + cells // 4 + before
    block[rows[:, None], places] = letters[codes_of(states)]
    for seat, letter in enumerate("rb"):
        block[rows, places[rows, pawns[:, seat]] + 1] = ord(letter)
    block[:, width] = ord(" ")
    block[:, width + 1] = np.where(states.roots[:, 3] > 0, ord("b"), ord("r"))
    block[:, width + 2 :] = np.frombuffer(suffix.encode(), np.uint8)
    return pl.Series(np.ascontiguousarray(block).view(f"S{block.shape[1]}").reshape(-1).astype(str))


def _suffix(rules: Rules) -> str:
    return "" if rules == STANDARD else f" {rules}"


def symmetry_classes(states: PositionBatch) -> NDArray[np.int64]:
    """Return the numbers of the symmetry classes: `Position.symmetry_class`, vectorised.

    The code of the cards under a symmetry is a sum of their numbers times powers of eight: less than 2^48,
    so floats hold it exactly.
    """
    codes, pawns = codes_of(states).astype(np.float64), pawns_of(states)
    pairs = MOST_CELLS * pawns[:, 0] + pawns[:, 1]
    classes = np.zeros(len(states), np.int64)
    for pair in np.unique(pairs):
        (here,) = np.nonzero(pairs == pair)
        place, weights = _ways()[int(pair)]
        classes[here] = (codes[here] @ weights).min(axis=1).astype(np.int64) | place << 3 * MOST_CELLS
    return classes | (states.roots[:, 3] > 0).astype(np.int64) << 3 * MOST_CELLS + 8


@lru_cache(maxsize=1)
def _ways() -> dict[int, tuple[int, NDArray[np.float64]]]:
    """By pair of pawns: their canonical cells as one number, and the power of eight of each cell and way."""
    found = {}
    for red, blue in permutations(range(MOST_CELLS), 2):
        ways = canonical_ways(STANDARD.board, red, blue)
        powers = [[8.0 ** (MOST_CELLS - 1 - cell) for cell in way] for way in ways]
        found[MOST_CELLS * red + blue] = ways[0][red] << 4 | ways[0][blue], np.array(powers).T
    return found
