"""The proof in `proof/` and the program: the same rules and numbers, and faults that the check refuses."""

from __future__ import annotations

import re
import shutil
from random import Random
from typing import TYPE_CHECKING

import numpy as np
import pytest

import collapsi
from collapsi.census.different import SYMMETRIES
from proof import check
from proof.build import SOURCES, Module, ProofError, check_modules, compile_modules, essence, run_steps
from proof.build import Step as BuildStep
from proof.generate import CLAIMS, STANDARD, assumptions_file, final_file, part_file
from proof.generate import JOKER as JOKER_CLAIM
from proof.generate import LENGTHS as LENGTHS_CLAIM
from proof.parts import BLUE, NAMES, REST, Part, prefixes, share, take_parts, weigh

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ROOT = SOURCES.parent
RULES = (SOURCES / "Rules.v").read_text(encoding="utf-8")
FILES = sorted(SOURCES.glob("*.v"))
LENGTHS = {7: 525, 8: 9_705, 9: 641_520, 10: 1_248_372, 11: 19_830_630, 12: 7_652_868} | {
    13: 16_279_812,
    14: 1_633_818,
}
"""The table of the paper."""
RED, DEALS, JOKER_RED = 36_752_487, 47_297_250, 17_721_000


needs_coq = pytest.mark.skipif(not check.installed(), reason=check.ADVICE)


# The statement


def test_the_numbers_of_the_statement_are_the_published_ones() -> None:
    assert check.numbers_of(RULES, "claim") == [DEALS, RED, DEALS - RED]
    assert check.numbers_of(RULES, "claim_anywhere") == [16 * DEALS, 16 * RED, 16 * (DEALS - RED)]
    assert check.numbers_of(RULES, "claim_joker") == [JOKER_RED, DEALS - JOKER_RED]
    assert check.numbers_of(RULES, "claim_lengths") == [LENGTHS.get(plies, 0) for plies in range(15)]


@pytest.mark.parametrize("page", ["findings.md", "how-we-know.md"])
def test_the_manual_has_the_same_numbers(page: str) -> None:
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    for number in [DEALS, RED, JOKER_RED]:
        assert f"{number:,}" in text
    if page == "findings.md":
        first = text.split("## The older rules")[0]
        table = dict(re.findall(r"^ +(\d+) +(?:red|blue) +([\d,]+) ", first, re.MULTILINE))
        assert {int(plies): int(deals.replace(",", "")) for plies, deals in table.items()} == LENGTHS


