"""Random samples, evaluated by Coq and by our programs: what `proof-quick` compares.

Legal moves are compared with `tests/naive.py`, winners and lengths of deals with `collapsi solve`.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import collapsi
from collapsi.core.players import Player
from proof.build import Module, ProofError, compile_modules
from proof.generate import COMPUTED
from tests import naive

if TYPE_CHECKING:
    from pathlib import Path

    from collapsi import Position

SIZES = {"standard": 300, "joker": 60}
"""Deals of each rule set."""


def check_moves(base: dict[str, Module], out: Path, *, seed: int = 1) -> None:
    """Compare the legal moves in positions of random games."""
    for name in SIZES:
        rng, rules = Random(seed), collapsi.parse_rules(name)
        positions = [position for _ in range(20) for position in random_game(collapsi.deal(rng, rules), rng)]
        module = Module(f"Moves_{name}", moves_file(name, positions), (base["Census"],))
        _compile(module, out, f"legal moves ({name})")
        print(f"{len(positions)} positions ({name}): legal moves as in tests/naive.py", flush=True)


def random_game(deal: Position, rng: Random) -> list[Position]:
    """Return the positions of a game of random moves."""
    positions = [deal]
    while ends := positions[-1].ends:
        positions.append(positions[-1].play(rng.choice(sorted(ends))))
    return positions


def moves_file(rules: str, positions: list[Position]) -> str:
    """Return a file that evaluates the legal moves (`legal_moves_ok` in `Sound.v`) and refuses others.

    A position is given as its deal, the face-up cells, and the cells of the mover and of the other pawn.
    """
    deal = positions[0]
    rows = []
    for position in positions:
        if position.cards_left == 16:
            deal = position
        up = sum(1 << cell for cell, card in enumerate(position.cards) if card is not None)
        mover, other = position.pawns if position.to_move is Player.RED else position.pawns[::-1]
        ends = sorted(4 * row + column for row, column in naive.ends(naive.read(position.text)))
        rows.append(f"  ({deal_text(deal)}, {up}%uint63, {mover}, {other}, [{'; '.join(map(str, ends))}])")
    return (
        COMPUTED.format(modules="Rules Solver Tables Sound Census").replace("Bool.", "Bool Uint63.", 1)
        + f"""Open Scope nat_scope.
Definition positions : list (deal * mask * cell * cell * list cell) := [
{";".join(rows)}].
Definition as_expected (x : deal * mask * cell * cell * list cell) : bool :=
  let '(d, up, m, o, ends) := x in
  if list_eq_dec Nat.eq_dec (legal_moves {rules}_tables d up m o) ends then true else false.
Lemma all_as_expected : forallb as_expected positions = true.
Proof. vm_compute. reflexivity. Qed.
"""
    )


def check_deals(base: dict[str, Module], out: Path, *, seed: int = 1) -> None:
    """Compare winner and length of random deals, the jacks on any cells."""
    for name, size in SIZES.items():
        rng, rules = Random(seed), collapsi.parse_rules(name)
        deals = [collapsi.deal(rng, rules) for _ in range(size)]
        lengths = [analysis.plies for analysis in collapsi.analyse_many(deals)]
        module = Module(f"Sample_{name}", sample_file(name, deals, lengths), (base["Census"],))
        _compile(module, out, f"winner and length ({name})")
        print(f"{size} random deals ({name}): winner and length as by collapsi solve", flush=True)


def _compile(module: Module, out: Path, what: str) -> None:
    try:
        compile_modules([module], out)
    except ProofError as error:
        msg = f"Coq and collapsi differ in {what}: {error}"
        raise ProofError(msg) from None


def sample_file(rules: str, deals: list[Position], lengths: list[int]) -> str:
    """Return a file that solves deals and refuses other lengths than these.

    `solve` with an odd number of plies answers whether red wins within that number, with an even one whether
    blue does not. So perfect play lasts n plies if the answers for n and n - 2 differ in this way.
    """
    rows = []
    for deal, plies in zip(deals, lengths, strict=True):
        red, blue = deal.pawns
        rows.append(f"  ({deal_text(deal)}, {red}, {blue}, {plies})")
    return (
        COMPUTED.format(modules="Rules Tables Sound Solver Census")
        + f"""Definition deals : list (deal * cell * cell * nat) := [
{"; ".join(rows)}]%nat.
Definition as_expected (x : deal * cell * cell * nat) : bool :=
  let '(d, r, b, n) := x in
  let answer n := solve {rules}_tables lists n d r b in
  Bool.eqb (answer 16%nat) (Nat.odd n) && Bool.eqb (answer n) (Nat.odd n) &&
  Bool.eqb (answer (n - 2)%nat) (Nat.even n).
Lemma all_as_expected : forallb as_expected deals = true.
Proof. vm_compute. reflexivity. Qed.
"""
    )


def deal_text(deal: Position) -> str:
    """Return the cards of a deal for Coq, in reading order."""
    jacks = dict(zip(deal.pawns, ("RedJack", "BlueJack"), strict=True))
    names = (jacks.get(cell) or card.name.title() for cell, card in enumerate(deal.cards) if card is not None)
    return f"[{'; '.join(names)}]"
