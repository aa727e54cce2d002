"""The registry of kinds, and the functions that read rules, positions and games of any kind.

>>> [kind.name for kind in kinds()]
['classic', 'shifting', 'big', 'solo']
>>> parse_game("A2X/3Jr2/A2A b1").position.rules.kind
'solo'
"""

from __future__ import annotations

import os
from functools import cache, lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

from collapsi.core.errors import MalformedError, wrong_type
from collapsi.core.game import Game
from collapsi.core.movetext import split_movetext
from collapsi.core.rows import shorten
from collapsi.core.rules import RuleSet
from collapsi.core.state import is_state
from collapsi.games.kind import Can, Kind, UnsupportedError

if TYPE_CHECKING:
    import random

    from collapsi.core.reasons import Reason
    from collapsi.core.state import State

NAMES = ["classic", "shifting", "big", "solo"]
"""The kinds in search order; each is the name of a folder."""

DEFAULT = "standard"
"""The rules if neither the text nor the caller names any."""

if TYPE_CHECKING:
    RULE_SETS: dict[str, RuleSet]


@lru_cache(maxsize=16)
def _load(name: str) -> Kind:
    return cast("Kind", import_module(f"collapsi.games.{name}.kind").KIND)


def kinds() -> tuple[Kind, ...]:
    """Return all kinds of games: those of this package and of the modules in `COLLAPSI_KINDS`."""
    return (*map(_load, NAMES), *_plugged_in().values())


@cache
def _plugged_in() -> dict[str, Kind]:
    """Return external kinds by name; the environment variable lists modules, separated by commas."""
    found: dict[str, Kind] = {}
    for module in filter(None, os.environ.get("COLLAPSI_KINDS", "").split(",")):
        try:
            kind: Kind = import_module(module).KIND
        except (ImportError, AttributeError) as error:
            msg = f"COLLAPSI_KINDS names {shorten(module)}, which has no kind of game: {error}"
            raise MalformedError(msg) from None
        found[kind.name] = kind
    return found


def kind_named(name: str) -> Kind:
    """Return the kind with this name."""
    return _load(name) if name in NAMES else _plugged_in()[name]


def kind_of(given: State | RuleSet) -> Kind:
    """Return the kind of a state or of rules."""
    return kind_named((given if isinstance(given, RuleSet) else given.rules).kind)


def rule_sets(*names: str) -> dict[str, RuleSet]:
    """Return the named rule sets of all kinds, or of the kinds with these names.

    >>> list(rule_sets("classic", "solo"))
    ['standard', 'joker', 'choice', 'solo']
    """
    return {
        name: rules
        for kind in kinds()
        if not names or kind.name in names
        for name, rules in kind.rule_sets.items()
    }


if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        """Provide `RULE_SETS`, all named rule sets, on access."""
        if name == "RULE_SETS":
            return rule_sets()
        msg = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(msg)


def find_rules(text: str) -> RuleSet | None:
    """Return the rules with this text, of any kind; None if unknown. Raise for invalid options."""
    for kind in kinds():
        if rules := kind.find_rules(text):
            return rules
    return None


def parse_rules(name: str | RuleSet) -> RuleSet:
    """Read rules of any kind: a name, or first moves, with options for deck and board (`standard@5,4,3,2`).

    >>> parse_rules("joker") is parse_rules("1-4|1-4")
    True
    >>> parse_rules("joker@3x4").board, parse_rules("standard@5,4,3,2").name, parse_rules("big3").players
    (Board(rows=3, columns=4), 'standard@5,4,3,2', 3)
    """
    if isinstance(name, RuleSet):
        return name
    if not isinstance(name, str):
        raise wrong_type(name, "rules or their name, such as 'joker'")
    found = find_rules(name)
    if found is None:
        msg = (
            f"unknown rules {shorten(name)}: choose one of {', '.join(rule_sets())}, "
            "or write the first moves' steps, red's and blue's, such as 1,3|2; a deck after @, as in "
            "standard@5,4,3,2"
        )
        raise MalformedError(msg)
    return found


def parse_game(text: str, *, rules: RuleSet | str | None = None) -> Game[Any]:
    """Read a game of any kind: a position, then the moves played from it, with variations and comments.

    `rules` apply if the text does not name any; the default is the standard rules.

    >>> parse_game("A223/4A2Jr/3A23/Jb3A4 r d1 b4").position.to_move
    <Player.RED: 0>
    >>> parse_game("....../.2r.3../.AA.../.3b4g.../..3.../...... r big3 c3").position.turn
    'blue to move'
    >>> parse_game("A223/4A2Jr/3A23/Jb3A4 r d1 b4 (a3! {closer})").node("d1 a3").comment
    'closer'
    """
    split = split_movetext(text)
    return split.grow(_parse_words(split.words, rules))


