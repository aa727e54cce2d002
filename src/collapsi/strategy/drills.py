"""Drills: positions where one line of a card of rules decides, with an answer that the solver has proven.

A card is read from the top. A line *decides* a position if the lines above it leave several moves, some of
which win and some lose, if it leaves just one of these, and if the whole card stays with that move. If the
move wins, the position is a drill for the line; if it loses, it shows where the line fails. A line that never
errs (see `Word.proof`) has no such failure: of it one can only show that it is not enough, where it leaves
moves that lose beside those that win.

Finding them takes the compiled solver; reading one is done with nothing but the library, and proves it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from collapsi.analysis import Analysis, analyse, analyse_many
from collapsi.board import cells_of
from collapsi.errors import CollapsiError, MalformedError, OutputError
from collapsi.files import write_whole
from collapsi.notation import parse_position
from collapsi.rules import STANDARD
from collapsi.strategy.rulecard import CARDS, Filter, RuleCard, card_from_json, kept_card
from collapsi.strategy.vocabulary import WORD, Candidate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from collapsi.position import Position
    from collapsi.rules import Rules
    from collapsi.strategy import shapes
    from collapsi.strategy.rulecard import Line
    from collapsi.strategy.samples import Sample

FORMAT = 1
"""The number of the file format."""
DRILLS_FILE = "standard-drills.json"
"""Beside the card that comes with the package."""

GAMES = 1000
"""Games drawn at a time."""
FAILURE_GAMES = 30_000
"""Games looked through for a position where a line fails, when drills are made to be kept."""
MOST_GAMES = 600_000
"""Where a line decides so rarely that so many games do not show it often enough, the search ends."""


@dataclass(frozen=True)
class Drill:
    """A position read up to one line of a card, and what the solver says to it."""

    card: RuleCard
    line: int
    """Which line, from 0."""
    analysis: Analysis[Position]
    before: tuple[int, ...]
    """The moves that the lines above leave."""
    after: tuple[int, ...]
    """The moves that are left with this line."""

    @property
    def position(self) -> Position:
        """The position."""
        return self.analysis.position

    @property
    def wins(self) -> tuple[int, ...]:
        """The moves that win, among all."""
        return tuple(move.move for move in self.analysis.moves if move.wins)

    @property
    def decides(self) -> bool:
        """Whether the line picks one move out of winning and losing ones, and the card stays with it."""
        return (
            self._open()
            and len(self.after) == 1
            and self.after[0] in self.before
            and self.card.choose(self.position) == self.after
        )

    @property
    def works(self) -> bool:
        """Whether it is a drill: the line decides, and its move wins."""
        return self.decides and self.after[0] in self.wins

    @property
    def fails(self) -> bool:
        """Whether it shows where the line fails, or for a line that never errs, that it is not enough."""
        if not never_errs(self.card.lines[self.line]):
            return self.decides and self.after[0] not in self.wins
        kept = set(self.after)
        return self._open() and kept < set(self.before) and bool(kept - set(self.wins))

    @property
    def answer(self) -> int:
        """The move that the line picks, where it decides."""
        (move,) = self.after
        return move

    def _open(self) -> bool:
        """Whether the lines above leave winning and losing moves."""
        return 0 < len(set(self.before) & set(self.wins)) < len(self.before)

    def counted(self, move: int) -> Counted:
        """What the line counts for a move."""
        return count(self.card.lines[self.line], Candidate(self.position, move))

    def to_json(self) -> shapes.Drill:
        """As plain data; `answer` is null where several moves are left."""
        squares = {move.move: move.name for move in self.analysis.moves}
        return {
            **self.analysis.to_json(),
            "rule": self.line + 1,
            "text": self.card.lines[self.line].text,
            "left": [squares[move] for move in self.before],
            "kept": [squares[move] for move in self.after],
            "answer": squares[self.after[0]] if len(self.after) == 1 else None,
        }


@dataclass(frozen=True)
class Counted:
    """What a line counts for a move: points card by card, or whether it would keep it."""

    total: int | None
    """Points; None for a line that filters."""
    fits: bool | None
    """Whether a line that filters would keep it; None for one that gives points."""
    points: tuple[tuple[int, int], ...]
    """Cells with their points, in the order in which they are counted; the same card may count twice."""
    mine: tuple[int, ...] | None = None
    """For a line that filters: the cells that one looks at for one's own next move, if one does."""
    theirs: tuple[int, ...] | None = None
    """The same for the opponent's reply."""


