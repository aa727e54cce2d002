"""The API as a program meets it: the real server, asked over a socket and held against the library."""

from __future__ import annotations

import hashlib
import json
import random
import re
import shutil
import time
from datetime import date, timedelta
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import collapsi
from collapsi import (
    JOKER,
    Card,
    CollapsiError,
    Game,
    Position,
    Rules,
    analyse,
    analyse_many,
    deal,
    format_game,
    format_position,
    format_published,
    parse_position,
)
from collapsi.api import json_types, models
from collapsi.api.questions.parameters import read_game
from collapsi.core.players import PAIR
from collapsi.draw.svg import draw_position, strokes
from collapsi.games.classic.rules import CLASSIC_RULE_SETS
from collapsi.games.levels import Level
from collapsi.games.solo.analysis import analyse_solo
from collapsi.games.solo.deals import DECKS, deal_solo, deck_of
from collapsi.games.solo.notation import parse_solo_game
from collapsi.games.solo.rules import Exit
from collapsi.games.solo.search import moves_to_take_back
from collapsi.games.solo.state import SoloGame
from collapsi.play.daily import DailyGame, today
from collapsi.play.draft import WHAT_CAN_BE_LAID, format_draft, parse_draft
from collapsi.play.enums import Mark, PuzzleKind
from collapsi.play.levels import choose_move
from collapsi.play.match import parse_match
from tests.fitting import fitting
from tests.rule_sets import FOR_TWO
from tests.service import HANG_SECONDS, Answer, Server, ask, is_running, running_server, wait_until
from tests.test_notation import BAD
from tests.typed import ok

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from collapsi.core.board import Board

API = "/api/v1"
EXAMPLE = "A223/4A2Jr/3A23/Jb3A4 r"
WON = "..../.2r../.Ab../.... r"
"""Red cannot move: blue has won."""

DEALS, DIFFERENT = 47_297_250, 1_982_769
SEVEN_PLIES, SEVEN_PLIES_DIFFERENT = 525, 25

TEXT_PARAMETER = {
    "analysis": "position",
    "moves": "position",
    "why": "position",
    "computer-move": "position",
    "game": "game",
    "review": "game",
    "drawing": "position",
    "census/deal": "position",
}
"""The endpoints that read a position or game, and what they call it."""


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The cache folder of the server."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module")
def server(cache: Path) -> Iterator[Server]:
    """One server for the whole module."""
    with running_server(cache) as server:
        yield server


def play_on(position: Position, plies: int, rng: random.Random) -> Game:
    """A game of so many random plies, or fewer if it ends."""
    game = Game.start(position)
    while game.position.moves and plies:
        game = game.play(rng.choice(game.position.moves))
        plies -= 1
    return game


def set_up(rng: random.Random, rules: Rules) -> Position:
    """Any cards anywhere: most such positions cannot arise in play."""
    cells = rng.sample(range(16), rng.randint(2, 16))
    cards: list[Card | None] = [None] * 16
    for cell in cells:
        cards[cell] = rng.choice(list(Card))
    return Position(tuple(cards), (cells[0], cells[1]), rng.choice(PAIR), rules)


def some_positions(seed: int, count: int) -> list[Position]:
    """Deals, positions of games, won positions and impossible ones, under every rule set."""
    rng = random.Random(seed)
    found = [parse_position(EXAMPLE), parse_position(WON)]
    for rules in CLASSIC_RULE_SETS.values():
        for _ in range(count):
            found.append(deal(rng, rules))
            found.append(play_on(deal(rng, rules), rng.randint(1, 13), rng).position)
            found.append(play_on(deal(rng, rules), 16, rng).position)
            found.append(set_up(rng, rules))
    return found


def collapsi_says(*arguments: str, stdin: str = "") -> list[str]:
    """The lines that a command prints."""
    return ok(*arguments, stdin=stdin.encode()).splitlines()


def assert_drawn(squares: object, drawn: object, path: tuple[int, ...], board: Board) -> None:
    """A way as the names of its squares, and as strokes to be drawn."""
    assert squares == [board.square(cell) for cell in path]
    assert drawn == [[list(stroke) for stroke in step] for step in strokes(board, path)]


def valid(shape: Any, answer: Answer) -> Any:
    """The data of a good answer that is exactly what its typed dict says, no field more."""
    assert answer.status == 200, answer.body
    assert answer.headers["content-type"] == "application/json"
    return fitting(shape, answer.body)


def problem(answer: Answer, status: int = 422) -> str:
    """The one line of an answer that says what is wrong."""
    assert answer.status == status, answer.body
    assert answer.headers["content-type"] == "application/problem+json"
    data = fitting(models.Problem, answer.body)
    assert data["status"] == status
    detail: str = data["detail"]
    assert detail
    assert len(detail.splitlines()) == 1
    assert detail.isprintable()
    assert len(detail) < 300
    return detail


def complaint_of(text: str, rules: str = "standard") -> str:
    """What the library says is wrong with a text; of another game the service names its own paths."""
    with pytest.raises(CollapsiError) as caught:
        read_game(text, rules=rules)
    return str(caught.value)


# What there is to choose from


