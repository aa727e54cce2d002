"""A query in a process of its own, whose memory is bounded: `python -m collapsi.atlas_query`.

A few words can ask for more rows than any machine holds (`from deals a, deals b`), and where memory runs out
Polars ends the process that it is in. So that is not the one that speaks to the user. It reads the question
from standard input, as a line of JSON, and writes the answer to standard output, as a stream of Arrow; or,
with exit code 2, what is wrong. It ends when its standard input does: then nobody waits for an answer.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from contextlib import suppress
from typing import TYPE_CHECKING

from collapsi.errors import AtlasError, CollapsiError
from collapsi.memory import available_bytes, limit_memory

if TYPE_CHECKING:
    from pathlib import Path

    import polars as pl

MOST_BYTES = 4_000_000_000
"""Some ten times what sorting a whole atlas takes."""

REFUSED = 2
TOO_MUCH = 3


def ask(folder: Path, query: str) -> pl.DataFrame:
    """What `Atlas.sql` answers, unless that takes too much memory; Windows does not hold it to that."""
    most = min(MOST_BYTES, available_bytes() or MOST_BYTES)
    question = json.dumps({"folder": str(folder), "query": query, "most": most})
    with subprocess.Popen(
        [sys.executable, "-P", "-m", "collapsi.atlas_query"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,  # where Polars gives up, its Rust speaks at length
        start_new_session=True,  # Ctrl-C in the terminal is for us
    ) as process:
        assert process.stdin is not None  # asked for above
        assert process.stdout is not None
        try:
            with suppress(BrokenPipeError):  # it could not even start
                process.stdin.write(question.encode() + b"\n")
                process.stdin.flush()
            answer = process.stdout.read()
            code = process.wait()
        except BaseException:
            process.kill()
            raise
    if code == 0:
        import polars as pl  # not before: once it is loaded, Ctrl-C does not interrupt reading from a pipe

        return pl.read_ipc_stream(answer)
    msg = f"SQL: the answer takes more than {most / 1e9:.1f} GB of memory"
    raise AtlasError(answer.decode() if code == REFUSED else msg)


def main() -> None:
    """Answer one question."""
    question = json.loads(sys.stdin.buffer.readline())
    threading.Thread(target=end_with_input, daemon=True).start()
    limit_memory(question["most"])
    try:
        from collapsi.atlas import Atlas  # loads the solvers, which whoever asks does not need

        answer = Atlas(question["folder"]).sql(question["query"])
        answer.write_ipc_stream(sys.stdout.buffer)
        sys.stdout.flush()
    except (CollapsiError, OSError) as error:
        sys.stdout.buffer.write(str(error).encode(errors="replace"))
        sys.exit(REFUSED)
    except MemoryError:
        sys.exit(TOO_MUCH)


def end_with_input() -> None:
    """End at once when nobody waits any more. Read past the stream, which would be locked by waiting."""
    while os.read(0, 1):
        pass
    os._exit(TOO_MUCH)


if __name__ == "__main__":
    main()
