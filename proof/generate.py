"""The Coq files that are generated: the computed parts, the final theorem, and the samples of `proof-quick`.

The numbers come from our census and our solver, and none of them has to be believed: if one is wrong, Coq
refuses the file.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from proof.parts import NAMES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from proof.parts import Part

COMPUTED = """From Coq Require Import List NArith Arith Bool.
From Collapsi Require Import {modules}.
Import ListNotations.
Open Scope N_scope.
"""
"""The head of a generated file."""


@dataclass(frozen=True)
class Claim:
    """A claim of `Rules.v` that is proved by parts."""

    name: str
    """As in `Rules.v`."""
    rules: str
    """The rule set of the census with its numbers."""
    part: str
    """The function of `Census.v`, `Lengths.v` or `Joker.v` that a part evaluates."""
    by_parts: str
    """The theorem of that file that the sum of the parts is enough."""
    theorem: str
    """The name of the result."""
    base: str = "Census"
    """The file with the function and the theorem."""
    corollaries: tuple[tuple[str, str, str], ...] = ()
    """What follows: name, claim, and the general theorem."""

    @property
    def theorems(self) -> list[str]:
        """The names of all results."""
        return [self.theorem, *(name for name, _, _ in self.corollaries)]

    @property
    def final(self) -> str:
        """The module with the result."""
        return self.theorem.title()

    def module(self, part: Part) -> str:
        """The module of a part."""
        return f"{self.final}_{part.name}"


STANDARD = Claim(
    "claim",
    "standard",
    "part_standard",
    "standard_by_parts",
    "collapsi",
    corollaries=(("collapsi_anywhere", "claim_anywhere", "anywhere"),),
)
LENGTHS = Claim(
    "claim_lengths", "standard", "part_lengths", "lengths_by_parts", "collapsi_lengths", base="Lengths"
)
JOKER = Claim("claim_joker", "joker", "part_joker", "joker_by_parts", "collapsi_joker", base="Joker")
CLAIMS = {"standard": STANDARD, "lengths": LENGTHS, "joker": JOKER}
BASE = 1 << 26
"""The counts of all lengths are the digits of one number in this base: `base` in `Lengths.v`."""


def number_of(claim: Claim, part: Part) -> int:
    """Return what the part's function evaluates to."""
    if claim is LENGTHS:
        return sum(count * BASE**digit for digit, count in enumerate(part.by_length[7:]))
    return part.red_wins


def part_file(claim: Claim, part: Part) -> str:
    """Return the file that computes one part."""
    number = number_of(claim, part)
    name = f"{claim.part}_{part.name}"
    return (
        COMPUTED.format(modules=f"Rules Count {claim.base}")
        + f"Lemma {name} : {claim.part} {_arguments(part)} = {number}.\n"
        + f"Proof. vm_cast_no_check (eq_refl {number}). Qed.\n"
    )


def final_file(claim: Claim, parts: Sequence[Part]) -> str:
    """Return the file that puts the parts together: the result."""
    rows = ";\n".join(f"  ({_cards(part)}, {_bag(part)})" for part in parts)
    names = ",\n    ".join(f"{claim.part}_{part.name}" for part in parts)
    general = " ".join(["Rules Count Census Anywhere Lengths", *(["Joker"] if claim is JOKER else [])])
    modules = "\n  ".join([general, *(claim.module(part) for part in parts)])
    deals = 47297250
    return (
        COMPUTED.format(modules=modules)
        + f"Lemma all_deals : tally (fun _ => 1) 15 rest [RedJack] 0 = {deals}.\n"
        + f"Proof. vm_cast_no_check (eq_refl {deals}). Qed.\n"
        + f"Lemma the_prefixes : prefixes 3 [RedJack] rest = [\n{rows}].\n"
        + "Proof. vm_compute. reflexivity. Qed.\n"
        + f"Opaque {claim.part}.\n"
        + f"Theorem {claim.theorem} : {claim.name}.\n"
        + f"Proof.\n  apply {claim.by_parts}; [exact all_deals|].\n"
        + "  rewrite the_prefixes. unfold total. cbn [map sum fst snd].\n"
        + f"  rewrite {names}.\n  reflexivity.\nQed.\n"
        + "".join(
            f"Theorem {name} : {what}.\nProof. exact ({general} {claim.theorem}). Qed.\n"
            for name, what, general in claim.corollaries
        )
    )


def assumptions_file(modules: str, theorems: Iterable[str]) -> str:
    """Return a file that prints what each theorem assumes."""
    return COMPUTED.format(modules=modules) + "".join(
        f"Print Assumptions {theorem}.\n" for theorem in theorems
    )


def _arguments(part: Part) -> str:
    return f"{_cards(part)} {_bag(part)}"


def _cards(part: Part) -> str:
    """The cards so far, last first."""
    return "[" + "; ".join(NAMES[card] for card in (*reversed(part.cards), 0)) + "]"


def _bag(part: Part) -> str:
    return "[" + "; ".join(f"({NAMES[card]}, {count}%nat)" for card, count in part.left.items()) + "]"
