"""The shifting board: rules, notation, reasons, drawings and play; its solver: `test_shifting_solver.py`."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING, Any, cast
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from collapsi import (
    CollapsiError,
    Fault,
    Game,
    Player,
    Refusal,
    Verdict,
    analyse,
    format_published,
    parse_game,
    parse_position,
    review,
    status,
)
from collapsi.core.cards import Card
from collapsi.core.patch import Wrap
from collapsi.draw import terminal
from collapsi.draw.svg import SHIFTS, draw_analysis, draw_position
from collapsi.games.classic.position import Position
from collapsi.games.levels import Level
from collapsi.games.shifting.heuristics import Heuristic, ways
from collapsi.games.shifting.rules import SHIFT, SHIFT_ROTATE, ShiftingRules
from collapsi.games.shifting.state import LONGEST_SIDE, Shifting, Way
from collapsi.play import characters
from collapsi.play.characters import within_sight
from collapsi.play.coach import why_best
from collapsi.play.coach.reasons import (
    Calculation,
    EveryMove,
    ForcedLoss,
    ForcedWin,
    MissedWin,
    OnlyMove,
    OthersLose,
    WinsAtOnce,
)
from collapsi.play.levels import liked_moves
from collapsi.play.puzzles import make_puzzles, try_move
from tests.rule_sets import SHIFTING
from tests.shifting_positions import endgame, random_game
from tests.strategies import played, shifting_rules, shifting_set_up
from tests.typed import ok

if TYPE_CHECKING:
    from collapsi.play.coach.reasons import Why

EXAMPLE = "A223/4A2Jr/3A23/Jb3A4 r shift"
ENDGAME = "..../.2r../.Ab../.2.. b shift"


def read(text: str) -> Any:
    """A game of whichever kind."""
    return parse_game(text)


def read_position(text: str, **rules: Any) -> Any:
    return parse_position(text, **rules)


def shifting(text: str) -> Shifting:
    return cast("Shifting", parse_position(text))


def alive(rng: random.Random, rules: ShiftingRules, most_cards: int) -> Shifting:
    """An endgame in which the side to move, whichever it is, can move."""
    while not (position := endgame(rng, rules, most_cards)).moves:
        pass
    return position


# The rules


@pytest.mark.parametrize("face_up", [2, 5])
def test_how_far_apart_cards_may_lie(face_up: int) -> None:
    """So far that the moves that are left cannot leave the largest board."""

    def at(columns: int) -> Shifting:
        places = (*range(15), columns - 1)
        cards = {(0, column): Card.ACE if column < face_up else None for column in places}
        return Shifting.at(cards, ((0, 0), (0, 1)), Player.RED, SHIFT)

    most = LONGEST_SIDE - (face_up - 2)
    assert at(most).board.columns == most
    with pytest.raises(CollapsiError, match=f"1 rows by {most + 1} columns apart"):
        at(most + 1)


def test_a_row_is_pushed_out_and_a_gap_opens_at_its_other_end() -> None:
    position = shifting(EXAMPLE)
    assert position.play("d1r").text == "-A223r/4A2.-/3A23-/Jb3A4- b shift"
    assert position.play("d1l").text == "A223r-/-4A2./-3A23/-Jb3A4 b shift"
    assert position.play("d1u").text == "---3r/A22./4A23/3A24/Jb3A- b shift"
    assert position.play("d1d").text == "A22-/4A23r/3A2./Jb3A3/---4 b shift"
    turning = shifting(EXAMPLE + "-rotate")
    assert turning.play("d1r").text == "3rA22/4A2./3A23/Jb3A4 b shift-rotate"
    assert turning.play("d1u").text == "A22./4A23/3A24/Jb3A3r b shift-rotate"


def test_the_other_pawn_rides_along() -> None:
    position = shifting("A223/4A2Jr/3A23/Jb3A4 r shift").play("a2d")
    assert position.text == "-223/AA2./4rA23/33A4/Jb--- b shift"


def test_collapsed_cards_count_for_where_a_line_ends() -> None:
    """Red on an ace at the right of a row whose other end has collapsed: the way round is blocked."""
    position = shifting(".2.Ar/.Ab../..../.... r shift")
    assert position.moves == ()
    position = shifting("-22Ar/.Ab../..../..../---. r shift")  # a gap is no card: the line ends at the 2
    assert [position.board.square(end) for end in position.ends] == ["b1", "c1"]
    boxed = shifting("-22Ar/.Ab../..../..../---. r shift-box")
    assert [boxed.board.square(end) for end in boxed.ends] == ["c1"]


def test_there_is_no_limit_to_drift() -> None:
    """The same row pushed on and on while others stay: the rectangle grows by a column a ply."""
    game = Game.start(shifting("AAAA/22JrA/3333/Jb224 r shift"))
    rng = random.Random(1)
    widest = 0
    for _ in range(15):
        while game.position.moves:
            right = [move for move in game.position.moves if game.position.way(move) is Way.RIGHT]
            top = [move for move in right if game.position.end(move) < game.position.board.columns]
            game = game.play(rng.choice(top or right))
            widest = max(widest, game.position.board.columns)
            assert read(game.text) == game
        game = Game.start(game.positions[0])
    assert widest >= 7


@given(shifting_set_up(), st.data())
def test_a_gap_is_refused_as_a_gap(position: Shifting, data: st.DataObject) -> None:
    cell = data.draw(st.integers(0, position.board.size - 1))
    refusal = position.refusal(4 * cell)
    assert position.board.is_gap(cell) == (refusal is not None and refusal[0] is Refusal.GAP)
    if position.board.is_gap(cell):
        assert refusal == (Refusal.GAP, f"{position.board.square(cell)} is a gap: there is no card")


@settings(max_examples=40)
@given(played(rules=shifting_rules), st.data())
def test_where_cards_slide_is_where_they_lie(before: Shifting, data: st.DataObject) -> None:
    if before.moves:
        move = data.draw(st.sampled_from(before.moves))
        after = before.play(move)
        places = before.slides(move)
        top, left = (min(place[axis] for place in places.values()) for axis in (0, 1))
        if before.rules.wrap is Wrap.ROTATE:
            top = left = 0
        for cell, (row, column) in places.items():
            lies = after.cards[(row - top) * after.board.columns + column - left]
            assert lies == (None if cell == before.pawns[before.to_move] else before.cards[cell])


def test_ways_have_letters_and_undo_each_other() -> None:
    assert "".join(way.letter for way in Way) == "rldu"
    assert [str(way) for way in Way] == ["right", "left", "down", "up"]
    for way in Way:
        assert way.back.back is way
        assert way.back.is_row == way.is_row


# Notation


BAD = [
    ("A223/4A2Jr/3A23/Jb3A r shift", "row 4 has 3 cards instead of 4"),
    ("A223/4A2Jr/3A23/Jb3A4- r shift", "instead of 5"),
    ("A223-/4A2Jr-/3A23-/Jb3A4- r shift", "the last column has gaps only"),
    ("----/A223/4A2Jr/3A23/Jb3A4 r shift", "the first row has gaps only"),
    ("-A223/-4A2Jr/-3A23/-Jb3A4 r shift-box", "the first column has gaps only"),
    ("A223/4A2Jr/3A23/Jb3A- r shift", "is played with 16 cards, face up or collapsed, not 15"),
    ("A223A/4A2Jr-/3A23-/Jb3A4- r shift", "not 17"),
    ("A22-/4A2Jr/3A23/Jb3A4 r shift-rotate", "'-' in row 1, column 4 is no card"),
    ("A22-/4A2Jr/3A23/Jb3A4 r", "'-' in row 1, column 4 is no card"),
    ("A223/4A2Jr/3A23/Jb3A4/A223 r shift-rotate", "5 rows instead of 4"),
    ("A22-r/4A2J/3A23/Jb3A4 r shift", "stands in a gap at d1"),
    ("A223/4A2J/3A23/Jb3A4 r shift", "no red pawn"),
    ("A223/4A2Jr/3A2.b/J3A4 r shift", "stands on a collapsed card at d3"),
    ("A223/4A2Xr/3A23/Jb3A4 r shift", "write A, 2, 3, 4, J, . for collapsed, or - for a gap"),
    ("A223/4A2Jr/3A23/Jb3A4 x shift", "is no side to move"),
    (f"{EXAMPLE} d1", "move 1, 'd1': d1 is half a move: add the shift, d1r or d1l"),
    (f"{EXAMPLE} d1x", "'d1x' is no move"),
    (f"{EXAMPLE} d9r", "'d9' is no square of this board"),
    (f"{EXAMPLE} d1r d1r", "move 2, 'd1r'"),
    (f"{EXAMPLE} b2u", "b2"),
    (f"{EXAMPLE} chess", "move 1, 'chess': 'chess' is no move"),
    (EXAMPLE.replace("shift", "chess"), "is neither rules (standard, joker, choice"),
    ("/".join(["A" + "-" * 30] * 16) + " r shift", "are too many"),
    ("1223/4121r/3123/1b314/0 shift", ""),
    ("- r shift", ""),
    ("/ r shift", ""),
    ("-/- r shift", ""),
]


@pytest.mark.parametrize(("text", "said"), BAD)
def test_what_cannot_be_read_is_said_in_one_line(text: str, said: str) -> None:
    with pytest.raises(CollapsiError) as caught:
        read(text)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


def test_kinds_are_not_mixed_up() -> None:
    position = shifting(EXAMPLE)
    with pytest.raises(TypeError, match="expected rules"):
        Position(position.cards, position.pawns, Player.RED, cast("Any", SHIFT))
    with pytest.raises(TypeError, match="classic game"):
        format_published(cast("Position", position))
    assert read_position(EXAMPLE.removesuffix(" shift"), rules="shift") == position
    assert position != read_position(f"{EXAMPLE}-box")


def test_why_a_position_cannot_arise() -> None:
    wrong = shifting("AAAA/4A23/3A23/Jr3JbA b shift")
    kinds = {reason.fault for reason in status(cast("Position", wrong))}
    assert {Fault.TOO_MANY, Fault.WRONG_SIDE, Fault.JACKS_IN_LINE} <= kinds
    spread = shifting("2222A223/A-------/Jr-------/Jb-------/33A42--- r shift")
    assert Fault.SPREAD in {reason.fault for reason in spread.faults}
    for game in (random_game(random.Random(seed), rules) for seed in range(20) for rules in SHIFTING):
        assert not any(position.faults for position in game)


# What is said of it


@pytest.mark.parametrize("rules", SHIFTING, ids=str)
def test_reasons_are_true(rules: ShiftingRules) -> None:
    rng = random.Random(7)
    kinds = set()
    for _ in range(20):
        position = alive(rng, rules, 7)
        why = why_best(analyse(position))
        assert why is not None
        check_reason(position, why)
        kinds.add(type(why))
        for move in review(Game.start(position, [rng.choice(position.moves)])).moves:
            if move.verdict is Verdict.THREW_AWAY:
                assert move.why is not None
                check_reason(position, move.why, move.played.move)
                kinds.add(type(move.why))
    assert kinds <= {
        WinsAtOnce,
        ForcedWin,
        MissedWin,
        ForcedLoss,
        EveryMove,
        OthersLose,
        Calculation,
        OnlyMove,
    }


def check_reason(position: Shifting, why: Why, played: int | None = None) -> None:
    """What a reason rests on, held against the rules and the solver."""
    solved = analyse(position)
    by_name = {move.name: move for move in solved.moves}
    assert "\n" not in why.text
    assert len(why.text) < 600
    if isinstance(why, WinsAtOnce | MissedWin):
        assert not position.play(why.move).moves
    elif isinstance(why, ForcedWin):
        assert solved.winner is position.to_move
        assert len(why.line) == why.plies == solved.plies
        assert not Game.start(position, why.line).position.moves
    elif isinstance(why, ForcedLoss):
        assert played is not None
        after = position.play(played)
        assert analyse(after).winner is after.to_move
        assert len(why.line) == why.left == analyse(after).plies
        assert not Game.start(after, why.line).position.moves
    elif isinstance(why, EveryMove):
        assert {move.wins for move in solved.moves} == {why.wins}
        assert why.best == solved.best
    elif isinstance(why, OthersLose):
        assert set(why.winning) == {move.name for move in solved.moves if move.wins}
        assert {answer.move for answer in why.answers} == {
            move.name for move in solved.moves if not move.wins
        }
        for answer in why.answers:
            after = position.play(answer.move).play(answer.answer)
            assert by_name[answer.move].plies == answer.plies
            assert analyse(after).plies == answer.plies - 2


def test_what_is_for_the_classic_game_refuses() -> None:
    from collapsi.census.layers import layers_of
    from collapsi.census.lengths import take_census, take_census_by_search
    from collapsi.play.strategy.ladder import won_deals

    for rules in SHIFTING:
        with pytest.raises(CollapsiError, match="puzzles are not supported for shift"):
            next(make_puzzles(1, rules=cast("Any", rules)))
        if rules is not SHIFT_ROTATE:
            with pytest.raises(CollapsiError, match="for the classic game"):
                take_census(cast("Any", rules))
            with pytest.raises(CollapsiError, match="for the classic game"):
                take_census_by_search(cast("Any", rules))
        with pytest.raises(CollapsiError, match="for the classic game"):
            layers_of(cast("Any", rules))
        with pytest.raises(CollapsiError, match="strategy cards are not supported for shift"):
            won_deals(Player.RED, 1, cast("Any", None), cast("Any", rules))


def test_a_move_is_tried() -> None:
    position = shifting(ENDGAME.replace(" b ", " r "))
    trial = try_move(cast("Any", analyse(position)), "b4r")
    assert trial.right
    assert str(trial) == "b4r wins: blue cannot move"
    assert trial.to_json()["rating"] is None


# Opponents


@pytest.mark.parametrize("rules", SHIFTING, ids=str)
def test_looking_two_plies_ahead_without_solving_sees_the_same(
    monkeypatch: pytest.MonkeyPatch, rules: ShiftingRules
) -> None:
    rng = random.Random(8)
    positions = [alive(rng, rules, 8) for _ in range(25)]
    decided = set()
    for sight in (1, 2):
        solved = [within_sight(position, sight) for position in positions]
        with monkeypatch.context() as patch:
            patch.setattr(characters, "expected_seconds", lambda _: 60.0)
            assert [within_sight(position, sight) for position in positions] == solved
        decided |= {found[1] for found in solved}
    assert decided == {True, False}


def test_who_has_no_card_keeps_ways_open() -> None:
    position = shifting(EXAMPLE)
    for level, wish in ((Level.ROAMER, Heuristic.WAYS), (Level.CARD, Heuristic.MARGIN)):
        liked = liked_moves(position, level)
        worth = {}
        for move in within_sight(position, 2)[0]:
            after = position.play(move)
            own, others = (len(replace_turn(after, player).ends) for player in (Player.RED, Player.BLUE))
            assert (own, others) == (ways(after, Player.RED), ways(after, Player.BLUE))
            worth[move] = own if wish is Heuristic.WAYS else own - others
        assert liked == tuple(move for move in worth if worth[move] == max(worth.values()))


def replace_turn(position: Shifting, player: Player) -> Shifting:
    text = position.text.split()
    return shifting(" ".join([text[0], player.letter, text[2]]))


# Drawings


SVG = "{http://www.w3.org/2000/svg}"


@settings(max_examples=60)
@given(played(rules=shifting_rules), st.data())
def test_gaps_are_gaps_and_arrows_show_the_shift(position: Shifting, data: st.DataObject) -> None:
    if position.moves:
        move = data.draw(st.sampled_from(position.moves))
        picture = ET.fromstring(draw_position(position, move=move))
        dashed = [part for part in picture.iter(f"{SVG}rect") if part.get("stroke-dasharray")]
        collapsed = sum(text == "." for text in map(position.cell_text, range(position.board.size)))
        assert len(dashed) == collapsed
        papers = [part for part in picture.iter(f"{SVG}rect") if part.get("stroke") == "#cfc8b4"]
        assert len(papers) == position.cards_left
        assert int(str(picture.get("width"))) == 2 * 34 + position.board.columns * 86 - 10
        arrows = [part for part in picture.iter(f"{SVG}path") if part.get("fill") == SHIFTS]
        turned = {re.findall(r"rotate\((\d+)\)", str(arrow.get("transform")))[0] for arrow in arrows}
        assert turned == {str((0, 180, 90, 270)[position.way(move)])}
        moved = {
            cell
            for cell, place in position.slides(move).items()
            if place != divmod(cell, position.board.columns)
        }
        assert len(arrows) == len(moved)
        assert draw_position(position, move=position.move_text(move)) == draw_position(position, move=move)


def test_a_card_shows_its_best_shifts() -> None:
    position = shifting("---.---/---2.../.4rA3---/--AAb..-/-32-2-- b shift")
    solved = analyse(position)
    words = [part.text for part in ET.fromstring(draw_analysis(solved)).iter(f"{SVG}text")]
    for cell in position.ends:
        moves = [move for move in solved.moves if move.cell == cell]
        best = [move for move in moves if move.value == moves[0].value]
        assert moves[0].value.replace("-", "−") in words
        if len(best) < 4:
            assert (
                "".join({"r": "▸", "l": "◂", "d": "▾", "u": "▴"}[str(move.shift)] for move in best) in words
            )


@given(shifting_set_up(most_cards=6))
def test_the_terminal_shows_cards_collapsed_ones_and_gaps(position: Shifting) -> None:
    lines = terminal.draw_board(position).plain.splitlines()
    assert len(lines) == 1 + 3 * position.board.rows
    for row in range(position.board.rows):
        middle = lines[2 + 3 * row]
        for column in range(position.board.columns):
            shown = middle[3 + 7 * column : 9 + 7 * column].strip(" │").replace("··", ".")
            assert (shown or "-") == position.cell_text(row * position.board.columns + column)


# The command line


def test_playing_in_the_terminal() -> None:
    late = "---.---/---2.../.4rA3---/--AAb..-/-32-2-- b shift"
    position = shifting(late)
    end = position.board.square(position.ends[0])
    far = position.board.square(next(cell for cell in range(5, 35) if cell not in position.ends))
    words = [far, "moves", end, "help", "x", end, "z9", end, "d", "undo", "hint", "why", "values", "quit"]
    text = ok("play", late, "--red", "you", "--blue", "you", stdin="\n".join(words).encode() + b"\n")
    assert " ".join(map(position.move_text, position.moves)) in text
    assert text.count(f"{end}: now shift its row, r or l, or its column, d or u\n") == 3
    assert text.count(": now shift its row") == 3, "no other card asks for a shift"
    assert text.count(str(position.play(f"{end}d"))) == 1
    assert "your move is a square and a shift of its row (d1r, d1l) or column (d1d, d1u), or: hint" in text
    assert "'z9' is no move" in text
    assert f"best: {' '.join(analyse(position).best)} (" in text
    assert f"why: {why_best(analyse(position))}\n" in text
    assert text.endswith(f"game so far: {late}\n")
    whole = ok("play", late, "--red", "perfect", "--blue", "1", "--seed", "1")
    game = read(re.findall(r"^game: (.*)$", whole, re.MULTILINE)[0])
    assert game.position.result is not None
    red, blue = game.position.result
    assert f"points: red {red}, blue {blue}\n" in whole
