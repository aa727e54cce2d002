"""The public names of the package, what their functions accept, and how they refuse the rest."""

from __future__ import annotations

import inspect
import pkgutil
import random
import re
import types
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import collapsi
from collapsi import STANDARD, CollapsiError, Game, MalformedError, Position, parse_position
from collapsi.ecosystem.arena import make_arena
from collapsi.games.big.notation import parse_big
from collapsi.games.big.rules import BIG
from collapsi.games.solo.notation import parse_solo
from collapsi.games.solo.rules import SOLO
from tests.rule_sets import FOR_TWO
from tests.test_cli import EXAMPLE

BIG_TEXT = "..A.../..3.../..A.../.2rA.../..2b.../...... r big"
SOLO_TEXT = "A2X/3Jr2/A2A"
POSITION = parse_position(EXAMPLE)
GAME = collapsi.parse_game(f"{EXAMPLE} d1 b4")

GOOD: dict[str, dict[str, Any]] = {
    "analyse": {"position": EXAMPLE, "rules": "standard"},
    "analyse_many": {"positions": [EXAMPLE], "rules": "standard", "jobs": 1},
    "board": {"position": EXAMPLE, "values": True, "rules": "standard"},
    "count_games_many": {"positions": ["..../.2r../.Ab../.2.. r"], "rules": "standard", "jobs": 1},
    "deal": {"rng": random.Random(1), "rules": STANDARD},
    "format_game": {"game": GAME},
    "format_games": {"games": [GAME]},
    "format_position": {"position": POSITION},
    "format_published": {"position": POSITION},
    "format_rules": {"rules": STANDARD},
    "iter_analyses": {"positions": [EXAMPLE], "rules": "standard", "jobs": 1, "progress": print},
    "parse_game": {"text": EXAMPLE, "rules": "standard"},
    "parse_games": {"text": EXAMPLE},
    "parse_position": {"text": EXAMPLE, "rules": "standard"},
    "parse_published": {"text": "1223/4121r/3123/1b314/0", "rules": "standard"},
    "parse_rules": {"name": "joker"},
    "read_games": {"path": __file__},
    "review": {"game": GAME},
    "status": {"position": POSITION},
    "symmetries": {"board": STANDARD.board},
    "transform": {"position": POSITION, "symmetry": tuple(range(16))},
    "warm_up": {"rules": "standard"},
    "write_games": {"path": "games.txt", "games": [GAME]},
    "Position": {"cards": POSITION.cards, "pawns": (7, 12), "to_move": POSITION.to_move, "rules": STANDARD},
    "Game.start": {"position": POSITION, "moves": ["d1"]},
    "Game.play": {"move": "a3"},
    "Position.play": {"to": "d1"},
    "Position.path": {"to": "d1"},
    "Position.refusal": {"to": "d1"},
    "make_arena": {"rules": "standard", "deal": EXAMPLE},
}
"""Every public function, and some methods, with arguments that are accepted."""

CALLED: dict[str, Any] = {
    **{name: getattr(collapsi, name) for name in GOOD if hasattr(collapsi, name)},
    "Game.start": Game.start,
    "Game.play": GAME.play,
    "Position.play": POSITION.play,
    "Position.path": POSITION.path,
    "Position.refusal": POSITION.refusal,
    "make_arena": make_arena,
}
WRONG: tuple[Any, ...] = (
    *(None, True, 1, 1.5, 2j, "", "chess", b"A223", [], {}, (), {"a": 1}, [None], [1], object(), object, len),
    *(random, STANDARD, BIG, SOLO, STANDARD.board, POSITION, GAME, parse_big(BIG_TEXT)),
    *(parse_solo(SOLO_TEXT), np.int64(4), np.zeros(3), collapsi.Player.GREEN, Path("/"), {POSITION}),
)
CASES = [(name, argument) for name, arguments in GOOD.items() for argument in arguments]


