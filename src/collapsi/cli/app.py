"""The list of commands, and the app that loads a command's module when the command is used."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

import collapsi
from collapsi.core.errors import CollapsiError

if TYPE_CHECKING:
    from collections.abc import Mapping

EXAMPLE = "A223/4A2Jr/3A23/Jb3A4 r"

GROUPS = {
    "Positions": {
        "solve": "Print the winner, the value of every move, and perfect play.",
        "show": "Draw a position.",
        "line": "Print perfect play board by board.",
        "review": "Judge every move of a game.",
        "deal": "Deal at random, one position per line.",
    },
    "Play and learn": {
        "play": "Play a game in the terminal, against the computer or each other.",
        "puzzles": "Make puzzles with one winning move, or drills for a card of rules.",
        "strategy": "Find rules that people can follow, and measure how good they are.",
        "ladder": "Let the levels of the computer play each other.",
    },
    "All deals": {
        "census": "Solve every deal, and count the deals by winner and length.",
        "atlas": "Query the census on disk: one row per truly different deal.",
    },
    "Rules and studies": {
        "facts": "Measure the Shifting Board or the big board as a game.",
        "lab": "Compare decks: solve every deal of each.",
        "study": "Solve random deals: shares with 95 % intervals.",
        "dataset": "Write solved positions for programs that learn to play.",
        "exam": "Measure how well a program plays, by exact values.",
        "bench": "Measure the speed of the solver on fixed deals.",
    },
    "Publish": {
        "report": "Write the results as one page with figures and tables.",
        "site": "Write the page as files for any web host; it solves in the browser.",
        "serve": "Serve the page to play and analyse on, and its API.",
    },
}
"""The commands in the order of the help text, each with the first paragraph of its own help text."""

MODULES = {
    "solve": "positions",
    "show": "positions",
    "line": "positions",
    "review": "positions",
}
"""The modules of commands that share one; any other command has a module of its own name."""

RENAMED = {
    "shifting": "facts shift",
    "big": "facts big",
    "games": "solve --games",
    "daily": "play --daily",
    "drills": "puzzles --drill LINE",
    "fairness": "census --openings",
    "solo deal": "deal --rules solo",
    "solo solve": "solve LAYOUT",
    "solo count": "solve LAYOUT",
    "solo census": "census --rules solo",
    "solo play": "play --rules solo",
    "solo": "play --rules solo",
}
"""Names of earlier versions, with the command to use instead."""


class CommandGroup(TyperGroup):
    """The group of all commands, of which only those that are used are loaded."""

    def __init__(self, *, commands: Mapping[str, Any], **attrs: Any) -> None:
        listed: dict[str, Any] = {}
        for group, summaries in GROUPS.items():
            for name, summary in summaries.items():
                command = commands.get(name) or TyperCommand(name, help=summary)
                command.help = "\n\n".join(
                    " ".join(part.split()) for part in (command.help or "").split("\n\n")
                )
                command.rich_help_panel = group
                listed[name] = command
        self.unloaded = listed.keys() - commands.keys()
        super().__init__(commands=listed, **attrs)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Load the command that the arguments name."""
        name = args[0]
        for old in (" ".join(args[:2]), name):
            if old in RENAMED:
                msg = f"{old} is now `collapsi {RENAMED[old]}`"
                raise CollapsiError(msg)
        if name in self.unloaded:
            import_module(f"collapsi.cli.{MODULES.get(name, name)}")
            self.commands[name] = typer.main.get_group(app).commands[name]
            self.unloaded.remove(name)
        return super().resolve_command(ctx, args)


app = typer.Typer(
    name="collapsi",
    cls=CommandGroup,
    help="Collapsi, solved: the exact value of every move in any position.\n\n"
    f'A position is its rows from the top and the side to move: "{EXAMPLE}". The rules (standard, joker, '
    "choice, shift, big …) and moves (d1 b4 …) may follow; moves are played first.\n\n"
    "The game is by Mark S. Ball (https://riffleshuffleandroll.itch.io/collapsi).",
    epilog="`collapsi COMMAND --help` describes a command, with examples.",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def load() -> typer.Typer:
    """Load all commands."""
    for summaries in GROUPS.values():
        for name in summaries:
            import_module(f"collapsi.cli.{MODULES.get(name, name)}")
    return app


def examples(*commands: str) -> str:
    """Format examples for the end of a help text."""
    return "Examples:\n" + "\n".join(f"  collapsi {command}" for command in commands)


def _version(*, wanted: bool) -> None:
    if wanted:
        sys.stdout.write(f"collapsi {collapsi.__version__}\n")
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
