"""The layers held to the other solvers: small layers to the plain definition, whole deals to the search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from collapsi.board import cells_of
from collapsi.census import cards_of, count_numberings
from collapsi.games.shifting import Shifting
from collapsi.made_up import deck_of
from collapsi.position import Position
from collapsi.rules import SHIFT_ROTATE, STANDARD, Card, Player, Rules
from collapsi.solve import definition, search, shift_search
from collapsi.solve.layers import NUMBERED, VALUES, codes_of, solve_deals, turning

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from collapsi import json_shapes
    from collapsi.solve.layers import DealAnswers, Layer, Shape

WHOLE_LAYERS = 4
"""Layers of up to so many cards are compared position by position, all of them."""

SAMPLED_LAYERS = 8
"""Above that and up to so many cards, some positions of each are."""

SAMPLE = 300

WHOLE_TURNING_LAYERS = 3
TURNING_LAYERS = 5
"""The same with turning lines, where the definition has four times as many moves to try at every ply."""


@dataclass(frozen=True)
class Verification:
    """How much was compared, and every difference found, as a line each."""

    deals: int
    positions: int
    differences: list[str]
    first_moves: bool = True
    """Whether all first moves of the deals were compared, not their values alone."""

    def to_json(self) -> json_shapes.Compared:
        """As plain data."""
        return {"deals": self.deals, "positions": self.positions, "differences": self.differences}


def position_at(shape: Shape, cards: int, code: int) -> Position:
    """A position of a layer, with red as the mover."""
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
    """Compare `count` random deals of the layers with the search, and small layers with the definition."""
    differences: list[str] = []
    compared = 0

    def look(layer: Layer, answers: NDArray[Any]) -> None:
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

    parts = solve_deals(rules, VALUES, jobs=jobs, progress=progress, look=look)
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


def turning_position_at(shape: turning.Shape, code: int) -> Shifting:
    """A position of a layer with turning lines, with red as the mover."""
    cells = turning.numbered(shape)
    faces: list[Card | None] = [Card.JACK if shape.face_up >> cell & 1 else None for cell in range(16)]
    for place, cell in enumerate(cells):
        faces[cell] = Card((code >> 2 * (len(cells) - 1 - place) & 3) + 1)
    pawns = (shape.mover, shape.other)
    return Shifting(SHIFT_ROTATE.board, tuple(faces), pawns, Player.RED, SHIFT_ROTATE)


def verify_turning(
    count: int,
    rng: np.random.Generator,
    *,
    jobs: int | None = None,
    progress: Callable[[turning.Piece], None] = lambda _: None,
) -> Verification:
    """The same with turning lines; of the deals the values are compared, not every first move."""
    differences: list[str] = []
    compared = 0

    def look(solved: turning.Solved) -> None:
        nonlocal compared
        layer, values = solved.walks
        if layer.cards > TURNING_LAYERS:
            return
        codes, shapes = codes_of(layer.cards), list(layer.index)
        every = layer.cards <= WHOLE_TURNING_LAYERS
        places = np.arange(values.size) if every else rng.choice(values.size, SAMPLE, replace=False)
        known: definition.Values = {}
        for row, column in zip(*np.divmod(places, len(codes)), strict=True):
            position = turning_position_at(shapes[row], int(codes[column]))
            expected = definition.score(position, known)
            compared += 1
            if expected != values[row, column]:
                differences.append(
                    f"{position.text}: {values[row, column]} by the layers, {expected} by definition"
                )

    parts = turning.solve_deals(jobs=jobs, progress=progress, look=look)
    differences += differing_deals(parts, count, rng, jobs=jobs)
    return Verification(count, compared, differences, first_moves=False)


def differing_deals(
    parts: Sequence[DealAnswers], count: int, rng: np.random.Generator, *, jobs: int | None = None
) -> list[str]:
    """Random deals with turning lines whose value is another by the search than by the layers."""
    differences = []
    places = np.array([part.jacks.places for part in parts])
    for part, share in zip(parts, rng.multinomial(count, places / places.sum()), strict=True):
        ranks = rng.integers(count_numberings(), size=share)
        shape = turning.Shape(0xFFFF, 0, part.jacks.blue)
        deals = [turning_position_at(shape, code) for code in codes_of(NUMBERED)[ranks].tolist()]
        found = part.answers[ranks].tolist()
        for dealt, ours, theirs in zip(deals, found, shift_search.value_many(deals, jobs=jobs), strict=True):
            if ours != theirs:
                differences.append(f"{dealt.text}: {ours} by the layers, {theirs} by search")
    return differences
