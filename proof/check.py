"""Check the proof of the census: `make proof` runs this module, `make proof-quick` with `--quick`."""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from collapsi.census.lengths import take_census
from collapsi.games.classic.made_up import classic_rules
from proof import sample
from proof.build import SOURCES, Module, ProofError, check_modules, compile_modules, essence, every, source
from proof.generate import CLAIMS, assumptions_file, final_file, part_file
from proof.parts import take_parts

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from proof.build import Step
    from proof.generate import Claim
    from proof.parts import Part

ADVICE = (
    "Coq is missing, which checks the proof of the census "
    "(on Debian and Ubuntu: sudo apt-get install --no-install-recommends coq, about 1 GB)"
)
MISSING = 2
"""The exit code if Coq is missing."""
ALLOWED = Path(__file__).with_name("assumptions.txt")
"""What the theorems may assume: the primitive integers and arrays of Coq's standard library."""
EVASIONS = (
    r"\b(Admitted|admit|Axioms?|Parameters?|Conjecture|Unset\s+\w+\s+Checking|bypass_check|Declare\s+ML)\b"
)
"""Words that weaken what Coq checks. None may be in our files."""


def base_modules(folder: Path = SOURCES) -> dict[str, Module]:
    """Return the general theorems, by name of the file."""
    rules = source("Rules", folder=folder)
    solver = source("Solver", rules, folder=folder)
    tables = source("Tables", solver, folder=folder)
    sound = source("Sound", tables, folder=folder)
    count = source("Count", rules, folder=folder)
    symmetry = source("Symmetry", sound, count, folder=folder)
    census = source("Census", symmetry, folder=folder)
    anywhere = source("Anywhere", census, folder=folder)
    lengths = source("Lengths", census, folder=folder)
    joker = source("Joker", census, folder=folder)
    files = (rules, solver, tables, sound, count, symmetry, census, anywhere, lengths, joker)
    return {module.name: module for module in files}


def installed() -> bool:
    """Whether Coq is there."""
    return all(map(shutil.which, ("coqc", "coqchk")))


def install() -> bool:
    """Install Coq if the system allows it; return whether it is there now."""
    if not installed() and shutil.which("apt-get") and os.geteuid() == 0:
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        for command in (
            ["apt-get", "update", "-qq"],
            ["apt-get", "install", "-y", "-qq", "--no-install-recommends", "coq"],
        ):
            subprocess.run(
                command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False
            )
    return installed()


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m proof.check", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="general theorems and samples only (a minute)")
    parser.add_argument("--claim", choices=sorted(CLAIMS), default="standard", help="what to prove in full")
    parser.add_argument("--jobs", "-j", type=int, default=os.cpu_count() or 1, help="files at a time")
    parser.add_argument("--out", type=Path, default=Path("build/proof"), help="folder for the compiled files")
    parser.add_argument("--sources", type=Path, default=SOURCES, help="folder of the Coq files")
    parser.add_argument("--no-recheck", action="store_true", help="leave coqchk out")
    parser.add_argument(
        "--install",
        action="store_true",
        help="install Coq if that is allowed; succeed without it if it is not",
    )
    options = parser.parse_args(arguments)
    if not (install() if options.install else installed()):
        sys.stderr.write(f"collapsi: {ADVICE}\n")
        return 0 if options.install else MISSING
    try:
        if options.quick:
            quick(options.sources, options.out, jobs=options.jobs)
        else:
            whole(
                CLAIMS[options.claim],
                options.sources,
                options.out,
                jobs=options.jobs,
                recheck=not options.no_recheck,
            )
    except ProofError as error:
        sys.stderr.write(f"collapsi: {error}\n")
        return 1
    except KeyboardInterrupt:
        sys.stderr.write("collapsi: stopped; the same command continues\n")
        return 130
    return 0


def quick(sources: Path, out: Path, *, jobs: int = 1) -> None:
    """Check the general theorems, their assumptions, and samples of what is computed."""
    base = base_modules(sources)
    refuse_evasions(base.values())
    compare_numbers(base["Rules"].text)
    compile_modules(base.values(), out, jobs=jobs, progress=Progress(len(base)))
    theorems = [
        *(claim.by_parts for claim in CLAIMS.values()),
        "anywhere",
        "legal_moves_ok",
        "solve_winner",
        "solve_within",
    ]
    assumed = Module("Assumed", assumptions_file(" ".join(base), theorems), tuple(base.values()))
    compare_assumptions(compile_modules([assumed], out)[-1].output, theorems)
    print(f"assumptions of {', '.join(theorems)}: primitive integers and arrays only", flush=True)
    sample.check_moves(base, out)
    sample.check_deals(base, out)


