"""Why a player cannot move: the longest walk after each first step, against all walks of the board."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest

from collapsi import Game, deal, parse_game, parse_position
from collapsi.api.views import stuck_json
from collapsi.games.registry import kind_of, rule_sets
from collapsi.games.solo.rules import Exit
from tests.toy_kind import STRAIGHT, Straight

if TYPE_CHECKING:
    from collapsi.core.stuck import Stuck


def play_out(seed: int, rules: Any) -> Game[Any]:
    """A game of random moves to its end."""
    rng = random.Random(seed)
    game = Game.start(deal(rng, rules))
    while game.position.moves:
        game = game.play(rng.choice(game.position.moves))
    return game


def check(stuck: Stuck, state: Any, passable: set[int], barred: set[int]) -> None:
    """Compare with every walk of the empty board that goes over face-up cards only."""
    by_first: dict[int, list[tuple[int, ...]]] = {}
    for steps in range(1, max(stuck.steps) + 1):
        for walk in state.board.paths(stuck.cell, steps):
            if passable.issuperset(walk[1:]):
                by_first.setdefault(walk[1], []).append(walk)
                assert steps not in stuck.steps or walk[-1] in barred, "this would be a move"
    assert {walk[1] for walk in stuck.walks} == set(by_first)
    for walk in stuck.walks:
        others = by_first[walk[1]]
        assert walk in others
        assert len(walk) == max(map(len, others))
        alike = [other for other in others if len(other) == len(walk)]
        assert state.board.turns(walk) == min(map(state.board.turns, alike))


@pytest.mark.parametrize("name", list(rule_sets()))
def test_every_loser_is_told_where_each_first_step_ends(name: str) -> None:
    rules: Any = rule_sets()[name]
    walks = 0
    for seed in range(12):
        game = play_out(seed, rules)
        before, after = game.positions[-2:]
        found = kind_of(after).find_stuck(before, after)
        if getattr(after, "solved", False):
            assert not found
            continue
        shown = stuck_json(game, len(game.moves))["stuck"]
        face_up = {cell for cell, card in enumerate(after.cards) if card is not None}
        left = [cell for cell in after.pawns if cell >= 0]
        assert found
        for number, stuck in enumerate(found):
            out_later = [other.cell for other in found[number + 1 :]]
            barred = {*left, *out_later} - {stuck.cell}
            passable = face_up
            if rules.kind == "solo":
                barred = {after.exit}
                passable = face_up - ({after.exit} if rules.exit is Exit.CLOSED else set())
            check(stuck, after, passable, barred)
            walks += len(stuck.walks)
            assert shown[number]["square"] == after.board.square(stuck.cell)
            ends = [end["square"] for end in shown[number]["dead_ends"]]
            assert ends == [after.board.square(walk[-1]) for walk in stuck.walks or [(stuck.cell,)]]
    assert walks, "some of these losers have a first step"


def test_who_can_move_is_not_stuck() -> None:
    for name, rules in rule_sets().items():
        dealt = deal(random.Random(1), rules)
        assert not kind_of(dealt).find_stuck(None, dealt), name
        assert stuck_json(Game.start(dealt), 0) == {}


def test_the_words() -> None:
    def words(text: str) -> list[str]:
        (shown,) = stuck_json(parse_game(text), len(parse_game(text).moves))["stuck"]
        return [shown["text"], *(f"{end['square']}: {end['text']}" for end in shown["dead_ends"])]

    assert words("..../.2r../..../.3b.. r") == [
        "no card next to red can be entered",
        "b2: red has no first step",
    ]
    assert words("..../.2r../.Ab../.2.. r b4") == [
        "blue needs 1 step: the only way ends at a ✕",
        "b4: blue may not end here",
    ]
    assert words("..../A3r2./..../.3b.. r") == [
        "red needs 3 steps: every way ends at a ✕",
        "c2: red's way ends here after 1 of 3 steps",
        "a2: red's way ends here after 1 of 3 steps",
    ]
    assert words("..../.JrAb./..../.... r joker") == [
        "red needs 1, 2, 3 or 4 steps: the only way ends at a ✕",
        "c2: red may not end here",
    ]


def test_a_kind_with_other_walks_is_not_explained_wrongly() -> None:
    """The toy kind cannot turn; a walk with a turn would be a move elsewhere, so nothing is claimed."""
    rows = "2rA../.A../...Ab"
    text = f"{rows} r straight"
    cards = parse_position("2rA../.A../...Ab/.... r").cards[: STRAIGHT.board.size]
    state = Straight(cards, (0, 11))
    assert state.text == text
    assert not state.moves
    assert state.stuck is None
