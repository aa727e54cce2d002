"""Drills: positions where one line of a card of rules decides, with an answer that the solver has proven.

A card is read from the top. A line *decides* a position if the lines above it leave winning and losing moves,
if it leaves exactly one of these, and if the whole card chooses that move too. If the move wins, the position
is a drill for the line; if it loses, the position shows where the line fails. A line that never errs (see
`Word.proof`) has no such failure: one can only show that it does not suffice, where it leaves losing moves.

Finding drills requires the compiled solver; reading one requires only the library, which proves it again.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from collapsi.core.board import cells_of
from collapsi.core.errors import CollapsiError, MalformedError
from collapsi.games.analysis import Analysis
from collapsi.games.registry import parse_position
from collapsi.play.analysis import analyse, analyse_many
from collapsi.play.strategy.rulecard import CARDS, Filter, RuleCard, bundled_card, card_from_json
from collapsi.play.strategy.vocabulary import WORD, Candidate
from collapsi.system.files import read_json_file, reporting_write_errors, write_atomically

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from collapsi.games.classic.position import Position
    from collapsi.play.strategy import json_types
    from collapsi.play.strategy.rulecard import Line
    from collapsi.play.strategy.samples import Sample

FORMAT = 1
"""Version of the file format."""
GAMES = 1000
"""Games drawn at a time."""
FAILURE_GAMES = 30_000
"""Limit of games searched for a position where a line fails, when a set of drills is made."""
MOST_GAMES = 600_000
"""Limit of games searched for drills, for lines that rarely decide."""


@dataclass(frozen=True)
class Drill:
    """A solved position and the moves that a card leaves before and after one of its lines."""

    card: RuleCard
    line: int
    """Index of the line, from 0."""
    analysis: Analysis[Position]
    before: tuple[int, ...]
    """The moves that the lines above leave."""
    after: tuple[int, ...]
    """The moves that are left after this line."""

    @property
    def position(self) -> Position:
        """The position."""
        return self.analysis.position

    @property
    def wins(self) -> tuple[int, ...]:
        """All winning moves."""
        return tuple(move.move for move in self.analysis.moves if move.wins)

    @property
    def decides(self) -> bool:
        """Whether the line picks one of several winning and losing moves, and the whole card picks it too."""
        return (
            self._open()
            and len(self.after) == 1
            and self.after[0] in self.before
            and self.card.choose(self.position) == self.after
        )

    @property
    def works(self) -> bool:
        """Whether the line decides, and its move wins."""
        return self.decides and self.after[0] in self.wins

    @property
    def fails(self) -> bool:
        """Whether the line fails here or, for a line that never errs, does not suffice."""
        if not never_errs(self.card.lines[self.line]):
            return self.decides and self.after[0] not in self.wins
        kept = set(self.after)
        return self._open() and kept < set(self.before) and bool(kept - set(self.wins))

    @property
    def answer(self) -> int:
        """The move that the line picks; only if it decides."""
        (move,) = self.after
        return move

    def _open(self) -> bool:
        """Whether the lines above leave winning and losing moves."""
        return 0 < len(set(self.before) & set(self.wins)) < len(self.before)

    def counted(self, move: int) -> LineCount:
        """Return what the line counts for a move."""
        return count(self.card.lines[self.line], Candidate(self.position, move))

    def to_json(self) -> json_types.Drill:
        """Return the drill as JSON; `answer` is null where several moves are left."""
        squares = {move.move: move.name for move in self.analysis.moves}
        return {
            **self.analysis.to_json(),
            "rule": self.line + 1,
            "text": self.card.sentences[self.line],
            "left": [squares[move] for move in self.before],
            "kept": [squares[move] for move in self.after],
            "answer": squares[self.after[0]] if len(self.after) == 1 else None,
        }


@dataclass(frozen=True)
class LineCount:
    """What a line counts for a move: points for each card, or whether the line would keep the move."""

    total: int | None
    """Points; None for a filter."""
    fits: bool | None
    """Whether a filter would keep the move; None for a line of points."""
    points: tuple[tuple[int, int], ...]
    """Cells with their points, in the order of counting; the same card may count twice."""
    mine: tuple[int, ...] | None = None
    """For a filter: the cells that it considers for the mover's next move, if any."""
    theirs: tuple[int, ...] | None = None
    """For a filter: the cells that it considers for the opponent's reply, if any."""


def count(line: Line, move: Candidate) -> LineCount:
    """Return what a line counts for a move: as `Points.points` and `Filter.left`, with each card.

    >>> from collapsi.play.strategy.rulecard import Points, Stage
    >>> line = Points(("next",), (Stage(0, (1, 2, 3, 4)),))
    >>> count(line, Candidate(parse_position("A223/4A2Jr/3A23/Jb3A4 r"), 4)).total
    12
    """
    if isinstance(line, Filter):
        word = WORD[line.word]
        return LineCount(
            None,
            bool(word.cards(move)) is line.wanted,
            (),
            tuple(cells_of(move.next)) if "next" in word.looks else None,
            tuple(cells_of(move.replies)) if "replies" in word.looks else None,
        )
    return LineCount(line.points(move), None, tuple(line.counted(move)))


def never_errs(line: Line) -> bool:
    """Whether a line is proven to keep wins: it keeps only winning moves, or removes only losing ones."""
    return isinstance(line, Filter) and WORD[line.word].proof is line.wanted


def cannot_fail(line: Line) -> bool:
    """Whether all moves that a line keeps are proven to win."""
    return isinstance(line, Filter) and line.takes_wins


