"""The result of an exam: wins kept, by phase and difficulty, plies lost, and illegal moves."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from collapsi.core.intervals import Mean, Rate
from collapsi.play.levels import choose_move
from collapsi.study.exam.questions import DIFFICULTIES, PHASES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from collapsi.games.levels import Level
    from collapsi.play.enums import PuzzleKind
    from collapsi.study import json_types
    from collapsi.study.exam.questions import Phase, Question

Answer = int | None
"""A legal move, or None for an illegal one."""


@dataclass(frozen=True)
class ExamResult:
    """What a player reached in the exam."""

    player: str
    kept: Rate
    """Won positions in which the move keeps the win; an illegal move does not."""
    phases: dict[Phase, Rate]
    """The same by phase."""
    difficulties: dict[PuzzleKind, Rate]
    """The same by difficulty."""
    length_lost: Mean | None
    """Plies by which a kept win is slower than the fastest, or a loss faster than the slowest; None if no
    answer kept a win or was a legal move in a lost position."""
    illegal: int
    positions: int

    def to_json(self) -> json_types.ExamResult:
        """Return the result as plain data."""
        return {
            "player": self.player,
            "positions": self.positions,
            "kept": self.kept.to_json(),
            "phases": [{"plies": list(phase), "kept": rate.to_json()} for phase, rate in self.phases.items()],
            "difficulties": [
                {"difficulty": kind, "kept": rate.to_json()} for kind, rate in self.difficulties.items()
            ],
            "length_lost": None if self.length_lost is None else self.length_lost.to_json(),
            "illegal": self.illegal,
        }


def mark(player: str, questions: Sequence[Question], answers: Sequence[Answer]) -> ExamResult:
    """Mark the answers of a player, one for each question."""
    pairs = list(zip(questions, answers, strict=True))
    won = [(question, keeps_win(question, answer)) for question, answer in pairs if question.is_won]
    lost = [plies for question, answer in pairs if (plies := length_lost(question, answer)) is not None]
    return ExamResult(
        player,
        _rate(kept for _, kept in won),
        {phase: _rate(kept for question, kept in won if question.phase == phase) for phase in PHASES},
        {kind: _rate(kept for question, kept in won if question.difficulty is kind) for kind in DIFFICULTIES},
        Mean.of(Counter(lost)) if lost else None,
        sum(answer is None for answer in answers),
        len(pairs),
    )


def keeps_win(question: Question, answer: Answer) -> bool:
    """Return whether a move wins."""
    return answer is not None and question.value(answer).wins


def length_lost(question: Question, answer: Answer) -> int | None:
    """Return the plies lost to perfect play; None for an illegal move, and one that loses a won position."""
    if answer is None or (question.is_won and not keeps_win(question, answer)):
        return None
    return abs(question.value(answer).plies - question.analysis.plies)


def level_answers(level: Level, questions: Sequence[Question], seed: int) -> list[Answer]:
    """Return the answers of a level of the computer."""
    rng = random.Random(f"exam {seed} {level}")
    return [choose_move(question.position, level, rng) for question in questions]


def _rate(kept: Iterable[bool]) -> Rate:
    found = list(kept)
    return Rate(sum(found), len(found))