def test_what_there_is_to_choose_from_is_the_librarys(server: Server) -> None:
    data = valid(models.Service, server.get(f"{API}/about"))
    for shown, rules in zip(data["rules"], FOR_TWO.values(), strict=True):
        assert (shown["name"], shown["title"], shown["text"]) == (rules.name, rules.title, rules.text)
        assert shown["board"]["squares"] == [rules.board.square(cell) for cell in range(rules.board.size)]
        assert shown["board"]["rows"] == ["1", "2", "3", "4"]
        assert shown["board"]["columns"] == ["a", "b", "c", "d"]
        example = parse_position(shown["example"]["position"])
        assert example.rules == rules
        assert example.refusal(shown["example"]["move"]) is None
    assert [(level["value"], level["text"]) for level in data["levels"]] == [
        (level.value, level.text) for level in Level
    ]
    assert len({level["text"] for level in data["levels"]}) == len(Level)
    assert data["first_level"] in [level["value"] for level in data["levels"][:-1]]  # not the perfect one
    assert {verdict["verdict"] for verdict in data["verdicts"]} == set(collapsi.Verdict)
    assert "".join(what["value"] for what in data["lay"]) == "A234J.rb-"
    assert [card["value"] for card in data["cards"]] == list("A234JX")
    assert f'd="{data["pawn"]}"' in draw_position(parse_position(EXAMPLE))
    for lesson in data["examples"]:
        position = parse_position(lesson["position"])
        assert lesson["move"] is None or position.refusal(lesson["move"]) is None
    assert [deck["value"] for deck in data["solo"]["decks"]] == list(DECKS)
    assert [kind["value"] for kind in data["puzzles"]] == list(PuzzleKind)
    assert {mark["value"]: mark["text"] for mark in data["marks"]} == {mark: mark.text for mark in Mark}
    assert [rules["exit"] for rules in data["solo"]["rules"]] == list(Exit)


# What is asked of a position


def test_analysis_is_what_the_command_line_prints(server: Server) -> None:
    texts = [format_position(position) for position in some_positions(1, 25)]
    printed = [json.loads(line) for line in collapsi_says("solve", "--json", "-", stdin="\n".join(texts))]
    assert len(printed) == len(texts)
    assert any("warnings" in data for data in printed)
    assert any(not data["moves"] for data in printed)
    with server.connection() as connection:
        for text, data in zip(texts, printed, strict=True):
            answer = valid(json_types.Analysis, ask(connection, f"{API}/analysis", position=text))
            assert answer == data
            assert list(answer) == list(data)


def test_analysis_reads_games_and_rules(server: Server) -> None:
    game = play_on(parse_position(EXAMPLE), 4, random.Random(5))
    got = server.get_json(f"{API}/analysis", position=format_game(game))
    assert got == analyse(game.position).to_json()
    got = server.get_json(f"{API}/analysis", position=EXAMPLE, rules="joker")
    assert got["rules"] == "joker"
    assert got == analyse(EXAMPLE, rules=JOKER).to_json()
    # What the text itself says goes before what is assumed.
    assert server.get_json(f"{API}/analysis", position=f"{EXAMPLE} joker", rules="standard") == got


def test_unknown_parameters_are_ignored(server: Server) -> None:
    for position in some_positions(seed=8, count=20):
        text = format_position(position)
        assert server.get_json(f"{API}/analysis", position=text) == server.get_json(
            f"{API}/analysis", position=text, more="of it"
        )
    nonsense = server.get(f"{API}/analysis", position="x", rules="y")
    assert problem(nonsense) == problem(server.get(f"{API}/analysis", position="x", rules="y", more="of it"))
    assert problem(server.get(f"{API}/analysis")) == "position: field required"


def test_the_published_notation_is_read(server: Server) -> None:
    rng = random.Random(3)
    for rules in CLASSIC_RULE_SETS.values():
        for plies in (0, 1, 2, 5, 9):
            position = play_on(deal(rng, rules), plies, rng).position
            published = format_published(position)
            got = server.get_json(f"{API}/analysis", position=published)
            assert got == analyse(position).to_json()
            assert server.get_json(f"{API}/game", game=published)["published"] == published


def test_a_space_may_be_written_as_in_an_address(server: Server) -> None:
    expected = server.get_json(f"{API}/analysis", position=EXAMPLE)
    for space in ("_", "+", "%20"):
        path = f"{API}/analysis?position={EXAMPLE.replace(' ', space)}"
        assert server.get_json(path) == expected


# The computer's move


def test_every_level_plays_as_the_library_does(server: Server) -> None:
    with server.connection() as connection:
        for number, position in enumerate(some_positions(6, 4)):
            for level in Level:
                query = {"position": format_position(position), "level": str(level), "seed": number}
                answer = ask(connection, f"{API}/computer-move", **query)
                if position.winner is not None:
                    assert problem(answer) == f"{position.to_move} cannot move: the game is over"
                    continue
                data = valid(models.ComputerMove, answer)
                cell = choose_move(position, level, random.Random(number))
                assert data["to"] == data["move"] == position.board.square(cell)
                assert data["path"] == [position.board.square(step) for step in position.path(cell)]
                assert data["level"] == str(level)


