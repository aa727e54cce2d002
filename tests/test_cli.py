"""The command line as a user meets it: real processes, real pipes."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
import tomllib
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from typer import Typer
from typer.main import get_command

from collapsi import analyse, cli, parse_position, status
from collapsi.cli.app import GROUPS, RENAMED
from collapsi.games.registry import kind_named
from collapsi.system.machine import cores
from tests import typed
from tests.service import HANG_SECONDS
from tests.typed import answered, complaint

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from collapsi import Position

EXAMPLE = "A223/4A2Jr/3A23/Jb3A4 r"
COLLAPSI = [sys.executable, "-m", "collapsi"]


def run(*arguments: str | bytes, stdin: bytes | None = None) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*COLLAPSI, *arguments], input=stdin, capture_output=True, check=False, timeout=HANG_SECONDS
    )


@contextmanager
def started(*arguments: str, command: Sequence[str] = COLLAPSI) -> Iterator[Any]:
    """A command that runs, with all three streams as pipes."""
    pipe = subprocess.PIPE
    with subprocess.Popen([*command, *arguments], stdin=pipe, stdout=pipe, stderr=pipe) as process:
        yield process


def solved_line(process: Any) -> None:
    """Write a position to `solve --json -`, which must answer at once."""
    process.stdin.write(f"{EXAMPLE}\n".encode())
    process.stdin.flush()
    ready, _, _ = select.select([process.stdout], [], [], HANG_SECONDS)
    assert ready
    assert json.loads(process.stdout.readline())["plies"] == 13


def ok(*arguments: str, stdin: bytes | None = None) -> str:
    return answered(run(*arguments, stdin=stdin))


def refused(*arguments: str | bytes, stdin: bytes | None = None) -> str:
    """What a command says that must end with exit code 2 and one line."""
    return complaint(run(*arguments, stdin=stdin))


def on_a_terminal(*arguments: str, code: int = 0, stop_at: str | None = None) -> str:
    """What the command writes on a terminal; once `stop_at` is written, the signal of its `code` comes."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "100"}
    environment.pop("NO_COLOR", None)
    with subprocess.Popen(
        [*COLLAPSI, *arguments],
        stdout=theirs,
        stderr=theirs,
        stdin=theirs,
        env=environment,
    ) as process:
        os.close(theirs)
        written = b""
        while True:
            try:
                part = os.read(ours, 65536)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            written += part
            if stop_at and stop_at.encode() in written:
                process.send_signal(-code)
                stop_at = None
        os.close(ours)
        assert process.wait(timeout=HANG_SECONDS) == code
    return written.decode()


def test_show_is_coloured_on_a_terminal() -> None:
    written = on_a_terminal("show", EXAMPLE)
    assert "\x1b[" in written
    assert "╭────╮" in written
    plain = re.sub(r"\x1b\[[0-9;]*m", "", written)
    assert " Jr " in plain
    assert "red to move" in plain


def test_solve_on_a_terminal_writes_values_on_the_board_and_in_a_table() -> None:
    plain = re.sub(r"\x1b\[[0-9;]*m", "", on_a_terminal("solve", EXAMPLE))
    assert "╰+13─╯" in plain
    assert "red wins in 13 plies" in plain
    assert "perfect play: a2 a3" in plain


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_a_killed_bar_leaves_the_cursor(number: int) -> None:
    """Nothing can be put right after a signal that kills: so the bar must not have hidden it."""
    written = on_a_terminal("census", "--jobs", "1", code=-number, stop_at="0 %")
    assert written.count("\x1b[?25l") == written.count("\x1b[?25h")


def test_deals_without_a_seed_differ() -> None:
    assert typed.ok("deal") != typed.ok("deal")


def test_solve_several_positions_and_games() -> None:
    lines = typed.ok("solve", "--json", EXAMPLE, f"{EXAMPLE} d1", "1223/4121r/3123/1b314/0").splitlines()
    data = [json.loads(line) for line in lines]
    assert [one["to_move"] for one in data] == ["red", "blue", "red"]
    assert data[0] == data[2]
    assert data[1]["plies"] == 11


def test_bench_prints_the_same_nodes_everywhere() -> None:
    """The fingerprint of the search. If it changes, the search changed: say why where you change it."""
    text = ok("bench", "--count", "100")
    assert re.search(r"^nodes +294224$", text, re.MULTILINE), text


