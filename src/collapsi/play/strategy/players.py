"""The players of the ladder: the computer's levels, and variants that err more often."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from collapsi.core.errors import CollapsiError
from collapsi.games.levels import Level
from collapsi.games.shifting.heuristics import Heuristic
from collapsi.play.characters import Character
from collapsi.play.strategy.rulecard import Filter, Points, RuleCard, Stage, bundled_card
from collapsi.play.strategy.vocabulary import WORDS


def sure_rules() -> RuleCard:
    """Return the card of the proven rules: win at once, do not lose at once."""
    return RuleCard(tuple(Filter(word.name, wanted=word.proof) for word in WORDS if word.proof is not None))


def roaming_rules() -> RuleCard:
    """Return the card of the sure rules followed by: go where you have most next moves."""
    return RuleCard((*sure_rules().lines, Points(("next",), (Stage(0, (1, 1, 1, 1)),))))


@lru_cache(maxsize=16)
def characters(card: RuleCard | None = None) -> tuple[Character, ...]:
    """Return all players in the order of `Level`; those that follow a card follow this one.

    Looking two plies ahead is the same as playing by the sure rules.
    """
    card = card or bundled_card()
    student = Character("", "", card=card, heuristic=Heuristic.MARGIN)
    traits: dict[Level, Character] = {
        Level.RANDOM: Character("", ""),
        Level.ONE: Character("", "", sight=1),
        Level.TWO: Character("", "", sight=2),
        Level.ROAMER: Character("", "", card=roaming_rules(), heuristic=Heuristic.WAYS),
        Level.FOUR: Character("", "", sight=4),
        Level.CARD: student,
        Level.EXPERT: Character("", "", sight=4, card=card, heuristic=Heuristic.MARGIN),
        Level.DREAMER: Character("", "", sight=None, slips=0.3),
        Level.MASTER: Character("", "", sight=None, slips=0.1),
        Level.PERFECT: Character("", "", sight=None),
        Level.TEMPTING: Character("", "", sight=None, tempts=(student,)),
    }
    return tuple(replace(traits[level], name=level.value, text=level.text) for level in Level)


def character(name: str, card: RuleCard | None = None) -> Character:
    """Return a player by name, with an optional percentage of random moves after a ~.

    >>> character("card~20").slips
    0.2
    """
    players = {player.name: player for player in characters(card)}
    if name in players:
        return players[name]
    base, tilde, share = name.partition("~")
    if tilde and base in players and share.isascii() and share.isdigit() and int(share) <= 100:
        return players[base].slipping(int(share) / 100)
    names = ", ".join(players)
    msg = f"{name!r:.40} is no player: choose one of {names}; card~20 makes 20 % of its moves at random"
    raise CollapsiError(msg)
