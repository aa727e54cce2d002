"""An attack on the command line: odd values, closed and full streams, signals at any moment.

Whatever is done to it, a command ends with one line or silence and the right exit code, never with a
traceback. The commands are found by walking through the app, so new ones are attacked too. The seed of the
ordinary run is fixed; the long one (marked slow) takes a new one each time and prints it:
COLLAPSI_ATTACK_SEED=… repeats it.

Exit codes: 0; 1 for faults found (`atlas verify`) or Typer's own end; 2 for what was given wrong; after
Ctrl-C 130, or death by the signal itself, which shells show as 130, before a command runs and at the very
end; other signals kill. The server ends as its library has it.
"""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import typer

from collapsi import cli
from tests import typed
from tests.service import HANG_SECONDS
from tests.test_cli import EXAMPLE

if TYPE_CHECKING:
    from collections.abc import Iterator

SEED = 8
PACKAGE = f"{Path(cli.__file__).parent.parent}{os.sep}"

QUICK = {"show", "solve", "line", "play", "review"}
QUICK |= {"atlas find", "atlas show", "atlas sql", "atlas verify"}
"""Commands that end soon whatever they are told.

All others, new ones too, are only given what Typer refuses, or are stopped by a signal.
"""

ALWAYS = {"serve": ["--port", "0"]}
"""What a command needs so that two of them do not get into each other's way."""

ODD_VALUES = [
    *("", " ", "-", "--", ".", "a..b", "x", "you", "true", "a" * 300, "ab " * 2000, "1,1,2"),
    *("0", "-1", "1", "-0", "1.5", "1e3", "0x10", "nan", "٣", "99999999999999999999", "9" * 5000),
    *("é日本", "\udcff", "\udce9\udcff=\udc80", "\x1b[31m", "a\nb\r\tc"),
    *("%s%n{}{0}", "'\"`$(id)\\", "[red]x[/]", "/dev/null", "/dev/null/x"),
    *(EXAMPLE, f"{EXAMPLE} d1 d1", f"{EXAMPLE} shift d1"),
    *("-.2r./..Ab./..../..../2--- r shift", "--/-- r shift-box", "-" * 40 + "/. r shift"),
]

SIGNALS = [signal.SIGINT, signal.SIGINT, signal.SIGINT, signal.SIGTERM, signal.SIGHUP]


@dataclass(frozen=True)
class Command:
    """A command as the app knows it."""

    name: str
    parameters: tuple[Any, ...]

    def arguments(self, *, without: Any = None) -> list[str]:
        """A plain call of it; one parameter may be left out, to be given otherwise."""
        words = [*self.name.split(), *ALWAYS.get(self.name, [])]
        for parameter in self.parameters:
            if parameter is without:
                continue
            if parameter.param_type_name == "argument":
                words.append(EXAMPLE)
            elif parameter.required:
                words += [parameter.opts[0], "out"]
        return words


def walk(command: Any, name: str = "") -> Iterator[Command]:
    """All commands below one, and itself."""
    yield Command(name, tuple(command.params))
    for word, below in getattr(command, "commands", {}).items():
        yield from walk(below, f"{name} {word}".strip())


COMMANDS = {command.name: command for command in walk(typer.main.get_command(cli.load()))}
LEAVES = [
    command
    for name, command in COMMANDS.items()
    if name and not any(other.startswith(f"{name} ") for other in COMMANDS)
]


def is_refused(parameter: Any, value: str) -> bool:
    """Whether Typer itself refuses the value, before the command runs."""
    try:
        parameter.type.convert(value, parameter, None)
    except Exception:  # noqa: BLE001  (its classes are private)
        return True
    return False


def odd_calls(command: Command) -> Iterator[list[str]]:
    """All ways to call a command with one thing odd that end soon."""
    quick = command.name in QUICK
    for parameter in command.parameters:
        rest = command.arguments(without=parameter)
        if parameter.param_type_name == "argument":
            if quick:
                yield rest
                yield from ([*rest, value] for value in ODD_VALUES)
            continue
        option = parameter.opts[-1]
        if getattr(parameter, "is_flag", False):
            yield [*rest, f"{option}=yes"]
            continue
        yield [*rest, option]
        for value in ODD_VALUES:
            if quick or is_refused(parameter, value):
                yield [*rest, option, value]
                yield [*rest, f"{option}={value}"]
    for value in ("--no-such-option", "--no-such-option=1", "-x", "---", "--" + "y" * 5000, "--\udcff"):
        yield [*command.arguments(), value]
    if command not in LEAVES:
        yield from ([*command.name.split(), value] for value in ODD_VALUES if value)


def faults_of(code: int, errors: str, allowed: set[int]) -> Iterator[str]:
    """What is wrong with how a command ended."""
    if code not in allowed:
        yield f"exit code {code}"
    if "Traceback" in errors or "Exception ignored" in errors or "Fatal" in errors:
        yield "traceback"
    if len(errors) > 1500 or errors.count("\n") > 8:
        yield "too much said"
    if any(not letter.isprintable() for letter in errors.replace("\n", "")):
        yield "letters that are no letters"
    if errors and not all(line.startswith("collapsi: ") for line in errors.splitlines()):
        yield "not our own words"
    if code == 2 and not errors:
        yield "no reason given"