def whole(claim: Claim, sources: Path, out: Path, *, jobs: int, recheck: bool) -> None:
    """Prove a claim: the general theorems, every part, and the result; then check the files once more."""
    base = base_modules(sources)
    refuse_evasions(base.values())
    print(f"taking the census of {claim.rules} for the numbers to prove", flush=True)
    parts = take_parts(claim.rules, jobs=jobs)
    computed = [Module(claim.module(part), part_file(claim, part), (base[claim.base],)) for part in parts]
    final = Module(claim.final, final_file(claim, parts), (base["Anywhere"], base["Lengths"], *computed))
    name = f"Assumed_{claim.final}"
    assumed = Module(name, assumptions_file(claim.final, claim.theorems), (final,))
    progress = Progress(len(every([assumed])), parts)
    steps = compile_modules([assumed], out, jobs=jobs, progress=progress)
    compare_assumptions(steps[-1].output, claim.theorems)
    if recheck:
        print("checking the compiled files once more, with coqchk", flush=True)
        steps += check_modules([final], out, jobs=jobs, progress=Progress(len(every([final]))))
    for name, what in [(claim.theorem, claim.name), *(corollary[:2] for corollary in claim.corollaries)]:
        print(f"{name} : {what}")
    print("assumptions: primitive integers and arrays only")
    print(f"CPU time: {sum(step.seconds for step in steps) / 60:.0f} minutes in {len(steps)} steps")


class Progress:
    """Prints one line for each step."""

    def __init__(self, total: int, parts: Sequence[Part] = ()) -> None:
        self.total = total
        self.done = 0
        self.solved = {part.name: part.solved for part in parts}
        self.start = time.monotonic()

    def __call__(self, step: Step) -> None:
        self.done += 1
        solved = next((n for name, n in self.solved.items() if step.module.name.endswith(f"_{name}")), None)
        what = step.module.name if solved is None else f"{step.module.name} ({solved:,} deals)"
        when = "earlier" if step.resumed else f"{time.monotonic() - self.start:,.0f} s"
        print(f"{self.done:4} of {self.total}  {what}: {step.seconds:.1f} s of CPU [{when}]", flush=True)


def refuse_evasions(modules: Iterable[Module]) -> None:
    """Refuse files with words that weaken what Coq checks."""
    for module in modules:
        if found := re.search(EVASIONS, essence(module.text)):
            msg = f"{module.name}.v contains {found[0]!r}: nothing may be left unproved"
            raise ProofError(msg)


def compare_numbers(rules: str) -> None:
    """Compare the numbers of `Rules.v` about the standard rules with the census."""
    by_length = take_census(classic_rules("standard")).lengths
    expected = {
        "claim": [sum(by_length.values()), *_winners(by_length)],
        "claim_anywhere": [16 * number for number in (sum(by_length.values()), *_winners(by_length))],
        "claim_lengths": [by_length.get(plies, 0) for plies in range(15)],
    }
    for name, numbers in expected.items():
        if (found := numbers_of(rules, name)) != numbers:
            msg = f"{name} of Rules.v has the numbers {found}, the census {numbers}"
            raise ProofError(msg)
    print("numbers of Rules.v: as in the census", flush=True)


def numbers_of(rules: str, claim: str) -> list[int]:
    """Return the numbers of a claim in the order of `Rules.v`."""
    text = re.search(rf"Definition {claim} :=(.*?)\.\s*(Definition|$)", essence(rules))
    if not text:
        msg = f"Rules.v has no {claim}"
        raise ProofError(msg)
    found = [int(number) for number in re.findall(r"\b\d+\b", text[1])]
    return found[:-1] if claim == "claim_lengths" else found  # the last number there is that of other lengths


def _winners(by_length: Mapping[int, int]) -> list[int]:
    red = sum(deals for plies, deals in by_length.items() if plies % 2)
    return [red, sum(by_length.values()) - red]


def compare_assumptions(output: str, theorems: Sequence[str]) -> None:
    """Compare what `Print Assumptions` printed with what is allowed."""
    allowed = set(ALLOWED.read_text(encoding="utf-8").split())
    closed = "Closed under the global context"
    found = set(re.findall(r"^\S+", output.replace(closed, ""), re.MULTILINE)) - {"Axioms:"}
    if output.count("Axioms:") + output.count(closed) != len(theorems):
        msg = f"Coq did not print the assumptions of {len(theorems)} theorems:\n{output}"
        raise ProofError(msg)
    if found - allowed:
        msg = f"the proof assumes more than it may: {', '.join(sorted(found - allowed))}"
        raise ProofError(msg)


if __name__ == "__main__":
    sys.exit(main())
