"""Measurement of a card of rules: the share of wins that it keeps, with an interval, by phase of the game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from collapsi.games.classic.counting import share_kept
from collapsi.play.strategy.vocabulary import LOOK, LOOKS, WORD, WORDS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from collapsi.play.strategy import json_types
    from collapsi.play.strategy.rulecard import RuleCard
    from collapsi.play.strategy.samples import Sample
    from collapsi.play.strategy.states import MoveBatch

PHASES = ((1, 2), (3, 5), (6, 9), (10, 14))
"""Plies, first and last."""

DEVIATIONS = 1.96
"""Half-width of a 95 % interval in standard errors."""

WORD_INDEX = {word.name: number for number, word in enumerate(WORDS)}
LOOK_INDEX = {look.name: number for number, look in enumerate(LOOKS)}


@dataclass(frozen=True)
class Share:
    """A share of cases with the half-width of its 95 % interval."""

    value: float
    margin: float
    cases: int

    def __str__(self) -> str:
        return f"{100 * self.value:.1f} ± {100 * self.margin:.1f}"

    def to_json(self) -> json_types.Share:
        """Return the share as JSON."""
        return {"share": self.value, "margin": self.margin, "cases": self.cases}


def clustered_share(values: NDArray[np.float64], clusters: NDArray[np.int64]) -> Share:
    """Return the mean of clustered values: positions of one game are not independent."""
    if not len(values):
        return Share(0.0, 1.0, 0)
    mean = float(values.mean())
    sums = np.bincount(clusters, values - mean)
    return Share(mean, DEVIATIONS * float(np.sqrt((sums**2).sum())) / len(values), len(values))


@dataclass(frozen=True)
class Measurement:
    """The share of wins of a sample that a card keeps, and the effort of following it."""

    kept: Share
    phases: tuple[tuple[tuple[int, int], Share], ...]
    effort: float
    """Mean number of cards to look at per decision."""

    def to_json(self) -> json_types.Measurement:
        """Return the measurement as JSON."""
        return {
            "kept": self.kept.to_json(),
            "phases": [{"plies": list(plies), **share.to_json()} for plies, share in self.phases],
            "effort": self.effort,
        }


def measure(card: RuleCard, sample: Sample) -> Measurement:
    """Measure the share of wins that a card keeps; moves with equal points count as their average."""
    kept = shares_kept(score(card, sample.moves, sample.states.face_up), sample)
    plies = sample.plies
    phases = []
    for first, last in PHASES:
        within = (plies >= first) & (plies <= last)
        phases.append(((first, last), clustered_share(kept[within], sample.games[within])))
    return Measurement(clustered_share(kept, sample.games), tuple(phases), effort(card, sample))


def shares_kept(points: NDArray[np.int32], sample: Sample) -> NDArray[np.float64]:
    """Return for each position the share of winning moves among those with most points."""
    kept = np.zeros(len(sample))
    share_kept(points, sample.moves.begins, sample.wins, kept)
    return kept


FILTER_POINTS = 1 << 20
"""Points of the first filter: more than all other points together. Each further filter has half."""


def score(card: RuleCard, moves: MoveBatch, face_up: NDArray[np.int64]) -> NDArray[np.int32]:
    """Return the points of every move, filters included: the card chooses the moves with most points."""
    total = np.zeros(len(moves.owners), np.int32)
    going_on = np.ones(len(moves.owners), np.bool_)  # false once a filter has found a move that wins
    for place, line in enumerate(card.filters):
        keeps = moves.any_of(WORD_INDEX[line.word]) == line.wanted
        total += np.where(going_on & keeps, FILTER_POINTS >> place, 0).astype(np.int32)
        if line.takes_wins:
            going_on &= ~keeps
    for points in card.points:
        left = np.ones(len(face_up), np.bool_)
        for stage in points.stages:
            now = left & (face_up >= stage.least)
            left &= ~now
            if stage.worth is None:
                continue
            (concerned,) = np.nonzero(now[moves.owners] & going_on)
            worth = np.array(stage.worth, np.int32)
            for words, sign in ((points.added, 1), (points.taken_off, -1)):
                for word in words:
                    total[concerned] += sign * (moves.counts[concerned, WORD_INDEX[word]] @ worth)
    return total


def effort(card: RuleCard, sample: Sample) -> float:
    """Return the mean number of cards to look at per decision: `RuleCard.effort` for a whole sample."""
    moves, face_up = sample.moves, sample.states.face_up
    left = np.ones(len(moves.owners), np.bool_)
    seen: set[str] = set()
    total = 0
    for line in card.filters:
        words = {line.word}
        total += _looked_at(words, seen, moves, left, np.ones(len(sample), np.bool_))
        seen |= {look for word in words for look in WORD[word].looks}
        kept = left & (moves.any_of(WORD_INDEX[line.word]) == line.wanted)
        any_kept = np.add.reduceat(kept, moves.begins[:-1]) > 0
        left = np.where(any_kept[moves.owners], kept, left)
    for cards in np.unique(face_up):
        words = {word for line in card.points for word in line.words_at(int(cards))}
        total += _looked_at(words, seen, moves, left, face_up == cards)
    return total / max(len(sample), 1)


def _looked_at(
    words: set[str],
    seen: set[str],
    moves: MoveBatch,
    left: NDArray[np.bool_],
    positions: NDArray[np.bool_],
) -> int:
    """Count the cards to look at for some words in some positions: for the moves left, if several."""
    open_still = positions & (np.add.reduceat(left, moves.begins[:-1], dtype=np.int64) > 1)
    which = left & open_still[moves.owners]
    total = 0
    for name in {look for word in words for look in WORD[word].looks} - seen:
        looks = moves.looks[:, LOOK_INDEX[name]]
        total += int((looks[moves.begins[:-1]][open_still] if LOOK[name].once else looks[which]).sum())
    return total