def test_the_statement_is_short() -> None:
    assert len(RULES.splitlines()) <= 80


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_file_says_what_it_is_for(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert re.match(r"\(\*\* \* [A-Z].*\n\n    [A-Z\[]", text)
    assert path.name in (SOURCES / "README.md").read_text(encoding="utf-8")


def test_the_deck_of_the_statement_is_the_decks() -> None:
    deck = re.search(r"Definition deck : list card := \[(.*?)\]", essence(RULES))
    assert deck
    cards = deck[1].split("; ")
    assert {NAMES.index(card): cards.count(card) for card in cards} == {0: 1, **REST}
    rest = re.search(r"Definition rest : bag := \[(.*?)\]", (SOURCES / "Count.v").read_text(encoding="utf-8"))
    assert rest
    assert rest[1] == "; ".join(f"({NAMES[card]}, {count})" for card, count in REST.items())


# The parts


def test_there_is_a_part_for_each_choice_of_three_cards() -> None:
    assert len(set(prefixes())) == len(prefixes()) == 111
    assert all(Part(cards, (), 0).left[card] >= 0 for cards in prefixes() for card in REST)


def test_weights_of_a_deal_and_its_images_add_up_to_the_number_of_images() -> None:
    """`weights` of `Symmetry.v`, by our own symmetries: 24 keep the corner."""
    rng = Random(1)
    deck = [card for card, count in REST.items() for _ in range(count)]
    for _ in range(200):
        deal = [0, *rng.sample(deck, 15)]
        images = []
        for symmetry in SYMMETRIES:
            if symmetry[0] == 0:
                image = np.zeros((1, 16), np.uint8)
                image[0, list(symmetry)] = deal
                images.append(int(weigh(image)[0]))
        assert len(images) == 24
        assert sum(images) == 24
        assert BLUE in deal


def test_an_exchange_of_the_jacks_keeps_the_winner_under_the_joker_rules() -> None:
    """`share_partner` and `red_partner` of `Joker.v`, by our own symmetries and our own solver."""
    rng = Random(2)
    deck = [card for card, count in REST.items() for _ in range(count)]
    deals = [[0, *rng.sample(deck, 15)] for _ in range(100)]
    partners = [partner(deal) for deal in deals]
    assert [partner(deal) for deal in partners] == deals
    for one, other in zip(deals, partners, strict=True):
        shares = [int(share(np.array([deal], np.uint8))[0]) for deal in (one, other)]
        assert sum(shares) == 2
        assert shares[0] in (0, 1, 2)
    texts = [text_of(deal, "joker") for deal in (*deals, *partners)]
    winners = [analysis.winner for analysis in collapsi.analyse_many(texts)]
    assert winners[:100] == winners[100:]
    assert len(set(winners)) == 2


def partner(deal: list[int]) -> list[int]:
    """The deal with the jacks exchanged, moved so that red's jack is on cell 0, blue's where it was."""
    gray = (0, 1, 3, 2)
    row, column = (gray[part] for part in divmod(deal.index(BLUE), 4))
    symmetry = tuple(
        4 * gray.index(gray[cell // 4] ^ row) + gray.index(gray[cell % 4] ^ column) for cell in range(16)
    )
    assert symmetry in SYMMETRIES
    image = [0] * 16
    for cell, card in enumerate(deal):
        image[symmetry[cell]] = {0: BLUE, BLUE: 0}.get(card, card)
    return image


def text_of(cards: list[int], rules: str) -> str:
    """A deal as text, red to move."""
    letters = [("Jr", "Jb", "A", "2", "3", "4")[card] for card in cards]
    rows = "/".join("".join(letters[row : row + 4]) for row in range(0, 16, 4))
    return f"{rows} r" if rules == "standard" else f"{rows} r {rules}"


def test_a_part_and_the_result_as_files() -> None:
    part = Part((2, 1, 5), (0,) * 7 + (3, 4, 5), 12)
    assert (part.name, part.red_wins) == ("Ace_BlueJack_Four", 8)
    text = part_file(STANDARD, part)
    assert "[Four; BlueJack; Ace; RedJack]" in text
    assert "[(BlueJack, 0%nat); (Ace, 3%nat); (Two, 4%nat); (Three, 4%nat); (Four, 1%nat)] = 8." in text
    final = final_file(STANDARD, [part])
    assert "Collapsi_Ace_BlueJack_Four" in final
    assert "Theorem collapsi : claim." in final


@pytest.mark.slow
def test_the_parts_add_up_to_the_published_table() -> None:
    parts = take_parts("standard")
    assert [sum(part.by_length[plies] for part in parts) for plies in range(15)] == [
        LENGTHS.get(plies, 0) for plies in range(15)
    ]
    assert sum(part.red_wins for part in parts) == RED
    assert sum(part.solved for part in parts) == 3_282_300


@pytest.mark.slow
def test_the_parts_of_the_joker_rules_add_up_too() -> None:
    parts = take_parts("joker")
    assert sum(part.red_wins for part in parts) == JOKER_RED
    assert sum(sum(part.by_length) for part in parts) == DEALS
    assert sum(part.solved for part in parts) == 1_867_750


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["standard", "joker"])
def test_a_part_is_the_sum_over_its_deals(rules: str) -> None:
    """A part by brute force: every deal with these cards, weighed and solved one by one."""
    part = min((part for part in take_parts(rules) if part.solved), key=lambda part: part.solved)
    found = [0] * 15
    deals, weights = [], []
    for cards in arrangements([0, *part.cards], part.left):
        array = np.array([cards], np.uint8)
        if weight := int(weigh(array)[0]) * (int(share(array)[0]) if rules == "joker" else 1):
            deals.append(text_of(cards, rules))
            weights.append(weight)
    assert len(deals) == part.solved
    for analysis, weight in zip(collapsi.analyse_many(deals), weights, strict=True):
        found[analysis.plies] += weight
    assert tuple(found) == part.by_length


def arrangements(cards: list[int], left: dict[int, int]) -> Iterator[list[int]]:
    if len(cards) == 16:
        yield cards
    for card, count in left.items():
        if count:
            yield from arrangements([*cards, card], {**left, card: count - 1})


# The commands


def test_without_coq_there_is_one_line_and_a_code_of_its_own(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(shutil, "which", lambda _name: None)
    for arguments in ([], ["--quick"]):
        assert check.main(arguments) == 2
        assert capsys.readouterr().err == f"collapsi: {check.ADVICE}\n"
    assert check.main(["--quick", "--install"]) == 0  # CI goes on without it
    assert capsys.readouterr().err == f"collapsi: {check.ADVICE}\n"


def test_what_is_left_unproved_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for evasion in ("Admitted.", "Axiom a : False.", "Parameter p : nat.", "Unset Guard Checking."):
        with pytest.raises(ProofError, match="nothing may be left unproved"):
            check.refuse_evasions([Module("Census", f"Lemma a : True. {evasion}")])
    check.refuse_evasions([Module("Census", "(* Admitted *) Lemma a : True. easy. Qed.")])
    check.refuse_evasions(check.base_modules().values())
    for path in FILES:
        shutil.copy(path, tmp_path)
    text = (tmp_path / "Census.v").read_text(encoding="utf-8")
    (tmp_path / "Census.v").write_text(text.replace("Qed.", "Admitted.", 1), encoding="utf-8")
    if check.installed():
        assert check.main(["--quick", "--sources", str(tmp_path), "--out", str(tmp_path / "out")]) == 1
        assert "Admitted" in capsys.readouterr().err


def test_another_assumption_is_refused() -> None:
    allowed = "Axioms:\nPrimInt63.sub : int -> int\nUint63.sub_spec\n  : forall x y, x = y\n"
    check.compare_assumptions(allowed, ["one"])
    with pytest.raises(ProofError, match="more than it may: classic"):
        check.compare_assumptions(f"{allowed}classic : forall P, P\n", ["one"])
    with pytest.raises(ProofError, match="assumptions of 2 theorems"):
        check.compare_assumptions(allowed, ["one", "two"])


def test_files_are_compiled_again_only_after_a_change() -> None:
    first = Module("A", "Lemma a : True. easy. Qed.")
    after = Module("B", "Check a.", (first,))
    spaced = Module("A", "(* why *) Lemma a :\n  True. easy. Qed.")
    changed = Module("A", "Lemma a : True. exact I. Qed.")
    assert first.key == spaced.key != changed.key
    assert after.key == Module("B", "Check a.", (spaced,)).key != Module("B", "Check a.", (changed,)).key


def test_modules_wait_for_what_they_need() -> None:
    one = Module("A", "")
    many = [Module(f"B{number}", "", (one,)) for number in range(5)]
    last = Module("C", "", tuple(many))
    seen: list[str] = []
    shown: list[str] = []

    def run(module: Module) -> BuildStep:
        seen.append(module.name)
        return BuildStep(module, 0.0, "")

    steps = run_steps([one, *many, last], run, jobs=3, progress=lambda step: shown.append(step.module.name))
    assert [step.module.name for step in steps] == ["A", "B0", "B1", "B2", "B3", "B4", "C"]
    assert seen[0] == "A"
    assert seen[-1] == "C"
    assert sorted(seen) == sorted(shown)


# With Coq


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the general theorems, compiled."""
    out = tmp_path_factory.mktemp("proof")
    compile_modules(check.base_modules().values(), out)
    return out


@pytest.mark.slow
@needs_coq
def test_the_quick_check_succeeds(compiled: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check.main(["--quick", "--out", str(compiled)]) == 0
    shown = capsys.readouterr().out
    assert "legal moves as in tests/naive.py" in shown
    assert "winner and length as by collapsi solve" in shown


FAULTS = {
    "a wrong number": ("Rules", "36752487", "36752488"),
    "a wrong length": ("Rules", "1633818", "1633817"),
    "another deck": ("Rules", "Three; Four; Four]", "Three; Three; Four]"),
    "a pawn may land on the other": ("Rules", "(mover p) e /\\ e <> other p", "(mover p) e"),
    "a card may be visited twice": ("Rules", "NoDup (a :: via)", "NoDup via"),
    "a jack goes two steps": ("Rules", "standard := [1]", "standard := [2]"),
    "a board that does not wrap": ("Rules", "y = (x + 1) mod 4", "y = x + 1"),
    "no card collapses": ("Rules", "remove Nat.eq_dec (mover p) (face_up p)", "face_up p"),
    "a lemma is admitted": ("Symmetry", "Qed.", "Admitted."),
}


@pytest.mark.slow
@needs_coq
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_makes_the_quick_check_fail(
    fault: str, compiled: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name, right, wrong = FAULTS[fault]
    sources, out = tmp_path / "sources", tmp_path / "out"
    sources.mkdir()
    for path in FILES:
        shutil.copy(path, sources)
    shutil.copytree(compiled, out)
    text = (sources / f"{name}.v").read_text(encoding="utf-8")
    assert right in text
    (sources / f"{name}.v").write_text(text.replace(right, wrong, 1), encoding="utf-8")
    assert check.main(["--quick", "--sources", str(sources), "--out", str(out)]) == 1
    assert capsys.readouterr().err.startswith("collapsi: ")


@pytest.mark.slow
@needs_coq
def test_coq_itself_refuses_a_wrong_number(compiled: Path) -> None:
    """Without our own comparison of numbers: the claim no longer follows, and a part is not what it is."""
    base = check.base_modules()
    for text in (
        "Lemma wrong : prefixes 3 [RedJack] rest = []. Proof. vm_compute. reflexivity. Qed.",
        "Lemma wrong (H : claim) : size is_corner_deal 47297251. Proof. exact (proj1 H). Qed.",
    ):
        head = "From Coq Require Import List NArith. From Collapsi Require Import Rules Count Census.\n"
        module = Module(
            "Wrong", f"{head}Import ListNotations. Open Scope N_scope.\n{text}", (base["Census"],)
        )
        with pytest.raises(ProofError, match=r"Wrong\.v fails"):
            compile_modules([module], compiled)


@pytest.mark.slow
@needs_coq
def test_an_admitted_lemma_is_among_the_assumptions(compiled: Path) -> None:
    base = check.base_modules()
    text = base["Census"].text.replace("Proof.", "Admitted. Lemma unused : True. Proof. easy. Qed. (*", 1)
    start = text.index("(*", text.index("Lemma unused"))
    text = text[: start + 2] + text[start + 2 :].replace("Qed.", "*)", 1)
    census = Module("Census", text, base["Census"].needs)
    theorems = [STANDARD.by_parts]
    printing = Module("Assumed", assumptions_file("Census", theorems), (census,))
    output = compile_modules([printing], compiled)[-1].output
    with pytest.raises(ProofError, match=r"more than it may: .*tally_prefixes"):
        check.compare_assumptions(output, theorems)
    compile_modules(base.values(), compiled)  # as it was, for the other tests


@pytest.mark.slow
@needs_coq
def test_nothing_but_the_sums_remains_to_be_computed(compiled: Path) -> None:
    """With the sums assumed, the results follow, and assume nothing else: so the numbers of the parts fit."""
    base = check.base_modules()
    for claim in (STANDARD, LENGTHS_CLAIM, JOKER_CLAIM):
        parts = take_parts(claim.rules)
        texts = [part_file(claim, part) for part in parts]
        head = texts[0].split("Lemma")[0]
        lemmas = [text[len(head) :].split("Proof.")[0] + "Admitted.\n" for text in texts]
        sums = Module("Sums", head + "".join(lemmas), (base[claim.base],))
        text = re.sub(r"(\n  Collapsi\w*)+", " Sums", final_file(claim, parts), count=1)
        text = re.sub(r"Proof\. vm_cast_no_check .*? Qed\.", "Admitted.", text, count=1)
        final = Module("Final", text, (base["Anywhere"], base["Lengths"], base[claim.base], sums))
        printing = Module("Assumed", assumptions_file("Final", claim.theorems), (final,))
        output = compile_modules([printing], compiled)[-1].output
        names = {f"Sums.{claim.part}_{part.name}" for part in parts} | {"all_deals"}
        found = set(re.findall(r"^\S+", output, re.MULTILINE)) - {"Axioms:"}
        assert {name for name in found if not name.startswith(("Uint63.", "PrimInt63.", "PArray."))} == names


def test_every_claim_by_parts_is_in_the_statement() -> None:
    for claim in CLAIMS.values():
        assert check.numbers_of(RULES, claim.name)


@needs_coq
def test_compiled_files_are_checked_again_several_at_a_time(tmp_path: Path) -> None:
    modules = [Module(name, f"Definition {name.lower()} := 0.") for name in ("One", "Two", "Three", "Four")]
    compile_modules(modules, tmp_path, jobs=4)
    assert not any(step.resumed for step in check_modules(modules, tmp_path, jobs=4))
    assert all(step.resumed for step in check_modules(modules, tmp_path, jobs=4))
