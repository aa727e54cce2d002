"""The shifting board from its rules to what people see of it; `test_shifting_solver` has its solver."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
from itertools import pairwise
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
    deal,
    format_game,
    format_position,
    format_published,
    parse_game,
    parse_position,
    review,
    status,
)
from collapsi.core.errors import IllegalMoveError, MalformedError
from collapsi.core.patch import Wrap
from collapsi.draw import terminal
from collapsi.draw.svg import SHIFTS, draw_analysis, draw_position
from collapsi.games.classic.position import Position
from collapsi.games.levels import Level
from collapsi.games.shifting.heuristics import Heuristic, ways
from collapsi.games.shifting.rules import SHIFT, SHIFT_BOX, SHIFT_ROTATE, ShiftingRules
from collapsi.games.shifting.state import Shifting, Way
from collapsi.play import characters
from collapsi.play.analysis import expected_seconds
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
from collapsi.play.draft import Draft, format_draft, parse_draft, what_can_be_laid
from collapsi.play.levels import choose_move, liked_moves
from collapsi.play.match import Match
from collapsi.play.puzzles import make_puzzles, try_move
from tests import naive_shift
from tests.rule_sets import FOR_TWO, SHIFTING
from tests.shifting_positions import endgame, random_game
from tests.shifting_strategies import shift_deals, shift_games, shift_set_up
from tests.typed import ok, refused, run

if TYPE_CHECKING:
    from collapsi.core.state import Duel
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


@given(shift_deals())
def test_jacks_never_share_a_line_and_the_cards_are_the_deck(position: Shifting) -> None:
    (red_row, red), (blue_row, blue) = (divmod(cell, 4) for cell in position.pawns)
    assert red_row != blue_row
    assert red != blue
    assert position.dealt
    assert not position.faults
    assert (position.board.rows, position.board.columns) == (4, 4)


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


@settings(max_examples=60)
@given(shift_games())
def test_play_is_the_rule_sheets(game: Game[Shifting]) -> None:
    there = naive_shift.read(game.positions[0].text)
    for position, name in zip(game.positions, [*game.squares, ""], strict=True):
        assert naive_shift.write(there) == position.text
        moves = {naive_shift.move_name(there, move): move for move in naive_shift.moves(there)}
        assert set(moves) == set(map(position.move_text, position.moves))
        if name:
            there = naive_shift.play(there, moves[name])


@settings(max_examples=40)
@given(shift_set_up())
def test_every_square_has_a_reason_or_four_moves(position: Shifting) -> None:
    for cell in range(position.board.size):
        refusals = {position.refusal(4 * cell + way) for way in Way}
        assert len(refusals) == 1
        refusal = refusals.pop()
        assert (refusal is None) == (4 * cell in position.moves)
        if refusal is None:
            path = position.path(4 * cell)
            assert path[-1] == cell
            assert len(path) == position.steps[0] + 1
            assert all(there in position.board.neighbours(here) for here, there in pairwise(path))
        elif position.board.is_gap(cell):
            assert refusal == (Refusal.GAP, f"{position.board.square(cell)} is a gap: there is no card")
        else:
            assert refusal[0] is not Refusal.GAP
            assert "\n" not in refusal[1]


@settings(max_examples=40)
@given(shift_games())
def test_where_cards_slide_is_where_they_lie(game: Game[Shifting]) -> None:
    for before, move, after in zip(game.positions, game.moves, game.positions[1:], strict=False):
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


@given(shift_set_up())
def test_positions_read_back(position: Shifting) -> None:
    text = format_position(position)
    assert read_position(text) == position
    assert hash(read_position(text)) == hash(position)
    assert read_position(text.lower().replace(" ", "_")) == position
    assert repr(position) == f"Shifting({text!r})"


@settings(max_examples=40)
@given(shift_games())
def test_games_read_back(game: Game[Shifting]) -> None:
    text = format_game(game)
    assert read(text) == game
    assert read(text.replace(" ", "+")) == game
    assert [move.rstrip("rldu") + move[-1] for move in game.squares] == list(game.squares)


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


@given(st.text("A234J.-rb/ ud shift1", max_size=60))
def test_nothing_else_than_our_errors(text: str) -> None:
    for name in ("shift", "shift-box", "shift-rotate"):
        try:
            game = read(f"{text} r {name}")
        except CollapsiError as error:
            said = str(error)
        else:
            said = ""
            assert read(game.text) == game
        assert "\n" not in said


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
def test_json_has_the_parts_of_a_move(rules: ShiftingRules) -> None:
    rng = random.Random(5)
    for _ in range(5):
        game = Game.start(alive(rng, rules, 7))
        data = json.loads(json.dumps(analyse(game.position).to_json()))
        assert [move["move"] for move in data["moves"]] == [
            move["to"] + move["shift"] for move in data["moves"]
        ]
        assert len(data["moves"]) == len(game.position.moves)
        assert data["best"][0] == data["moves"][0]["move"]
        assert Game.start(game.position, data["line"]).position.result is not None
        looked_back = review(game.play(data["moves"][-1]["move"])).to_json()["moves"][0]
        assert looked_back["move"] == looked_back["to"] + looked_back["shift"] == data["moves"][-1]["move"]
    classic = analyse("..../.2r../.Ab../.2.. r").to_json()["moves"][0]
    assert "shift" not in classic


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
        assert len(why.line) == why.plies - 1 == analyse(after).plies
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


def test_a_match_counts_the_cards_left() -> None:
    position = shifting(ENDGAME.replace(" b ", " r ")).play("b4r")
    assert Match(9, 4).after(position) == Match(11, 4)


def test_what_is_for_the_classic_game_refuses() -> None:
    from collapsi.census import take_census, take_census_by_search
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
            won_deals(Player.RED, 1, cast("Any", None), cast("Any", rules))


def test_a_move_is_tried() -> None:
    position = shifting(ENDGAME.replace(" b ", " r "))
    trial = try_move(cast("Any", analyse(position)), "b4r")
    assert trial.right
    assert str(trial) == "b4r wins: blue cannot move"
    assert trial.to_json()["rating"] is None


@pytest.mark.parametrize("rules", SHIFTING, ids=str)
def test_games_are_counted_where_they_are_few(rules: ShiftingRules) -> None:
    from collapsi import count_games_many
    from collapsi.solving import reference as definition

    position = alive(random.Random(4), rules, 7)
    assert count_games_many([position]) == [definition.count_games(position)]
    with pytest.raises(CollapsiError, match="too many to count"):
        count_games_many([deal(random.Random(1), rules)])


# Opponents


@pytest.mark.parametrize("rules", SHIFTING, ids=str)
@pytest.mark.parametrize("level", Level)
def test_every_level_plays_legal_games_to_the_end(level: Level, rules: ShiftingRules) -> None:
    rng = random.Random(3)
    game = Game.start(alive(rng, rules, 8))
    while game.position.moves:
        game = game.play(choose_move(game.position, level, rng))


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


def test_stronger_levels_win_more() -> None:
    """Each level against the one below, both colours: it must come out ahead over thirty games."""
    rng = random.Random(12)
    for weaker, stronger in ((Level.RANDOM, Level.ONE), (Level.ONE, Level.TWO)):
        won = 0
        for number in range(30):
            colour = Player(number % 2)
            position: Duel = deal(rng, SHIFT_ROTATE)
            while position.moves:
                level = stronger if position.to_move is colour else weaker
                position = position.play(choose_move(position, level, rng))
            won += position.to_move is not colour
        assert won > 17, (weaker, stronger, won)


# Drawings


SVG = "{http://www.w3.org/2000/svg}"


@settings(max_examples=40)
@given(shift_games())
def test_gaps_are_gaps_and_arrows_show_the_shift(game: Game[Shifting]) -> None:
    for position, move in zip(game.positions, game.moves, strict=False):
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


@given(shift_set_up(most_cards=6))
def test_the_terminal_shows_cards_collapsed_ones_and_gaps(position: Shifting) -> None:
    lines = terminal.draw_board(position).plain.splitlines()
    assert len(lines) == 1 + 3 * position.board.rows
    for row in range(position.board.rows):
        middle = lines[2 + 3 * row]
        for column in range(position.board.columns):
            shown = middle[3 + 7 * column : 9 + 7 * column].strip(" │").replace("··", ".")
            assert (shown or "-") == position.cell_text(row * position.board.columns + column)


# The editor


@settings(max_examples=40)
@given(shift_games(rules=st.sampled_from([SHIFT, SHIFT_BOX])), st.randoms(use_true_random=False))
def test_laying_is_what_it_is_on_paper(game: Game[Shifting], rng: random.Random) -> None:
    draft = parse_draft(game.position.text)
    assert format_draft(draft) == game.position.text
    assert draft.position().text == game.position.text
    for _ in range(15):
        row, column = rng.randrange(-1, draft.board.rows + 1), rng.randrange(-1, draft.board.columns + 1)
        what = rng.choice(what_can_be_laid(draft.rules))
        expected = laid(draft, what, (row, column))
        if expected is None:
            with pytest.raises(MalformedError):
                draft.lay(what, draft.square(row, column))
            continue
        draft = draft.lay(what, draft.square(row, column))
        assert format_draft(draft).split()[0] == expected
        assert parse_draft(format_draft(draft)) == draft


def laid(draft: Draft, what: str, place: tuple[int, int]) -> str | None:
    """The naive twin: texts by place, written out row by row; None for what is refused."""
    rows = [re.findall(r"[A234J.-][rb]?", row) for row in format_draft(draft).split()[0].split("/")]
    texts = {(y, x): text for y, row in enumerate(rows) for x, text in enumerate(row) if text != "-"}
    if what in "rb":
        if place not in texts:
            return None
        was_here = texts[place].endswith(what)
        texts = {at: text.replace(what, "") for at, text in texts.items()}
        texts[place] = texts[place][0] + ("" if was_here else what)
    elif what == "-":
        texts.pop(place, None)
    else:
        texts[place] = what + texts.get(place, "?")[1:]
    if not texts:
        return None
    ys, xs = [y for y, _ in texts], [x for _, x in texts]
    return "/".join(
        "".join(texts.get((y, x), "-") for x in range(min(xs), max(xs) + 1))
        for y in range(min(ys), max(ys) + 1)
    )


def test_a_draft_under_other_rules() -> None:
    draft = parse_draft("A223r-/-4A2./-3A23/-Jb3A4 b shift")
    assert format_draft(draft.under("shift-box")) == "A223r-/-4A2./-3A23/-Jb3A4 b shift-box"
    for name in ("standard", "shift-rotate"):
        assert draft.under(name) == Draft.empty(FOR_TWO[name], Player.BLUE)
    whole = parse_draft(EXAMPLE)
    for name in FOR_TWO:
        assert format_draft(whole.under(name)).split()[0] == EXAMPLE.split(maxsplit=1)[0]
    assert format_draft(draft.lay("3")) == "3333/3333/3333/3333 b shift"
    assert format_draft(parse_draft("--A-/-2--/---- r shift")) == "-A/2- r shift"


@pytest.mark.parametrize(
    ("text", "what", "square", "said"),
    [
        (EXAMPLE, "-", None, "one square"),
        (EXAMPLE, "r", "e1", "no card on e1"),
        (EXAMPLE, "A", "f1", "no square"),
        (EXAMPLE, "A", "@6", "no square"),
        (EXAMPLE.replace("shift", "shift-rotate"), "-", "a1", "cannot be laid"),
        (EXAMPLE.replace("shift", "shift-rotate"), "A", "e1", "no square"),
        ("A r shift", "-", "a1", "has to stay"),
        ("A" + "." * 25 + " r shift", "A", "{1", "at most"),
    ],
)
def test_what_cannot_be_laid_is_refused(text: str, what: str, square: str | None, said: str) -> None:
    with pytest.raises(CollapsiError, match=said) as caught:
        parse_draft(text).lay(what, square)
    assert "\n" not in str(caught.value)


# The command line


def test_commands() -> None:
    dealt = ok("deal", "--rules", "shift", "--seed", "3", "--count", "2").splitlines()
    assert [shifting(line).rules for line in dealt] == [SHIFT, SHIFT]
    assert ok("show", dealt[0]) == f"{shifting(dealt[0])}\n"
    late = (
        "---.---/---2.../.4rA3---/--AAb..-/-32-2-- b shift"  # an argument that begins with a gap is no option
    )
    solved = json.loads(ok("solve", "--json", late))
    assert solved == json.loads(json.dumps(analyse(late).to_json()))
    assert ok("solve", late) == f"{late}\n{analyse(late)}\n"
    assert ok("show", "--svg", "--values", late) == draw_analysis(analyse(late))
    both = run("solve", "--json", "-", stdin=f"{late}\nA-/x r shift\n{late}\n".encode())
    assert both.returncode == 2
    assert len(both.stdout.splitlines()) == 2
    assert both.stderr.decode().startswith("collapsi: line 2: ")
    assert ok("games", ENDGAME) == f"{analyse(ENDGAME).games}\n"
    counted = run("games", "-", stdin=f"{dealt[0]}\n{ENDGAME}\n".encode())
    assert (counted.returncode, counted.stdout.decode()) == (2, f"{analyse(ENDGAME).games}\n")
    assert counted.stderr.decode().count("collapsi: line 1: with 16 cards face up") == 1
    told = ok("line", late)
    assert f"1. blue to {analyse(late).line[0]}  (" in told
    assert told.endswith(f"score {analyse(late).score:+}\n")


@pytest.mark.parametrize("command", ["strategy", "ladder", "puzzles"])
def test_commands_that_are_for_the_classic_game(command: str) -> None:
    said = refused(command, "--rules", "shift")
    assert "not supported for shift: use standard, joker" in said


def test_playing_in_the_terminal() -> None:
    late = "---.---/---2.../.4rA3---/--AAb..-/-32-2-- b shift"
    position = shifting(late)
    end = position.board.square(position.ends[0])
    words = ["moves", end, "help", "x", end, "z9", end, "d", "undo", "hint", "why", "values", "quit"]
    text = ok("play", late, "--red", "you", "--blue", "you", stdin="\n".join(words).encode() + b"\n")
    assert " ".join(map(position.move_text, position.moves)) in text
    assert text.count(f"{end}: now shift its row, r or l, or its column, d or u\n") == 3
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


def test_the_solver_is_asked_for_endgames_only() -> None:
    """Whole deals are for `test_shifting_solver`: interpreted they would take minutes here."""
    assert expected_seconds(shifting(ENDGAME)) < 1
    with pytest.raises(IllegalMoveError):
        shifting(ENDGAME).play("a1r")


def test_who_plays_the_classic_game_loads_nothing_of_it() -> None:
    code = (
        "import collapsi, collapsi.cli, sys; collapsi.analyse('..../.2r../.Ab../.2.. r'); print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "collapsi.games.classic.position" in done.stdout
    # The rules of all kinds are known; what plays and solves them is not loaded.
    assert not re.search(r"games\.shifting\.(state|search|kernel|solver)|facts\.shifting\.", done.stdout)
