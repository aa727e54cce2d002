"""Mutation testing by hand: do the quick tests notice one changed token in the source?

    make coverage
    python benchmarks/mutants.py --count 100 --seed 1

Each mutant is one token of `src/` changed (`<` to `<=`, `and` to `or`, 3 to 4, …) in a copy of the
repository. The tests that execute its line run there, quickest first, until one fails; `make coverage`
records which tests these are, and how long they take. Prints a line for each mutant, and the survivors at
the end: each is a missing test or a change without an effect.
"""

from __future__ import annotations

import argparse
import ast
import io
import keyword
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tokenize
from collections import defaultdict
from itertools import islice, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from xml.etree import ElementTree as ET

from coverage import CoverageData

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parent.parent
DATA, TIMES = ROOT / "build" / "coverage" / "data", ROOT / "build" / "coverage" / "tests.xml"
PAIRS = (
    "<:<= <=:< >:>= >=:> ==:!= !=:== +:- -:+ *:// //:* /:* %:+ **:* <<:>> >>:<< &:| |:& ^:| "
    "+=:-= -=:+= *=:+= |=:&= &=:|= and:or or:and not: True:False False:True break:continue continue:break "
    "min:max max:min any:all all:any"
)
SWAPS = {"is": "is not", "in": "not in", **dict(pair.split(":") for pair in PAIRS.split())}
KERNELS = {
    "kernel",
    "tree",
    "judge",
    "lookahead",
    "pawns",
    "survey",
    "sweep",
    "tally",
    "counting",
    "compiled",
    "patch",
}
"""Modules that are compiled: for a mutant of these all machine code is made again."""
LARGEST = 1000
"""Numbers above are limits and sizes, where one more makes no difference to see."""
SLOWEST, HANG_SECONDS, MEMORY = 20.0, 300, 16 << 30


class Mutant(NamedTuple):
    """One changed token."""

    path: Path
    """Within the repository."""
    line: int
    start: int
    end: int
    old: str
    new: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.start + 1}: {self.old or 'nothing'} -> {self.new or 'nothing'}"

    def apply(self, text: str) -> str:
        """The source with the change."""
        lines = text.splitlines(keepends=True)
        row = lines[self.line - 1]
        lines[self.line - 1] = row[: self.start] + self.new + row[self.end :]
        return "".join(lines)


def mutants(path: Path) -> Iterator[Mutant]:
    """All tokens of a file that can be changed, some of them without a meaning."""
    text = (ROOT / path).read_text(encoding="utf-8")
    rows = text.splitlines()
    skipped = set(unexecuted(ast.parse(text)))
    for token, after in pairwise(tokenize.generate_tokens(io.StringIO(text).readline)):
        (line, start), (_, end) = token.start, token.end
        new = replacement(token)
        if line in skipped or new is None:
            continue
        if token.string in ("is", "not") and after.string in ("not", "in"):  # two words, one operator
            if after.start[0] != line:
                continue
            end, new = after.end[1], "is" if token.string == "is" else "in"
        yield Mutant(path, line, start, end, rows[line - 1][start:end], new)


def matters(mutant: Mutant) -> bool:
    """Whether the source with the change compiles, to something else than before."""
    text = (ROOT / mutant.path).read_text(encoding="utf-8")
    try:
        changed = ast.parse(mutant.apply(text))
    except SyntaxError:
        return False
    return ast.dump(changed) != ast.dump(ast.parse(text))


def replacement(token: tokenize.TokenInfo) -> str | None:
    """What to write in place of a token; None if it is left alone."""
    if token.type == tokenize.NUMBER and token.string.isdigit() and int(token.string) <= LARGEST:
        return str(int(token.string) + 1)
    if token.type == tokenize.OP or keyword.iskeyword(token.string) or token.type == tokenize.NAME:
        return SWAPS.get(token.string)
    return None


