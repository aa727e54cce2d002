"""Draw the questions of the exam: `python -m collapsi.study.exam.drawing > questions.txt`.

The positions come from games like those of a dataset, from deals of its test split; without games of levels,
so that a new level does not change them. No two are from equivalent deals, so the answers to them are
independent. Each phase has the same number of questions, and
within a phase each difficulty that occurs in it.
"""

from __future__ import annotations

import sys
from collections import Counter
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from collapsi.core.game import Game
from collapsi.play.puzzles import kind_of
from collapsi.study.dataset.games import positions_of
from collapsi.study.dataset.plan import DatasetPlan, Source, SplitPart
from collapsi.study.dataset.rows import plies_of, symmetry_classes
from collapsi.study.exam.questions import DIFFICULTIES, PHASES, Phase
from collapsi.study.plan import Part

if TYPE_CHECKING:
    from collections.abc import Iterator

    from collapsi.play.enums import PuzzleKind
    from collapsi.study.dataset.games import PlayedPositions

SEED = 2507
PART = Part(0, 0, 200_000)
"""Positions from which the questions are drawn."""

Stratum: TypeAlias = "tuple[Phase, PuzzleKind | None]"

EASY, MEDIUM, HARD, EXPERT = DIFFICULTIES
WON = dict(zip(PHASES, ((EXPERT,), (HARD, EXPERT), DIFFICULTIES, (EASY, MEDIUM)), strict=True))
"""The difficulties of each phase; others hardly occur in it."""
QUOTAS: dict[Stratum, int] = {
    **{(phase, kind): 240 // len(kinds) for phase, kinds in WON.items() for kind in kinds},
    **{(phase, None): 60 for phase in PHASES},
}
"""Numbers of questions by phase and difficulty; None for lost positions."""


def draw_questions() -> list[str]:
    """Return the questions as games, by phase and difficulty."""
    plan = DatasetPlan("standard", SEED, PART.deals, PART.deals)
    played = positions_of(plan, SplitPart("test", PART), (Source.RANDOM, Source.SLIPS))
    classes = symmetry_classes(played.dealt)
    strata = dict(_strata(played))
    found: dict[Stratum, list[str]] = {stratum: [] for stratum in QUOTAS}
    used: set[int] = set()
    for index in np.random.default_rng(SEED).permutation(sorted(strata)).tolist():
        stratum = strata[index]
        deal_class = int(classes[played.games[index]])
        if deal_class in used or len(found.get(stratum, ())) >= QUOTAS.get(stratum, 0):
            continue
        used.add(deal_class)
        found[stratum].append(_game(played, index).text)
    missing = Counter(QUOTAS) - Counter({stratum: len(texts) for stratum, texts in found.items()})
    assert not missing, missing
    return [text for texts in found.values() for text in sorted(texts)]


def _strata(played: PlayedPositions) -> Iterator[tuple[int, Stratum]]:
    """Yield the positions in which a win can be lost, or a loss hastened, with their strata."""
    values, plies = played.values, plies_of(played.states, played.values)
    wins, losses = values > 0, values < 0
    quickest = np.where(wins, plies, 99).min(axis=1)
    first, last = np.where(losses, plies, 99).min(axis=1), np.where(losses, plies, 0).max(axis=1)
    ply = 17 - played.states.face_up
    for index in range(len(values)):
        phase = next(phase for phase in PHASES if ply[index] <= phase[1])
        if wins[index].any() and losses[index].any():
            yield index, (phase, kind_of(int(min(quickest[index], last[index]))))
        elif not wins[index].any() and first[index] < last[index]:
            yield index, (phase, None)


def _game(played: PlayedPositions, index: int) -> Game:
    """Return the game that leads to a position: its rows come before it, from the deal on."""
    plies = 16 - int(played.states.face_up[index])
    game = Game.start(played.states.position(index - plies))
    for row in range(index - plies + 1, index + 1):
        game = game.play(int(played.states.roots[row, 2]))  # the player who has just moved is there
    return game


if __name__ == "__main__":
    sys.stdout.write("\n".join(draw_questions()) + "\n")