def test_the_computer_varies_without_a_seed(server: Server) -> None:
    """Red has four first moves: forty random ones are the same with a chance of 4 to the power of -39."""
    with server.connection() as connection:
        query = {"position": EXAMPLE, "level": "random"}
        answers = [ask(connection, f"{API}/computer-move", **query) for _ in range(40)]
    assert len({json.loads(answer.body)["to"] for answer in answers}) > 1


# Deals


@pytest.mark.parametrize("rules", list(FOR_TWO))
def test_a_deal_is_that_of_the_command_line(server: Server, rules: str) -> None:
    for seed in (0, 7, 2**53 - 1):
        data = valid(models.Deal, server.get(f"{API}/deal", seed=seed, rules=rules))
        assert [data["position"]] == collapsi_says("deal", "--seed", str(seed), "--rules", rules)
        assert (data["seed"], data["rules"]) == (seed, rules)
        assert server.get_json(f"{API}/deal", seed=seed, rules=rules) == data


@pytest.mark.parametrize(
    ("endpoint", "query"),
    [
        ("deal", {}),
        ("deal", {"winner": "red"}),
        ("deal", {"winner": "blue"}),
        ("puzzle", {}),
        ("solo/deal", {"difficulty": "easy"}),
        ("big/deal", {}),
    ],
)
def test_what_is_drawn_by_chance_names_its_seed(server: Server, endpoint: str, query: dict[str, str]) -> None:
    first, second = (server.get_json(f"{API}/{endpoint}", **query) for _ in range(2))
    assert first["seed"] != second["seed"]
    assert 0 <= first["seed"] < 2**53
    assert server.get_json(f"{API}/{endpoint}", **query, seed=first["seed"]) == first


@pytest.mark.parametrize("rules", list(CLASSIC_RULE_SETS))
@pytest.mark.parametrize("winner", ["red", "blue"])
def test_a_deal_by_winner_is_won_by_that_side(server: Server, rules: str, winner: str) -> None:
    with server.connection() as connection:
        dealt = [
            valid(models.Deal, ask(connection, f"{API}/deal", winner=winner, rules=rules, seed=seed))
            for seed in range(25)
        ]
    positions = [parse_position(data["position"]) for data in dealt]
    assert all(position.cards_left == 16 and not collapsi.status(position) for position in positions)
    assert {position.rules.name for position in positions} == {rules}
    assert {str(analysis.winner) for analysis in analyse_many(positions)} == {winner}
    assert len(set(positions)) > 20


# Games


def test_a_game_is_shown_square_by_square(server: Server) -> None:
    kinds = set()
    with server.connection() as connection:
        for position in some_positions(8, 12):
            data = valid(models.Game, ask(connection, f"{API}/game", game=format_position(position)))
            assert [square["square"] for square in data["squares"]] == [
                position.board.square(cell) for cell in range(16)
            ]
            for cell, square in enumerate(data["squares"]):
                card, refusal = position.cards[cell], position.refusal(cell)
                assert square["card"] == (card.letter if card is not None else None)
                assert (square["refusal"] is None) == (cell in position.moves)
                if refusal:
                    assert (square["refusal"]["kind"], square["refusal"]["text"]) == refusal
                    assert square["path"] is square["strokes"] is square["move"] is None
                    kinds.add(refusal[0])
                else:
                    assert_drawn(square["path"], square["strokes"], position.path(cell), position.board)
                    assert square["move"] == position.move_text(cell)
            pawns = {square["pawn"]: square["square"] for square in data["squares"] if square["pawn"]}
            assert pawns == {str(player): position.board.square(position.pawns[player]) for player in PAIR}
            assert data["text"] == str(position)
            assert data["warnings"] == [str(reason) for reason in collapsi.status(position)]
            assert data["cards_left"] == position.cards_left
            winner = position.winner
            assert data["winner"] == (None if winner is None else str(winner))
            assert data["points"] == (None if winner is None else position.cards_left)
    # Only the solo game has an exit, only the shifting board gaps; on the big board somebody is left over.
    others = {collapsi.Refusal.EXIT, collapsi.Refusal.GAP, collapsi.Refusal.OVER}
    assert kinds == set(collapsi.Refusal) - others


def test_a_game_is_shown_at_every_ply(server: Server) -> None:
    rng = random.Random(9)
    with server.connection() as connection:
        for rules in CLASSIC_RULE_SETS.values():
            game = play_on(deal(rng, rules), 16, rng)
            text = format_game(game)
            for ply, position in enumerate(game.positions):
                data = valid(models.Game, ask(connection, f"{API}/game", game=text, ply=ply))
                assert data["game"] == text
                assert data["start"] == format_position(game.positions[0])
                assert data["moves"] == list(game.squares)
                assert data["ply"] == ply
                assert data["position"] == format_position(position)
                assert data["to_move"] == str(position.to_move)
                if ply:
                    way = game.positions[ply - 1].path(game.moves[ply - 1])
                    assert_drawn(data["moved"], data["moved_strokes"], way, position.board)
                else:
                    assert data["moved"] is data["moved_strokes"] is None
            assert valid(models.Game, ask(connection, f"{API}/game", game=text)) == data
            answer = ask(connection, f"{API}/game", game=text, ply=len(game.positions))
            if len(game.positions) <= 16:
                moves = len(game.moves)
                assert (
                    problem(answer) == f"there is no position after {moves + 1} moves: the game has {moves}"
                )