def unexecuted(tree: ast.AST) -> Iterator[int]:
    """The lines of imports, annotations, assertions and of what is there for the type checker alone."""
    for node in ast.walk(tree):
        types_only = isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        if types_only or isinstance(node, ast.Import | ast.ImportFrom | ast.Assert):
            yield from span(node)
        if isinstance(node, ast.AnnAssign):
            yield from span(node.annotation)
        if isinstance(node, ast.ClassDef):  # fields of types
            for each in node.body:
                if isinstance(each, ast.AnnAssign) and each.value is None:
                    yield from span(each)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            if node.returns:
                yield from span(node.returns)
            for argument in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs):
                if argument.annotation:
                    yield from span(argument.annotation)
            if any(ast.unparse(each) == "overload" for each in node.decorator_list):
                yield from span(node)


def span(node: ast.AST) -> range:
    """The lines of a node."""
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)  # type: ignore[attr-defined]


def importers(path: Path) -> Iterator[Path]:
    """The modules that import a module of `src/`, by its name or names from it."""
    *package, name = path.relative_to("src").with_suffix("").parts
    for other in sorted((ROOT / "src").rglob("*.py")):
        for node in ast.walk(ast.parse(other.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (
                node.module == ".".join((*package, name))
                or (node.module == ".".join(package) and name in [each.name for each in node.names])
            ):
                yield other.relative_to(ROOT)
                break


class Tests:
    """Which tests execute which lines, and how long each takes."""

    def __init__(self) -> None:
        if not DATA.exists() or not TIMES.exists():
            sys.exit("run `make coverage` first")
        self.data = CoverageData(str(DATA))
        self.data.read()
        self.seconds: dict[str, float] = {}
        for case in ET.parse(TIMES).iter("testcase"):
            if case.find("failure") is None and case.find("error") is None and case.find("skipped") is None:
                name = f"{case.get('classname', '').replace('.', '/')}.py::{case.get('name')}"
                self.seconds[name] = float(case.get("time", 0))

    def of(self, mutant: Mutant, budget: float) -> list[str]:
        """Tests that execute the mutant's line, quickest first, as many as the budget of seconds allows."""
        contexts = self.data.contexts_by_lineno(str(ROOT / mutant.path))
        names = {context.rpartition("|")[0] for context in contexts.get(mutant.line, [])} - {""}
        names &= self.seconds.keys()
        if mutant.path.stem in KERNELS:  # coverage does not see compiled code: tests of what calls it
            for path in importers(mutant.path):
                names |= self._executing(path)
        if not names:  # executed when the module is imported, or in another process
            names = self._importing(mutant)
        chosen, spent = [], 0.0
        for name in sorted(names, key=lambda name: (self.seconds[name], name)):
            spent += self.seconds[name] + 0.02
            if spent > budget or self.seconds[name] > SLOWEST:
                break
            chosen.append(name)
        return chosen

    def _executing(self, path: Path) -> set[str]:
        """Tests that execute any line of a module."""
        contexts = self.data.contexts_by_lineno(str(ROOT / path))
        return {name.rpartition("|")[0] for each in contexts.values() for name in each} & self.seconds.keys()

    def _importing(self, mutant: Mutant) -> set[str]:
        """Tests that execute any line of the module; all that name it, if there are none."""
        if names := self._executing(mutant.path):
            return names
        module = mutant.path.stem
        files = [path for path in (ROOT / "tests").rglob("test_*.py") if module in path.read_text("utf-8")]
        prefixes = tuple(f"{path.relative_to(ROOT)}::" for path in files)
        return {name for name in self.seconds if name.startswith(prefixes)}


class Copy:
    """A copy of the repository to put mutants into."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        listed = subprocess.run(
            ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        )
        for name in listed.stdout.splitlines():
            if (ROOT / name).is_file():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, folder / name)
        self.jit = Path("src/collapsi/solving/jit.py")
        self._stamp("unchanged")

    def _stamp(self, stamp: str) -> None:
        """Keep machine code as long as the stamp is the same: a mutant elsewhere does not change kernels."""
        text = (ROOT / self.jit).read_text(encoding="utf-8")
        (self.folder / self.jit).write_text(f"{text}\n\nstamp = lambda: b{stamp!r}\n", encoding="utf-8")

    def put(self, mutant: Mutant) -> None:
        """Write a mutant."""
        if mutant.path == self.jit:
            shutil.copy2(ROOT / self.jit, self.folder / self.jit)
        elif mutant.path.stem in KERNELS:
            self._stamp(str(mutant))
        text = mutant.apply((ROOT / mutant.path).read_text(encoding="utf-8"))
        (self.folder / mutant.path).write_text(text, encoding="utf-8")

    def restore(self, mutant: Mutant) -> None:
        """Write the source as it was."""
        shutil.copy2(ROOT / mutant.path, self.folder / mutant.path)
        self._stamp("unchanged")

    def failing(self, tests: list[str]) -> str | None:
        """The first test that fails, or what else went wrong; None if all pass."""
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-x",
            "-q",
            "--no-header",
            "--tb=no",
            "-p",
            "no:cacheprovider",
        ]
        environment = {
            **os.environ,
            "PYTHONPATH": str(self.folder / "src"),
            "PYTHONDONTWRITEBYTECODE": "1",
            "HYPOTHESIS_STORAGE_DIRECTORY": str(self.folder / ".hypothesis"),
        }
        with (
            tempfile.TemporaryFile("w+") as out,
            subprocess.Popen(
                [*command, "-m", "slow or not slow", *tests],
                cwd=self.folder,
                env=environment,
                stdout=out,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=limit_memory,  # noqa: PLW1509 - nothing here has threads
            ) as process,
        ):
            try:
                code = process.wait(HANG_SECONDS)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                return "no end"
            out.seek(0)
            lines = out.read().splitlines()
        if code == 0:
            return None
        failed = [line.split(" ", 1)[1] for line in lines if line.startswith(("FAILED ", "ERROR "))]
        return failed[0].partition(" - ")[0] if failed else f"exit code {code}"


def limit_memory() -> None:
    """Stop a mutant that takes all memory."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def main() -> None:
    """Try mutants and say which survive."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--budget", type=float, default=60, help="seconds of tests for each mutant")
    parser.add_argument("--only", default="", help="mutants in files whose path contains this")
    options = parser.parse_args()
    paths = sorted(path.relative_to(ROOT) for path in (ROOT / "src").rglob("*.py"))
    sites = [mutant for path in paths if options.only in str(path) for mutant in mutants(path)]
    random.Random(options.seed).shuffle(sites)
    chosen = list(islice(filter(matters, sites), options.count))
    tests = Tests()
    survivors: dict[str, list[Mutant]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        copy = Copy(Path(folder))
        flawed: set[str] = set()
        for number, mutant in enumerate(chosen, start=1):
            began = time.monotonic()
            names = [name for name in tests.of(mutant, options.budget) if name not in flawed]
            copy.put(mutant)
            found = copy.failing(names) if names else None
            copy.restore(mutant)
            while found in names and copy.failing([found]) is not None:  # it fails without the mutant too
                flawed.add(found)
                names.remove(found)
                copy.put(mutant)
                found = copy.failing(names)
                copy.restore(mutant)
            said = f"caught by {found}" if found else f"SURVIVED {len(names)} tests"
            print(f"{number:3} {time.monotonic() - began:5.0f} s  {mutant}: {said}", flush=True)
            if not found:
                survivors[str(mutant.path)].append(mutant)
    lost = sum(map(len, survivors.values()))
    print(f"\n{len(chosen) - lost} of {len(chosen)} mutants caught (seed {options.seed}); survivors:")
    for path, each in sorted(survivors.items()):
        lines = (ROOT / path).read_text(encoding="utf-8").splitlines()
        for mutant in each:
            print(f"{mutant}\n    {lines[mutant.line - 1].strip()}")


if __name__ == "__main__":
    main()