@pytest.fixture(autouse=True)
def _empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Functions that write a file write it here."""
    monkeypatch.chdir(tmp_path)


def test_every_public_function_is_called_here() -> None:
    public = {name for name in collapsi.__all__ if isinstance(getattr(collapsi, name), types.FunctionType)}
    assert public == {name for name in GOOD if name in collapsi.__all__} - {"Position"}
    for name, arguments in GOOD.items():
        assert set(arguments) == set(inspect.signature(CALLED[name]).parameters) - {"points"}, name
        CALLED[name](**arguments)


@pytest.mark.parametrize(("name", "argument"), CASES)
@pytest.mark.filterwarnings("ignore:In a future version:DeprecationWarning")
def test_a_wrong_type_is_refused_in_one_sentence(name: str, argument: str) -> None:
    """Or it is accepted, or a text or number that means nothing is refused as such."""
    refused = 0
    for wrong in WRONG:
        said, kind = "", None
        try:
            CALLED[name](**{**GOOD[name], argument: wrong})
        except (CollapsiError, TypeError) as error:
            said, kind = str(error), type(error)
        assert "\n" not in said
        if kind is TypeError:
            refused += 1
            assert re.fullmatch(r"expected .+, not .+", said), (wrong, said)
    assert refused > 5, "it accepts anything"


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: CALLED["analyse"](None), "expected a position, a game or a text, not None"),
        (lambda: CALLED["symmetries"](POSITION), r"expected a board, such as position.board, not Position\("),
        (
            lambda: CALLED["deal"](1),
            r"expected a random generator, such as random.Random\(1\), not 1 \(int\)",
        ),
        (
            lambda: CALLED["make_arena"](STANDARD),
            r"expected the name of a rule set.*, not Rules\('standard'\) \(Rules\)",
        ),
        (
            lambda: CALLED["Position.play"](None),
            r"expected a move \(its name, its number or a MoveValue\), not None",
        ),
        (lambda: CALLED["Position.play"](4.0), r"expected a move .*, not 4.0 \(float\)"),
    ],
)
def test_what_is_said_of_a_wrong_type(call: Any, said: str) -> None:
    with pytest.raises(TypeError, match=f"^{said}"):
        call()


@pytest.mark.parametrize("rules", [*FOR_TWO, "big"])
def test_a_move_is_a_name_a_number_or_a_value(rules: str) -> None:
    """On every kind of board, of positions and of games."""
    text = {"big": BIG_TEXT}.get(rules, f"..../.2r../.Ab../.2.. r {rules}")
    analysis = collapsi.analyse(text)
    position, best = analysis.position, analysis.moves[0]
    after = position.play(best.name)
    for move in (best, best.move, np.int64(best.move), np.uint8(best.move)):
        assert position.play(move) == after
        assert position.path(move) == position.path(best.name)
        assert position.refusal(move) is None
        game = Game.start(position).play(move)
        assert (game.position, game.moves) == (after, (best.move,))
        assert type(game.moves[0]) is int
        assert Game.start(position, [move]) == game


def test_a_move_of_the_solo_game_likewise() -> None:
    position = parse_solo(SOLO_TEXT)
    move = position.moves[0]
    assert position.play(np.int64(move)) == position.play(move) == position.play(position.move_text(move))
    with pytest.raises(TypeError, match=r"^expected a move"):
        position.play(None)  # type: ignore[arg-type]


def test_a_game_is_analysed_at_its_last_position() -> None:
    analysis = collapsi.analyse(GAME)
    assert analysis.position == GAME.position
    assert analysis == collapsi.analyse(GAME.position) == collapsi.analyse(GAME.text)
    assert analysis.warnings == ()
    assert collapsi.analyse_many([GAME, GAME.text, GAME.position]) == [analysis] * 3


@pytest.mark.parametrize("text", [BIG_TEXT, f"{BIG_TEXT} c3", "..../.2r../.Ab../.2.. r shift"])
def test_a_text_is_analysed_like_its_state(text: str) -> None:
    state: Any = parse_big(text) if "big" in text else parse_position(text)
    analysis = collapsi.analyse(text)
    assert analysis == collapsi.analyse(state)
    assert analysis.to_json() == collapsi.analyse(state).to_json()
    assert collapsi.analyse_many([text]) == collapsi.analyse_many([state])


def test_rules_are_assumed_where_a_text_does_not_say() -> None:
    unsaid = BIG_TEXT.removesuffix(" big")
    for rules in ("big", BIG):
        assert collapsi.analyse(unsaid, rules=rules) == collapsi.analyse(BIG_TEXT)
        assert collapsi.analyse(f"{EXAMPLE} joker", rules=rules).position.rules is collapsi.JOKER
    assert str(collapsi.analyse(BIG_TEXT, rules="joker").position.rules) == "big"
    assert collapsi.deal(random.Random(1), "joker") == collapsi.deal(random.Random(1), collapsi.JOKER)


def test_every_kind_is_read_by_the_same_functions() -> None:
    assert collapsi.parse_rules("big3").players == 3
    assert collapsi.parse_rules(BIG) is BIG
    assert collapsi.parse_position(BIG_TEXT) == parse_big(BIG_TEXT)
    assert collapsi.deal(random.Random(1), "big").rules is BIG
    assert collapsi.parse_rules("solo") is SOLO
    assert collapsi.analyse(SOLO_TEXT).solutions == collapsi.analyse(parse_solo(SOLO_TEXT)).solutions


def test_a_misspelt_card_is_no_solo_layout() -> None:
    for text in ("A223/4A2Jr/3A23/Jb3X4 r", "A223/4A2Xr/3A23/Jb3A4 r", "AX/XA r"):
        with pytest.raises(MalformedError):
            parse_position(text)


def test_dir_is_the_public_api() -> None:
    assert dir(collapsi) == sorted(collapsi.__all__)
    assert {"Atlas", "analyse", "Position"} <= set(dir(collapsi))
    for name in dir(collapsi):
        assert getattr(collapsi, name) is not None
    assert isinstance(Position, type)
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        collapsi.nothing  # type: ignore[attr-defined]  # noqa: B018


def test_no_public_name_is_also_a_module() -> None:
    """`import collapsi.x as m` would give the function or class instead of the module."""
    modules = {module.name for module in pkgutil.iter_modules(collapsi.__path__)}
    assert not modules & set(collapsi.__all__)
