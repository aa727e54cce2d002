"""Reviews of games, scores of matches, deals with a given winner, and the cache folder."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from collapsi import Card, Game, Player, Position, Verdict, analyse, deal, parse_game, parse_position, review
from collapsi.core.errors import MalformedError
from collapsi.core.players import PAIR
from collapsi.games.classic.rules import CLASSIC_RULE_SETS
from collapsi.games.registry import kind_named
from collapsi.games.shifting.rules import SHIFT_BOX
from collapsi.play.dealing import deal_won_by
from collapsi.play.match import Match, format_match, parse_match
from collapsi.solving import reference as definition
from collapsi.system.files import cache_folder
from tests.strategies import deals, played

if TYPE_CHECKING:
    from collapsi.games.classic.rules import Rules

EXAMPLE = "A223/4A2Jr/3A23/Jb3A4 r"
OVER = "..../.2r../..../.3b.. r"


@pytest.fixture(scope="module", autouse=True)
def _solvers() -> None:
    """Hundreds of positions are solved here: with the compiled solvers."""
    for kind in ("classic", "shifting"):
        kind_named(kind).solver.warm_up()


def random_games(count: int) -> list[Game]:
    rng = random.Random(21)
    games: list[Game] = []
    for _ in range(count):
        game = Game.start(deal(rng))
        while game.position.winner is None and (len(games) % 2 or len(game.moves) < 6):
            game = game.play(rng.choice(game.position.moves))
        games.append(game)
    return games


def test_verdicts_follow_from_the_values() -> None:
    """Every verdict worked out again from the winner and the plies before and after the move."""
    seen = set()
    for game in random_games(40):
        looked = review(game)
        assert len(looked.moves) == len(game.moves)
        thrown = [move for move in looked.moves if move.verdict is Verdict.THREW_AWAY]
        assert list(looked.turning_points) == thrown
        for number, move in enumerate(looked.moves, start=1):
            before, after = game.positions[number - 1], game.positions[number]
            was, became = analyse(before), analyse(after)
            mover = before.to_move
            assert (move.number, move.player, move.to) == (number, mover, game.squares[number - 1])
            assert (move.winner, move.plies) == (became.winner, became.plies + 1)
            if len(before.moves) == 1:
                expected = Verdict.ONLY
            elif was.winner is mover is not became.winner:
                expected = Verdict.THREW_AWAY
            elif was.plies == became.plies + 1:
                expected = Verdict.BEST
            else:
                expected = Verdict.SLOWER_WIN if became.winner is mover else Verdict.FASTER_LOSS
            assert move.verdict is expected
            seen.add(expected)
            data = move.to_json()
            lines = (
                ([], []) if expected in (Verdict.ONLY, Verdict.BEST) else (list(became.line), list(was.line))
            )
            assert (data["refutation"], data["better"]) == lines
            assert all(square in str(move) for square in was.best) or expected in (Verdict.ONLY, Verdict.BEST)
    assert seen == set(Verdict)


def test_the_last_chance_is_the_last_position_that_was_won() -> None:
    for game in random_games(40):
        looked = review(game)
        chances = {move.player: move.number for move in looked.moves if move.last_chance}
        loser = looked.analyses[-1].winner.other
        won = [
            number
            for number, one in enumerate(looked.analyses, start=1)
            if one.position.to_move is loser is one.winner
        ]
        assert chances == ({loser: won[-1]} if won else {})


def test_a_game_without_moves_has_nothing_to_judge() -> None:
    looked = review(parse_game(EXAMPLE))
    assert looked.moves == looked.turning_points == ()
    assert len(looked.to_json()["positions"]) == 1


@settings(max_examples=40)
@given(played(fewest=8))
def test_reviewed_values_are_those_of_the_definition(position: Position) -> None:
    (analysis,) = review(Game.start(position)).analyses
    assert analysis.score == definition.score(position)


def test_a_round_is_scored_when_it_is_over() -> None:
    match = Match(9, 4)
    assert match.after(parse_position(EXAMPLE)) == match
    assert match.after(parse_position(OVER)) == Match(9, 6)  # red cannot move: two cards are left
    assert match.after(parse_position(OVER)).next_round() == Match(6, 9)
    assert match.winner is None
    assert Match(16, 4).winner is Player.RED
    assert Match(3, 29).winner is Player.BLUE


@pytest.mark.parametrize("text", ["0-0", "15-15", "30-15", "9-4"])
def test_points_are_read_and_written(text: str) -> None:
    assert format_match(parse_match(text)) == text


@pytest.mark.parametrize(
    "text", ["", "9", "9-", "-1-2", "16-16", "31-0", "9–4", "9-4-2", "\u0661-\u0662", "a-b"]
)
def test_other_points_are_refused(text: str) -> None:
    with pytest.raises(MalformedError, match="is no score of a match to 16"):
        parse_match(text)


@pytest.mark.parametrize("rules", [*CLASSIC_RULE_SETS.values(), SHIFT_BOX], ids=str)
@pytest.mark.parametrize("winner", PAIR, ids=str)
def test_a_deal_to_win(rules: Rules, winner: Player) -> None:
    rng = random.Random(3)
    for _ in range(3):
        dealt = deal_won_by(winner, rng, rules)
        assert dealt.rules == rules
        assert dealt.dealt
        assert analyse(dealt).winner is winner


@settings(max_examples=60)
@given(deals(), st.data())
def test_a_deal_is_one_until_anything_is_changed(dealt: Position, data: st.DataObject) -> None:
    assert dealt.dealt
    red, blue = dealt.pawns
    assert replace(dealt, pawns=(blue, red)).dealt, "either jack may be red's"
    assert not dealt.play(data.draw(st.sampled_from(dealt.moves))).dealt, "somebody has moved"
    assert not replace(dealt, to_move=Player.BLUE).dealt, "red begins"
    cell = data.draw(st.sampled_from([cell for cell in range(16) if cell not in dealt.pawns]))
    assert not replace(dealt, pawns=(red, cell)).dealt, "a pawn starts on its jack"
    for card in (*Card, None):
        cards = (*dealt.cards[:cell], card, *dealt.cards[cell + 1 :])
        assert replace(dealt, cards=cards).dealt == (card == dealt.cards[cell]), "the deck is another"


def test_the_cache_is_the_users(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "collapsi"
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert cache_folder().is_relative_to(Path.home())
