"""Sphinx configuration of the manual. `make docs` builds it, offline, into build/manual."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from sphinx.util.docutils import SphinxDirective

from collapsi import cli
from collapsi.api.question import JSON
from collapsi.api.questions import QUESTIONS, SUBJECTS
from collapsi.games.kind import Can
from collapsi.games.registry import can, rule_sets

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sphinx.application import Sphinx

    from collapsi.api.question import Parameter, Question

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
default_role = "code"  # docstrings put names in single backticks
autodoc_member_order = "bysource"
python_use_unqualified_type_names = True
maximum_signature_line_length = 88

suppress_warnings = ["ref.python"]  # a type name defined in two modules is ambiguous

html_theme = "furo"
html_title = f"collapsi {release}"
html_show_sourcelink = False
html_copy_source = False
html_show_sphinx = False
html_show_search_summary = False  # browsers cannot fetch other pages from file: addresses


class Capabilities(SphinxDirective):
    """The directive `capabilities`: a table of what works for which rule set, from the kinds themselves."""

    def run(self) -> list[Any]:
        """Return the table."""
        names = rule_sets()
        head = [f"| | {' | '.join(names)} |", f"|---|{'---|' * len(names)}"]
        rows = [
            f"| {what.value.rpartition(' ')[0]} | "
            + " | ".join("yes" if can(rules, what) else "" for rules in names.values())
            + " |"
            for what in Can
        ]
        return self.parse_text_to_nodes("\n".join([*head, *rows]))


class Notebook(SphinxDirective):
    """The directive `notebook`: a notebook, run by the build, with its results and without its first cell."""

    required_arguments = 1

    def run(self) -> list[Any]:
        """Return the cells, each followed by what it shows."""
        import nbformat  # noqa: PLC0415 - takes seconds to load, and pytest looks for examples in this module
        from nbclient import NotebookClient  # noqa: PLC0415

        path = Path(self.env.srcdir) / self.arguments[0]
        self.env.note_dependency(str(path))
        notebook = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
        NotebookClient(notebook, timeout=900, kernel_name="python3").execute()
        parts = []
        for cell in notebook.cells[1:]:
            parts.append(cell.source if cell.cell_type == "markdown" else _fenced("python", cell.source))
            parts += map(_shown, cell.get("outputs", []))
        return self.parse_text_to_nodes("\n\n".join(parts), allow_section_headings=True)


def _shown(output: Any) -> str:
    """Return the Markdown of a result: the picture if there is one, else its text."""
    picture = output.get("data", {}).get("image/svg+xml")
    if picture:
        return _fenced("{raw} html", f'<div style="overflow-x: auto">{picture}</div>')
    return _fenced("text", output["text"] if "text" in output else output["data"]["text/plain"])


def _fenced(kind: str, text: str) -> str:
    return f"```{kind}\n{text.rstrip()}\n```"


class Commands(SphinxDirective):
    """The directive `commands`: every command with its options and examples, read from the program."""

    def run(self) -> list[Any]:
        """Return one section per command."""
        text = "\n".join(described(typer.main.get_command(cli.load())))
        return self.parse_text_to_nodes(text, allow_section_headings=True)


def described(command: Any, path: str = "collapsi") -> Iterator[str]:
    """Yield the Markdown of a command, then that of its subcommands."""
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


class Questions(SphinxDirective):
    """Every question of the API with its parameters, from the declarations."""

    def run(self) -> list[Any]:
        """Return a section for each subject."""
        text = "\n".join(api_sections())
        return self.parse_text_to_nodes(text, allow_section_headings=True)


def api_sections() -> Iterator[str]:
    """The questions in Markdown, by subject."""
    for module in SUBJECTS:
        subject = (module.__doc__ or "").partition(".")[0].partition("Questions about ")[2]
        yield f"## {subject[0].upper()}{subject[1:]}\n"
        for question in QUESTIONS.values():
            if question.function.__module__ == module.__name__:
                yield from question_section(question)


def question_section(question: Question) -> Iterator[str]:
    """A question in Markdown."""
    method = "" if question.method == "GET" else f"{question.method} "
    yield f"### `{method}{question.path}`\n\n{question.summary}. {question.description}\n"
    if question.media != JSON:
        yield f"Media type: `{question.media}`\n"
    for parameter in question.parameters.values():
        yield f"`{parameter.name}`\n: {parameter.param.description}{parameter_notes(parameter)}\n"


def parameter_notes(parameter: Parameter) -> str:
    """The choices, limits, default and example of a parameter."""
    notes = []
    if parameter.choices:
        notes.append(f"one of {', '.join(f'`{choice}`' for choice in parameter.choices)}")
    if parameter.param.range:
        notes.append(parameter.param.range)
    if parameter.required:
        notes.append("required")
    elif parameter.default not in (None, ""):
        notes.append(f"default: `{str(parameter.default).lower()}`")
    if parameter.param.examples:
        notes.append(f"for example `{parameter.param.examples[0]}`")
    return f" ({'; '.join(notes)})" if notes else ""


def setup(app: Sphinx) -> None:
    """Register the directives."""
    app.add_directive("capabilities", Capabilities)
    app.add_directive("commands", Commands)
    app.add_directive("notebook", Notebook)
    app.add_directive("questions", Questions)
