"""Streams of improving answers: each line is a whole answer, and the last line says why the stream ended."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Literal

from collapsi.api.question import StreamWork
from collapsi.games.kind import Limits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from collapsi.api import models

SECONDS = 60
"""The default time limit."""
MOST_SECONDS = 100

ENDS: dict[str, str] = {
    "done": "nothing more is to be found out",
    "time": "the time is over: go on from here if you like, what was learned is kept",
    "turn": "another request waits: try again in a moment, what was learned is kept",
    "stopped": "the work was stopped: ask again",
}


def improving(
    answers: Callable[[Limits], Iterator[Any]],
    line: Callable[[Any, float], Mapping[str, Any]],
    solver: str,
    *,
    seconds: float,
    seed: int | None,
) -> StreamWork[Any]:
    """A stream of the answers of a solver until the last one, the time limit or a stop.

    `line` converts an answer and the seconds since the start to JSON; a line that repeats is left out.

    >>> from collapsi.api.questions import QUESTIONS
    >>> position = "..A.../..3.../..A.../.2rA.../..2b.../...... r big"
    >>> *_, last, end = QUESTIONS["big/analysis"].read({"position": position}).make(lambda: False)
    >>> last["sure"], last["answer"]["line"], end["text"]
    ('exact', ['c3'], 'nothing more is to be found out')
    """

    def lines(is_stopped: Callable[[], bool]) -> Iterator[Mapping[str, Any]]:
        began = time.monotonic()
        finished, last = False, None
        for answer in answers(Limits(seconds=seconds, estimate_first=True, seed=seed or 1)):
            finished, passed = answer.finished, time.monotonic() - began
            shown = line(answer, round(passed, 1))
            if shown != last:
                yield shown
            last = shown
            if passed >= seconds or is_stopped():
                break
        if finished or not (is_stopped() or time.monotonic() - began >= seconds):
            yield end_json("done")
        else:
            yield end_json("turn" if is_stopped() else "time")

    return StreamWork(lines, solver)


def end_json(why: Literal["done", "time", "turn", "stopped"]) -> models.EndLine:
    """The last line of a stream."""
    return {"kind": "end", "why": why, "text": ENDS[why]}
