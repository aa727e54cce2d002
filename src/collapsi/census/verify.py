"""Verification of the layers: small layers against the reference minimax, whole deals against the search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from collapsi.census import rotate
from collapsi.census.deals import cards_of, count_numberings
from collapsi.census.layers import NUMBERED, VALUES, codes_of, solve_deals
from collapsi.core.board import cells_of
from collapsi.core.cards import Card
from collapsi.core.decks import deck_of
from collapsi.core.players import Player
from collapsi.games.classic import search
from collapsi.games.classic.position import Position
from collapsi.games.classic.rules import STANDARD, Rules
from collapsi.games.shifting import search as shift_search
from collapsi.games.shifting.rules import SHIFT_ROTATE
from collapsi.games.shifting.state import Shifting
from collapsi.solving import reference as definition

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from collapsi.census import json_types
    from collapsi.census.layers import DealAnswers, Layer, Shape

WHOLE_LAYERS = 4
"""In layers of up to this many cards all positions are compared."""

SAMPLED_LAYERS = 8
"""In larger layers of up to this many cards a sample of positions is compared."""

SAMPLE = 300

WHOLE_ROTATE_LAYERS = 3
SAMPLED_ROTATE_LAYERS = 5
"""The same for `shift-rotate`, where minimax tries four times as many moves at every ply."""


@dataclass(frozen=True)
class Verification:
    """The numbers of comparisons, and every difference as a line of text."""

    deals: int
    positions: int
    differences: list[str]
    first_moves: bool = True
    """Whether all first moves of the deals were compared, or only their values."""

    def to_json(self) -> json_types.Compared:
        """Return the result as JSON."""
        return {"deals": self.deals, "positions": self.positions, "differences": self.differences}


def position_at(shape: Shape, cards: int, code: int) -> Position:
    """Return a position of a layer, with red as the mover."""
    cells = [shape.mover, *cells_of(shape.rest)]
    faces: list[Card | None] = [None] * 16
    for place, cell in enumerate(cells):
        faces[cell] = Card((code >> 2 * (cards - 1 - place) & 3) + 1)
    return Position(tuple(faces), (shape.mover, shape.other), Player.RED, STANDARD)


def verify(
    rules: Rules,
    count: int,
    rng: np.random.Generator,
    *,
    jobs: int | None = None,
    progress: Callable[[Layer], None] = lambda _: None,
) -> Verification:
    """Compare `count` random deals of the layers with the search, and small layers with minimax."""
    differences: list[str] = []
    compared = 0

    def compare(layer: Layer, answers: NDArray[Any]) -> None:
        nonlocal compared
        if layer.cards > SAMPLED_LAYERS:
            return
        codes = codes_of(layer.cards, layer.decks)
        shapes = list(layer.index)
        every = layer.cards <= WHOLE_LAYERS
        places = np.arange(answers.size) if every else rng.choice(answers.size, SAMPLE, replace=False)
        for row, column in zip(*np.divmod(places, len(codes)), strict=True):
            position = position_at(shapes[row], layer.cards, int(codes[column]))
            expected = definition.score(position)
            compared += 1
            if expected != answers[row, column]:
                differences.append(
                    f"{position}: {answers[row, column]} by the layers, {expected} by definition"
                )

    parts = solve_deals(rules, VALUES, jobs=jobs, progress=progress, on_layer=compare)
    for part, share in zip(parts, rng.multinomial(count, [1 / len(parts)] * len(parts)), strict=True):
        if share == 0:
            continue
        blue = part.jacks.blue
        ranks = rng.integers(count_numberings(rules), size=share)
        cards = cards_of(blue, codes_of(NUMBERED, (deck_of(rules),))[ranks])
        values = search.solve_deals(cards, (0, blue), rules, jobs=jobs)
        for cell in range(16):
            theirs = part.moves[cell][ranks] if cell in part.moves else np.zeros(share, np.int8)
            differences += [
                f"deal {rank} with blue on {STANDARD.board.square(blue)}, first move "
                f"{STANDARD.board.square(cell)}: {theirs[index]} by the layers, {values[index, cell]} by "
                "search"
                for index, rank in enumerate(ranks)
                if theirs[index] != values[index, cell]
            ]
    return Verification(count, compared, differences)


def rotate_position_at(shape: rotate.Shape, code: int) -> Shifting:
    """Return a position of a layer of `shift-rotate`, with red as the mover."""
    cells = rotate.numbered(shape)
    faces: list[Card | None] = [Card.JACK if shape.face_up >> cell & 1 else None for cell in range(16)]
    for place, cell in enumerate(cells):
        faces[cell] = Card((code >> 2 * (len(cells) - 1 - place) & 3) + 1)
    pawns = (shape.mover, shape.other)
    return Shifting(SHIFT_ROTATE.board, tuple(faces), pawns, Player.RED, SHIFT_ROTATE)


def verify_rotate(
    count: int,
    rng: np.random.Generator,
    *,
    jobs: int | None = None,
    progress: Callable[[rotate.WorkDone], None] = lambda _: None,
) -> Verification:
    """Do the same for `shift-rotate`; of the deals only the values are compared, not every first move."""
    differences: list[str] = []
    compared = 0

    def compare(solved: rotate.SolvedLayers) -> None:
        nonlocal compared
        layer, values = solved.walks
        if layer.cards > SAMPLED_ROTATE_LAYERS:
            return
        codes, shapes = codes_of(layer.cards), list(layer.index)
        every = layer.cards <= WHOLE_ROTATE_LAYERS
        places = np.arange(values.size) if every else rng.choice(values.size, SAMPLE, replace=False)
        known: definition.Values = {}
        for row, column in zip(*np.divmod(places, len(codes)), strict=True):
            position = rotate_position_at(shapes[row], int(codes[column]))
            expected = definition.score(position, known)
            compared += 1
            if expected != values[row, column]:
                differences.append(
                    f"{position.text}: {values[row, column]} by the layers, {expected} by definition"
                )

    parts = rotate.solve_deals(jobs=jobs, progress=progress, on_layer=compare)
    differences += differing_deals(parts, count, rng, jobs=jobs)
    return Verification(count, compared, differences, first_moves=False)


def differing_deals(
    parts: Sequence[DealAnswers], count: int, rng: np.random.Generator, *, jobs: int | None = None
) -> list[str]:
    """Return random deals of `shift-rotate` for which search and layers find different values."""
    differences = []
    places = np.array([part.jacks.places for part in parts])
    for part, share in zip(parts, rng.multinomial(count, places / places.sum()), strict=True):
        ranks = rng.integers(count_numberings(), size=share)
        shape = rotate.Shape(0xFFFF, 0, part.jacks.blue)
        deals = [rotate_position_at(shape, code) for code in codes_of(NUMBERED)[ranks].tolist()]
        found = part.answers[ranks].tolist()
        for dealt, ours, theirs in zip(deals, found, shift_search.value_many(deals, jobs=jobs), strict=True):
            if ours != theirs:
                differences.append(f"{dealt.text}: {ours} by the layers, {theirs} by search")
    return differences
