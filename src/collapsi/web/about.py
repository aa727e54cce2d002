"""What a page has to know before it asks anything else: the rule sets, the levels, what is written how."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from collapsi.draft import COLLAPSED
from collapsi.notation import format_position
from collapsi.opponent import FIRST_MET, Level
from collapsi.position import deal
from collapsi.review import Verdict
from collapsi.rules import RULE_SETS, Card, Player, Rules
from collapsi.web.shown import board_json, went

if TYPE_CHECKING:
    from typing import Literal

    from collapsi.web import models

VERDICTS: dict[Verdict, tuple[str, Literal["good", "bad", "neither"]]] = {
    Verdict.BEST: ("✓", "good"),
    Verdict.ONLY: ("□", "neither"),
    Verdict.SLOWER_WIN: ("~", "neither"),
    Verdict.FASTER_LOSS: ("↓", "neither"),
    Verdict.THREW_AWAY: ("✗", "bad"),
}
NAMES = {Card.ACE: "ace", Card.TWO: "2", Card.THREE: "3", Card.FOUR: "4", Card.JACK: "jack"}


def service() -> models.Service:
    """All of it."""
    cards: list[models.Option] = [{"value": card.letter, "text": name} for card, name in NAMES.items()]
    pawns: list[models.Option] = [{"value": player.letter, "text": f"{player} pawn"} for player in Player]
    return {
        "rules": [rules_json(rules) for rules in RULE_SETS.values()],
        "levels": [{"value": level.value, "text": level.text} for level in Level],
        "first_level": FIRST_MET.value,
        "verdicts": [
            {"verdict": verdict, "sign": sign, "mood": mood} for verdict, (sign, mood) in VERDICTS.items()
        ],
        "cards": cards,
        "lay": [*cards, {"value": COLLAPSED, "text": "collapsed"}, *pawns],
    }


def rules_json(rules: Rules) -> models.RulesShown:
    """A rule set, with a first move as an example: of a deal that is always the same, the one with the longest way."""
    dealt = deal(random.Random(1), rules)
    move = max(dealt.moves, key=lambda end: len(dealt.path(end)))
    return {
        "name": rules.name,
        "title": rules.title or rules.name,
        "text": rules.text or f"{rules.summary}.",
        "board": board_json(rules.board),
        "example": {
            "position": format_position(dealt),
            "move": dealt.move_text(move),
            "text": went(dealt, move),
        },
    }
