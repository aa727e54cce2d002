"""The manual: `make docs` builds it, offline, into build/manual."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from sphinx.util.docutils import SphinxDirective

from collapsi import cli

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sphinx.application import Sphinx

PROJECT = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text(encoding="utf-8"))[
    "project"
]

project = "collapsi"
author = PROJECT["authors"][0]["name"]
project_copyright = author
release = version = PROJECT["version"]

extensions = ["myst_parser", "sphinx.ext.autodoc"]
myst_enable_extensions = ["deflist"]
myst_heading_anchors = 3
default_role = "code"  # our docstrings have `names` in single backticks
autodoc_member_order = "bysource"
python_use_unqualified_type_names = True
maximum_signature_line_length = 88

suppress_warnings = ["ref.python"]  # types that two modules have are linked to either

html_theme = "furo"
html_title = f"collapsi {release}"
html_show_sourcelink = False
html_copy_source = False
html_show_sphinx = False
html_show_search_summary = False  # a browser fetches no other page from the file system


class Commands(SphinxDirective):
    """Every command of the program with its options and examples, from the program itself."""

    def run(self) -> list[Any]:
        """The sections, one a command."""
        text = "\n".join(described(typer.main.get_command(cli.load())))
        return self.parse_text_to_nodes(text, allow_section_headings=True)


def described(command: Any, path: str = "collapsi") -> Iterator[str]:
    """A command in Markdown, then its own commands."""
    for name, part in getattr(command, "commands", {}).items():
        whole = f"{path} {name}"
        yield f"## {whole}\n\n{part.help}\n"
        options = [param for param in getattr(part, "params", ()) if param.name != "help"]
        for param in options if not hasattr(part, "commands") else ():
            names = ", ".join(f"`{opt}`" for opt in (*param.opts, *param.secondary_opts))
            if param.param_type_name == "argument":
                names = f"`{param.name.upper()}`"
            shown = param.show_default if isinstance(param.show_default, str) else param.default
            usual = (
                f" (default: {shown})"
                if isinstance(shown, str | int | float) and not isinstance(shown, bool)
                else ""
            )
            yield f"{names}\n: {param.help}{usual}\n"
        if part.epilog:
            examples = [line.strip() for line in part.epilog.splitlines()[1:] if line.strip()]
            yield "\n".join(["```sh", *examples, "```", ""])
        yield from described(part, whole)


def setup(app: Sphinx) -> None:
    """Make the directive known."""
    app.add_directive("commands", Commands)
