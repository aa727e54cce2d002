"""The worker program with two questions that raise an error which no code expects."""

from __future__ import annotations

from typing import Any

from collapsi.api.question import LINES, StreamWork, Work, question
from collapsi.service.worker import main


def broken() -> Work[Any]:
    """Divide by zero."""
    return Work(lambda: 1 / 0, 0.1)


def broken_stream() -> StreamWork[Any]:
    """Answer once, then divide by zero."""
    return StreamWork(lambda _: ({"kind": "solved", "one": 1 / number} for number in (1, 0)))


if __name__ == "__main__":  # not when the module is only imported: other tests list all questions
    question("broken", summary="Fail")(broken)
    question("broken/stream", summary="Fail after one answer", media=LINES)(broken_stream)
    main()
