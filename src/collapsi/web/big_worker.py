"""The process that thinks about the big board: questions by line, better and better answers by line.

A thread reads what the server says, so that a question can be stopped while it is being worked on. What the
exact search has learned of a deal is kept for the next question about it, in `MEGABYTES` at the most.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import sys
import threading
from typing import TYPE_CHECKING, Any

from collapsi.errors import CollapsiError
from collapsi.games.crowd_engine import think
from collapsi.games.crowd_notation import parse_crowd
from collapsi.solve import crowd_search
from collapsi.web import big, questions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

LOAD_BIG = "load the big board"
"""Not a question: have the compiled search and engine at hand."""

MORE, TWO = (
    "A.432A/....22/.234.Ab/.A443g4r/A332.2/A32443 g big3",
    "A.432A/....22/.234.Ab/.A4434r/A332.2/A32443 r big",
)
"""What they are tried on."""


def load() -> None:
    """Think a little, with three players and with two."""
    for position in (MORE, TWO):
        for _ in think(parse_crowd(position), nodes=1):
            break
    crowd_search.solve(parse_crowd(TWO), nodes=1)


QUESTIONS: dict[str, Callable[..., str]] = {
    question.__name__: question for question in (questions.big_move, questions.big_drawing)
}
"""Those with one answer, by name."""


class Said:
    """What the server says: questions in their order, and which of them are to be stopped."""

    def __init__(self, lines: Any) -> None:
        self._questions: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        self.stopped = 0
        """Questions up to this number are not to be worked on any more."""
        threading.Thread(target=self._read, args=(lines,), daemon=True).start()

    def _read(self, lines: Any) -> None:
        for line in lines:
            said = json.loads(line)
            if "stop" in said:
                self.stopped = said["stop"]
            else:
                self._questions.put(said)
        self.stopped = sys.maxsize
        self._questions.put(None)

    def questions(self) -> Iterator[dict[str, Any]]:
        """Until there are no more."""
        while (asked := self._questions.get()) is not None:
            yield asked


def work(asked: dict[str, Any], said: Said, tell: Callable[[str], None]) -> str:
    """Answer a question: what is known again and again, then why no more comes."""
    number = asked["number"]
    for line in big.better_and_better(asked["question"], lambda: said.stopped >= number, **asked["options"]):
        if line["kind"] == "end":
            return questions.as_text(line)
        tell(questions.as_text(line))
    raise AssertionError  # there is an end


def answer(asked: dict[str, Any], said: Said, tell: Callable[[str], None]) -> dict[str, str]:
    """What to say in the end to one question."""
    try:
        if asked["question"] == LOAD_BIG:
            load()
            return {"body": ""}
        if asked["question"] in QUESTIONS:
            return {"body": QUESTIONS[asked["question"]](None, **asked["options"])}
        return {"body": work(asked, said, tell)}
    except CollapsiError as error:
        return {"refused": str(error)}


def main() -> None:
    """Answer until there are no more questions."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(10)
    crowd_search.ROOM.limit(megabytes=big.MEGABYTES)

    def write(data: dict[str, str]) -> None:
        sys.stdout.write(json.dumps(data) + "\n")
        sys.stdout.flush()

    said = Said(sys.stdin.buffer)
    for asked in said.questions():
        write(answer(asked, said, lambda text: write({"part": text})))


if __name__ == "__main__":
    main()
