"""What a page has to know before it asks anything else: the rule sets, the levels, what is written how."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from collapsi.api import big, solo
from collapsi.api.squares import board_json
from collapsi.api.views import went
from collapsi.core.cards import Card
from collapsi.core.patch import Wrap
from collapsi.core.players import PAIR
from collapsi.draw.svg import PAWN_OUTLINE
from collapsi.games.big.rules import BigRules
from collapsi.games.kind import Can
from collapsi.games.levels import FIRST_LEVEL, Level
from collapsi.games.registry import can, deal, kind_of, kinds, rule_sets
from collapsi.games.shifting.rules import ShiftingRules
from collapsi.games.solo.rules import Exit, SoloRules
from collapsi.play.draft import COLLAPSED, GAP
from collapsi.play.enums import Mark, PuzzleKind, Verdict

if TYPE_CHECKING:
    from collapsi.api import models
    from collapsi.core.rules import RuleSet
    from collapsi.games.kind import Kind

VERDICTS: dict[Verdict, tuple[str, models.Mood]] = {
    Verdict.BEST: ("✓", "good"),
    Verdict.ONLY: ("□", "neither"),
    Verdict.SLOWER_WIN: ("~", "neither"),
    Verdict.FASTER_LOSS: ("↓", "neither"),
    Verdict.THREW_AWAY: ("✗", "bad"),
}
NAMES = {Card.ACE: "ace", Card.TWO: "2", Card.THREE: "3", Card.FOUR: "4", Card.JACK: "jack"}

LESSONS: tuple[tuple[str, str, str, str | None, str], ...] = (
    (
        "From your jack",
        "The first move goes exactly one step, up, down, left or right.",
        "A223/4A2Jr/3A23/Jb3A4 r",
        "c2",
        "red goes from the jack on d2 one step to c2",
    ),
    (
        "The number counts",
        "Then you go exactly as many steps as your card says, turning as you like.",
        "A2.3/43r2A/3A23/.3bA4 r",
        "d3",
        "red goes three steps from b2 to d3, with a turn",
    ),
    (
        "The board wraps",
        "Leave it on one side, and come in on the other.",
        "A2.3/2r2.A/3A23/.3bA4 r",
        "d1",
        "red goes two steps from a2: to a1, and over the edge to d1",
    ),
    (
        "No card twice",
        "Not even the one you start on: a 4 cannot go straight round the board.",
        "A2.3/4r22A/3A23/.3bA. r",
        "b1",
        "red goes four steps from a2 in a curve to b1",
    ),
    (
        "Pass, but do not land",
        "You may walk through the other pawn, but not end on its card.",
        "A2.3/.2r2bA/3..3/.3A. r",
        "d2",
        "red goes two steps from b2 through the blue pawn on c2 to d2",
    ),
    (
        "Cards collapse",
        "The card you leave collapses for good. No pawn may enter or cross it.",
        "A2.3/.2r.A/3A23/.3bA. r",
        "c3",
        "c2 has collapsed, so red goes round it from b2 to c3",
    ),
    (
        "The end",
        "If you cannot move on your turn, you lose. The winner scores a point for each card still face up.",
        "..../.2r../..../.3b.. r",
        None,
        "red on b2 has no card to go to and has lost",
    ),
)
"""The rules one by one: title, text, a position, a move on it, and what the picture shows."""


GAMES = {
    "standard": "The rule sheet of today: your first move goes one step.",
    "joker": "The old rules: your first move goes 1, 2, 3 or 4 steps, as you like.",
    "choice": "First you each pick the card you start on.",
}
"""A line for the chooser of games, by rule set; for other rules their summary."""

FAMILIES: dict[str, tuple[str, str, dict[str, str]]] = {
    "shifting": (
        "Shifting Board",
        "After each walk you shift a row or a column.",
        {"shift": "Lines wrap", "shift-box": "The box wraps", "shift-rotate": "Lines turn"},
    ),
    "big": (
        "Big board",
        "Thirty-six cards for two, three or four: the last one left wins.",
        {"big": "2 players", "big3": "3 players", "big4": "4 players", "five3": "5×5, 3 players"},
    ),
    "solo": (
        "Solo",
        "A puzzle for one: collapse every card, then leave by the exit.",
        {Exit.OPEN: "Exit open", Exit.CLOSED: "Exit closed"},
    ),
}
"""Kinds that are one game with several ways to play it: title, line, and the names of the ways."""


def games_json(kind: Kind) -> list[models.GameOffered]:
    """Return the games of a kind to choose from: a kind that is no family offers each of its rule sets."""
    if kind.name not in FAMILIES:
        return [
            {
                "title": rules.title or rules.name,
                "text": GAMES.get(rules.name) or _sentence(rules.summary),
                "path": kind.path,
                "choices": [
                    {"name": rules.name, "title": rules.title or rules.name, "deal": {"rules": rules.name}}
                ],
                "example": _example(rules),
            }
            for rules in kind.rule_sets.values()
        ]
    title, text, ways = FAMILIES[kind.name]
    asked = "exit" if kind.name == "solo" else "rules"
    return [
        {
            "title": title,
            "text": text,
            "path": kind.path,
            "choices": [{"name": name, "title": way, "deal": {asked: name}} for name, way in ways.items()],
            "example": _example(next(iter(kind.rule_sets.values()))),
        }
    ]


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def service(rooms: models.RoomsOffered | None = None) -> models.Service:
    """All of it; `rooms` as the service offers them."""
    cards: list[models.Option] = [{"value": card.letter, "text": name} for card, name in NAMES.items()]
    pawns: list[models.Option] = [{"value": player.letter, "text": f"{player} pawn"} for player in PAIR]
    return {
        "games": [game for kind in kinds() for game in games_json(kind)],
        "rules": [rules_json(rules) for rules in rule_sets().values() if not kind_of(rules).path],
        "levels": [{"value": level.value, "text": level.text} for level in Level],
        "first_level": FIRST_LEVEL.value,
        "verdicts": [
            {"verdict": verdict, "sign": sign, "mood": mood} for verdict, (sign, mood) in VERDICTS.items()
        ],
        "cards": [*cards, {"value": solo.EXIT_LETTER, "text": "exit"}],
        "pawn": PAWN_OUTLINE,
        "lay": [*cards, {"value": COLLAPSED, "text": "collapsed"}, *pawns, {"value": GAP, "text": "gap"}],
        "examples": [
            {"title": title, "text": text, "position": position, "move": move, "alt": alt}
            for title, text, position, move, alt in LESSONS
        ],
        "shifting": shifting_json(),
        "big": big.choices(),
        "solo": solo.choices(),
        "puzzles": [{"value": kind.value, "text": f"{kind} ({kind.text})"} for kind in PuzzleKind],
        "marks": [{"value": mark.value, "text": mark.text} for mark in Mark],
        "rooms": rooms,
    }


SHIFT_EXAMPLES = {
    Wrap.LINE: (
        "A223r-/-4A2./-3A23/-.3bA4 r shift",
        "b2l",
        "row 1 was shifted to the left; red goes from its last card d1 round to its first, a1, and on to b2",
    ),
    Wrap.BOX: (
        "A223r-/-4A2./-3A23/-.3bA4 r shift-box",
        "c1r",
        "the gap e1 at the edge keeps red on d1 from going round, so it goes by d2 and c2 to c1",
    ),
    Wrap.ROTATE: (
        "A22b3r/.4A2/3A23/.3A4 r shift-rotate",
        "b4d",
        "red goes from d1 over the edge to a1, on to b1 and over the edge to b4",
    ),
}
"""For each reading of the shifting board a position, a move on it, and what the picture shows."""

SHIFT_INTRODUCTION = (
    "A game of its own, from the same rule sheet: a move has two halves. First the pawn walks as ever. "
    "Then you must shift the row or the column it ended on by one space, either way, whatever lies there: "
    "collapsed cards move too, and both pawns ride along. Each card you can end on has four shifts, and "
    "there is no limit to how far cards may drift."
)
READINGS = (
    "How a line wraps once there are gaps, the rule sheet does not say: hence three readings. The first is "
    "the nearest to its words; in the last, which most programs play, no gap ever opens."
)
ENDS = (
    "Which cards count for where a line or the rectangle ends: here all, collapsed ones too. So a collapsed "
    "card at the end of a line blocks the way round."
)
WALK_FIRST = (
    "A player who cannot complete a walk has lost: the shift ends a move, it does not make one possible."
)
ALONE = "A step that leaves a line comes in at its other end; in a line of one card it leads nowhere."
LEFT_OPEN = (READINGS, ENDS, WALK_FIRST, ALONE)
"""What the rule sheet leaves open about the shifting board, and how it is read here."""


def shifting_json() -> models.ShiftingRules:
    """The introduction to the shifting board and its open questions."""
    return {"text": SHIFT_INTRODUCTION, "open": list(LEFT_OPEN)}


def rules_json(rules: RuleSet) -> models.RulesShown:
    """A rule set, with a move as an example."""
    return {
        "name": rules.name,
        "title": rules.title or rules.name,
        "text": rules.text or f"{rules.summary}.",
        "board": board_json(rules.board),
        "example": _example(rules),
        "shifts": kind_of(rules).shifts,
        "similar": can(rules, Can.SIMILAR),
    }


def _example(rules: RuleSet) -> models.Example:
    """A first move: of a deal that is always the same, the one with the longest way; or what was chosen."""
    if isinstance(rules, ShiftingRules):
        position, written, alt = SHIFT_EXAMPLES[rules.wrap]
        return {"position": position, "move": written, "alt": alt}
    if isinstance(rules, BigRules):
        return big.rules_json(rules)["example"]
    if isinstance(rules, SoloRules):
        return solo.rules_json(rules.exit)["example"]
    dealt = deal(random.Random(1), rules)
    move = max(dealt.moves, key=lambda move: len(dealt.path(move)))
    return {
        "position": dealt.text,
        "move": dealt.move_text(move),
        "alt": went(dealt, dealt.play(move), move),
    }
