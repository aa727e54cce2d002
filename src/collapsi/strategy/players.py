"""Who plays on the ladder: the computer's levels, and whoever errs more often than they do."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from collapsi.errors import CollapsiError
from collapsi.opponent import Character, Level
from collapsi.strategy.rulecard import Filter, Points, RuleCard, Stage, kept_card
from collapsi.strategy.vocabulary import WORDS
from collapsi.wishes import Wish


def sure_rules() -> RuleCard:
    """The card of the rules that are proven: win at once, do not lose at once."""
    return RuleCard(tuple(Filter(word.name, wanted=word.proof) for word in WORDS if word.proof is not None))


def roaming_rules() -> RuleCard:
    """The sure rules, and then to where one has most next moves."""
    return RuleCard((*sure_rules().lines, Points(("next",), (Stage(0, (1, 1, 1, 1)),))))


@cache
def characters(card: RuleCard | None = None) -> tuple[Character, ...]:
    """Everybody one can meet, in the order of `Level`; those who follow a card follow this one.

    Who sees two moves ahead plays by the sure rules: they are what can be seen.
    """
    card = card or kept_card()
    traits: dict[Level, Character] = {
        Level.RANDOM: Character("", ""),
        Level.ONE: Character("", "", sight=1),
        Level.TWO: Character("", "", sight=2),
        Level.FOUR: Character("", "", sight=4),
        Level.ROAMER: Character("", "", card=roaming_rules(), wish=Wish.WAYS),
        Level.DREAMER: Character("", "", sight=None, slips=0.3),
        Level.CARD: Character("", "", card=card, wish=Wish.MARGIN),
        Level.EXPERT: Character("", "", sight=4, card=card, wish=Wish.MARGIN),
        Level.MASTER: Character("", "", sight=None, slips=0.1),
        Level.PERFECT: Character("", "", sight=None),
    }
    return tuple(replace(traits[level], name=level.value, text=level.text) for level in Level)


def character(name: str, card: RuleCard | None = None) -> Character:
    """One of them by name; after a ~ may come how many of 100 moves it makes at random.

    >>> character("card~20").slips
    0.2
    """
    everybody = {player.name: player for player in characters(card)}
    if name in everybody:
        return everybody[name]
    base, tilde, share = name.partition("~")
    if tilde and base in everybody and share.isascii() and share.isdigit() and int(share) <= 100:
        return everybody[base].slipping(int(share) / 100)
    names = ", ".join(everybody)
    msg = f"{name!r:.40} is no player: they are {names}; card~20 is one that errs in 20 of 100 moves"
    raise CollapsiError(msg)