@pytest.mark.parametrize(
    ("score", "red", "blue", "winner", "following"),
    [("0-0", 0, 2, None, "2-0"), ("9-4", 9, 6, None, "6-9"), ("15-14", 15, 16, "blue", None)],
)
def test_a_won_round_scores(
    server: Server, score: str, red: int, blue: int, winner: str | None, following: str | None
) -> None:
    """Blue has won with two cards face up."""
    match = server.get_json(f"{API}/game", game=WON, match=score)["match"]
    assert match == {"red": red, "blue": blue, "winner": winner, "next": following}
    going_on = server.get_json(f"{API}/game", game=EXAMPLE, match=score)["match"]
    before = parse_match(score)
    assert going_on == {"red": before.red, "blue": before.blue, "winner": None, "next": None}


# Laying out a board


def test_the_editor_lays_what_the_library_lays(server: Server) -> None:
    rng = random.Random(12)
    errors = warned = 0
    with server.connection() as connection:
        for position in some_positions(13, 4):
            draft = parse_draft(format_position(position))
            for _ in range(4):
                square, what = rng.choice(["a1", "b2", "c4", "d3"]), rng.choice(WHAT_CAN_BE_LAID)
                query = {"draft": format_draft(draft), "square": square, "lay": what}
                data = valid(models.Draft, ask(connection, f"{API}/edit", **query))
                draft = draft.lay(what, square)
                assert data["draft"] == format_draft(draft)
                assert data["rules"] == draft.rules.name
                assert data["to_move"] == str(draft.to_move)
                for cell, shown in enumerate(data["squares"]):
                    card = draft.cards[cell]
                    assert shown["square"] == draft.board.square(cell)
                    assert shown["card"] == (None if card is None else card.letter)
                    pawn = next((str(player) for player in PAIR if draft.pawns[player] == cell), None)
                    assert shown["pawn"] == pawn
                if data["error"] is not None:
                    with pytest.raises(CollapsiError, match=re.escape(data["error"])):
                        draft.position()
                    errors += 1
                else:
                    reasons = [str(reason) for reason in collapsi.status(draft.position())]
                    assert data["warnings"] == reasons
                    warned += bool(reasons)
    assert errors > 10
    assert warned > 10


def test_the_editor_changes_side_and_rules(server: Server) -> None:
    data = server.get_json(f"{API}/edit", draft=EXAMPLE, side="b", rules="choice")
    assert data["draft"] == f"{EXAMPLE[:-1]}b choice"
    cleared = server.get_json(f"{API}/edit", draft=data["draft"], lay=".")
    assert cleared["draft"] == "..../..../..../.... b choice"
    assert cleared["error"] == "no red pawn"


# The solo game


def solo_games(seed: int, count: int) -> list[SoloGame]:
    """Games of every deck and both readings of the exit, at some moment; most of them cannot be solved any
    more.
    """
    rng = random.Random(seed)
    games = []
    for deck in DECKS.values():
        for number in range(count):
            game = SoloGame.start(deal_solo(rng, deck, list(Exit)[number % 2]))
            for _ in range(rng.randrange(deck.board.size)):
                if game.position.moves:
                    game = game.play(rng.choice(game.position.moves))
            games.append(game)
    return games


def test_a_solo_game_is_shown_square_by_square(server: Server) -> None:
    solved = parse_solo_game("A2X/3Jr2/A2A b1 a1 a2 c2 b3 a3 c3 c1")
    with server.connection() as connection:
        for game in [*solo_games(1, 4), solved]:
            for ply, position in enumerate(game.positions):
                query = {"game": game.text, "ply": ply}
                data = valid(models.SoloGame, ask(connection, f"{API}/solo/game", **query))
                assert (data["position"], data["exit"]) == (position.text, str(position.rules.exit))
                assert (data["game"], data["ply"]) == (game.text, ply)
                deck = deck_of(game.positions[0])
                assert deck is not None
                assert data["deck"] == deck.name
                assert data["moves"] == list(game.squares)
                assert data["solved"] == position.solved
                assert data["over"] == (position.result is not None)
                assert data["text"] == str(position)
                rows, columns = len(data["rows"]), len(data["columns"])
                assert (rows, columns) == (position.board.rows, position.board.columns)
                for cell, square in enumerate(data["squares"]):
                    refusal = position.refusal(cell)
                    assert square["square"] == position.board.square(cell)
                    shown = (square["card"] or ".") + ("r" if square["pawn"] else "")
                    assert shown == position.cell_text(cell)
                    if refusal:
                        assert (square["refusal"]["kind"], square["refusal"]["text"]) == refusal
                        assert square["move"] is square["path"] is square["strokes"] is None
                    else:
                        assert square["move"] == position.move_text(cell)
                        assert_drawn(square["path"], square["strokes"], position.path(cell), position.board)
                if ply:
                    way = game.positions[ply - 1].path(game.moves[ply - 1])
                    assert_drawn(data["moved"], data["moved_strokes"], way, position.board)
                else:
                    assert data["moved"] is data["moved_strokes"] is None
        assert valid(models.SoloGame, ask(connection, f"{API}/solo/game", game=query["game"])) == data
        assert data["turn"] == "solved in 8 moves"