# In this process: what is typed


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in, with a home that is nobody's."""
    for name in ("home", "work"):
        (tmp_path / name).mkdir()
    for name, value in environment(tmp_path).items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path / "work")
    return tmp_path


def environment(folder: Path) -> dict[str, str]:
    return {
        "HOME": str(folder / "home"),
        "XDG_CACHE_HOME": str(folder / "home" / "cache"),
        "BROWSER": "true",
        "COLUMNS": "100",
    }


def attack_with_words(rng: random.Random, count: int | None) -> None:
    calls = [arguments for command in COMMANDS.values() for arguments in odd_calls(command)]
    found: list[tuple[object, ...]] = []
    for arguments in calls if count is None else rng.sample(calls, count):
        stdin = rng.choice([b"", b"\xff\n", f"{EXAMPLE}\nd1\n".encode(), b"x" * 100_000, b"\0\n" * 10])
        try:
            done = typed.run(*arguments, stdin=stdin)
        except Exception as error:  # noqa: BLE001  (all of them are shown below)
            found.append((arguments, repr(error)))
            continue
        code, errors = done.returncode, done.stderr.decode()
        # Typer's own completion speaks for itself; batches name every bad line.
        own_words = any("completion" in word for word in arguments)
        many = "-" in arguments and stdin.count(b"\n") > 1
        faults = [
            fault
            for fault in faults_of(code, errors, {0, 1, 2})
            if not (own_words and fault == "not our own words") and not (many and fault == "too much said")
        ]
        found += [(arguments, stdin[:20], fault, code, errors[:300]) for fault in faults]
    assert found == []


# As processes: streams and signals


@dataclass(frozen=True)
class Attack:
    """A process, what its streams are, and when which signal comes."""

    arguments: list[str]
    streams: dict[str, str] = field(default_factory=dict)
    variables: dict[str, str] = field(default_factory=dict)
    number: int = signal.SIGTERM
    seconds: float = 2.0
    """The signal comes after so long, if the process still runs; no fault depends on whether it does."""
    imports: int | None = None
    """Or when so many modules are loaded."""

    def run(self, folder: Path) -> Iterator[str]:
        """Do it; what went wrong."""
        traced = ["-X", "importtime"] if self.imports is not None else []
        command = [sys.executable, *traced, "-m", "collapsi", *self.arguments]
        stdin = {"closed": "<&-", "for writing": "0>/dev/null", "words": "<words", "open": ""}
        stdout = {"closed": ">&-", "full": ">/dev/full"}
        stderr = {"closed": "2>&-", "full": "2>/dev/full"}
        redirects = " ".join(
            ways.get(self.streams.get(name, ""), "")
            for name, ways in (("stdin", stdin), ("stdout", stdout), ("stderr", stderr))
        )
        (folder / "work" / "words").write_bytes(b"\xff\n\xe9\nvalues\nundo\nd1\n" + b"9" * 10_000)
        with ExitStack() as stack:
            process = stack.enter_context(
                subprocess.Popen(
                    ["bash", "-c", f'exec "$@" {redirects}', "bash", *command],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    env={**os.environ, **environment(folder), **self.variables},
                    cwd=folder / "work",
                )
            )
            assert process.stdin is not None
            assert process.stdout is not None
            assert process.stderr is not None
            too_late = threading.Timer(HANG_SECONDS, process.kill)
            stack.callback(too_late.cancel)
            too_late.start()
            if self.streams.get("stdout") == "nobody reads":
                process.stdout.close()
            elif self.streams.get("stdout") != "never read":
                threading.Thread(target=_read_all, args=(process.stdout,), daemon=True).start()
            if self.streams.get("stdin") != "open":
                process.stdin.close()
            said: list[str] = []
            listening = threading.Thread(target=_keep, args=(process.stderr, said, self, process))
            listening.start()
            with suppress(subprocess.TimeoutExpired):
                process.wait(self.seconds)
            if process.poll() is None:
                process.send_signal(self.number)
            while process.poll() is None:
                with suppress(subprocess.TimeoutExpired):
                    process.wait(10)
                if _is_pythons_own("".join(said)):  # and it was lost there: whoever sits there presses again
                    process.send_signal(self.number)
            code = process.wait()
            listening.join()
        errors = "".join(line for line in said if not line.startswith("import time:"))
        if self.number == signal.SIGINT and _is_pythons_own(errors):
            return
        if code == -signal.SIGKILL:
            yield "hangs"
        ends = {130, -signal.SIGINT} if self.number == signal.SIGINT else {-self.number}
        for fault in faults_of(code, errors, {0, 1, 2} | ends):
            if fault == "no reason given" and self.streams.get("stderr"):
                continue
            yield f"{fault}: {code} {errors[-2000:]}"


