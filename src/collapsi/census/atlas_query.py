"""SQL over the atlas, in a process of its own with bounded time and memory (`python -m` this module).

A short query can produce more rows than fit into memory (`from deals a, deals b`), and if memory or stack
runs out, Polars ends its process. So `run_query` starts another one. It reads the query from standard input,
as a line of JSON, and writes the rows to standard output, as a stream of Arrow; or, with exit code `REFUSED`,
an error message. It ends when its standard input does: then no process waits for an answer.

Polars also reads files and addresses that a query names, as in `read_csv('…')`. While a query runs, the
process cannot open any (`_no_files`), so that a query from elsewhere sees the table `deals` alone.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from collapsi.core.errors import AtlasError, CollapsiError
from collapsi.system.extras import needs
from collapsi.system.machine import cores
from collapsi.system.memory import available_bytes, limit_memory

if TYPE_CHECKING:
    from collections.abc import Iterator

    import polars as pl

MOST_BYTES = 4_000_000_000
"""About ten times the memory for sorting a whole atlas."""
MOST_SECONDS = 60
"""A query over the whole atlas takes a second or two."""
MOST_CHARACTERS = 20_000

REFUSED = 2
TOO_MUCH = 3

QUERY = re.compile(r"(?:\s|--[^\n]*|/\*.*?\*/)*(?:select|with)\b", re.IGNORECASE | re.DOTALL)


def run_query(folder: Path, query: str) -> pl.DataFrame:
    """Return the rows of a query over the table `deals`.

    Raises `AtlasError` if it is not one SELECT query, or takes more than `MOST_SECONDS` or `MOST_BYTES`.
    Windows does not enforce the limit on memory.
    """
    _check(query)
    with needs("atlas"):
        if find_spec("polars") is None:  # it is loaded by the other process, and here at the end
            raise ModuleNotFoundError(name="polars")
    most = min(MOST_BYTES, available_bytes() or MOST_BYTES)
    question = json.dumps({"folder": str(folder), "query": query, "bytes": most, "seconds": MOST_SECONDS})
    expired = threading.Event()
    with subprocess.Popen(
        [sys.executable, "-P", "-m", "collapsi.census.atlas_query"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,  # a panic in Rust prints many lines
        start_new_session=True,  # Ctrl-C in the terminal is for this process, which ends the other one
    ) as process:
        assert process.stdin is not None  # pipes, as requested above
        assert process.stdout is not None

        def expire() -> None:
            expired.set()
            process.kill()

        deadline = threading.Timer(MOST_SECONDS, expire)
        deadline.daemon = True
        deadline.start()
        try:
            with suppress(BrokenPipeError):  # it could not even start
                process.stdin.write(question.encode() + b"\n")
                process.stdin.flush()
            answer = process.stdout.read()
            code = process.wait()
        except BaseException:
            process.kill()
            raise
        finally:
            deadline.cancel()
    if code == 0:
        import polars as pl  # not before: once it is loaded, Ctrl-C does not interrupt reading from a pipe

        return pl.read_ipc_stream(answer)
    if code == REFUSED:
        raise AtlasError(answer.decode())
    reason = f"the answer takes more than {most / 1e9:.1f} GB of memory"
    if expired.is_set() or code == -getattr(signal, "SIGXCPU", 0):
        reason = f"the query takes more than {MOST_SECONDS} seconds: select less, for example with WHERE"
    elif code == -signal.SIGSEGV:
        reason = f"the query is nested too deeply, or {reason}"
    msg = f"SQL: {reason}"
    raise AtlasError(msg)


def _check(query: str) -> None:
    """Refuse text that is no query before a process is started for it."""
    if len(query) > MOST_CHARACTERS:
        _refuse(f"a query has at most {MOST_CHARACTERS:,} characters, and this one {len(query):,}")
    if not query.isascii() and re.search("[\ud800-\udfff]", query):
        _refuse("the query contains bytes that are not text")
    if not QUERY.match(query):
        _refuse("the atlas is read-only: a query begins with SELECT or WITH")


def _refuse(reason: str) -> NoReturn:
    msg = f"SQL: {reason}"
    raise AtlasError(msg)


def main() -> None:
    """Answer one query."""
    question = json.loads(sys.stdin.buffer.readline())
    threading.Thread(target=end_with_input, daemon=True).start()
    limit_memory(question["bytes"])
    _limit_cpu(question["seconds"] * cores())  # if the other process cannot end this one
    try:
        answer = _answer(Path(question["folder"]), question["query"])
        answer.write_ipc_stream(sys.stdout.buffer)
        sys.stdout.flush()
    except (CollapsiError, OSError) as error:
        sys.stdout.buffer.write(str(error).encode(errors="replace"))
        sys.exit(REFUSED)
    except MemoryError:
        sys.exit(TOO_MUCH)


def _answer(folder: Path, query: str) -> pl.DataFrame:
    import polars as pl

    from collapsi.census.atlas_files import POLARS_ERRORS, read_data, read_manifest

    try:
        tables = pl.SQLContext(deals=pl.read_parquet(read_data(folder, read_manifest(folder))))
    except POLARS_ERRORS as error:
        msg = f"the atlas cannot be read: {str(error).partition(chr(10))[0]}"
        raise AtlasError(msg) from None
    tables.execute("select 1", eager=True)  # loads all modules that a query needs
    try:
        with _no_files() as enforced:
            plan = tables.execute(query)
            if not enforced and " SCAN [" in plan.explain(optimized=False):
                raise PermissionError
            return plan.collect()
    except OSError:
        _refuse("the query reads a file or an address: the only table is deals")
    except (*POLARS_ERRORS, ValueError, TypeError, OverflowError) as error:
        _refuse((str(error).strip() or "Polars cannot answer it").partition("\n")[0])


@contextmanager
def _no_files() -> Iterator[bool]:
    """Forbid this process to open files and connections; yields whether the system enforces it."""
    try:
        import resource
    except ImportError:  # Windows
        yield False
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, hard))
    try:
        yield True
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def _limit_cpu(seconds: int) -> None:
    """Let the system end this process after this many seconds of CPU time, summed over all cores."""
    try:
        import resource
    except ImportError:  # Windows
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_CPU)
    limits = [seconds, *(limit for limit in (soft, hard) if limit != resource.RLIM_INFINITY)]
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CPU, (min(limits), hard))


def end_with_input() -> None:
    """End at once when standard input does. Reads the descriptor: the stream would be locked meanwhile."""
    while os.read(0, 1):
        pass
    os._exit(TOO_MUCH)


if __name__ == "__main__":
    main()
