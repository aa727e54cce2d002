"""The lessons: how to move, task by task, and how to follow each line of the card of rules.

How to move are the rules of `about`, each with something to do. All about the card follows from the card and
the drills that are kept beside it: no line is known here.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from collapsi.api.about import LESSONS
from collapsi.core.errors import MalformedError
from collapsi.games.analysis import colour
from collapsi.games.registry import format_rules, parse_position
from collapsi.play.strategy.drills import bundled_drills, cannot_fail, never_errs, read_drill
from collapsi.play.strategy.rulecard import Filter

if TYPE_CHECKING:
    from collections.abc import Iterable

    from collapsi.api import models  # typed dicts, of no use when it runs
    from collapsi.games.analysis import MoveValue
    from collapsi.games.classic.position import Position
    from collapsi.play.strategy.drills import Drill, LineCount
    from collapsi.play.strategy.rulecard import Line, RuleCard

DRILLS = 10
"""Drills that end a lesson."""


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
    kept = bundled_drills()
    return {
        "moving": _moving(),
        "lines": [line_lesson(line) for line in range(len(kept.card.lines))],
        "drills": DRILLS,
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
def line_lesson(line: int) -> models.LineLesson:
    """The lesson on a line (from 0)."""
    kept = bundled_drills()
    rule, failure = kept.card.lines[line], kept.failures[line]
    return {
        "line": line + 1,
        "text": rule.text,
        "idea": _idea(kept.card, line),
        "example": drill_json(read_drill(kept.card, line, kept.drills[line][0])),
        "limit": _limit(rule, failure),
        "failure": None if failure is None else drill_json(read_drill(kept.card, line, failure)),
    }


def drill(line: int, seed: int) -> models.DrillShown:
    """A drill for a line (from 1). Seeds go through the kept ones, from easy to hard, and begin again."""
    kept = bundled_drills()
    if not 1 <= line <= len(kept.card.lines):
        msg = f"line: the card has lines 1 to {len(kept.card.lines)}, not {line}"
        raise MalformedError(msg)
    positions = kept.drills[line - 1]
    others = positions[1:] or positions  # the first is the example
    return drill_json(read_drill(kept.card, line - 1, others[seed % len(others)]))


def drill_json(drill: Drill) -> models.DrillShown:
    """A position read by a line, with every sentence that the page says about it."""
    position = drill.position
    return {
        "position": position.text,
        "rules": format_rules(position.rules),
        "to_move": colour(position.to_move),
        "line": drill.line + 1,
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
    if isinstance(rule, Filter) and rule.wanted:
        return "Look at your moves one by one. If some do this, forget all others. If none does, read on."
    if isinstance(rule, Filter):
        return "Look at your moves one by one, and strike out those that do this. If all do, read on."
    which = f"each move that {_above(line)}" if line else "each of your moves"
    if any(not isinstance(above, Filter) for above in card.lines[:line]):
        which = "each move, and add this to its points so far. Where the others are equal, this line decides"
    else:
        which += ", and go where you get most points"
    return f"Count for {which}."


def _above(line: int) -> str:
    """What the lines above a line (from 0) do."""
    return "line 1 leaves" if line == 1 else f"lines 1 {'and' if line == 2 else 'to'} {line} leave"


def _task(drill: Drill) -> str:
    framed = f"the moves that {_above(drill.line)}" if drill.line else "your moves"
    return f"You are {drill.position.to_move}. Framed: {framed}. Where does line {drill.line + 1} send you?"


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
        return f"You may go to {move.name}, but {_above(drill.line)} other moves: they are framed."
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
        return "This line never fails: every move that it takes wins at once."
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
