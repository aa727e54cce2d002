"""The entry points of the program that the contract is tested through; no other file here imports it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from collapsi.api.questions import QUESTIONS
from collapsi.service.app import make_app
from collapsi.service.routes import answer_hint
from collapsi.site import answering
from tests import typed

if TYPE_CHECKING:
    from subprocess import CompletedProcess

__all__ = ["PATHS", "answer_type", "ask_site", "make_app", "run_command"]

PATHS = tuple(QUESTIONS)
"""The paths of all questions of the API."""

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