def _read_all(stream: Any) -> None:
    with suppress(OSError, ValueError):
        while stream.read1(1 << 16):
            pass


def _keep(stream: Any, said: list[str], attack: Attack, process: subprocess.Popen[bytes]) -> None:
    """Keep what a process says, and send the signal when it has loaded so many modules."""
    for line in stream:
        said.append(line.decode(errors="replace"))
        if len(said) == attack.imports:
            process.send_signal(attack.number)


def _is_pythons_own(errors: str) -> bool:
    """Whether Ctrl-C came before the first line of ours: what Python says then is not up to us.

    Later it is one of our modules that raises the exception, and a traceback would name it.
    """
    return bool(re.search(r"^KeyboardInterrupt\b", errors, re.MULTILINE)) and f'File "{PACKAGE}' not in errors


def test_what_is_pythons_own() -> None:
    start = 'Traceback (most recent call last):\n  File "<frozen runpy>", line 148, in _get\n'
    assert _is_pythons_own(f"{start}KeyboardInterrupt\n")
    assert not _is_pythons_own(
        f'{start}  File "{PACKAGE}__init__.py", line 9, in <module>\nKeyboardInterrupt\n'
    )
    assert not _is_pythons_own("")


STREAMS = {
    "stdin": ["closed", "for writing", "words", "open"],
    "stdout": ["closed", "full", "nobody reads", "never read"],
    "stderr": ["closed", "full"],
}
VARIABLES = [
    {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    {"PYTHONIOENCODING": "ascii:strict"},
    {"PYTHONIOENCODING": "utf-8:strict"},
    {"COLUMNS": "x", "TERM": "dumb"},
    {"COLUMNS": "0", "LINES": "-1"},
    {"NUMBA_DISABLE_JIT": "1"},
    {"HOME": "", "XDG_CACHE_HOME": "/dev/null"},
]


def stream_attack(rng: random.Random, command: Command) -> Attack:
    """One or two streams, and perhaps the environment, are not as they should be."""
    names = rng.sample(list(STREAMS), rng.choice([1, 1, 2, 3]))
    arguments = command.arguments()
    if rng.random() < 0.3 and command.name == "solve":
        arguments = [command.name, "-"]
    return Attack(
        arguments,
        {"stdin": "closed"} | {name: rng.choice(STREAMS[name]) for name in names},
        rng.choice([{}, *VARIABLES]),
        rng.choice(SIGNALS),
        rng.uniform(0.2, 1),
    )


def start_attack(rng: random.Random, command: Command) -> Attack:
    """Ctrl-C while the program is being loaded."""
    return Attack(command.arguments(), number=signal.SIGINT, imports=rng.randrange(1, 420), seconds=5)


def late_attack(rng: random.Random, command: Command) -> Attack:
    """A signal at any moment, to a command that may be waiting for input, with any option set to anything."""
    arguments = command.arguments()
    options = [each for each in command.parameters if each.param_type_name == "option"]
    if options and rng.random() < 0.5:
        option = rng.choice(options)
        value = rng.choice(ODD_VALUES)
        arguments += [option.opts[0], *([] if getattr(option, "is_flag", False) else [value])]
    if "--open" in arguments or any("completion" in word for word in arguments):
        arguments = command.arguments()
    return Attack(
        arguments,
        {"stdin": "open"},
        rng.choice([{}, {}, *VARIABLES]),
        rng.choice(SIGNALS),
        2 ** rng.uniform(-7, 2),
    )


KINDS = [stream_attack, start_attack, late_attack]


def attack_with_processes(rng: random.Random, kind: Any, commands: list[Command], folder: Path) -> None:
    found = []
    for command in commands:
        attack = kind(rng, command)
        found += [(attack, fault) for fault in attack.run(folder)]
    assert found == []


def test_every_command_is_found() -> None:
    assert {command.name for command in LEAVES} >= {"solve", "play", "serve", "census", "report", "atlas sql"}
    assert {*COMMANDS} >= QUICK
    assert {"", "atlas"} <= {*COMMANDS}


@pytest.mark.usefixtures("folder")
def test_odd_words() -> None:
    attack_with_words(random.Random(SEED), 70)


@pytest.mark.parametrize("kind", KINDS)
def test_streams_and_signals(kind: Any, folder: Path) -> None:
    """Every command in one of the three ways, in turn; each in all of them in the long run."""
    attack_with_processes(random.Random(SEED), kind, LEAVES[KINDS.index(kind) :: len(KINDS)], folder)


@pytest.fixture
def any_seed() -> random.Random:
    seed = int(os.environ.get("COLLAPSI_ATTACK_SEED") or time.time_ns())
    print(f"COLLAPSI_ATTACK_SEED={seed}")
    return random.Random(seed)


@pytest.mark.slow
@pytest.mark.usefixtures("folder")
def test_all_odd_words(any_seed: random.Random) -> None:
    attack_with_words(any_seed, None)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_many_streams_and_signals(any_seed: random.Random, kind: Any, folder: Path) -> None:
    attack_with_processes(any_seed, kind, 20 * LEAVES, folder)