def test_a_solo_analysis_is_the_librarys(server: Server) -> None:
    backs = set()
    with server.connection() as connection:
        for game in solo_games(2, 3):
            data = valid(models.SoloAnalysis, ask(connection, f"{API}/solo/analysis", game=game.text))
            found = analyse_solo(game.position)
            expected: dict[str, Any] = {**found.to_json()}
            moves = [{**move, "value": None, "text": None} for move in data["moves"]]
            assert moves == [{**move, "value": None, "text": None} for move in expected.pop("moves")]
            assert {name: data[name] for name in expected} == expected
            assert data["best"] == list(found.best)
            assert (data["hint"] in found.best) == bool(found.best)
            assert data["back"] == moves_to_take_back(game)
            backs.add(data["back"])
    assert {None, 0} < backs
    long = solo_games(2, 1)[-1].text
    first = server.get_json(f"{API}/solo/analysis", game=long, ply=0)
    assert first["solutions"] == analyse_solo(parse_solo_game(long).positions[0]).solutions


# What is wrong


@pytest.mark.parametrize("endpoint", list(TEXT_PARAMETER))
def test_nonsense_is_named_as_by_the_library(server: Server, endpoint: str) -> None:
    texts = [text for text in BAD if text.isascii() or text.encode(errors="replace").decode() == text]
    assert len(texts) > 30
    with server.connection() as connection:
        for text in [*texts, "A" * 1001, f"{EXAMPLE} b1", f"{EXAMPLE} a2 b4 a2"]:
            answer = ask(connection, f"{API}/{endpoint}", **{TEXT_PARAMETER[endpoint]: text})
            assert problem(answer) == complaint_of(text)
        answer = ask(connection, f"{API}/{endpoint}", **{TEXT_PARAMETER[endpoint]: EXAMPLE, "rules": "chess"})
        assert problem(answer) == complaint_of(EXAMPLE, "chess")
        assert TEXT_PARAMETER[endpoint] in problem(ask(connection, f"{API}/{endpoint}"))


