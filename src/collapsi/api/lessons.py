"""The lessons: how to move, task by task, and then rules, from winning at once to the points card.

How to move are the rules of `about`, each with something to do. The other lessons are lines of the bundled
cards: their texts and drills follow from the cards and the drills that are kept with them.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from collapsi.api.about import LESSONS
from collapsi.core.errors import MalformedError
from collapsi.games.analysis import colour
from collapsi.games.registry import format_rules, parse_position
from collapsi.play.strategy.budget import CardKind
from collapsi.play.strategy.drills import bundled_drills, cannot_fail, never_errs, read_drill
from collapsi.play.strategy.rulecard import Filter, bundled_card, bundled_record

if TYPE_CHECKING:
    from collections.abc import Iterable

    from collapsi.api import models  # typed dicts, of no use when it runs
    from collapsi.games.analysis import MoveValue
    from collapsi.games.classic.position import Position
    from collapsi.play.strategy.drills import Drill, LineCount
    from collapsi.play.strategy.rulecard import Line, RuleCard

DRILLS = 10
"""Drills that end a lesson."""
MEASURED = "November 2026"
"""When the bundled cards were measured."""


class Lesson(NamedTuple):
    """A lesson: one line of a card."""

    title: str
    card: str
    line: int
    """From 0."""


TAUGHT = (
    Lesson("Line 1 of every card", "pocket", 0),
    Lesson("Line 2 of every card", "pocket", 1),
    Lesson("Looking ahead", "ahead", 2),
    Lesson("Running out of room", "ahead", 3),
    Lesson("Line 3 of the pocket card", "pocket", 2),
    Lesson("Line 3 of the points card", "points", 2),
    Lesson("Line 4 of the points card", "points", 3),
)
"""In the order of teaching."""

IDEAS = {
    "forced": (
        "Take your moves one by one, and go through every reply. Can you win at once after each of them, "
        "because they are stuck or you take the last card they could go to? Then go there: you have won."
    ),
    "cornered": (
        "A dead end is a card that you could go to but not leave again. If all cards you could go to next "
        "are dead ends, you run out of room two moves from now. Strike out such moves. If all are like that, "
        "read on."
    ),
}
"""How a line about a word is followed, where there is more to say than of any line."""


class Asked(NamedTuple):
    """A task that teaches one rule to a new player."""

    task: str
    right: str
    wanted: tuple[str, ...] = ()
    """The squares that are meant; none: any move will do."""
    framed: bool = False
    position: str | None = None
    """Where the example of the rule has nothing to be done."""


ASKED = {
    "From your jack": Asked(
        "You are red and stand on the jack. Tap a card right beside it.",
        "Well done, that is a move. The jack you left has collapsed, and blue would be next.",
        framed=True,
    ),
    "The number counts": Asked(
        "You stand on a 3. Tap a card where exactly three steps can end.",
        "Exactly three steps. The dotted line shows the way that you went.",
    ),
    "The board wraps": Asked(
        "Two steps: go to a1 and on over the left edge. Tap the card where you arrive.",
        "Right: out on the left, in on the right. Over top and bottom it is the same.",
        ("d1",),
    ),
    "No card twice": Asked(
        "You stand on a 4. Tap a card that you can reach in four steps without using a card twice.",
        "Four steps, and no card twice.",
    ),
    "Pass, but do not land": Asked(
        "Blue stands in your way. Walk two steps to the right, through blue. Where do you end?",
        "Right: you may walk through the other pawn.",
        ("d2",),
    ),
    "Cards collapse": Asked(
        "The card to your right has collapsed. Go two steps around it, to the card below it.",
        "Right: one step down, then one to the right.",
        ("c3",),
    ),
    "The end": Asked(
        "Now win: both stand on an ace. Take the only card that blue could go to.",
        "You have won: blue cannot move. That is all there is to know.",
        ("c3",),
        position="..3./.AAr./..4Ab/.3.. r",
    ),
}
"""By the title of the rule."""


def lessons() -> models.Lessons:
    """All lessons."""
    return {
        "moving": _moving(),
        "lines": [line_lesson(number) for number in range(1, len(TAUGHT) + 1)],
        "drills": DRILLS,
        "cards": [_card_json(kind) for kind in CardKind],
    }


def _card_json(kind: CardKind) -> models.CardShown:
    """A card of rules with its measured quality."""
    kept = bundled_record(kind)["worth"]["kept"]
    return {
        "card": kind,
        "title": f"The {kind} card",
        "lines": list(bundled_card(kind).sentences),
        "kept": (
            f"Keeps {100 * kept['share']:.1f} ± {100 * kept['margin']:.1f} of 100 wins that can be thrown "
            f"away ({kept['cases']:,} positions, {MEASURED}: collapsi strategy --card {kind})."
        ),
    }


def _moving() -> list[models.Task]:
    """How to move, step by step."""
    found: list[models.Task] = []
    for title, text, example, _, _ in LESSONS:
        asked = ASKED[title]
        position = parse_position(asked.position or example)
        found.append(
            {
                "title": title,
                "text": text,
                "task": asked.task,
                "position": position.text,
                "wanted": list(asked.wanted or map(position.move_text, position.moves)),
                "framed": asked.framed,
                "right": asked.right,
                "otherwise": "You may go there, but something else is meant here: try again.",
            }
        )
    return found


@lru_cache(maxsize=32)
def line_lesson(number: int) -> models.LineLesson:
    """A lesson on a line, by its number (from 1)."""
    title, name, line = TAUGHT[number - 1]
    kept = bundled_drills(name)
    rule, failure = kept.card.lines[line], kept.failures[line]
    return {
        "line": number,
        "title": title,
        "text": kept.card.sentences[line],
        "idea": _idea(kept.card, line),
        "example": drill_json(number, read_drill(kept.card, line, kept.drills[line][0])),
        "limit": _limit(rule, failure),
        "failure": None if failure is None else drill_json(number, read_drill(kept.card, line, failure)),
    }


def drill(number: int, seed: int) -> models.DrillShown:
    """A drill for a lesson (from 1). Seeds go through the kept ones, from easy to hard, and begin again."""
    if not 1 <= number <= len(TAUGHT):
        msg = f"line: there are lessons 1 to {len(TAUGHT)}, not {number}"
        raise MalformedError(msg)
    _, name, line = TAUGHT[number - 1]
    kept = bundled_drills(name)
    positions = kept.drills[line]
    others = positions[1:] or positions  # the first is the example
    return drill_json(number, read_drill(kept.card, line, others[seed % len(others)]))


def drill_json(number: int, drill: Drill) -> models.DrillShown:
    """A position read by the line of a lesson, with every sentence that the page says about it."""
    position = drill.position
    return {
        "position": position.text,
        "rules": format_rules(position.rules),
        "to_move": colour(position.to_move),
        "line": number,
        "task": _task(drill),
        "text": _shows(drill),
        "answer": position.move_text(drill.answer) if len(drill.after) == 1 else None,
        "moves": [_move_json(drill, move) for move in drill.analysis.moves],
    }


def _move_json(drill: Drill, move: MoveValue[Position]) -> models.MoveRead:
    counted = drill.counted(move.move)
    return {
        "move": move.name,
        "to": move.to,
        "left": move.move in drill.before,
        "kept": move.move in drill.after,
        "count": _count(counted),
        "counted": _counted(drill.position, counted),
        "marks": _marks(drill.position, counted),
        "wins": move.wins,
        "plies": move.plies,
        "said": _said(drill, move, counted),
    }


def _idea(card: RuleCard, line: int) -> str:
    """How a line (from 0) is followed."""
    rule = card.lines[line]
    if isinstance(rule, Filter) and rule.word in IDEAS:
        return IDEAS[rule.word]
    if isinstance(rule, Filter) and rule.wanted:
        return "Look at your moves one by one. If some do this, forget all others. If none does, read on."
    if isinstance(rule, Filter):
        return "Look at your moves one by one, and strike out those that do this. If all do, read on."
    if any(not isinstance(above, Filter) for above in card.lines[:line]):
        return (
            "Count for each move, and add this to its points so far. Where the others are equal, this line "
            "decides."
        )
    return f"Count for each move that {ABOVE} leave, and go where you get most."


ABOVE = "the rules before this one"


def _task(drill: Drill) -> str:
    framed = f"the moves that {ABOVE} leave" if drill.line else "your moves"
    return f"You are {drill.position.to_move}. Framed: {framed}. Where does this rule send you?"


def _shows(drill: Drill) -> str:
    """What the position shows, in words that are true of it."""
    values = {move.move: move for move in drill.analysis.moves}
    kept = [values[move] for move in drill.after]
    losing = [values[move] for move in drill.before if move not in drill.wins]
    winning = [values[move] for move in drill.before if move in drill.wins]
    if drill.decides:
        others, end = (losing, "lose") if drill.works else (winning, "win")
        sent = f"The line sends you to {kept[0].name}, and you {_end(kept[0])}."
        return f"{sent} With {_names(others)} you would {end}."
    bad = [move for move in kept if not move.wins]
    return f"The line leaves {_names(kept)}. With {_names(bad)} you would still lose."


def _said(drill: Drill, move: MoveValue[Position], counted: LineCount) -> str:
    """What is said to who chooses a move in a drill."""
    if move.move not in drill.before:
        return f"You may go to {move.name}, but {ABOVE} leave other moves: they are framed."
    if counted.total is not None:
        points = f"{_count(counted)}{_points(counted.total)}"
        if move.move in drill.after:
            return f"Right: {move.name} gets most, {points}. You {_end(move)}."
        return f"{points} for {move.name}: another framed card gets more. Try another."
    if move.move in drill.after:
        return f"Right: the line keeps {move.name}. You {_end(move)}."
    why = _counted(drill.position, counted)
    return " ".join(filter(None, (f"The line strikes {move.name} out.", why, "Try another.")))


def _limit(rule: Line, failure: Position | None) -> str:
    """What is true of a line's failures."""
    if cannot_fail(rule):
        return "This line never fails: every move that it takes wins."
    if never_errs(rule):
        return (
            "This line strikes out only moves that lose, so it never throws a win away. But it is not enough."
        )
    if failure is None:
        return "No position was found where this line fails."
    return "A rule of thumb is not always right. Here it is wrong, as looking ahead shows."