@pytest.mark.parametrize(
    ("rules", "count", "nodes"),
    [
        ("shift", 2, 752814),
        ("shift-box", 30, 194341),
        pytest.param("shift-rotate", 1, 3774614, marks=pytest.mark.slow),
    ],
)
def test_bench_on_the_shifting_board(rules: str, count: int, nodes: int) -> None:
    text = ok("bench", "--rules", rules, "--count", str(count))
    assert re.search(rf"^nodes +{nodes}$", text, re.MULTILINE), text


def test_a_batch_through_a_pipe_is_answered_in_order() -> None:
    dealt = typed.ok("deal", "--seed", "3", "--count", "60")
    answers = [
        json.loads(line) for line in typed.ok("solve", "--json", "-", stdin=dealt.encode()).splitlines()
    ]
    assert [answer["position"] for answer in answers] == dealt.splitlines()
    assert answers[:3] == [analyse(line).to_json() for line in dealt.splitlines()[:3]]
    counts = typed.ok("solve", "--games", "-", stdin="\n".join(dealt.splitlines()[:6]).encode()).split()
    assert counts[0] == str(analyse(dealt.splitlines()[0]).games)
    assert len(counts) == 6


def test_bad_lines_are_named_and_the_others_answered() -> None:
    lines = [
        EXAMPLE.encode(),
        b"",
        b"nonsense",
        b"\xff\xfe",
        EXAMPLE.encode(),
        b"A" * 10_000_000,
        f"{EXAMPLE} d1".encode(),
    ]
    done = typed.run("solve", "--json", "-", stdin=b"\n".join(lines))
    assert done.returncode == 2
    answers = [json.loads(line) for line in done.stdout.decode().splitlines()]
    assert [answer["to_move"] for answer in answers] == ["red", "red", "blue"]
    complaints = done.stderr.decode().splitlines()
    assert [complaint.split(":")[1].strip() for complaint in complaints] == [
        "line 2",
        "line 3",
        "line 4",
        "line 6",
    ]
    assert "empty" in complaints[0]
    assert "1 row instead of 4" in complaints[1]
    assert "byte 1 is not UTF-8 (0xff)" in complaints[2]
    assert "10,000,000 bytes are too many" in complaints[3]


def test_an_empty_batch_is_no_fault() -> None:
    assert typed.ok("solve", "-", stdin=b"") == ""


def test_bad_positions_among_arguments_are_named_by_number() -> None:
    done = typed.run("solve", "--json", EXAMPLE, "nonsense", EXAMPLE)
    assert done.returncode == 2
    assert len(done.stdout.splitlines()) == 2
    assert done.stderr.decode().startswith("collapsi: position 2: 1 row instead of 4")


def test_texts_that_are_no_text_or_too_long() -> None:
    assert "not UTF-8" in refused("solve", b"\xff")
    assert "too many" in typed.refused("solve", "A" * 100_000)


LONG = "ab" * 2500


@pytest.mark.parametrize(
    "arguments",
    [
        [LONG],
        ["deal", f"--{LONG}"],
        ["deal", "--seed", LONG],
        ["deal", "--seed", "a b " * 1200],
        ["deal", "--rules", LONG],
        ["play", "--level", LONG],
        ["play", "--red", LONG],
        ["solve", LONG],
        ["census", "--method", LONG],
        ["atlas", "find", "--atlas", LONG],
        ["report", "--out", LONG],
        ["serve", "--port", "0", "--host", LONG],
    ],
    ids=lambda arguments: " ".join(arguments)[:20],
)
def test_what_was_typed_is_not_repeated_at_length(arguments: list[str]) -> None:
    assert len(typed.refused(*arguments)) < 450


def test_what_was_typed_is_repeated_as_letters() -> None:
    assert "\x1b" not in typed.refused("deal", "--seed", "\x1b[31m\r\nx")


def test_jobs_are_at_most_the_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int | None] = []

    solver: Any = kind_named("classic").solver
    solutions = solver.solutions

    def watched(positions: list[Position], *, jobs: int | None = None, **options: Any) -> Any:
        asked.append(jobs)
        return solutions(positions, jobs=jobs, **options)

    monkeypatch.setattr(solver, "solutions", watched)
    for given in (["--jobs", "1000"], ["--jobs", "1"], []):
        assert cli.run(["solve", *given, EXAMPLE]) == 0
    assert asked == [cores(), 1, None]