SOLO = "A2X/3Jr2/A2A"
WRONG: list[tuple[str, dict[str, object], str]] = [
    ("computer-move", {"position": EXAMPLE, "level": "3"}, "level: .*'3'"),
    ("computer-move", {"position": EXAMPLE, "seed": "-1"}, "seed: .*'-1'"),
    ("computer-move", {"position": EXAMPLE, "seed": "x" * 500}, "seed: "),
    ("computer-move", {"position": WON}, "^red cannot move: the game is over$"),
    ("deal", {"rules": "chess"}, "^unknown rules .*chess"),
    ("deal", {"seed": str(2**53)}, "seed: "),
    ("deal", {"seed": "9" * 5000}, "seed: "),
    ("deal", {"winner": "green"}, "winner: .*'green'"),
    ("deal", {"plies": "17"}, "plies: .*'17'"),
    ("deal", {"plies": "seven"}, "plies: .*'seven'"),
    ("deal", {"winning_moves": "-1"}, "winning_moves: "),
    ("census", {"rules": "chess"}, "^unknown rules .*chess"),
    ("census", {"rules": "standard@5,4,3,2"}, "official deck: use collapsi census --deck 5,4,3,2$"),
    ("game", {"game": EXAMPLE, "ply": "17"}, "ply: "),
    ("game", {"game": EXAMPLE, "ply": "1"}, "^there is no position after 1 moves: the game has 0$"),
    ("game", {"game": EXAMPLE, "match": "16-16"}, "^'16-16' is no score of a match"),
    ("game", {"game": EXAMPLE, "match": "nine-four"}, "^'nine-four' is no score of a match"),
    ("drawing", {"position": EXAMPLE, "values": "maybe"}, "values: .*'maybe'"),
    ("drawing", {"position": EXAMPLE, "move": "d4"}, "^d4 is 2 steps from d2, and red goes 1 step$"),
    ("drawing", {"position": EXAMPLE, "move": "z9"}, "^'z9' is no square of this board"),
    ("drawing", {"position": WON, "move": "a1"}, "^a1 has collapsed$"),
    ("drill", {}, "line: field required"),
    ("drill", {"line": 0}, "line: "),
    ("drill", {"line": 100}, "line"),
    ("drill", {"line": "x"}, "line: .*'x'"),
    ("drill", {"line": 1, "seed": -1}, "seed: .*'-1'"),
    ("edit", {}, "draft: field required"),
    ("edit", {"draft": ""}, ""),
    ("edit", {"draft": "what?"}, ""),
    ("edit", {"draft": "A" * 5000}, ""),
    ("edit", {"draft": EXAMPLE, "lay": "Q", "square": "a1"}, "Q"),
    ("edit", {"draft": EXAMPLE, "lay": "A", "square": "z9"}, "z9"),
    ("edit", {"draft": EXAMPLE, "lay": "r"}, ""),
    ("edit", {"draft": EXAMPLE, "side": "green"}, "green"),
    ("edit", {"draft": EXAMPLE, "rules": "chess"}, "chess"),
    ("puzzle", {"kind": "silly"}, "kind: .*'silly'"),
    ("puzzle", {"seed": "-1"}, "seed: .*'-1'"),
    ("puzzle", {"rules": "chess"}, "chess"),
    ("puzzle/try", {"position": EXAMPLE}, "move: field required"),
    ("puzzle/try", {"position": "A223", "move": "d1"}, "instead of 4"),
    ("puzzle/try", {"position": EXAMPLE, "move": "d4"}, "^d4 is 2 steps from d2, and red goes 1 step$"),
    ("puzzle/try", {"position": f"{EXAMPLE} a2", "move": "b4"}, "^blue cannot win here: there is no move"),
    ("puzzle/try", {"position": WON, "move": "b4"}, "^red cannot win here: there is no move to find$"),
    ("daily", {"date": "2026-02-30"}, "^'2026-02-30' is no date: write year, month and day"),
    ("daily", {"date": "x" * 500}, "is no date"),
    ("daily", {"date": "2026-10-02", "moves": "z9"}, "^'z9' is no square of this board"),
    ("daily", {"date": "2026-10-02", "moves": "a1 " * 50}, "moves: "),
    ("solo/game", {}, "game: field required"),
    ("solo/game", {"game": ""}, ""),
    ("solo/game", {"game": EXAMPLE}, ""),
    ("solo/game", {"game": f"{SOLO} c1"}, "c1"),
    ("solo/game", {"game": f"{SOLO} b1", "ply": 2}, "no position after 2 moves"),
    ("solo/game", {"game": "A" * 5000}, ""),
    ("solo/analysis", {"game": "A2X/3Jr2"}, ""),
    ("solo/analysis", {"game": f"{SOLO} b1", "ply": 2}, "no position after 2 moves"),
    ("solo/analysis", {"game": SOLO, "ply": -1}, "ply: .*'-1'"),
    ("solo/drawing", {}, "game: field required"),
    ("solo/drawing", {"game": "A2X/3Jr2"}, ""),
    ("solo/drawing", {"game": f"{SOLO} b1", "ply": 2}, "no position after 2 moves"),
    ("solo/drawing", {"game": SOLO, "move": "c1"}, "c1"),
    ("solo/drawing", {"game": SOLO, "move": "c1", "values": "true"}, "c1"),
    ("solo/drawing", {"game": SOLO, "move": "nowhere"}, "nowhere"),
    ("solo/deal", {"deck": "chess"}, "chess"),
    ("solo/deal", {"difficulty": "impossible"}, "difficulty: .*'impossible'"),
    ("solo/deal", {"exit": "ajar"}, "exit: .*'ajar'"),
    ("solo/deal", {"seed": -1}, "seed: .*'-1'"),
    ("solo/deal", {"deck": "2333444", "exit": "closed"}, ""),  # none of these can be solved
]


def test_what_is_wrong_is_named(server: Server) -> None:
    with server.connection() as connection:
        for endpoint, query, said in WRONG:
            detail = problem(ask(connection, f"{API}/{endpoint}", **query))
            assert re.search(said, detail), (endpoint, query, detail)
    many = len(server.get_json(f"{API}/lessons")["lines"])
    assert f"lines 1 to {many}, not {many + 1}" in problem(server.get(f"{API}/drill", line=many + 1))
    for endpoint in ("deal", "census"):
        assert problem(server.get(f"{API}/{endpoint}", rules="chess")) == complaint_of(EXAMPLE, "chess")


# Puzzles and the deal of the day


def test_the_deal_of_the_day_is_the_librarys(server: Server) -> None:
    """At every moment of a game of it."""
    day = DailyGame.start(date(2026, 10, 2))
    moves: list[str] = []
    while True:
        data = valid(
            json_types.DailyGame, server.get(f"{API}/daily", date="2026-10-02", moves=" ".join(moves))
        )
        assert data == json.loads(json.dumps(day.to_json()))
        if data["over"]:
            break
        move = data["reply"] or analyse(day.game.position).best[0]
        moves.append(move)
        day = day.play(move)
    assert data["won"]
    assert data["result"].startswith("Collapsi 2026-10-02: won in")
    here = server.get_json(f"{API}/daily")  # today, where the service runs
    assert here["date"] in {today().isoformat(), (today() - timedelta(days=1)).isoformat()}


def test_what_is_not_there_is_named(server: Server) -> None:
    assert problem(server.get(f"{API}/nothing"), 404) == "there is nothing at '/api/v1/nothing'"
    with server.connection() as connection:
        connection.request("POST", f"{API}/deal")
        response = connection.getresponse()
        answer = Answer(response.status, response.headers, response.read())
    assert problem(answer, 405) == "'POST' is not answered here: use GET"


