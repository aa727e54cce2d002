"""What a card of rules is worth: the share of wins that it keeps, with an interval, by phase of the game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from collapsi.solve.counting import share_kept
from collapsi.strategy.rulecard import Filter, Points, RuleCard
from collapsi.strategy.vocabulary import LOOK, LOOKS, WORD, WORDS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from collapsi.strategy.samples import Sample
    from collapsi.strategy.states import Moves

PHASES = ((1, 2), (3, 5), (6, 9), (10, 14))
"""Plies, first and last."""

DEVIATIONS = 1.96
"""Standard errors on either side of 95 in 100 cases."""

WORD_NUMBER = {word.name: number for number, word in enumerate(WORDS)}
LOOK_NUMBER = {look.name: number for number, look in enumerate(LOOKS)}


@dataclass(frozen=True)
class Share:
    """A share of cases, with how far it may be off (half of the 95 % interval)."""

    value: float
    margin: float
    cases: int

    def __str__(self) -> str:
        return f"{100 * self.value:.1f} ± {100 * self.margin:.1f}"

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {"share": self.value, "margin": self.margin, "cases": self.cases}


def clustered_share(values: NDArray[np.float64], clusters: NDArray[np.int64]) -> Share:
    """The mean of values that come in clusters: positions of one game do not count as independent."""
    if not len(values):
        return Share(0.0, 1.0, 0)
    mean = float(values.mean())
    sums = np.bincount(clusters, values - mean)
    return Share(mean, DEVIATIONS * float(np.sqrt((sums**2).sum())) / len(values), len(values))


@dataclass(frozen=True)
class Worth:
    """What a card keeps of the wins of a sample."""

    kept: Share
    phases: tuple[tuple[tuple[int, int], Share], ...]
    effort: float
    """Cards looked at a decision, on average."""

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "kept": self.kept.to_json(),
            "phases": [{"plies": list(plies), **share.to_json()} for plies, share in self.phases],
            "effort": self.effort,
        }


def measure(card: RuleCard, sample: Sample) -> Worth:
    """The share of wins that a card keeps; equally liked moves count as their average."""
    kept = kept_by(score(card, sample.moves, sample.states.face_up), sample)
    plies = sample.plies
    phases = []
    for first, last in PHASES:
        within = (plies >= first) & (plies <= last)
        phases.append(((first, last), clustered_share(kept[within], sample.games[within])))
    return Worth(clustered_share(kept, sample.games), tuple(phases), effort(card, sample))


def kept_by(points: NDArray[np.int32], sample: Sample) -> NDArray[np.float64]:
    """For each position, the share of winning moves among those with most points."""
    kept = np.zeros(len(sample))
    share_kept(points, sample.moves.begins, sample.wins, kept)
    return kept


FILTER_POINTS = 1 << 20
"""What the first filter is worth: more than all points together. Each further one is worth half."""


def score(card: RuleCard, moves: Moves, face_up: NDArray[np.int64]) -> NDArray[np.int32]:
    """The points of every move, filters included: the moves that the card allows are those with most."""
    total = np.zeros(len(moves.owners), np.int32)
    for place, line in enumerate(card.filters):
        told = moves.any_of(WORD_NUMBER[line.word])
        total += np.where(told == line.wanted, FILTER_POINTS >> place, 0).astype(np.int32)
    for points in card.points:
        left = np.ones(len(face_up), np.bool_)
        for stage in points.stages:
            now = left & (face_up >= stage.least)
            left &= ~now
            if stage.worth is None:
                continue
            (some,) = np.nonzero(now[moves.owners])
            worth = np.array(stage.worth, np.int32)
            for words, sign in ((points.added, 1), (points.taken_off, -1)):
                for word in words:
                    total[some] += sign * (moves.counts[some, WORD_NUMBER[word]] @ worth)
    return total


def effort(card: RuleCard, sample: Sample) -> float:
    """How many cards one looks at for a decision, on average: `RuleCard.effort` for a whole sample."""
    moves, face_up = sample.moves, sample.states.face_up
    left = np.ones(len(moves.owners), np.bool_)
    seen: set[str] = set()
    total = 0
    for line in card.filters:
        words = {line.word}
        total += _looked_at(words, seen, moves, left, np.ones(len(sample), np.bool_))
        seen |= {look for word in words for look in WORD[word].looks}
        told = left & (moves.any_of(WORD_NUMBER[line.word]) == line.wanted)
        some = np.add.reduceat(told, moves.begins[:-1]) > 0
        left = np.where(some[moves.owners], told, left)
    for cards in np.unique(face_up):
        words = {word for line in card.points for word in line.words_at(int(cards))}
        total += _looked_at(words, seen, moves, left, face_up == cards)
    return total / max(len(sample), 1)


def _looked_at(
    words: set[str],
    seen: set[str],
    moves: Moves,
    left: NDArray[np.bool_],
    positions: NDArray[np.bool_],
) -> int:
    """The cards one looks at for some words in some positions: for the moves left, if several."""
    open_still = positions & (np.add.reduceat(left, moves.begins[:-1], dtype=np.int64) > 1)
    which = left & open_still[moves.owners]
    total = 0
    for name in {look for word in words for look in WORD[word].looks} - seen:
        looks = moves.looks[:, LOOK_NUMBER[name]]
        total += int((looks[moves.begins[:-1]][open_still] if LOOK[name].once else looks[which]).sum())
    return total


__all__ = ["Filter", "Points", "Share", "Worth", "clustered_share", "effort", "kept_by", "measure", "score"]
