"""A card of rules: a few lines that a person can follow at the table, as data.

There are two kinds of lines. A `Filter` keeps the moves of which a word is true (or false), if there are any.
`Points` gives points for the cards of a word by their numbers; the points may depend on how many cards are
left. Filters are applied first, in order; a filter that finds moves proven to win ends the reading. Then the
points of all lines are added, and the moves with most points are chosen.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from collapsi.core.board import cells_of
from collapsi.core.errors import IllegalMoveError, MalformedError
from collapsi.play.strategy.budget import CardKind
from collapsi.play.strategy.vocabulary import LOOK, WORD, Candidate, candidates
from collapsi.system.files import read_json_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from collapsi.games.classic.position import Position
    from collapsi.play.strategy import json_types

FORMAT = 1
"""Version of the file format."""

MOST_CARDS = 16
LANDING = "landing"
NumberValues = tuple[int, int, int, int]
"""Points of an ace, a two, a three and a four."""


@dataclass(frozen=True)
class Filter:
    """Keeps the moves of which a word is true, or false, if there are any."""

    word: str
    wanted: bool

    @property
    def text(self) -> str:
        """The line as a sentence."""
        word = WORD[self.word]
        return (word.wish if self.wanted else word.warning) + "."

    @property
    def words(self) -> tuple[str, ...]:
        """The words of the line."""
        return (self.word,)

    def words_at(self, face_up: int) -> tuple[str, ...]:  # noqa: ARG002 - the same at any time
        """Return the words that count while `face_up` cards are face up."""
        return self.words

    @property
    def takes_wins(self) -> bool:
        """Whether all moves that it keeps are proven to win: then no further line is needed."""
        return self.wanted and WORD[self.word].proof is True

    def keeps(self, move: Candidate) -> bool:
        """Whether the word is true of a move, or false, as wanted."""
        return bool(WORD[self.word].cards(move)) == self.wanted

    def left(self, moves: Iterable[Candidate]) -> tuple[Candidate, ...]:
        """Return the moves that it leaves."""
        moves = tuple(moves)
        return tuple(filter(self.keeps, moves)) or moves

    def to_json(self) -> json_types.Line:
        """Return the line as JSON."""
        return {"keep": self.word} if self.wanted else {"avoid": self.word}


@dataclass(frozen=True)
class Stage:
    """The points of the numbers from some number of face-up cards upwards."""

    least: int
    """Face-up cards, before the move."""
    worth: NumberValues | None
    """None if nothing is counted, and there is nothing to look at."""


@dataclass(frozen=True)
class Points:
    """Points for the cards of some words by number, minus those of others; stages from many cards to few."""

    added: tuple[str, ...]
    stages: tuple[Stage, ...]
    """The last stage goes down to no cards."""
    taken_off: tuple[str, ...] = ()

    @property
    def words(self) -> tuple[str, ...]:
        """The words of the line."""
        return self.added + self.taken_off

    def stage(self, face_up: int) -> Stage:
        """Return the stage of a position with `face_up` face-up cards."""
        return next(stage for stage in self.stages if face_up >= stage.least)

    def words_at(self, face_up: int) -> tuple[str, ...]:
        """Return the words that count while `face_up` cards are face up."""
        return self.words if self.stage(face_up).worth else ()

    def points(self, move: Candidate) -> int:
        """Return the points of a move."""
        return sum(points for _, points in self.counted(move))

    def counted(self, move: Candidate) -> Iterator[tuple[int, int]]:
        """Yield the cells that count for a move, with their points; a cell may count twice."""
        worth = self.stage(move.position.cards_left).worth
        for words, sign in ((self.added, 1), (self.taken_off, -1)) if worth else ():
            for word in words:
                for cell in cells_of(WORD[word].cards(move)):
                    card = move.position.cards[cell]
                    yield cell, sign * worth[card - 1] if worth and card else 0

    @property
    def costs(self) -> bool:
        """Whether all points are negative: then the text says what cards cost, without signs."""
        return all(max(stage.worth) <= 0 for stage in self.stages if stage.worth)

    @property
    def rows(self) -> tuple[tuple[str, NumberValues | None], ...]:
        """For each stage, when it applies in words, and the points of the numbers, or their costs."""
        found, upper = [], MOST_CARDS
        for stage in self.stages:
            found.append((_when(stage.least, upper), negated(stage.worth) if self.costs else stage.worth))
            upper = stage.least - 1
        return tuple(found)

    @property
    def is_count(self) -> bool:
        """Whether it counts every card once, at any time."""
        return self.stages == (Stage(0, (1, 1, 1, 1)),)

    @property
    def subject(self) -> str:
        """What there are points for: the line without the points of the numbers."""
        return f"{'Minus points' if self.costs else 'Points'} for {self._counted_text(', and for ')}"

    def _counted_text(self, plus: str) -> str:
        """Return what is counted, in words; what is added is joined by `plus`."""
        words = [WORD[word] for word in sorted(self.added, key=lambda word: word != LANDING)]
        phrases = [word.phrase for word in words]
        if words[0].name == LANDING:  # a landing card that counts twice is named once
            again = [f", and again if {word.condition}" for word in words if word.is_yes_or_no]
            others = [word.phrase for word in words[1:] if not word.is_yes_or_no]
            phrases = ["".join((words[0].phrase, *again)), *others]
        return ", minus ".join((plus.join(phrases), *(WORD[word].phrase for word in self.taken_off)))

    @property
    def goal(self) -> str:
        """A line that only counts, as the sentence of a card that has no other points."""
        return f"Go where you have most: {self._counted_text(', plus ')}."

    @property
    def text(self) -> str:
        """The line as a sentence."""
        (_, worth), *others = self.rows
        if worth and not others and self._is_condition and (len(set(worth)) == 1 or worth in NAMED_WORTHS):
            return f"{self._flat_text(worth)} if {WORD[self.added[0]].condition}."
        texts = [f"{when}, {_worth_text(worth)}".removeprefix(", ") for when, worth in self.rows]
        return f"{self.subject}: {'; '.join(texts)}."

    def _flat_text(self, worth: NumberValues) -> str:
        """Format points of the landing card alone."""
        if self.costs and worth == (4, 3, 2, 1):
            return "Add your landing number minus 5"  # rather than subtract a difference
        points = NAMED_WORTHS.get(worth, str(worth[0])).replace("its number", "your landing number")
        return f"{'Subtract' if self.costs else 'Add'} {points}"

    @property
    def _is_condition(self) -> bool:
        """Whether it counts one thing, which is true or false of a move."""
        return len(self.words) == len(self.added) == 1 and WORD[self.added[0]].is_yes_or_no

    def to_json(self) -> json_types.Line:
        """Return the line as JSON."""
        stages: list[json_types.Stage] = [
            {"least": stage.least, "worth": list(stage.worth) if stage.worth else None}
            for stage in self.stages
        ]
        if self.taken_off:
            return {"count": list(self.added), "less": list(self.taken_off), "stages": stages}
        return {"count": list(self.added), "stages": stages}


Line = Filter | Points


def negated(worth: NumberValues | None) -> NumberValues | None:
    """Return the costs of cards instead of their points."""
    if worth is None:
        return None
    ace, two, three, four = worth
    return -ace, -two, -three, -four


def _when(least: int, most: int) -> str:
    """Format a range of face-up cards in words."""
    if most >= MOST_CARDS:
        return "" if least <= 0 else f"with {least} or more cards face up"
    if least <= 0:
        return "with fewer"
    return f"with {least}" if least == most else f"with {least} to {most}"


def _worth_text(worth: NumberValues | None) -> str:
    """Format the points of the numbers in words.

    >>> _worth_text((1, 3, 3, 5)), _worth_text((2, 2, 2, 2)), _worth_text(None)
    ('1 for an ace, 3 for a two or three, 5 for a four', '2 for each', 'none')
    >>> _worth_text((1, 2, 3, 4)), _worth_text((4, 3, 2, 1))
    ('its number', '5 minus its number')
    """
    if worth is None:
        return "none"
    if worth in NAMED_WORTHS:
        return NAMED_WORTHS[worth]
    names: dict[int, list[str]] = {}
    for number, name in zip(worth, ("ace", "two", "three", "four"), strict=True):
        names.setdefault(number, []).append(name)
    if len(names) == 1:
        return f"{_signed(worth[0])} for each"
    return ", ".join(f"{_signed(points)} for {_one_of(cards)}" for points, cards in names.items())


NAMED_WORTHS: dict[NumberValues, str] = {(1, 2, 3, 4): "its number", (4, 3, 2, 1): "5 minus its number"}
"""Points that need no table."""


def _signed(points: int) -> str:
    return str(points).replace("-", "−")


def _one_of(cards: list[str]) -> str:
    """Format a choice of cards: `a two, three or four`."""
    *others, last = cards
    article = "an" if cards[0] == "ace" else "a"
    return f"{article} {', '.join(others)} or {last}" if others else f"{article} {last}"


@dataclass(frozen=True)
class CardExplanation:
    """The effect of each line of a card on a position."""

    position: Position
    left: tuple[tuple[int, ...], ...]
    """For each line, the moves that would be left if the card ended with it."""
    points: dict[int, tuple[int, ...]]
    """For each move that all filters leave, the points of each line (in the card's order); no points if the
    filters find moves that are proven to win."""

    @property
    def moves(self) -> tuple[int, ...]:
        """The moves that the card chooses."""
        return self.left[-1] if self.left else self.position.moves

    @property
    def decided_by(self) -> int | None:
        """The line (from 0) after which the choice no longer changes; None if all moves are left."""
        if len(self.moves) == len(self.position.moves):
            return None
        line = len(self.left) - 1
        while line > 0 and self.left[line - 1] == self.moves:
            line -= 1
        return line


@dataclass(frozen=True, repr=False)
class RuleCard:
    """Lines to follow.

    >>> import collapsi
    >>> card = RuleCard((Filter("stuck", wanted=True), Points(("next",), (Stage(0, (1, 1, 1, 1)),))))
    >>> print(card)
    1. Win at once if you can.
    2. Go where you have most: cards you could go to next (their card counts as collapsed).
    >>> position = collapsi.parse_position("A223/4A2Jr/3A23/Jb3A4 r")
    >>> [position.board.square(move) for move in card.choose(position)]
    ['d1', 'd3']
    """

    lines: tuple[Line, ...]

    def __repr__(self) -> str:
        return f"RuleCard({len(self.lines)} lines)"

    @property
    def filters(self) -> tuple[Filter, ...]:
        """The filters."""
        return tuple(line for line in self.lines if isinstance(line, Filter))

    @property
    def points(self) -> tuple[Points, ...]:
        """The lines of points."""
        return tuple(line for line in self.lines if isinstance(line, Points))

    def first(self, count: int) -> RuleCard:
        """Return the card with the first `count` lines."""
        return RuleCard(self.lines[:count])

    def choose(self, position: Position, among: Iterable[int] | None = None) -> tuple[int, ...]:
        """Return the moves that it chooses, from all or from some, in the given order."""
        total = {move.end: sum(points) for move, points in self._counted(position, among).items()}
        return tuple(end for end, points in total.items() if points == max(total.values()))

    def _counted(
        self, position: Position, among: Iterable[int] | None = None
    ) -> dict[Candidate, tuple[int, ...]]:
        """Return the moves that all filters leave, with the points of each line; none if they are won."""
        moves = candidates(position, among)
        for line in self.filters:
            moves = line.left(moves)
            if moves and line.takes_wins and line.keeps(moves[0]):
                return dict.fromkeys(moves, ())
        return {move: tuple(line.points(move) for line in self.points) for move in moves}

    def explain(self, position: Position) -> CardExplanation:
        """Return the effect of each line on a position."""
        if not position.moves:
            msg = f"{position.to_move} cannot move: the game is over"
            raise IllegalMoveError(msg)
        left = tuple(self.first(count).choose(position) for count in range(1, len(self.lines) + 1))
        return CardExplanation(
            position, left, {move.end: points for move, points in self._counted(position).items()}
        )

    def effort(self, position: Position) -> int:
        """Return the number of cards to look at to follow it in a position.

        Each line counts only for the moves that are left, without cards that were looked at before, and lines
        after the choice of a single move do not count.
        """
        left = candidates(position)
        seen: set[str] = set()
        total = 0
        groups: list[tuple[Line, ...]] = [*((line,) for line in self.filters), self.points]
        for lines in groups:
            if len(left) == 1:
                break
            words = {word for line in lines for word in line.words_at(position.cards_left)}
            looks = {look for word in words for look in WORD[word].looks} - seen
            for look in looks:
                total += sum(LOOK[look].cards(move) for move in (left[:1] if LOOK[look].once else left))
            seen |= looks
            for line in lines:
                left = line.left(left) if isinstance(line, Filter) else left
        return total

    @property
    def sentences(self) -> tuple[str, ...]:
        """The lines in words; the last line of points says what to do with the points of all."""
        found = [line.text for line in self.lines]
        if len(self.points) == 1 and self.points[0].is_count:
            found[-1] = self.points[0].goal
        elif self.points:
            found[-1] += " Go where the sum is largest."
        return tuple(found)

    def summary(self, line: int) -> str:
        """Return a line (from 0) in words without the points of the numbers and without a full stop."""
        rule = self.lines[line]
        if isinstance(rule, Points) and not rule.is_count and rule.text.startswith(rule.subject):
            return rule.subject
        return self.sentences[line].partition(". ")[0].removesuffix(".")

    def __str__(self) -> str:
        return "\n".join(f"{number}. {text}" for number, text in enumerate(self.sentences, start=1))

    def to_json(self) -> json_types.RuleCard:
        """Return the card as JSON, with each line's sentence for readers of the file."""
        return {
            "format": FORMAT,
            "lines": [
                {**line.to_json(), "text": text}
                for line, text in zip(self.lines, self.sentences, strict=True)
            ],
        }


def card_from_json(data: Any) -> RuleCard:
    """Parse a card from JSON; errors name the line."""
    if not isinstance(data, dict) or data.get("format") != FORMAT or not isinstance(data.get("lines"), list):
        msg = f'a card of rules is {{"format": {FORMAT}, "lines": […]}}'
        raise MalformedError(msg)
    lines: list[Line] = []
    for number, line in enumerate(data["lines"], start=1):
        try:
            lines.append(_line_from_json(line))
        except (KeyError, TypeError, ValueError, AttributeError, StopIteration) as error:
            msg = f"line {number} of the card cannot be read ({error})"
            raise MalformedError(msg) from None
    card = RuleCard(tuple(lines))
    if card.lines != (*card.filters, *card.points):
        msg = "a card's filters come before its points"
        raise MalformedError(msg)
    return card


def _line_from_json(line: dict[str, Any]) -> Line:
    if "count" not in line:
        wanted = "keep" in line
        word = line["keep" if wanted else "avoid"]
        if not WORD[word].is_yes_or_no:
            msg = f"{word!r} is not true or false of a move"
            raise ValueError(msg)
        return Filter(word, wanted)
    added, taken_off = tuple(line["count"]), tuple(line.get("less", ()))
    for word in added + taken_off:
        WORD[word]  # raises KeyError if unknown
    stages = tuple(Stage(_whole(stage["least"]), _worth(stage["worth"])) for stage in line["stages"])
    least = [stage.least for stage in stages]
    if not added or not least or least[-1] != 0 or least != sorted(set(least), reverse=True):
        msg = "stages go down to 0 cards"
        raise ValueError(msg)
    return Points(added, stages, taken_off)


def _whole(number: Any) -> int:
    if type(number) is not int:
        msg = f"{number!r:.40} is not a whole number"
        raise ValueError(msg)
    return number


def _worth(numbers: Any) -> NumberValues | None:
    if numbers is None:
        return None
    ace, two, three, four = map(_whole, numbers)
    return ace, two, three, four


def read_card(path: Path) -> RuleCard:
    """Read a card from a file of `collapsi strategy --out`."""
    try:
        data = read_json_file(path)
    except OSError as error:
        msg = f"cannot read {path}: {error.strerror}"
        raise MalformedError(msg) from None
    except ValueError:
        msg = f"{path} is not a card of rules: it cannot be read as JSON"
        raise MalformedError(msg) from None
    return card_from_json(data.get("card") if isinstance(data, dict) and "card" in data else data)


CARDS = Path(__file__).parent / "cards"
AHEAD = "ahead"
"""The name of the card of lessons that teach looking ahead; no search found it."""
BUNDLED = (*CardKind, AHEAD)
"""The names of all cards in the package."""


@lru_cache(maxsize=8)
def bundled_card(name: str = CardKind.EXPERT) -> RuleCard:
    """Return a card that comes with the package; `collapsi strategy` found it for the standard rules."""
    return read_card(CARDS / f"{name}.json")


@lru_cache(maxsize=8)
def bundled_record(kind: CardKind = CardKind.EXPERT) -> dict[str, Any]:
    """Return how a bundled card was found (command, seed, games, worth): its file without the card."""
    data = read_json_file(CARDS / f"{kind}.json")
    return {key: value for key, value in data.items() if key != "card"}