def _parse_words(words: list[str], rules: RuleSet | str | None) -> Game[Any]:
    named = next((word for word in words[1:3] if "@" in word or find_rules(word)), None)
    assumed = None if rules is None else parse_rules(rules)
    if named is not None:
        chosen = parse_rules(named)
        return kind_of(chosen).parse(words, chosen, named)
    rows = words[0].split("/")
    owner = next((kind for kind in kinds() if kind.owns(rows)), None)
    if owner is not None:
        return owner.parse(words, assumed if assumed and assumed.kind == owner.name else None, None)
    chosen = assumed or parse_rules(DEFAULT)
    return kind_of(chosen).parse(words, chosen, None)


def parse_position(text: str, *, rules: RuleSet | str | None = None) -> Any:
    """Read a position of any kind, or the last position of a game.

    >>> parse_position("A223/4A2Jr/3A23/Jb3A4 r") == parse_position("1223/4121r/3123/1b314/0")
    True
    >>> parse_position("A223/4A2Jr/3A23/Jb3X4 r")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    collapsi.core.errors.MalformedError: 'X' in row 4, column 3 is no card: write A, 2, 3, 4, J, or . for ...
    """
    return parse_game(text, rules=rules).position


def deal(rng: random.Random, rules: RuleSet | str = DEFAULT) -> Any:
    """Shuffle and deal by rules of any kind.

    >>> import random
    >>> deal(random.Random(1)).text, deal(random.Random(1), "big").text[:13]
    ('A3Jr4/2AA2/234Jb/332A r', '43Jr423/324AA')
    """
    if not callable(getattr(rng, "shuffle", None)):
        raise wrong_type(rng, "a random generator, such as random.Random(1)")
    found = parse_rules(rules)
    return kind_of(found).deal(rng, found)


def can(rules: RuleSet, what: Can) -> bool:
    """Return whether rules have a capability."""
    return what in kind_of(rules).capabilities(rules)


def require(rules: RuleSet, what: Can) -> None:
    """Raise if rules do not have a capability.

    >>> require(parse_rules("shift"), Can.PUZZLES)
    Traceback (most recent call last):
    collapsi.games.kind.UnsupportedError: puzzles are not supported for shift: use standard, joker or choice
    """
    if can(rules, what):
        return
    named = rule_sets()
    official = named.get(rules.name.partition("@")[0])
    if official is not None and can(official, what):
        size = f"{official.board.rows}×{official.board.columns}"
        needed = "official deck" if rules.board == official.board else f"{size} board"
        msg = f"{what} not supported for {rules}: it needs the {needed}"
        raise UnsupportedError(msg)
    names = [name for name, each in named.items() if can(each, what)]
    choice = f"{', '.join(names[:-1])} or {names[-1]}" if len(names) > 1 else "".join(names)
    msg = f"{what} not supported for {rules}: use {choice}"
    raise UnsupportedError(msg)


def format_position(position: State) -> str:
    """Write a position of any kind in its canonical form."""
    if not is_state(position):
        raise wrong_type(position, "a position, such as collapsi.parse_position(text)")
    return position.text


def format_game(game: Game[Any]) -> str:
    """Write a game of any kind in its canonical form: its first position, its moves and its variations."""
    if not isinstance(game, Game):
        raise wrong_type(game, "a game, such as collapsi.parse_game(text)")
    return game.text


def format_rules(rules: RuleSet) -> str:
    """Write rules of any kind as `parse_rules` reads them."""
    if not isinstance(rules, RuleSet):
        raise wrong_type(rules, "rules, such as collapsi.STANDARD")
    return rules.name


def status(position: State) -> tuple[Reason, ...]:
    """Return the reasons why a position cannot arise in play; empty for a position of a real game.

    >>> status(parse_position("A223/4A2Jr/3A23/Jb3A4 b"))[0].text
    "blue is to move, but with no card collapsed it is red's turn"
    """
    if not is_state(position):
        raise wrong_type(position, "a position, such as collapsi.parse_position(text)")
    return position.faults


def use_backend(backend: Any) -> None:
    """Set the backend of the solvers of all kinds; None restores their own.

    It is one object: a `Backend` of the classic game and of the Shifting Board, with that of the big board as
    its attribute `big`.
    """
    for kind in kinds():
        kind.solver.use_backend(backend)
