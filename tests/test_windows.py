"""POSIX-only modules and functions are used only where they exist.

Windows itself is not at hand here: what it lacks is hidden, from our modules for names of `os` and `signal`,
from everybody for whole modules, once the libraries that have their own ways about it are loaded.
"""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import collapsi
from tests.service import HANG_SECONDS
from tests.test_cli import EXAMPLE
from tests.typed import ok

MODULES = {
    *("fcntl", "grp", "posix", "pty", "pwd", "readline", "resource", "syslog", "termios", "tty"),
    "uvloop",
}
"""What Windows does not have, or we do not have there."""

MISSING = {
    "os": (
        "O_CLOEXEC O_DIRECTORY O_NOFOLLOW O_NONBLOCK O_SYNC WEXITSTATUS WIFEXITED WIFSIGNALED "
        "chown chroot fchdir fchmod fchown fork forkpty getegid geteuid getgid getloadavg getpgid "
        "getpgrp getpriority getuid killpg lchown lockf mkfifo nice openpty posix_fadvise "
        "posix_fallocate posix_spawn pread pwrite sched_getaffinity sched_setaffinity sched_yield "
        "sendfile setpgid setpriority setsid setuid statvfs sync sysconf uname wait wait3 wait4 "
        "waitid"
    ),
    "signal": (
        "SIGALRM SIGCHLD SIGCONT SIGHUP SIGKILL SIGPIPE SIGQUIT SIGSTOP SIGTSTP SIGUSR1 SIGUSR2 "
        "SIGWINCH SIG_BLOCK SIG_UNBLOCK alarm pause pthread_kill pthread_sigmask setitimer "
        "siginterrupt sigpending sigwait"
    ),
    "time": "clock_settime pthread_getcpuclockid tzset",
    "socket": "AF_UNIX SO_REUSEPORT recv_fds send_fds",
}
NAMES = {module: set(names.split()) for module, names in MISSING.items()}
"""Names that modules of Windows do not have."""