def test_without_a_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where Numba may not compile, the interpreted kernel solves batches, and no census takes weeks."""
    dealt = ok("deal", "--seed", "5", "--count", "8").encode()
    few = b"".join(dealt.splitlines(keepends=True)[:1])  # counting games takes ten times as long
    batches = {"--json": dealt, "--games": few}
    compiled = [ok("solve", option, "-", stdin=batch) for option, batch in batches.items()]
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    assert [ok("solve", option, "-", stdin=batch) for option, batch in batches.items()] == compiled
    assert re.search(r"^nodes +\d+$", ok("bench", "--count", "3"), re.MULTILINE)
    for arguments in (["census"], ["census", "--method", "search"], ["census", "--openings"]):
        assert "NUMBA_DISABLE_JIT" in refused(*arguments)


def test_ctrl_c_does_not_wait_for_a_reader() -> None:
    """As in `collapsi deal --count 1000000 | less`: the pipe is full, and nothing reads on."""
    with started("deal", "--count", "1000000") as dealt:
        os.read(dealt.stdout.fileno(), 1)
        dealt.send_signal(signal.SIGINT)
        assert dealt.wait(timeout=HANG_SECONDS) == 130
        assert dealt.stderr.read() == b""


def test_ctrl_c_that_is_ignored_stays_ignored() -> None:
    """As a shell does for background processes."""
    command = ["bash", "-c", 'trap "" INT; exec "$@"', "bash", *COLLAPSI]
    with started("solve", "--json", "-", command=command) as process:
        for _ in range(2):
            solved_line(process)
            process.send_signal(signal.SIGINT)
        process.stdin.close()
        assert process.wait(timeout=HANG_SECONDS) == 0


def test_importing_the_library_changes_no_signal_handler(tmp_path: Path) -> None:
    """Not even in a program that is called collapsi."""
    script = tmp_path / "collapsi"
    script.write_text(
        """
import signal
handlers = {each: signal.getsignal(each) for each in signal.valid_signals()}
import collapsi, collapsi.__main__, collapsi.cli
collapsi.analyse("A223/4A2Jr/3A23/Jb3A4 r")
collapsi.cli.load()
print([each for each, before in handlers.items() if signal.getsignal(each) != before])
"""
    )
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


@pytest.fixture(scope="module")
def installed_script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The script that an installer makes of the entry point. It sends Ctrl-C to itself at an import."""
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))
    module, _, function = project["project"]["scripts"]["collapsi"].partition(":")
    path = tmp_path_factory.mktemp("bin") / "collapsi"
    path.write_text(f"""
import os, sys
class Interrupting:
    def find_spec(self, name, *_):
        if os.environ.get("LIST"):
            print(name)
        if name == os.environ.get("INTERRUPTED_AT"):
            os.kill(os.getpid(), 2)
sys.meta_path.insert(0, Interrupting())
from {module} import {function}
if __name__ == "__main__":
    sys.exit({function}())
""")
    return path


def run_script(script: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(script), "deal", "--seed", "1"]
    return subprocess.run(
        command, env={**os.environ, **variables}, capture_output=True, text=True, check=False
    )


@pytest.mark.skipif(sys.platform == "win32", reason="no process sends itself Ctrl-C there")
def test_ctrl_c_is_silent_from_the_first_import_on(installed_script: Path) -> None:
    *imported, dealt = run_script(installed_script, LIST="1").stdout.splitlines()
    assert dealt == run_script(installed_script).stdout.strip()
    # Before the handler is set only two modules of a few lines are loaded, which import nothing else.
    assert imported[:3] == ["collapsi", "collapsi.__main__", "collapsi.cli"]
    loaded = imported[2:]
    first, step = loaded[:8], len(loaded) // 8
    for name in [*first, *loaded[8::step]]:
        done = run_script(installed_script, INTERRUPTED_AT=name)
        assert (done.returncode, done.stdout, done.stderr) == (130, "", ""), name


