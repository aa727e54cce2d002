"""Compile Coq files in parallel, and only those that changed.

A module is compiled again if its text or that of a module it needs has changed, apart from comments and
layout. `NAME.key` next to the compiled file has a hash of all that, and the CPU time that was needed.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import tempfile
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

LIBRARY = "Collapsi"
"""The name under which Coq knows the folder."""
SOURCES = Path(__file__).parent


class ProofError(Exception):
    """Coq refuses a file, or a result is not the expected one."""


@dataclass(frozen=True)
class Module:
    """A Coq file and the modules that it needs."""

    name: str
    text: str
    needs: tuple[Module, ...] = ()

    @cached_property
    def key(self) -> str:
        """A hash of all that the compiled file depends on."""
        parts = [self.name, essence(self.text), *(module.key for module in self.needs)]
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()


@dataclass(frozen=True)
class Step:
    """Something that Coq has done: compiled a module, or checked the compiled file again."""

    module: Module
    seconds: float
    """CPU time."""
    output: str
    resumed: bool = False
    """Whether it was done by an earlier run."""


def essence(text: str) -> str:
    """Return a Coq text without comments and layout.

    >>> essence("Lemma a : x. (* one (* two *) *)  Proof.   easy. Qed.")
    'Lemma a : x. Proof. easy. Qed.'
    """
    depth, kept = 0, []
    for piece in re.split(r"(\(\*|\*\))", text):
        if piece == "(*":
            depth += 1
        elif piece == "*)":
            depth -= 1
        elif depth == 0:
            kept.append(piece)
    return " ".join("".join(kept).split())


def source(name: str, *needs: Module, folder: Path = SOURCES) -> Module:
    """Return a module of the folder `proof`."""
    return Module(name, (folder / f"{name}.v").read_text(encoding="utf-8"), needs)


def compile_modules(
    modules: Iterable[Module], out: Path, *, jobs: int = 1, progress: Callable[[Step], None] = lambda _: None
) -> list[Step]:
    """Compile modules and what they need, `jobs` at a time; `progress` is called after each.

    After an error no further module is started; those that run are finished.
    """
    out.mkdir(parents=True, exist_ok=True)
    return run_steps(every(modules), lambda module: _compile(module, out), jobs=jobs, progress=progress)


def check_modules(
    modules: Iterable[Module], out: Path, *, jobs: int = 1, progress: Callable[[Step], None] = lambda _: None
) -> list[Step]:
    """Check each compiled module once more with `coqchk`, what it needs being checked on its own."""
    return run_steps(every(modules), lambda module: _check(module, out), jobs=jobs, progress=progress)


def every(modules: Iterable[Module]) -> list[Module]:
    """Return modules and all that they need, each after what it needs."""
    found: dict[str, Module] = {}

    def visit(module: Module) -> None:
        if module.name not in found:
            for needed in module.needs:
                visit(needed)
            found[module.name] = module

    for module in modules:
        visit(module)
    return list(found.values())


def run_steps(
    modules: list[Module],
    run: Callable[[Module], Step],
    *,
    jobs: int,
    progress: Callable[[Step], None],
) -> list[Step]:
    """Call `run` for each module after those it needs, `jobs` at a time, and return the steps."""
    steps: dict[str, Step] = {}
    waiting = list(modules)
    running: dict[Future[Step], Module] = {}
    with ThreadPoolExecutor(jobs) as pool:
        while waiting or running:
            ready = [module for module in waiting if all(needed.name in steps for needed in module.needs)]
            for module in ready[: jobs - len(running)]:
                waiting.remove(module)
                running[pool.submit(run, module)] = module
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                module = running.pop(future)
                steps[module.name] = step = future.result()
                progress(step)
    return [steps[module.name] for module in modules]


def _compile(module: Module, out: Path) -> Step:
    path = out / f"{module.name}.v"
    if path.with_suffix(".vo").exists() and (found := _known(module, out, "key")):
        return found
    path.write_text(module.text, encoding="utf-8")
    return _done(module, out, "key", ["coqc", "-q", "-Q", ".", LIBRARY, path.name])


def _check(module: Module, out: Path) -> Step:
    if found := _known(module, out, "checked"):
        return found
    command = ["coqchk", "-silent", "-o", "-bytecode-compiler", "yes", "-Q", ".", LIBRARY]
    return _done(module, out, "checked", [*command, "-norec", f"{LIBRARY}.{module.name}"])


def _known(module: Module, out: Path, kind: str) -> Step | None:
    """Return the step of an earlier run, if it was for the same files."""
    try:
        known = json.loads((out / f"{module.name}.{kind}").read_text(encoding="utf-8"))
        if known["key"] == module.key:
            return Step(module, known["seconds"], known["output"], resumed=True)
    except (OSError, ValueError, KeyError, TypeError):
        pass
    return None


def _done(module: Module, out: Path, kind: str, command: list[str]) -> Step:
    """Run a command of Coq in the folder, and remember that it succeeded."""
    done = out / f"{module.name}.{kind}"
    done.unlink(missing_ok=True)
    seconds, output = run_coq(command, out)
    step = Step(module, seconds, output)
    text = json.dumps({"key": module.key, "seconds": round(seconds, 1), "output": output})
    partial = done.with_suffix(f".{kind}-partial")
    partial.write_text(text, encoding="utf-8")
    partial.replace(done)
    return step


def run_coq(command: list[str], folder: Path) -> tuple[float, str]:
    """Run a command of Coq; return its CPU time and output."""
    with tempfile.TemporaryFile("w+", encoding="utf-8") as file:
        process = subprocess.Popen(command, cwd=folder, stdout=file, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        file.seek(0)
        output = file.read()
    if process.returncode != 0:
        msg = f"{' '.join(command)} fails:\n{output.strip()}"
        raise ProofError(msg)
    return usage.ru_utime + usage.ru_stime, output