ROOT = Path(__file__).parent.parent
PACKAGE = Path(collapsi.__file__).parent
ALL_MODULES = sorted(
    ".".join(("collapsi", *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__")
    for path in PACKAGE.rglob("*.py")
)

HIDE = f"""
import asyncio, builtins, importlib, multiprocessing, subprocess, sys, types
import fastapi, matplotlib.figure, numba, numpy, polars, rich.console, rich.progress, typer, uvicorn

for name in {MODULES!r}:
    sys.modules[name] = None  # makes `import` raise ImportError
hidden = {NAMES!r}
theirs = builtins.__import__
without = {{}}
for name, names in hidden.items():
    whole = importlib.import_module(name)
    without[name] = types.ModuleType(name)
    vars(without[name]).update({{key: value for key, value in vars(whole).items() if key not in names}})

def ours(name, globals=None, locals=None, fromlist=(), level=0):
    if name in without and (globals or {{}}).get("__name__", "").partition(".")[0] == "collapsi":
        return without[name]
    return theirs(name, globals, locals, fromlist, level)

builtins.__import__ = ours
"""


def hidden(script: str, *arguments: str) -> str:
    """What a script writes that has all of POSIX hidden from it."""
    done = subprocess.run(
        [sys.executable, "-c", HIDE + script, *arguments],
        capture_output=True,
        check=False,
        cwd=ROOT,
        timeout=HANG_SECONDS,
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


IN_ONE_PROCESS = """
exec("import os; print(hasattr(os, 'nice'))", {"__name__": "collapsi.x"})
import os
print(hasattr(os, "nice"))
for name in sys.argv[2:]: importlib.import_module(name)

import json
from pathlib import Path
import numpy as np
from collapsi import STANDARD
from collapsi.census import rotate
from collapsi.census.deals import count_numberings
from collapsi.census.layers import DealAnswers, JACKS
from collapsi.census.lengths import census_from
from collapsi.cli.census_tables import print_census
from collapsi.system import memory

layer = rotate.layers().walks[3]
values = np.ones((len(layer.index), layer.columns), np.int8)
with rotate.LayerStore(Path(sys.argv[1])) as store:
    store.write(layer, values)
    print(store.newest(), store.read(layer, np.zeros_like(values)), store.clear() > 0, store.newest())

assert memory.peak_bytes() is None
memory.check_memory(1, "nothing")
answers = np.full(count_numberings(), 9, np.int8)
taken = census_from(STANDARD, lambda: tuple(DealAnswers(jacks, {}, answers) for jacks in JACKS))
print(json.dumps(taken.to_json()))
print_census(taken)
"""


def test_modules_layers_and_a_census_without_what_is_hidden(tmp_path: Path) -> None:
    """Every module is imported, a layer is stored, and a census does not know its memory.

    The census is of made-up answers, as the real ones take gigabytes: every deal takes 7 plies, with 9 cards
    left.
    """
    ours, theirs, layer, data, *text = hidden(IN_ONE_PROCESS, str(tmp_path), *ALL_MODULES).splitlines()
    assert (ours, theirs) == ("False", "True")
    assert layer == "3 True True None"
    assert json.loads(data)["peak_bytes"] is None
    assert json.loads(data)["deals"] == 47_297_250
    assert text[-1].endswith("s of CPU")


BIG, SHIFTED = "..A.../..3.../..A.../.2rA.../..2b.../...... r big", ".Ar2../-.2A./-AA32b/-34.- r shift"
SAMPLE = [
    (["solve", "--json", "-"], f"{EXAMPLE}\n{EXAMPLE} a2\n"),
    (["play", EXAMPLE, "--level", "1", "--seed", "1"], "a2\nquit\n"),
    (["study", "standard", "--deals", "20", "--seed", "1", "--jobs", "1", "--json"], ""),
]
MORE = [
    (["show", EXAMPLE], ""),
    (["solve", "--json", EXAMPLE], ""),
    (["line", EXAMPLE], ""),
    (["solve", BIG], ""),
    (["line", BIG], ""),
    (["solve", SHIFTED], ""),
    (["solve", "--games", "..../.2r../.Ab../.2.. r shift"], ""),
    (["solve", "A2X/3Jr2/A2A"], ""),
    (["play", "--rules", "big4", "--level", "1", "--red", "you", "--seed", "3"], "quit\n"),
]


@pytest.mark.parametrize(
    "lines", [SAMPLE, pytest.param(MORE, marks=pytest.mark.slow)], ids=["sample", "more"]
)
def test_commands_say_the_same(lines: list[tuple[list[str], str]]) -> None:
    """All in one process, as each loads all that is hidden."""
    script = """
import json
from tests.typed import ok
print(json.dumps([ok(*line, stdin=given.encode()) for line, given in json.loads(sys.argv[1])]))
"""
    said = json.loads(hidden(script, json.dumps(lines)))
    for (line, given), found in zip(lines, said, strict=True):
        assert without_measures(found) == without_measures(ok(*line, stdin=given.encode())), line


def without_measures(text: str) -> str:
    """Without times, and without the nodes of a search that may find its table filled."""
    return re.sub(r'("\w*(?:seconds|nodes)": )[\d.e-]+|[\d,]+ nodes', r"\1…", text)


def unguarded(tree: ast.Module) -> list[str]:
    """What a module uses of POSIX other than below an `if` or a `try` that expects it to be missing."""
    found: list[str] = []

    def looks(node: ast.AST) -> bool:
        """Whether a node's body is only run where the name is there, or expects that it is not."""
        if isinstance(node, ast.If | ast.IfExp):
            return any(word in ast.unparse(node.test) for word in ("hasattr", "sys.platform", "os.name"))
        if isinstance(node, ast.Try):
            caught = " ".join(ast.unparse(handler.type) for handler in node.handlers if handler.type)
            return any(word in caught for word in ("ImportError", "ModuleNotFoundError", "AttributeError"))
        return isinstance(node, ast.With) and "suppress(" in ast.unparse(node.items[0])

    def visit(node: ast.AST) -> None:
        if looks(node):
            return
        if isinstance(node, ast.Import):
            found.extend(name.name for name in node.names if name.name.partition(".")[0] in MODULES)
        if isinstance(node, ast.ImportFrom):
            module = str(node.module)
            found.extend([module] if module in MODULES else [])
            found.extend(
                f"{module}.{name.name}" for name in node.names if name.name in NAMES.get(module, set())
            )
        if (
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.attr in NAMES.get(node.value.id, set())
        ):
            found.append(f"{node.value.id}.{node.attr}")
        for child in ast.iter_child_nodes(node):
            visit(child)

    visit(tree)
    return found


def test_what_counts_as_unguarded() -> None:
    bad = (
        "import resource\nfrom fcntl import flock\nimport os\n"
        "def lower(): os.nice(1)\nfrom signal import SIGPIPE"
    )
    assert unguarded(ast.parse(bad)) == ["resource", "fcntl", "os.nice", "signal.SIGPIPE"]
    good = (
        "if hasattr(os, 'nice'): os.nice(1)\ntry:\n  import resource\nexcept ImportError: pass\nos.getpid()"
    )
    assert unguarded(ast.parse(good)) == []


def test_nothing_is_used_unguarded() -> None:
    found = {
        path.relative_to(PACKAGE).as_posix(): names
        for path in PACKAGE.rglob("*.py")
        if (names := unguarded(ast.parse(path.read_text(encoding="utf-8"))))
    }
    assert found == {}