def test_input_and_output_that_are_not_there() -> None:
    assert "stands alone" in refused("solve", "-", EXAMPLE)
    for redirect, message in (
        ("<&-", "standard input is closed"),
        (">&-", "standard output is closed"),
        (">/dev/full", "cannot write"),
        ("0>/dev/null", "cannot read standard input"),
    ):
        given = "-" if redirect[0] in "0<" else f'"{EXAMPLE}"'
        command = f'"{sys.executable}" -m collapsi solve {given} {redirect}'
        done = subprocess.run(
            ["bash", "-c", command], capture_output=True, text=True, check=False, timeout=HANG_SECONDS
        )
        assert done.returncode == 2
        assert done.stderr.startswith(f"collapsi: {message}")
        assert done.stderr.count("\n") == 1
    closed = subprocess.run(
        ["bash", "-c", f'"{sys.executable}" -m collapsi solve bad 2>&-'], check=False, timeout=HANG_SECONDS
    )
    assert closed.returncode == 2
    for redirect in ("2>/dev/full", ">/dev/full 2>/dev/full", ">&- 2>&-", "<&- >&- 2>&-"):
        silent = subprocess.run(
            ["bash", "-c", f'"{sys.executable}" -m collapsi solve bad {redirect}'],
            check=False,
            timeout=HANG_SECONDS,
        )
        assert silent.returncode == 2


def test_a_terminal_that_knows_ascii_only() -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    for arguments in (["--help"], ["show", "--values", "--svg", EXAMPLE], ["bench", "--count", "1"]):
        done = subprocess.run(
            [*COLLAPSI, *arguments], capture_output=True, check=False, timeout=HANG_SECONDS, env=environment
        )
        assert done.returncode == 0, done.stderr.decode()
    assert ok("show", "--values", "--svg", EXAMPLE).count("−") == 3


def test_positions_that_cannot_arise_are_solved_with_every_reason() -> None:
    text = "AAAA/4A2Jr/3A23/Jb3A4 b"
    data = json.loads(typed.ok("solve", "--json", text))
    assert data["warnings"] == [str(reason) for reason in status(parse_position(text))]
    assert len(data["warnings"]) == 2
    assert "warning: 7 aces are face up, and the deck has 4\n" in typed.ok("solve", text)


@pytest.mark.parametrize("count", ["1", "100000"])
def test_a_closed_pipe_ends_quietly(count: str) -> None:
    with started("deal", "--count", count) as dealt:
        if count != "1":
            dealt.stdout.readline()
        dealt.stdout.close()
        assert dealt.stderr.read() == b""
        assert dealt.wait(timeout=HANG_SECONDS) == 0


@pytest.mark.parametrize(("leave", "code"), [("the reader leaves", 0), ("ctrl-c", 130)])
def test_leaving_while_input_is_open_is_no_crash(leave: str, code: int) -> None:
    with started("solve", "--json", "-") as process:
        solved_line(process)
        if leave == "ctrl-c":
            process.send_signal(signal.SIGINT)
        else:
            process.stdout.close()
            process.stdin.write(f"{EXAMPLE}\n".encode())
            process.stdin.flush()
        assert process.wait(timeout=HANG_SECONDS) == code
        message = process.stderr.read().decode()
        assert "Fatal" not in message
        assert "Traceback" not in message


def test_warnings_are_said_by_every_command() -> None:
    text = "A223/4A2Jr/3A23/Jb3A4 b"
    for command in (["show"], ["show", "--svg"], ["line"], ["solve", "--games"]):
        done = typed.run(*command, text)
        assert done.returncode == 0
        warning = "blue is to move, but with no card collapsed it is red's turn"
        assert done.stderr.decode() == f"collapsi: warning: {warning}\n"


def test_typed_lines_are_answered_one_by_one() -> None:
    with started("solve", "--json", "-") as process:
        for _ in range(3):
            solved_line(process)
            time.sleep(0.05)
        process.stdin.close()
        assert process.wait(timeout=HANG_SECONDS) == 0


def every_command(group: Any, *path: str) -> Iterator[tuple[str, ...]]:
    """The words of every command, such as atlas find."""
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from every_command(command, *path, name)
        else:
            yield *path, name


