"""The wheel and the source archive, and the wheel installed with only its required dependencies.

Nothing is fetched. The wheel is built and installed by pip into an empty environment; the libraries that its
metadata ask for, and theirs, are linked from the environment that runs the tests. So whatever plain
`collapsi` does not ask for is missing there.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tarfile
import venv
import zipfile
from email.parser import HeaderParser
from importlib.metadata import distribution, requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.service import HANG_SECONDS
from tests.test_cli import EXAMPLE

ROOT = Path(__file__).parent.parent
HARD = "A223/4A2Jr/3A23/Jb3A4 r joker"
COMPILER = {"numba", "llvmlite"}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the source archive, and the wheel made from it."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True, timeout=HANG_SECONDS)
    return folder


def wheel_in(folder: Path) -> Path:
    (wheel,) = folder.glob("*.whl")
    return wheel


def metadata_of(wheel: Path) -> str:
    with zipfile.ZipFile(wheel) as files:
        (name,) = (name for name in files.namelist() if name.endswith(".dist-info/METADATA"))
        return files.read(name).decode()


def closure(texts: list[str]) -> set[str]:
    """The libraries that requirements ask for without any extra, and what those ask for, by name."""
    found: set[str] = set()
    waiting = [Requirement(text) for text in texts]
    while waiting:
        requirement = waiting.pop()
        wanted = requirement.marker is None or requirement.marker.evaluate({"extra": ""})
        if wanted and requirement.name.lower() not in found:
            found.add(requirement.name.lower())
            waiting += map(Requirement, requires(requirement.name) or [])
    return found


def environment(folder: Path, wheel: Path, *, without: set[str]) -> Path:
    """The program `collapsi` in a new environment that has the wheel and what it asks for, but some."""
    venv.create(folder, with_pip=False)
    (packages,) = folder.glob("[lL]ib/**/site-packages")
    asked_for = HeaderParser().parsestr(metadata_of(wheel)).get_all("Requires-Dist") or []
    for name in closure(asked_for) - without:
        installed = distribution(name)
        for top in {file.parts[0] for file in installed.files or []} - {"..", "__pycache__"}:
            if not (packages / top).exists():
                (packages / top).symlink_to(Path(str(installed.locate_file(top))))
    python = next(folder / name / "python" for name in ("bin", "Scripts") if (folder / name).exists())
    command = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "--no-deps"]
    subprocess.run([*command, "--no-index", str(wheel)], check=True, timeout=HANG_SECONDS)
    return python.with_name("collapsi")


@pytest.fixture(scope="module")
def plain(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program as `pip install collapsi` brings it."""
    return environment(tmp_path_factory.mktemp("plain") / "venv", wheel_in(built), without=set())


