"""Rule sets of the shifting board with another deck: `shift@5,4,3,2`."""

from __future__ import annotations

from collapsi.core.decks import cards_of_deck, refuse_wrong_size, split_options, with_deck
from collapsi.core.errors import MalformedError
from collapsi.games.shifting.rules import SHIFTING_RULE_SETS, ShiftingRules


def find_rules(text: str) -> ShiftingRules | None:
    """Return the rules with this text, None if they are of another kind; raise for invalid options.

    >>> find_rules("shift@5,4,3,2").name, find_rules("shift@4x4").name, find_rules("standard")
    ('shift@5,4,3,2', 'shift', None)
    """
    rules = SHIFTING_RULE_SETS.get(text.lower().partition("@")[0])
    if rules is None:
        return None
    _, board, deck = split_options(text)
    if deck is not None:
        refuse_wrong_size(deck, board or rules.board)
    if board not in (None, rules.board):
        msg = f"{rules} is played on the 4×4 board only: other boards go with standard, joker or choice"
        raise MalformedError(msg)
    if deck is None or cards_of_deck(deck) == rules.cards:
        return rules
    return with_deck(rules, rules.board, deck)
