"""States of every kind beside their naive twins, which are written from the rule sheets alone."""

from __future__ import annotations

from typing import Any

from tests import naive, naive_big, naive_shift, naive_solo


def square(place: tuple[int, int]) -> str:
    """A place in notation."""
    return "abcdefgh"[place[1]] + str(place[0] + 1)


def twin_of(state: Any) -> Any:
    """The twin of a state; equal twins are the same position."""
    match state.rules.kind:
        case "classic":
            return naive.read(state.text)
        case "shifting":
            return naive_shift.write(naive_shift.read(state.text))
        case "solo":
            return naive_solo.read(state.text)
        case "big":
            columns = state.board.columns
            face_up = [(cell, card) for cell, card in enumerate(state.cards) if card is not None]
            cards = {divmod(cell, columns): card.letter for cell, card in face_up}
            pawns = {player.letter: divmod(state.pawns[player], columns) for player in state.left}
            out = [player.letter for player in state.out]
            return naive_big.Round(state.rules.name, cards, pawns, state.to_move.letter, out)
    raise AssertionError(state.rules.kind)


def twins_after(state: Any) -> dict[str, Any]:
    """By the name of every legal move the twin after it."""
    match state.rules.kind:
        case "classic":
            classic = naive.read(state.text)
            return {square(end): naive.play(classic, end) for end in naive.ends(classic)}
        case "shifting":
            there = naive_shift.read(state.text)
            return {
                naive_shift.move_name(there, move): naive_shift.write(naive_shift.play(there, move))
                for move in naive_shift.moves(there)
            }
        case "solo":
            solo = naive_solo.read(state.text)
            return {square(end): naive_solo.play(solo, end) for end in naive_solo.ends(solo)}
        case "big":
            found = {}
            twin = twin_of(state)
            for end in twin.ends(twin.to_move) if twin.points() is None else ():
                after = twin_of(state)
                after.play(end)
                found[square(end)] = after
            return found
    raise AssertionError(state.rules.kind)
