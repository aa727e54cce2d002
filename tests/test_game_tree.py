"""Games as trees: variations, comments and glyphs, their text, and game files."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import collapsi
from collapsi import (
    CollapsiError,
    Game,
    GameNode,
    GameRecord,
    IllegalMoveError,
    MalformedError,
    deal,
    format_game,
    format_games,
    parse_game,
    parse_games,
    read_games,
    write_games,
)
from collapsi.core.movetext import LONGEST_TREE, MOST_NESTING
from collapsi.core.variations import GLYPHS, MOST_COMMENT, MOST_NODES
from collapsi.games.records import MOST_BYTES, MOST_TAGS, append_game
from tests.typed import run

if TYPE_CHECKING:
    from pathlib import Path

START = "A223/4A2Jr/3A23/Jb3A4 r"
TREE = f"{START} a2 a3 (b4 c4?! {{why not}}) c4 d1 (b1! c1 (c3)) (c2) d4"
KINDS = ("standard", "joker", "choice", "shift", "shift-rotate", "big", "big3", "big4", "solo")
COMMENTS = st.one_of(
    st.just(""),
    st.text(max_size=30),
    st.text(alphabet="{}()\\n_+%20!?;[]\"'\n <script>", max_size=30),
)


@st.composite
def trees(draw: st.DrawFn) -> Game[Any]:
    """A game of any kind with variations, comments and glyphs anywhere."""
    game: Game[Any] = Game.start(
        deal(random.Random(draw(st.integers(0, 2**32))), draw(st.sampled_from(KINDS)))
    )
    for _ in range(draw(st.integers(0, 8))):
        node = draw(st.sampled_from(list(game.walk())))
        line, state = list(node.path), node.position
        for _ in range(draw(st.integers(1, 4))):
            if not state.moves:
                break
            move = draw(st.sampled_from(state.moves))
            line.append(state.move_text(move))
            state = state.play(move)
        game = game.add_line(line)
    for node in draw(st.lists(st.sampled_from(list(game.walk())), max_size=4)):
        game = game.annotate(node, comment=draw(COMMENTS))
        if node.parent:
            game = game.annotate(node, glyph=draw(st.sampled_from(["", *GLYPHS])))
    return game


@given(trees())
@settings(max_examples=30)
def test_a_tree_is_read_as_it_was_written(game: Game[Any]) -> None:
    text = format_game(game)
    again = parse_game(text)
    assert again == game
    assert format_game(again) == text
    assert "\n" not in text


@given(trees())
@settings(max_examples=30)
def test_positions_and_moves_are_the_main_line(game: Game[Any]) -> None:
    plain = game.main_line
    assert plain == Game.start(game.positions[0], game.moves)
    assert not plain.tree
    assert plain.text == " ".join([game.positions[0].text, *game.squares])
    node: GameNode[Any] = game.root
    for move, position in zip(game.moves, game.positions[1:], strict=True):
        node = node.variations[0]
        assert (node.move, node.position, node.on_main_line) == (move, position, True)
    assert node == game.end
    assert not node.variations


@given(trees(), st.data())
@settings(max_examples=30)
def test_edits_change_what_they_say_and_nothing_else(game: Game[Any], data: st.DataObject) -> None:
    paths = {node.path for node in game.walk()}
    notes = {node.path: (node.comment, node.glyph) for node in game.walk()}
    node = data.draw(st.sampled_from(list(game.walk())))

    promoted = game.promote(node)
    assert {each.path: (each.comment, each.glyph) for each in promoted.walk()} == notes
    main = game.make_main(node)
    assert main.node(node.path).on_main_line
    assert {each.path: (each.comment, each.glyph) for each in main.walk()} == notes
    assert (promoted == game) == node.on_main_line
    assert game.add_line(node) == game, "the line is there already"
    if node.parent:
        without = {each.path for each in game.delete(node).walk()}
        assert without == {path for path in paths if path[: len(node.path)] != node.path}
        assert node.parent.path == node.path[:-1]
        assert node in node.parent.variations


@given(trees())
@settings(max_examples=30)
def test_a_move_goes_to_the_end_of_the_main_line_and_back(game: Game[Any]) -> None:
    if game.position.moves:
        longer = game.play(game.position.moves[0])
        assert longer.moves == (*game.moves, game.position.moves[0])
        assert {node.path for node in game.walk()} <= {node.path for node in longer.walk()}
        assert longer.undo() == game


def test_the_text_of_a_tree() -> None:
    game = parse_game(TREE)
    assert game.text == TREE
    assert game.squares == ("a2", "a3", "c4", "d1", "d4")
    assert [node.name for node in game.node("a2 a3 c4").variations] == ["d1", "b1", "c2"]
    assert game.node("a2 b4 c4").comment == "why not"
    assert game.node("a2 b4 c4").glyph == "?!"
    assert game.node("a2 a3 c4 b1 c3").line().text == f"{START} a2 a3 c4 b1 c3"
    assert repr(game.node("a2 b4")) == "GameNode('a2 b4')"
    assert game.root.parent is None
    assert game.root.move is None
    assert game.root.name == ""


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        (f"{START} a2 a3 c4", f"{START} a2 a3 c4"),
        (f"{START} {{ the start }} a2", f"{START} {{the start}} a2"),
        (f"{START} a2 ! a3 ??", f"{START} a2! a3??"),
        (f"{START} a2 ( d1 ) a3", f"{START} a2 (d1) a3"),
        (f"{START} a2 (d1 (c2)) a3", f"{START} a2 (d1) (c2) a3"),
        (f"{START} a2 (d1) (d1 b4) a3", f"{START} a2 (d1 b4) a3"),
        (f"{START} a2 (a2 b4) a3", f"{START} a2 a3 (b4)"),
        (f"{START} a2 (d1) {{late}} a3", f"{START} a2 {{late}} (d1) a3"),
        (f"{START} a2 ({{early}} d1) a3", f"{START} a2 (d1 {{early}}) a3"),
        (f"{START} a2 {{one}} {{two}}", f"{START} a2 {{one two}}"),
        (f"{START}_a2_(d1_b4)_a3".replace(" ", "_"), f"{START} a2 (d1 b4) a3"),
        (f"{START} A2 (D1) A3", f"{START} a2 (d1) a3"),
        ("1223/4121r/3123/1b314/0 a2 (d1) a3", f"{START} a2 (d1) a3"),
        (f"{START} a2 {{}} a3", f"{START} a2 a3"),
    ],
)
def test_other_ways_to_write_a_tree(written: str, canonical: str) -> None:
    assert parse_game(written).text == canonical


@pytest.mark.parametrize(
    ("text", "error", "said"),
    [
        (
            f"{START} (a2)",
            MalformedError,
            "a variation stands after the move that it replaces, not before it",
        ),
        (f"{START} a2 ((d1))", MalformedError, "a variation stands after the move"),
        (f"{START} a2 ()", MalformedError, "an empty variation at move 1"),
        (f"{START} a2 (d1", MalformedError, "a variation is not closed: 1 closing parenthesis missing"),
        (f"{START} a2 (d1 (c2", MalformedError, "a variation is not closed: 2 closing parentheses missing"),
        (f"{START} a2 d1)", MalformedError, "a closing parenthesis without an opening one, after 'd1'"),
        (f"{START} a2 {{why", MalformedError, "a comment is not closed: '{why'"),
        (f"{START} a2 }} a3", MalformedError, "a closing brace without an opening one, before 'a3'"),
        (f"{START} a2?!?", MalformedError, r"'\?!\?' is no glyph: choose one of ! \? !! \?\? !\? \?!"),
        (f"{START} !", MalformedError, "the glyph ! stands after no move"),
        (f"{START} a2 (! d1)", MalformedError, "the glyph ! stands after no move"),
        (f"{START} a2 (b4)", IllegalMoveError, "variation at move 1, 'b4': b4 is"),
        (f"{START} a2 a3 (b4 z9)", IllegalMoveError, "variation at move 3, 'z9': 'z9' is no square"),
        (f"{START} b4 (a2)", IllegalMoveError, "move 1, 'b4': b4 is"),
        ("(", MalformedError, "a variation is not closed"),
        ("{only a comment}", MalformedError, "no position: the text is empty"),
        (f"{START} a2 {{{'x' * (MOST_COMMENT + 1)}}}", MalformedError, "2,00[0-9] characters are too many"),
        (f"{START} a2 {{" + "x" * LONGEST_TREE, MalformedError, "[0-9,]+ characters are too many for a game"),
        (f"{START} a2 " + "(d1 " * (MOST_NESTING + 1), MalformedError, "more than 500 variations inside"),
        ("(" * LONGEST_TREE, MalformedError, "more than 500 variations inside"),
        ("{" * LONGEST_TREE, MalformedError, "a comment is not closed"),
        ("!" * LONGEST_TREE, MalformedError, "'!+…' is no glyph"),
        ("A223/4A?Jr/3A23/Jb3A4 r a2 (d1)", MalformedError, r"'\?' in row 2, column 3 is no card"),
    ],
)
def test_a_damaged_tree_is_refused_in_one_sentence(text: str, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=f"^{said}") as raised:
        parse_game(text)
    assert "\n" not in str(raised.value)
    assert len(str(raised.value)) < 300


@given(st.text(alphabet="(){}!? \\_abcd1234rJ/", max_size=60), st.integers(0, 80))
@settings(max_examples=200)
def test_any_damage_gives_an_error_or_a_game(noise: str, at: int) -> None:
    said, game = "", None
    try:
        game = parse_game(TREE[:at] + noise + TREE[at:])
    except CollapsiError as error:
        said = str(error)
    assert "\n" not in said
    assert game is None or parse_game(game.text) == game


def test_a_game_has_a_bounded_number_of_moves() -> None:
    text = [START, "a2"]
    lines = ["d1 a3", "d1 b4", "d1 d4", "c2 a3", "c2 b4", "c2 d4"]
    text += [f"({line} {{{'x' * 80}}})" for line in lines] * 100
    assert len(list(parse_game(" ".join(text[:8])).walk())) == 10

    game = parse_game(START)
    from collapsi.core.variations import Draft

    drafted = Draft(game.nodes)
    for _ in range(MOST_NODES):
        drafted.add(0, 1)
    with pytest.raises(MalformedError, match="at most 5,000 moves, variations included"):
        drafted.add(0, 1)


def test_what_cannot_be_edited() -> None:
    game = parse_game(TREE)
    with pytest.raises(MalformedError, match="the start of a game cannot be deleted"):
        game.delete("")
    with pytest.raises(MalformedError, match="the game has no move 'c2' at its start"):
        game.node("c2")
    with pytest.raises(MalformedError, match=r"the game has no move 'd4' after a2 a3$"):
        game.promote("a2 a3 d4")
    with pytest.raises(MalformedError, match="'x' is no glyph"):
        game.annotate("a2", glyph="x")
    with pytest.raises(MalformedError, match="the start of a game has no glyph"):
        game.annotate("", glyph="!")
    with pytest.raises(IllegalMoveError, match=r"^b4 is"):
        game.add_line("b4")
    with pytest.raises(TypeError, match=r"^expected moves from the start"):
        game.node(None)  # type: ignore[arg-type]
    assert game.annotate("a2", comment="x\x1b[31m\u202e y").node("a2").comment == "x [31m  y"
    assert game.annotate("a2", comment="👨‍👩‍👧 ok").node("a2").comment == "👨‍👩‍👧 ok"


def test_a_review_judges_the_main_line() -> None:
    game = parse_game(f"{START} d1 (a2 {{wins}}) d4")
    plain = parse_game(f"{START} d1 d4")
    assert str(collapsi.review(game)) == str(collapsi.review(plain))
    assert collapsi.review(game).to_json()["game"] == game.text
    assert collapsi.analyse(game).position == plain.position


RECORDS = st.builds(
    GameRecord,
    trees(),
    st.dictionaries(
        st.sampled_from(["Event", "Date", "Red", "Blue", "Result", "Round", "Script_1"]),
        st.one_of(st.text(max_size=20), st.just('<script>alert("1")</script>\\')),
    ),
)


@given(st.lists(RECORDS, max_size=4))
@settings(max_examples=30)
def test_a_game_file_is_read_as_it_was_written(records: list[GameRecord[Any]]) -> None:
    text = format_games(records)
    found = parse_games(text)
    assert list(found) == records
    assert not found.damage
    assert format_games(found) == text
    assert list(parse_games(text.replace("\n", "\r\n"))) == records


@given(st.lists(RECORDS, min_size=2, max_size=4), st.data())
@settings(max_examples=30)
def test_damage_in_one_game_keeps_the_others(records: list[GameRecord[Any]], data: st.DataObject) -> None:
    damaged = data.draw(st.integers(0, len(records) - 1))
    texts = [str(record) for record in records]
    texts[damaged] = data.draw(
        st.sampled_from(
            [
                texts[damaged] + " zz",
                texts[damaged] + " {x",
                texts[damaged] + ")",
                '[Event "x\n' + START,
                "[]\n" + START,
            ]
        )
    )
    found = parse_games("\n\n".join(texts))
    assert list(found) == records[:damaged] + records[damaged + 1 :]
    (damage,) = found.damage
    before = "\n\n".join(texts[:damaged]).count("\n") + 2 * bool(damaged)
    assert before < damage.line <= before + 1 + texts[damaged].count("\n")


def test_the_text_of_a_game_file() -> None:
    text = (
        '[Event "Club evening"]\n[Date "2026-11-18"]\n[Red "Anna \\"A\\""]\n[Blue "computer (card)"]\n'
        f'[Rules "standard"]\n[Result "*"]\n[Round "2"]\n\n{TREE}\n\n'
        f"{START} d1\n{START} d1 a3\n{START} d1\n a3\n(d4 {{a comment\nthat goes on}})\n"
    )
    found = parse_games(text)
    assert not found.damage
    assert [dict(record.tags) for record in found][1:] == [{}, {}, {}]
    assert found.records[0].tags["Red"] == 'Anna "A"'
    assert found.records[0].tags["Round"] == "2"
    assert [record.game.text for record in found] == [
        TREE,
        f"{START} d1",
        f"{START} d1 a3",
        f"{START} d1 a3 (d4 {{a comment that goes on}})",
    ]
    assert str(found.records[0]) + "\n" == text.partition(f"\n\n{START} d1\n")[0] + "\n"


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        (f'[Event "x"]\n[Date x]\n\n{START} a2', 2, "'[Date x]' is no tag"),
        (f'[Rules "chess"]\n\n{START} a2', 3, "unknown rules 'chess'"),
        (
            f'[Rules "joker"]\n\n{START} shift a2r',
            3,
            "the tag Rules says joker, but the game is played by shift",
        ),
        (f"\n\n{START} a2 a2", 3, "move 2, 'a2'"),
        ("hello", 1, "1 row instead of 4"),
        (
            "\n".join(f'[T{number} "x"]' for number in range(MOST_TAGS + 1)) + f"\n{START}",
            65,
            "more than 64 tags",
        ),
        (f"{START} a2 {{" + "x" * 300_000 + "}", 1, "characters are too many for a game"),
    ],
)
def test_damage_names_its_line(text: str, line: int, said: str) -> None:
    found = parse_games(f"{text}\n\n{START} d1\n")
    assert [record.game.squares for record in found] == [("d1",)]
    (damage,) = found.damage
    assert damage.line == line
    assert str(damage).startswith(f"line {line}: {said}") or said in str(damage)
    assert "\n" not in str(damage)


def test_tags_without_a_game_are_reported() -> None:
    found = parse_games(f'[Event "x"]\n\n[Date "y"]\n\n\n{START} d1\n\n[Event "z"]\n')
    assert [(dict(record.tags), record.game.squares) for record in found] == [({"Date": "y"}, ("d1",))]
    assert [damage.line for damage in found.damage] == [1, 8]
    assert str(found.damage[0]).startswith("line 1: tags without a game")


def test_the_tag_of_the_rules_applies_where_the_text_names_none() -> None:
    (record,) = parse_games(f'[Rules "joker"]\n\n{START} c4')
    assert record.game.position.rules.name == "joker"


def test_a_file_of_garbage_ends() -> None:
    found = parse_games("x\n\n" * 100_000)
    assert not len(found)
    assert len(found.damage) <= 1001
    assert "the rest of the file is not read" in str(found.damage[-1])
    with pytest.raises(MalformedError, match="characters are too many for a game file"):
        parse_games("x" * (MOST_BYTES + 1))


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    records = [GameRecord.of(parse_game(TREE), Red="Anna"), GameRecord.of(parse_game(START))]
    write_games(path, records)
    assert list(read_games(path)) == records
    append_game(path, parse_game(f"{START} d1"))
    assert [record.game.text for record in read_games(str(path))] == [TREE, START, f"{START} d1"]
    path.write_bytes(b"\xef\xbb\xbf" + format_games(records).encode() + b"\n\xff\xfe\n")
    found = read_games(path)
    assert list(found) == records
    assert len(found.damage) == 1
    path.write_bytes(b"x" * (MOST_BYTES + 1))
    with pytest.raises(MalformedError, match="larger than 4,000,000 bytes"):
        read_games(path)
    with pytest.raises(MalformedError, match="No such file or directory"):
        read_games(tmp_path / "missing")
    with pytest.raises(CollapsiError, match=r"^cannot write "):
        write_games(tmp_path, records)
    with pytest.raises(MalformedError, match="'a b' is no name of a tag"):
        GameRecord(parse_game(START), {"a b": "x"})


def test_review_reads_a_file(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    text = format_games(
        [GameRecord.of(parse_game(f"{START} d1 (a2) d4"), Red="Anna", Blue="Bob", Date="2026-11-18")]
    )
    path.write_text(f"{text}\n{START} zz\n\n{START} d1\n\n{START}\n")
    done = run("review", str(path))
    assert done.returncode == 2
    assert done.stdout.decode().startswith("game 1, 2026-11-18, Anna – Bob\n1. red d1: throws the win away")
    assert "\n\ngame 2\n1. red d1" in done.stdout.decode()
    assert "line 9: 'zz' is neither rules" in done.stderr.decode()
    assert "game 3: there is no move to review" in done.stderr.decode()
    path.write_text(text)
    done = run("review", "--json", str(path))
    assert done.returncode == 0
    assert (
        '"tags": {"Date": "2026-11-18", "Red": "Anna", "Blue": "Bob", "Rules": "standard"'
        in done.stdout.decode()
    )
    assert run("review", "--json", "-", stdin=text.encode()).stdout == done.stdout


def test_play_saves_the_game_with_the_moves_taken_back(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    text = f"{START} a2 a3"
    moved = ["c4", "undo", "d1", "quit"]
    done = run("play", text, "--level", "perfect", "--save", str(path), stdin="\n".join(moved).encode())
    assert done.returncode == 0
    assert done.stdout.decode().endswith(f"saved in {path}\n")
    (record,) = read_games(path)
    assert record.game.squares[:3] == ("a2", "a3", "d1")
    assert [node.name for node in record.game.node("a2 a3").variations] == ["d1", "c4"]
    assert record.tags["Red"] == "you"
    assert record.tags["Blue"] == "computer (perfect)"
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", record.tags["Date"])
    run("play", "--rules", "solo", "--seed", "1", "--save", str(path), stdin=b"quit\n")
    run("play", "--red", "random", "--blue", "1", "--seed", "1", "--save", str(path))
    assert [record.tags["Result"] for record in read_games(path)][1:] != ["*"]
    assert len(read_games(path)) == 2, "a game without moves is not saved"
    unsaved = tmp_path / "unsaved.txt"
    run("play", "--seed", "1", "--save", str(unsaved), stdin=b"quit\n")
    assert not unsaved.exists(), "nothing is written before the first move"
    refused = run("play", "--save", str(tmp_path))
    assert refused.returncode == 2
    assert "cannot write" in refused.stderr.decode()
