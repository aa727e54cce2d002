"""What all commands share: the app, the options, and how to speak to the user."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

import collapsi
from collapsi.cli.stopping import say_no_more
from collapsi.machine import cores
from collapsi.rules import CROWD_RULES, RULE_SETS

if TYPE_CHECKING:
    from rich.table import Table

LONGEST = 400
"""Characters of a message at the most: of longer ones the middle is left out."""

EXAMPLE = "A223/4A2Jr/3A23/Jb3A4 r"

app = typer.Typer(
    name="collapsi",
    help="Collapsi, solved: the exact value of every move in any position.\n\n"
    f'A position is its rows from the top and the side to move: "{EXAMPLE}". After it may come the rules '
    "(standard, joker, choice, shift, big …) and moves (d1 b4 …); then the position after those is meant.\n\n"
    "The game is by Mark S. Ball (https://riffleshuffleandroll.itch.io/collapsi).",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def example(*commands: str) -> str:
    """Examples for the end of a help text."""
    return "Examples:\n\n" + "\n\n".join(f"  collapsi {command}" for command in commands)


def new_console() -> Console:
    """Standard output, for text that may be coloured."""
    return Console(highlight=False, soft_wrap=True)


def print_table(console: Console, table: Table) -> None:
    """A table; in a pipe without the spaces that fill up its last column."""
    if console.is_terminal:
        console.print(table)
        return
    with console.capture() as text:
        console.print(table)
    sys.stdout.write("\n".join(line.rstrip() for line in text.get().splitlines()) + "\n")


def complain(text: str) -> None:
    """One line on standard error; which may be closed or full: then there is nobody to tell."""
    if sys.stderr is None:
        return
    try:
        sys.stderr.write(f"collapsi: {one_line(text)}\n")
        sys.stderr.flush()
    except OSError:
        say_no_more(sys.stderr)


def one_line(text: str) -> str:
    r"""A message that repeats what somebody typed: printable, on one line, and not long.

    >>> print(one_line("no file \x1b[31m\n"), len(one_line("x" * 5000)))
    no file \x1b[31m\n 403
    """
    if len(text) > LONGEST:
        text = f"{text[: LONGEST // 2]} … {text[-LONGEST // 2 :]}"
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode() for letter in text
    )


def _complete_rules(incomplete: str) -> list[tuple[str, str]]:
    return [(name, rules.summary) for name, rules in RULE_SETS.items() if name.startswith(incomplete)]


def complete_any(incomplete: str) -> list[tuple[str, str]]:
    """The rule sets of every kind that begin so, for the shell."""
    big = [(name, rules.summary) for name, rules in CROWD_RULES.items() if name.startswith(incomplete)]
    return [*_complete_rules(incomplete), *big]


PositionArgument = Annotated[
    str, typer.Argument(help=f'A position or game, such as "{EXAMPLE}".', show_default=False)
]
PositionsArgument = Annotated[
    list[str],
    typer.Argument(help="Positions or games; - reads one a line from standard input.", show_default=False),
]
RulesOption = Annotated[
    str,
    typer.Option(
        "--rules",
        help=f"Rules where the position does not say: {', '.join(RULE_SETS)}; "
        "or first moves such as 1,3|2; a deck or a board after @, as in standard@5,4,3,2 or joker@3x4.",
        autocompletion=_complete_rules,
    ),
]
AnyRulesOption = Annotated[
    str,
    typer.Option(
        "--rules",
        help=f"Rules where the position does not say: {', '.join([*RULE_SETS, *CROWD_RULES])}; "
        "or first moves such as 1,3|2; a deck or a board after @, as in standard@5,4,3,2 or joker@3x4.",
        autocompletion=complete_any,
    ),
]
DeckOption = Annotated[
    str | None,
    typer.Option(
        "--deck",
        metavar="DECK",
        help="How many aces, twos, threes and fours, beside two jacks, such as 5,4,3,2.",
        show_default=False,
    ),
]
ForceOption = Annotated[bool, typer.Option("--force", help="Replace what is there.")]
JsonOption = Annotated[bool, typer.Option("--json", help="One JSON object a line.")]
JobsOption = Annotated[
    int | None,
    typer.Option(
        "--jobs",
        min=1,
        help="Threads, at most as many as there are cores: more would only take longer.",
        show_default="every core",
        callback=lambda jobs: jobs and min(jobs, cores()),
    ),
]

_COUNTED = "What 'collapsi census --rules shift-rotate --json' wrote: exact in place of a sample."
CensusOption = Annotated[Path | None, typer.Option("--census", help=_COUNTED, show_default=False)]
ShiftCensusOption = Annotated[Path | None, typer.Option("--shift-census", help=_COUNTED, show_default=False)]
ShiftDealsOption = Annotated[
    int,
    typer.Option(
        min=1,
        max=1_000_000,
        help="Random deals of the Shifting Board; more in readings that are cheap, fewer in costly ones.",
    ),
]
_BIG_DEALS = "Random deals for two that are solved; the rest goes by it, in all five seconds each."
BigDealsOption = Annotated[int, typer.Option("--deals", min=1, max=100_000, help=_BIG_DEALS)]
ReportBigDealsOption = Annotated[int, typer.Option("--big-deals", min=1, max=100_000, help=_BIG_DEALS)]


def _version(*, wanted: bool) -> None:
    if wanted:
        new_console().print(f"collapsi {collapsi.__version__}")
        raise typer.Exit


@app.callback()
def _options(
    *,
    version: Annotated[
        bool,
        typer.Option("--version", help="Print the version.", callback=lambda wanted: _version(wanted=wanted)),
    ] = False,
) -> None:
    pass
