"""Rules on the command line: help texts, completion and refusals, made from what each kind of game can do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import typer

from collapsi.games.kind import Can
from collapsi.games.registry import can, parse_rules, require, rule_sets

if TYPE_CHECKING:
    from collections.abc import Callable

    from collapsi.core.rules import RuleSet

NEEDS = {
    "solve": None,
    "show": None,
    "line": None,
    "review": Can.REVIEW,
    "deal": None,
    "play": None,
    "puzzles": Can.PUZZLES,
    "strategy": Can.STRATEGY,
    "ladder": Can.LADDER,
    "census": Can.CENSUS,
    "facts": Can.FACTS,
    "lab": Can.DECKS,
    "study": Can.STUDY,
    "dataset": Can.DATASET,
    "bench": Can.BENCH,
}
"""What rules must be capable of, by the commands that take rules; None: every kind of game is supported."""
POSITION_COMMANDS = ("solve", "show", "line", "review", "play")
"""Commands that take positions, which may name their rules themselves."""
COMPOSED = {
    "1,3|2": "first moves such as 1,3|2",
    "standard@5,4,3,2": "a deck after @, as in standard@5,4,3,2",
    "joker@3x4": "a board after @, as in joker@3x4",
}
"""Examples of rules that users compose, and their descriptions."""
ALSO = {"census": ("solo",)}
"""Rule sets that a command supports by other means: the solo game has a census of its own."""
NO_DECKS = ("lab",)
"""Commands that choose the decks themselves."""


def supported(command: str) -> list[str]:
    """Return the names of the rule sets that a command supports.

    >>> supported("census")
    ['standard', 'joker', 'choice', 'shift-rotate', 'solo']
    """
    return [name for name, rules in rule_sets().items() if _supports(command, rules)]


def _supports(command: str, rules: RuleSet) -> bool:
    need = NEEDS[command]
    return need is None or can(rules, need) or rules.name in ALSO.get(command, ())


def rules_help(command: str) -> str:
    """Return the help text of a command's rules.

    >>> rules_help("lab")
    'Rules: standard, joker, choice; or first moves such as 1,3|2.'
    """
    text = "Rules if the position names none" if command in POSITION_COMMANDS else "Rules"
    composed = [
        description
        for example, description in COMPOSED.items()
        if _supports(command, parse_rules(example)) and not ("@" in example and command in NO_DECKS)
    ]
    return "; or ".join([f"{text}: {', '.join(supported(command))}", *composed]) + "."


def complete_rules(command: str) -> Callable[[str], list[tuple[str, str]]]:
    """Return a function that completes the names of supported rule sets, for the shell."""

    def complete(incomplete: str) -> list[tuple[str, str]]:
        return [
            (name, rule_sets()[name].summary) for name in supported(command) if name.startswith(incomplete)
        ]

    return complete


def rules_option(command: str) -> Any:
    """Return the option `--rules` of a command."""
    return typer.Option("--rules", help=rules_help(command), autocompletion=complete_rules(command))


def rules_argument(command: str) -> Any:
    """Return the argument RULES of a command."""
    return typer.Argument(
        help=rules_help(command), autocompletion=complete_rules(command), show_default=False
    )


def read_rules(command: str, name: str) -> Any:
    """Read rules that the command must support."""
    rules = parse_rules(name)
    if not _supports(command, rules):
        require(rules, cast("Can", NEEDS[command]))
    return rules
