"""The entry points of the program that the contract is tested through; no other file here imports it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from collapsi import parse_position
from collapsi.api.questions import QUESTIONS
from collapsi.service.app import make_app
from collapsi.service.routes import answer_hint
from collapsi.site import answering
from tests import typed
from tests.contract.commands import PUBLISHED
from tests.small_atlas import rows_of, write_rows

if TYPE_CHECKING:
    from pathlib import Path
    from subprocess import CompletedProcess

    from collapsi import Atlas

__all__ = ["METHODS", "PATHS", "answer_type", "ask_site", "make_app", "run_command", "write_small_atlas"]

PATHS = tuple(QUESTIONS)
"""The paths of all questions of the API."""

METHODS = {path: question.method for path, question in QUESTIONS.items()}

STREAM = "application/x-ndjson"


def run_command(*arguments: str, stdin: str = "") -> CompletedProcess[bytes]:
    """Run a command of the command line in this process."""
    return typed.run(*arguments, stdin=stdin.encode())


def ask_site(path: str, query: str) -> tuple[int, str, str]:
    """Status, media type and body of an answer of the static page."""
    status, media, text = answering.answer(path, query)
    if media == STREAM:
        text = "".join(f"{line}\n" for line in answering.lines(path, query))
    return status, media, text


def answer_type(path: str) -> Any:
    """The declared type of the answers of a path."""
    return answer_hint(QUESTIONS[path])[0]


def write_small_atlas(folder: Path) -> Atlas:
    """Write the atlas that the commands read: a published deal and 24 random ones."""
    return write_rows(folder, rows_of(7, 24, also=(parse_position(PUBLISHED),)))