def test_commands_that_are_registered_later_are_found() -> None:
    """The tests build the commands of an app once (tests/conftest.py), and again when more are registered."""
    app = Typer()
    app.command("one")(lambda: None)
    app.command("two")(lambda: None)
    assert list(every_command(get_command(app))) == [("one",), ("two",)]
    app.command("three")(lambda: None)
    assert list(every_command(get_command(app))) == [("one",), ("two",), ("three",)]


@pytest.mark.parametrize("command", list(every_command(get_command(cli.load()))), ids=" ".join)
def test_help_has_examples(command: tuple[str, ...]) -> None:
    examples = typed.ok(*command, "--help").partition("Examples:")[2]
    assert f"collapsi {' '.join(command)}" in examples


def test_shell_completion() -> None:
    script = subprocess.run(
        [sys.executable, "-m", "collapsi", "--show-completion", "bash"],
        capture_output=True,
        text=True,
        check=False,
        timeout=HANG_SECONDS,
        env={**os.environ, "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"},
    )
    assert script.returncode == 0, script.stderr
    assert "collapsi" in script.stdout.lower()


@pytest.mark.parametrize(
    "arguments",
    [["-c", "import collapsi"], ["-m", "collapsi", "--help"], ["-m", "collapsi", "solve", EXAMPLE]],
)
def test_nothing_heavy_is_loaded(arguments: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", *arguments], capture_output=True, text=True, check=True
    )
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines() if "|" in line}
    assert "collapsi" in loaded
    heavy = "numpy numba llvmlite polars matplotlib fastapi pydantic pyspiel gymnasium"
    assert not {name.split(".")[0] for name in loaded} & set(heavy.split())
    other = r"games\.(shifting|big|solo)\.(state|search|kernel|solver)|facts\.|json_types"
    assert not [name for name in loaded if re.search(other, name)], "only the kind that is played, no types"


def test_only_the_command_that_is_used_is_loaded() -> None:
    script = (
        "import sys; from collapsi.cli import run\n"
        "from collapsi.cli.app import GROUPS, MODULES\n"
        "names = [name for group in GROUPS.values() for name in group]\n"
        "modules = {f'collapsi.cli.{MODULES.get(name, name)}' for name in names}\n"
        "for arguments in (['--help'], ['no-command'], ['bench', '--count', '1']):\n"
        "    run(arguments)\n"
        "    print(sorted(modules & set(sys.modules)), file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=HANG_SECONDS
    )
    loaded = [line for line in done.stderr.splitlines() if line.startswith("[")]
    assert loaded == ["[]", "[]", "['collapsi.cli.bench']"]


# The list of commands


LISTED = {name: (group, summary) for group, names in GROUPS.items() for name, summary in names.items()}


def test_there_are_few_commands() -> None:
    assert len(LISTED) <= 20, "an option of a command is easier to find than one more command"


def test_every_command_begins_its_help_as_the_list_says() -> None:
    group: Any = get_command(cli.load())
    assert list(group.commands) == list(LISTED)
    for name, command in group.commands.items():
        assert command.help.split("\n\n")[0].replace("\n", " ") == LISTED[name][1]
        assert command.rich_help_panel == LISTED[name][0]


@pytest.mark.parametrize(("old", "new"), RENAMED.items())
def test_old_names_lead_to_the_new_ones(old: str, new: str) -> None:
    for arguments in ([old], [old, "--help"], [old, "--deals", "5"]):
        assert typed.refused(*arguments) == f"collapsi: {old} is now `collapsi {new}`\n"
    assert new.split(maxsplit=1)[0] in LISTED


def test_shared_options_are_the_same_everywhere() -> None:
    """The same name, type and help; --out names what is written."""
    found: dict[str, set[tuple[object, ...]]] = {}
    group: Any = get_command(cli.load())
    for path in every_command(group):
        command = group
        for word in path:
            command = command.commands[word]
        for option in command.params:
            for name in {"--json", "--seed", "--jobs", "--out"} & set(option.opts):
                help_text = option.help if name != "--out" else option.help.split()[0]
                found.setdefault(name, set()).add((option.type.name, option.is_flag, help_text))
    assert {name: len(shapes) for name, shapes in found.items()} == dict.fromkeys(found, 1)
    assert set(found) == {"--json", "--seed", "--jobs", "--out"}


def test_a_mistyped_command_is_answered_with_a_similar_one() -> None:
    assert "Did you mean 'solve'" in typed.refused("solv")