def count(line: Line, move: Candidate) -> Counted:
    """What a line counts for a move: the same as `Points.points` and `Filter.left`, card by card.

    >>> from collapsi.strategy.rulecard import Points, Stage
    >>> line = Points(("next",), (Stage(0, (1, 2, 3, 4)),))
    >>> count(line, Candidate(parse_position("A223/4A2Jr/3A23/Jb3A4 r"), 4)).total
    12
    """
    if isinstance(line, Filter):
        word = WORD[line.word]
        return Counted(
            None,
            bool(word.cards(move)) is line.wanted,
            (),
            tuple(cells_of(move.next)) if "next" in word.looks else None,
            tuple(cells_of(move.replies)) if "replies" in word.looks else None,
        )
    worth = line.stage(move.position.cards_left).worth
    points = []
    for words, sign in ((line.added, 1), (line.taken_off, -1)) if worth else ():
        for name in words:
            for cell in cells_of(WORD[name].cards(move)):
                card = move.position.cards[cell]
                points.append((cell, sign * worth[card - 1] if worth and card else 0))
    return Counted(sum(number for _, number in points), None, tuple(points))


def never_errs(line: Line) -> bool:
    """Whether a line is proven to keep wins: it takes only winning moves, or strikes out only losing ones."""
    return isinstance(line, Filter) and WORD[line.word].proof is line.wanted


def cannot_fail(line: Line) -> bool:
    """Whether all moves that a line takes are proven to win: then nothing can be said against it."""
    return never_errs(line) and isinstance(line, Filter) and line.wanted


def read_drill(card: RuleCard, line: int, position: Position | Analysis[Position]) -> Drill:
    """A position read up to a line (from 0), and solved; whether it is a drill it says itself."""
    solved = position if isinstance(position, Analysis) else analyse(position)
    before, after = (card.first(lines).choose(solved.position) for lines in (line, line + 1))
    return Drill(card, line, solved, before, after)


def find_drills(
    card: RuleCard,
    line: int,
    count: int,
    seed: int,
    rules: Rules = STANDARD,
    *,
    fails: bool = False,
    jobs: int | None = None,
    progress: Callable[[int], None] = lambda _: None,
    most_games: int = MOST_GAMES,
) -> list[Drill]:
    """So many drills for a line (from 0), or positions where it fails: the same ones for the same seed.

    They come from games of every kind, in the order of chance; `progress` is told how many more are found.
    Fewer if so many games show no more.
    """
    import numpy as np

    from collapsi.strategy.samples import Part, draw

    _check_line(card, line)
    if fails and cannot_fail(card.lines[line]):
        return []
    rng = np.random.default_rng([seed, line, fails])
    found: dict[str, Drill] = {}
    for _ in range(0, most_games, GAMES):
        # Deals that cards are trained on: the fresh ones are for measuring.
        sample = draw(Part.TRAIN, min(GAMES, most_games), rng, rules, jobs=jobs)
        some = rng.permutation(_indices(card, line, sample, fails=fails))
        positions = [sample.states.position(int(index)) for index in some]
        missing = count - len(found)
        before = len(found)
        for drill in _proven(card, line, positions[: 2 * missing], fails=fails, jobs=jobs):
            if len(found) < count:
                found.setdefault(drill.position.text, drill)
        progress(len(found) - before)
        if len(found) == count:
            break
    return list(found.values())


def _proven(
    card: RuleCard, line: int, positions: list[Position], *, fails: bool, jobs: int | None
) -> Iterator[Drill]:
    """The positions, each read plainly and solved by itself."""
    for analysis in analyse_many(positions, jobs=jobs):
        drill = read_drill(card, line, analysis)
        if not (drill.fails if fails else drill.works):  # a test compares the two readings
            msg = f"the fast reading and the plain one disagree: {drill.position!r}, line {line + 1}"
            raise CollapsiError(msg)
        yield drill