def test_a_question_may_be_asked_for_its_head_only(server: Server) -> None:
    """HEAD is GET without the body (RFC 9110): whether an address is right can be asked so."""
    path = f"{API}/deal?seed=7"
    expected = server.get(path)
    with server.connection() as connection:
        connection.request("HEAD", path)
        response = connection.getresponse()
        assert response.read() == b""
    assert response.status == expected.status
    assert response.headers["content-type"] == expected.headers["content-type"]


# The census


def until_ready(server: Server) -> Iterator[dict[str, Any]]:
    """What the census says again and again, last that it is ready."""
    patience = time.monotonic() + 5 * HANG_SECONDS
    with server.connection() as connection:
        while time.monotonic() < patience:
            data = valid(models.Census, ask(connection, f"{API}/census"))
            yield data
            if data["state"] != "working":
                return
            time.sleep(0.05)
    pytest.fail("the census does not end")


class Taking:
    """What was seen while the census was taken."""

    def __init__(self) -> None:
        self.statuses: list[dict[str, Any]] = []
        self.refused: list[str] = []
        self.meanwhile: list[tuple[Position, Any]] = []


@pytest.fixture(scope="module")
def taking(server: Server) -> Taking:
    """The census taken, and other questions asked meanwhile."""
    rng = random.Random(11)
    seen = Taking()
    for data in until_ready(server):
        seen.statuses.append(data)
        if data["state"] != "working":
            break
        asked = deal(rng)
        seen.meanwhile.append((asked, server.get_json(f"{API}/analysis", position=format_position(asked))))
        assert server.get_json(f"{API}/game", game=EXAMPLE)["winner"] is None
        if not seen.refused:  # at once after it began, so it cannot have ended yet
            seen.refused.append(problem(server.get(f"{API}/deal", plies=7), 409))
            seen.refused.append(problem(server.get(f"{API}/census/deal", position=EXAMPLE), 409))
    return seen


@pytest.fixture(scope="module")
def census(taking: Taking) -> dict[str, Any]:
    """The finished census."""
    return taking.statuses[-1]


def test_the_census_is_taken_while_others_are_answered(taking: Taking) -> None:
    states = [data["state"] for data in taking.statuses]
    assert set(states[:-1]) == {"working"}
    assert states[-1] == "ready"
    shares = [data["progress"] for data in taking.statuses]
    assert all(earlier <= later for earlier, later in pairwise(shares))
    assert len(set(shares)) > 3
    assert shares[-1] == 1
    assert len(taking.meanwhile) > 3
    for asked, answer in taking.meanwhile:
        assert answer == analyse(asked).to_json()
    assert len(taking.refused) == 2
    for line in taking.refused:
        assert re.fullmatch(
            r"the census of standard is being taken \(\d+% done\): ask again in a few seconds", line
        )


def test_the_census_counts_what_was_published(census: dict[str, Any]) -> None:
    assert census["deals"] == DEALS
    assert census["different"] == DIFFERENT
    kinds = census["kinds"]
    assert sum(kind["deals"] for kind in kinds) == DEALS
    assert sum(kind["different"] for kind in kinds) == DIFFERENT
    seven = [kind for kind in kinds if kind["plies"] == 7]
    assert sum(kind["deals"] for kind in seven) == SEVEN_PLIES
    assert sum(kind["different"] for kind in seven) == SEVEN_PLIES_DIFFERENT
    for kind in kinds:
        assert kind["winner"] == ("red" if kind["plies"] % 2 else "blue")
        assert (kind["winning_moves"] > 0) == (kind["winner"] == "red")


@pytest.mark.usefixtures("census")
def test_a_deal_of_seven_plies(server: Server) -> None:
    seen = set()
    with server.connection() as connection:
        for seed in range(20):
            data = valid(models.Deal, ask(connection, f"{API}/deal", plies=7, seed=seed))
            assert analyse(data["position"]).plies == 7
            assert not collapsi.status(parse_position(data["position"]))
            seen.add(data["position"])
            assert json.loads(ask(connection, f"{API}/deal", plies=7, seed=seed).body) == data
    assert len(seen) > 10
    assert problem(server.get(f"{API}/deal", plies=7, winner="blue")).startswith("there is no deal with")


@settings(max_examples=120)
@given(
    st.none() | st.integers(0, 16),
    st.none() | st.integers(0, 16),
    st.none() | st.sampled_from(["red", "blue"]),
)
def test_a_deal_is_of_the_kind_that_was_asked_for(
    server: Server, census: dict[str, Any], plies: int | None, winning_moves: int | None, winner: str | None
) -> None:
    wanted = {"plies": plies, "winning_moves": winning_moves, "winner": winner}
    wanted = {name: value for name, value in wanted.items() if value is not None}
    there_is = any(wanted.items() <= kind.items() for kind in census["kinds"])
    answer = server.get(f"{API}/deal", seed=1, **wanted)
    if not there_is:
        assert problem(answer).startswith("there is no deal with")
        return
    analysis = analyse(valid(models.Deal, answer)["position"])
    found = {
        "plies": analysis.plies,
        "winner": str(analysis.winner),
        "winning_moves": sum(move.wins for move in analysis.moves),
    }
    assert wanted.items() <= found.items()