@pytest.fixture(scope="module")
def bare(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program where there is no Numba."""
    return environment(tmp_path_factory.mktemp("bare") / "venv", wheel_in(built), without=COMPILER)


def run(program: Path, *arguments: str, stdin: str = "", code: int = 0) -> tuple[str, str]:
    """What a command writes to its two streams, far from the repository."""
    done = subprocess.run(
        [program, *arguments],
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
        cwd=program.parent,
        timeout=HANG_SECONDS,
    )
    assert done.returncode == code, done.stderr
    return done.stdout, done.stderr


def test_the_source_archive_has_what_the_checks_need(built: Path) -> None:
    (archive,) = built.glob("*.tar.gz")
    with tarfile.open(archive) as files:
        names = {name.partition("/")[2] for name in files.getnames()}
    tracked = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout.splitlines()
    hidden = {name for name in tracked if name.startswith(".")} - {".gitignore"}
    assert set(tracked) - hidden - names == set()
    assert not {name for name in names if name.startswith(("build", ".venv", "dist"))}


def test_the_wheel_has_every_file_of_the_package_and_no_other(built: Path) -> None:
    with zipfile.ZipFile(wheel_in(built)) as files:
        names = {name for name in files.namelist() if ".dist-info/" not in name}
    package = ROOT / "src" / "collapsi"
    ours = {
        path.relative_to(package.parent).as_posix()
        for path in package.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert names == ours


def test_nothing_on_a_package_index_is_relative_to_the_repository(built: Path) -> None:
    shown = metadata_of(wheel_in(built)).partition("\n\n")[2]
    assert shown.startswith("# Collapsi, solved\n")
    targets = re.findall(r"\]\(([^)]*)\)|(?:src|href)=\"([^\"]*)\"", shown)
    assert len(targets) >= 3
    assert all("".join(target).startswith("https://") for target in targets)
    assert "<img" not in shown


def test_plain_collapsi(plain: Path) -> None:
    assert run(plain, "deal", "--seed", "7")[0] == "A422/33AA/32JrJb/42A3 r\n"
    assert "red to move" in run(plain, "show", EXAMPLE)[0]
    assert run(plain, "show", EXAMPLE, "--values", "--svg")[0].startswith("<svg")
    assert "red wins in 13 plies" in run(plain, "solve", EXAMPLE)[0]
    assert run(plain, "line", EXAMPLE)[0].endswith("score +3\n")
    assert "red" in run(plain, "play", EXAMPLE, "--level", "card", stdin="a2\nhint\nquit\n")[0]
    assert re.search(r"^compiled", run(plain, "bench", "--count", "20")[0], re.MULTILINE)
    assert len(run(plain, "puzzles", "--count", "2", "--seed", "7")[0].splitlines()) == 2
    assert run(plain, "study", "standard", "--deals", "3")[0].startswith("standard: 3 random deals")
    assert "can be solved in 92 ways" in run(plain, "solve", "A2X/3Jr2/A2A")[0]


@pytest.mark.parametrize(
    ("extra", "arguments"),
    [
        ("atlas", ["atlas", "find"]),
        ("atlas", ["atlas", "sql", "select 1"]),
        ("atlas", ["census", "--out", "atlas"]),
        ("atlas", ["facts", "shift"]),
        ("cluster", ["study", "standard", "--deals", "10", "--workers", "1"]),
        ("cluster", ["study", "standard", "--deals", "10", "--out", "study"]),
        ("report", ["report", "--out", "report"]),
        ("serve", ["serve"]),
    ],
    ids=lambda value: value if isinstance(value, str) else value[0],
)
def test_what_is_missing_is_named_with_the_command_that_installs_it(
    plain: Path, extra: str, arguments: list[str]
) -> None:
    out, err = run(plain, *arguments, code=2)
    assert out == ""
    assert re.fullmatch(
        rf'collapsi: \w+ is not installed: pip install "collapsi\[{extra}\]" brings it\n', err
    )


def test_in_python_too(plain: Path) -> None:
    script = """
import collapsi, importlib
for name in ("census.atlas", "ecosystem.gymnasium", "ecosystem.notebook", "ecosystem.openspiel",
             "ecosystem.pettingzoo"):
    try: importlib.import_module(f"collapsi.{name}")
    except ImportError as error: print(error)
"""
    said = run(plain.with_name("python"), "-c", script)[0].splitlines()
    extras = [re.search(r"\[(\w+)\]", line) for line in said]
    assert [found and found[1] for found in extras] == [
        "atlas",
        "gymnasium",
        "notebook",
        "openspiel",
        "pettingzoo",
    ]


def test_every_extra_that_is_named_exists(built: Path) -> None:
    there = HeaderParser().parsestr(metadata_of(wheel_in(built))).get_all("Provides-Extra") or []
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.py")]
    named = {name for source in sources for name in re.findall(r'\bneeds\("(\w+)"\)', source)}
    assert {"atlas", "report", "serve"} <= named <= set(there)


def test_without_numba_the_interpreted_kernel_answers(plain: Path, bare: Path) -> None:
    single = (
        ["solve", "--json", EXAMPLE],
        ["line", EXAMPLE],
        ["solve", "--games", EXAMPLE],
        ["show", EXAMPLE],
    )
    for arguments in single:
        assert run(bare, *arguments) == run(plain, *arguments)
    hard = ["solve", "--json", *[HARD] * 6]  # a second's work interpreted: compiled where that can be
    answer, warning = run(bare, *hard)
    assert answer == run(plain, *hard)[0]
    assert re.fullmatch(r"collapsi: warning: Numba is not installed, [^\n]*\n", warning)
    big = ["solve", "--rules", "big", "..A.../..3.../..A.../.2rA.../..2b.../...... r"]
    assert run(bare, *big)[0] == run(plain, *big)[0]
    shifted = ["solve", ".Ar2../-.2A./-AA32b/-34.- r shift"]
    assert run(bare, *shifted)[0] == run(plain, *shifted)[0]


def test_without_numba_the_commands_refuse_that_the_manual_names(bare: Path) -> None:
    """Except those that first need another library, which `bare` has not."""
    text = (ROOT / "docs" / "install.md").read_text(encoding="utf-8")
    listed = re.search(r"refuse with an explanation: (.*?)\. So does", text, re.DOTALL)
    assert listed
    working, *refused = sorted(
        re.findall(r"`collapsi ([^`]+)`", listed[1]), key=lambda each: "solo" not in each
    )
    assert "Numba" not in "".join(run(bare, *working.split(), "--deck", "1122334"))
    for command in refused:
        *_, reason = run(bare, *command.split(), code=2)[1].splitlines()  # a warning may come first
        assert re.search(r"Numba is missing|needs Numba|polars is not installed", reason), command


def test_without_numba_bench_counts_the_nodes_of_the_interpreted_kernel(plain: Path, bare: Path) -> None:
    nodes = re.compile(r"^nodes +(\d+)$", re.MULTILINE)
    there, here = (nodes.findall(run(program, "bench", "--count", "20")[0]) for program in (plain, bare))
    assert there == here != []
    assert "Numba is missing" in run(bare, "census", code=2)[1]
    assert "needs Numba, which is missing" in run(bare, "bench", "--rules", "big", code=2)[1]


def test_a_plain_install_takes_at_most_270_megabytes(built: Path) -> None:
    """What is in the wheels; pip's bytecode, a sixth more, is made from it and can be left out."""
    wheel = wheel_in(built)
    with zipfile.ZipFile(wheel) as files:
        size = sum(file.file_size for file in files.infolist())
    for name in closure(HeaderParser().parsestr(metadata_of(wheel)).get_all("Requires-Dist") or []):
        paths = (Path(str(file.locate())) for file in distribution(name).files or [] if file.suffix != ".pyc")
        size += sum(path.stat().st_size for path in paths if path.exists())
    assert size <= 270_000_000