def _indices(card: RuleCard, line: int, sample: Sample, *, fails: bool) -> NDArray[np.int64]:
    """Which positions of a sample are drills for a line, or show where it fails: `Drill` for many at once."""
    import numpy as np

    from collapsi.strategy.measure import score

    moves, wins = sample.moves, sample.wins
    begins = moves.begins[:-1]

    def chosen(some: RuleCard) -> NDArray[np.bool_]:
        points = score(some, moves, sample.states.face_up)
        return np.asarray(np.maximum.reduceat(points, begins)[moves.owners] == points)

    def number(which: NDArray[np.bool_]) -> NDArray[np.int64]:
        return np.add.reduceat(which, begins, dtype=np.int64)

    before, after, last = (chosen(card.first(lines)) for lines in (line, line + 1, len(card.lines)))
    is_open = (number(before & wins) > 0) & (number(before & ~wins) > 0)
    if fails and never_errs(card.lines[line]):
        # what a filter keeps is never more than there was
        found = is_open & (number(after) < number(before)) & (number(after & ~wins) > 0)
    else:
        right = ~wins if fails else wins
        found = (
            is_open
            & (number(after) == 1)
            & (number(last) == 1)
            & (number(before & after & last & right) == 1)
        )
    return np.nonzero(found)[0]


def _check_line(card: RuleCard, line: int) -> None:
    if not 0 <= line < len(card.lines):
        msg = f"the card has lines 1 to {len(card.lines)}, no line {line + 1}"
        raise MalformedError(msg)


# The few that come with the package, for the lessons


@dataclass(frozen=True)
class KeptDrills:
    """For each line of a card an example, drills from easy to hard, and a position where it fails."""

    card: RuleCard
    drills: tuple[tuple[Position, ...], ...]
    """By line; the first is the example. Easy ones first: those with few cards to look at."""
    failures: tuple[Position | None, ...]
    """By line; None where nothing was found."""

    def to_json(self) -> shapes.KeptDrills:
        """As plain data: positions only, since whoever reads one proves it again."""
        lines: list[shapes.DrillsOfLine] = [
            {"drills": [drill.text for drill in drills], "failure": None if failure is None else failure.text}
            for drills, failure in zip(self.drills, self.failures, strict=True)
        ]
        return {"format": FORMAT, "card": self.card.to_json(), "lines": lines}


def keep_drills(
    card: RuleCard,
    count: int,
    seed: int,
    rules: Rules = STANDARD,
    *,
    jobs: int | None = None,
    progress: Callable[[int], None] = lambda _: None,
) -> KeptDrills:
    """So many drills for every line, and where each fails."""

    def easy_first(line: int, drills: list[Drill]) -> tuple[Position, ...]:
        read = card.first(line + 1)
        return tuple(sorted((drill.position for drill in drills), key=read.effort))

    drills, failures = [], []
    for line in range(len(card.lines)):
        found = find_drills(card, line, count, seed, rules, jobs=jobs, progress=progress)
        drills.append(easy_first(line, found))
        found = find_drills(card, line, count, seed, rules, fails=True, jobs=jobs, most_games=FAILURE_GAMES)
        failures.append(next(iter(easy_first(line, found)), None))
    return KeptDrills(card, tuple(drills), tuple(failures))


def write_drills(path: Path, kept: KeptDrills) -> None:
    """Keep them in a file, whole or not at all."""
    try:
        write_whole(path, json.dumps(kept.to_json(), indent=1, ensure_ascii=False).encode() + b"\n")
    except OSError as error:
        msg = f"cannot write {path}: {error.strerror}"
        raise OutputError(msg) from None


def read_drills(path: Path) -> KeptDrills:
    """The drills in a file that `write_drills` wrote."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        if data["format"] != FORMAT:
            msg = f"its format is not {FORMAT}"
            raise MalformedError(msg)
        card, lines = card_from_json(data["card"]), data["lines"]
        drills = tuple(tuple(map(parse_position, line["drills"])) for line in lines)
        failures = tuple(line["failure"] and parse_position(line["failure"]) for line in lines)
    except OSError as error:
        msg = f"cannot read {path}: {error.strerror}"
        raise MalformedError(msg) from None
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        msg = f"{path} holds no drills: make them with collapsi drills --out ({error})"
        raise MalformedError(msg) from None
    if len(card.lines) != len(lines):
        msg = f"{path} has drills for {len(lines)} lines, and its card has {len(card.lines)}"
        raise MalformedError(msg)
    return KeptDrills(card, drills, failures)


@cache
def kept_drills() -> KeptDrills:
    """The drills that come with the package; they must be for the card that comes with it."""
    kept = read_drills(CARDS / DRILLS_FILE)
    if kept.card != kept_card():
        msg = f"the drills in {DRILLS_FILE} are for another card: collapsi drills --out makes them anew"
        raise MalformedError(msg)
    return kept