def _count(counted: LineCount) -> str:
    """In a word: points, or whether the line keeps it."""
    if counted.total is None:
        return "✓" if counted.fits else "✗"
    return _signed(counted.total)


def _counted(position: Position, counted: LineCount) -> str:
    """What is counted for a move, card by card; nothing where one looks at the landing card alone."""
    square = position.board.square
    if counted.total is not None:
        cards = ", ".join(f"{square(cell)} {_plus(number)}" for cell, number in counted.points if number)
        return f"{cards or 'Nothing to count'}: {_signed(counted.total)}{_points(counted.total)}."
    looks = (("you", counted.mine), (str(position.to_move.other), counted.theirs))
    could = [
        f"{who} could go " + (f"to {', '.join(map(square, cells))}" if cells else "nowhere")
        for who, cells in looks
        if cells is not None
    ]
    return f"Then {', and '.join(could)}." if could else ""


def _marks(position: Position, counted: LineCount) -> list[models.Mark]:
    """The cards that are looked at, each once."""
    found: dict[int, str] = {}
    if counted.total is not None:
        points: dict[int, int] = {}
        for cell, number in counted.points:
            points[cell] = points.get(cell, 0) + number
        found = {cell: _plus(number) for cell, number in points.items() if number}
    else:
        for cell in counted.theirs or ():
            found[cell] = str(position.to_move.other)
        for cell in counted.mine or ():
            found[cell] = "both" if cell in found else "you"
    return [{"square": position.board.square(cell), "text": text} for cell, text in sorted(found.items())]


def _end(move: MoveValue[Position]) -> str:
    """How it ends with a move."""
    return f"{'win' if move.wins else 'lose'} in {move.plies} {'ply' if move.plies == 1 else 'plies'}"


def _names(moves: Iterable[MoveValue[Position]]) -> str:
    """Moves in a row: `a1, b2 or c3`."""
    *others, last = (move.name for move in moves)
    return f"{', '.join(others)} or {last}" if others else last


def _points(number: int) -> str:
    return " point" if abs(number) == 1 else " points"


def _signed(number: int) -> str:
    return str(number).replace("-", "−")


def _plus(number: int) -> str:
    return f"+{number}" if number > 0 else _signed(number)