def read_drill(card: RuleCard, line: int, position: Position | Analysis[Position]) -> Drill:
    """Solve a position and read it up to a line (from 0); it need not be a drill."""
    solved = position if isinstance(position, Analysis) else analyse(position)
    before, after = (card.first(lines).choose(solved.position) for lines in (line, line + 1))
    return Drill(card, line, solved, before, after)


def find_drills(
    card: RuleCard,
    line: int,
    count: int,
    seed: int,
    *,
    fails: bool = False,
    jobs: int | None = None,
    progress: Callable[[int], None] = lambda _: None,
    most_games: int = MOST_GAMES,
) -> list[Drill]:
    """Find `count` drills for a line (from 0), or positions where it fails; deterministic for a seed.

    They come from games of every kind, in random order. `progress(found)` is called with the number of new
    drills. Returns fewer if `most_games` games do not have more.
    """
    import numpy as np

    from collapsi.play.strategy.samples import Split, draw_sample

    if not 0 <= line < len(card.lines):
        msg = f"the card has lines 1 to {len(card.lines)}, no line {line + 1}"
        raise MalformedError(msg)
    if fails and cannot_fail(card.lines[line]):
        return []
    rng = np.random.default_rng([seed, line, fails])
    found: dict[str, Drill] = {}
    for _ in range(0, most_games, GAMES):
        # Training deals: the fresh ones are reserved for measuring.
        sample = draw_sample(Split.TRAIN, min(GAMES, most_games), rng, jobs=jobs)
        indices = rng.permutation(_indices(card, line, sample, fails=fails))
        positions = [sample.states.position(int(index)) for index in indices]
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
    """Yield the drills of the positions, each read with the plain functions and solved again."""
    for analysis in analyse_many(positions, jobs=jobs):
        drill = read_drill(card, line, analysis)
        if not (drill.fails if fails else drill.works):  # a bug: a test compares the two
            msg = f"the vectorised and the plain reading disagree: {drill.position!r}, line {line + 1}"
            raise CollapsiError(msg)
        yield drill


def _indices(card: RuleCard, line: int, sample: Sample, *, fails: bool) -> NDArray[np.int64]:
    """Return the positions of a sample in which a line works, or fails: `Drill`, vectorised."""
    import numpy as np

    from collapsi.play.strategy.measure import score

    moves, wins = sample.moves, sample.wins
    begins = moves.begins[:-1]

    def chosen(part: RuleCard) -> NDArray[np.bool_]:
        points = score(part, moves, sample.states.face_up)
        return np.asarray(np.maximum.reduceat(points, begins)[moves.owners] == points)

    def number(which: NDArray[np.bool_]) -> NDArray[np.int64]:
        return np.add.reduceat(which, begins, dtype=np.int64)

    before, after, last = (chosen(card.first(lines)) for lines in (line, line + 1, len(card.lines)))
    is_open = (number(before & wins) > 0) & (number(before & ~wins) > 0)
    if fails and never_errs(card.lines[line]):
        # a filter never adds moves
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


# Sets of drills in files; one is bundled with the package, for the lessons


@dataclass(frozen=True)
class DrillSet:
    """For each line of a card an example, drills from easy to hard, and a position where it fails."""

    card: RuleCard
    drills: tuple[tuple[Position, ...], ...]
    """By line, sorted by effort; the first is the example."""
    failures: tuple[Position | None, ...]
    """By line; None where nothing was found."""

    def to_json(self) -> json_types.DrillSet:
        """Return the positions as JSON, without solutions: each is solved again when it is read."""
        lines: list[json_types.LineDrills] = [
            {"drills": [drill.text for drill in drills], "failure": None if failure is None else failure.text}
            for drills, failure in zip(self.drills, self.failures, strict=True)
        ]
        return {"format": FORMAT, "card": self.card.to_json(), "lines": lines}


def make_drills(
    card: RuleCard,
    count: int,
    seed: int,
    *,
    jobs: int | None = None,
    progress: Callable[[int], None] = lambda _: None,
) -> DrillSet:
    """Find `count` drills for every line, and a position where it fails."""

    def easy_first(line: int, drills: list[Drill]) -> tuple[Position, ...]:
        read = card.first(line + 1)
        return tuple(sorted((drill.position for drill in drills), key=read.effort))

    drills, failures = [], []
    for line in range(len(card.lines)):
        found = find_drills(card, line, count, seed, jobs=jobs, progress=progress)
        drills.append(easy_first(line, found))
        found = find_drills(card, line, count, seed, fails=True, jobs=jobs, most_games=FAILURE_GAMES)
        failures.append(next(iter(easy_first(line, found)), None))
    return DrillSet(card, tuple(drills), tuple(failures))


def write_drills(path: Path, drills: DrillSet) -> None:
    """Write a set of drills to a file, atomically."""
    with reporting_write_errors(path):
        write_atomically(path, json.dumps(drills.to_json(), indent=1, ensure_ascii=False).encode() + b"\n")


def read_drills(path: Path) -> DrillSet:
    """Read the drills from a file of `write_drills`."""
    try:
        data = read_json_file(path)
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
        msg = f"{path} holds no drills: make them with collapsi puzzles --drill all --out ({error})"
        raise MalformedError(msg) from None
    if len(card.lines) != len(lines):
        msg = f"{path} has drills for {len(lines)} lines, but its card has {len(card.lines)}"
        raise MalformedError(msg)
    return DrillSet(card, drills, failures)


@lru_cache(maxsize=8)
def bundled_drills(card: str) -> DrillSet:
    """Return the drills that come with the package for one of its cards."""
    path = CARDS / f"{card}-drills.json"
    drills = read_drills(path)
    if drills.card != bundled_card(card):
        msg = f"the drills in {path.name} are for another card: run collapsi puzzles --drill all --out"
        raise MalformedError(msg)
    return drills