def test_the_census_knows_every_deal(server: Server, census: dict[str, Any]) -> None:
    rng = random.Random(12)
    rare = parse_position(server.get_json(f"{API}/deal", plies=7, seed=3)["position"])
    for asked in [rare, *(deal(rng) for _ in range(15))]:
        text = format_position(asked)
        data = valid(models.DealClass, server.get(f"{API}/census/deal", position=text))
        analysis = analyse(asked)
        assert data["asked"] == text
        assert data["winner"] == str(analysis.winner)
        assert (data["plies"], data["score"]) == (analysis.plies, analysis.score)
        assert data["winning_moves"] == sum(move.wins for move in analysis.moves)
        # The representative is the same game turned: the same values on other squares.
        assert sorted(data["first_moves"].values()) == sorted(move.score for move in analysis.moves)
        assert analyse(data["deal"]).score == analysis.score
        assert (data["deals"], data["different"]) == (DEALS, DIFFERENT)
        length = [kind for kind in census["kinds"] if kind["plies"] == analysis.plies]
        alike = [kind for kind in length if kind["winning_moves"] == data["winning_moves"]]
        for name in ("deals", "different"):
            assert data[f"length_{name}"] == sum(kind[name] for kind in length)
            assert data[f"alike_{name}"] == sum(kind[name] for kind in alike)
        assert data["twins"][0] == text
        assert len(set(data["twins"])) == len(data["twins"])
        for twin in data["twins"][1:]:
            assert server.get_json(f"{API}/census/deal", position=twin)["deal"] == data["deal"]
    data = server.get_json(f"{API}/census/deal", position=format_position(rare))
    assert (data["length_deals"], data["length_different"]) == (SEVEN_PLIES, SEVEN_PLIES_DIFFERENT)


@pytest.mark.usefixtures("census")
def test_only_a_deal_is_looked_up(server: Server) -> None:
    for text in (f"{EXAMPLE} a2", WON, "AAAA/4A2Jr/3A23/Jb3A4 r"):
        assert "is not a whole deal" in problem(server.get(f"{API}/census/deal", position=text))


def atlas_files(cache: Path) -> dict[str, tuple[int, str]]:
    """When each file of the atlas was written, and a hash of what is in it."""
    return {
        path.name: (path.stat().st_mtime_ns, hashlib.sha256(path.read_bytes()).hexdigest())
        for path in (cache / "collapsi" / "atlas" / "standard").iterdir()
    }


def test_the_next_server_has_the_census_already(cache: Path, census: dict[str, Any]) -> None:
    before = atlas_files(cache)
    assert len(before) == 2
    with running_server(cache) as second:
        statuses = []
        for data in until_ready(second):
            statuses.append(data)
            assert second.census_jobs() == []
        assert statuses[-1] == census
        assert {data["progress"] for data in statuses[:-1]} <= {0}
        assert analyse(second.get_json(f"{API}/deal", plies=7)["position"]).plies == 7
    assert atlas_files(cache) == before


@pytest.mark.slow
def test_a_damaged_census_is_taken_again(cache: Path, census: dict[str, Any], tmp_path: Path) -> None:
    """All of it; with few deals in `tests/test_atlas_damage.py`."""
    good = atlas_files(cache)
    shutil.copytree(cache / "collapsi", tmp_path / "collapsi")
    (rows,) = (tmp_path / "collapsi" / "atlas" / "standard").glob("*.parquet")
    content = bytearray(rows.read_bytes())
    content[len(content) // 2] ^= 0xFF
    rows.write_bytes(content)
    with running_server(tmp_path) as again:
        statuses = list(until_ready(again))
    assert statuses[0]["state"] == "working"
    assert statuses[-1] == census
    mended = {name: content for name, (_, content) in atlas_files(tmp_path).items()}
    assert {name for name in mended if name.endswith(".parquet")} == {
        name for name in good if name.endswith(".parquet")
    }
    assert mended[rows.name] == good[rows.name][1]


def test_a_census_that_cannot_be_kept_says_why(tmp_path: Path) -> None:
    (tmp_path / "collapsi").write_text("a file where the folder would be")
    with running_server(tmp_path) as server:
        *_, last = until_ready(server)
        assert last["state"] == "failed"
        assert last["reason"].startswith("cannot write to ")
        assert len(last["reason"].splitlines()) == 1
        for answer in (
            server.get(f"{API}/deal", plies=7),
            server.get(f"{API}/census/deal", position=EXAMPLE),
        ):
            assert problem(answer, 409) == f"the census of standard could not be taken: {last['reason']}"
        assert server.get_json(f"{API}/deal", seed=7)["seed"] == 7


def test_stopping_stops_the_census_too(tmp_path: Path) -> None:
    with running_server(tmp_path) as server:
        assert server.get_json(f"{API}/census")["state"] == "working"
        wait_until(server.census_jobs)
        jobs = server.children()
        assert server.stop() in (0, 130)
        assert "Traceback" not in server.complaints()
    assert not any(is_running(job) for job in jobs)
