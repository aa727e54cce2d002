"""The views of the big board: what the page shows of answers, seats, matches and reviews, case by case."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from collapsi import CollapsiError, Game, MalformedError, deal, parse_game, parse_position
from collapsi.api import big, streams
from collapsi.api.questions import QUESTIONS
from collapsi.games.big.analysis import BigAnalysis
from collapsi.games.big.endgame import EndgameAnalysis
from collapsi.games.big.engine import Estimate, MoveEstimate
from collapsi.games.big.match import BigMatch, format_big_match, parse_big_match
from collapsi.games.big.rules import BIG, BIG_RULE_SETS, BigRules
from collapsi.games.big.search import Bounds, Progress
from collapsi.games.big.state import OUT, BigState
from collapsi.games.kind import Limits

if TYPE_CHECKING:
    from collections.abc import Iterator

    from collapsi.games.big.analysis import Points

TWO = parse_position("43..../2A...A/.3A.../.AA4../.33b44r./...... r big")
THREE = parse_position("3g....3/2b....3/....../....23/A..A23r/2....A r big3")
LAST_MOVE = parse_position("2r.3b.../A...../A..3g../....../..3y.../...... r big4")
"""After a3 blue, green and yellow cannot move."""
ONE_PLY = "..A.../..3.../..A.../.2rA.../..2b.../...... r big c3"
BLUE_WINS = "d4 b3 b2 c3 b1 c4 f2 b4 a2 b5"
"""Perfect play from `TWO`."""


def by_name(shown: Any, field: str) -> dict[str, Any]:
    return {move["move"]: move[field] for move in shown["moves"]}


def test_an_estimate_is_shown_as_one() -> None:
    first, second, *others = THREE.moves
    found = {
        first: MoveEstimate((1.04, 1.0, 0.96), 5),
        second: MoveEstimate((1.51, 0.99, 0.5), 90),
        **dict.fromkeys(others, MoveEstimate((0.0, 0.0, 0.0), 0)),
    }
    shown = big.answer_json(Estimate(THREE, (1.5, 1.0, 0.5), found, 96), 0.5)
    assert (shown["kind"], shown["exact"], shown["sure"]) == ("estimate", False, "an estimate")
    assert (shown["nodes"], shown["seconds"], len(shown["notes"])) == (96, 0.5, 1)
    names = [THREE.move_text(move) for move in THREE.moves]
    assert by_name(shown, "badge") == dict.fromkeys(names, "…") | {names[0]: "≈1.0", names[1]: "≈1.5"}
    words = by_name(shown, "words")
    assert words[names[1]] == "about 1.5 points"
    assert words[names[2]] == "not looked at yet"
    assert by_name(shown, "best") == {name: name == names[1] for name in names}
    assert {move["wins"] for move in shown["moves"]} == {None}


@pytest.mark.parametrize("secured", [(2, 1, 0), (2, 0, 0)])
def test_an_endgame_is_shown_with_the_points_of_its_mover(secured: Points) -> None:
    first, second, *others = THREE.moves
    found: dict[int, tuple[Points, int]] = {
        first: ((1, 2, 0), 1),
        second: ((2, 1, 0), 2),
        **dict.fromkeys(others, ((0, 2, 1), 0)),
    }
    analysis = EndgameAnalysis(THREE, (2, 1, 0), secured, found)
    shown = big.answer_json(analysis, 1.5)
    exact = secured == (2, 1, 0)
    assert (shown["kind"], shown["exact"]) == ("endgame", exact)
    assert shown["sure"] == ("exact" if exact else "exact under a rule for ties")
    assert [shown["text"], *shown["notes"]] == list(analysis.notes[:3])
    assert [move["badge"] for move in shown["moves"]] == ["2", "1", *["0"] * len(others)]
    assert shown["moves"][0]["move"] == THREE.move_text(second)
    assert [move["best"] for move in shown["moves"]] == [True, *[False] * (len(others) + 1)]
    assert shown["moves"][1]["words"] == "red 1, blue 2, green 0; secures 1"


@pytest.mark.parametrize(
    ("bounds", "settling", "exact", "sure", "badges"),
    [
        ([(-4, -4), (-8, -8), (-8, -8)], None, True, "exact", ["−10", "−6", "−6"]),
        (
            [(5, 5), (-8, 3), (-8, -8)],
            "c3",
            False,
            "exact, other moves not all settled yet",
            ["+9", "?", "−6"],
        ),
        (
            [(1, 5), (-8, 13), (-8, -8)],
            "d4",
            False,
            "the winner is exact, how soon is not known yet",
            ["+?", "?", "−6"],
        ),
        ([(-12, 13), (-8, -3), (-8, -8)], "d4", False, "not known yet", ["?", "−?", "−6"]),
    ],
)
def test_a_solved_position_says_how_much_of_it_is_known(
    bounds: list[tuple[int, int]], settling: str | None, exact: bool, sure: str, badges: list[str]
) -> None:
    moves = [TWO.parse_move(name) for name in ("d4", "c3", "b4")]
    known = {move: Bounds(*each) for move, each in zip(moves, bounds, strict=True)}
    at = None if settling is None else TWO.parse_move(settling)
    shown: Any = big.answer_json(BigAnalysis(TWO, Progress(known, at, 77, 1.0)), 2.0)
    assert (shown["kind"], shown["exact"], shown["sure"]) == ("solved", exact, sure)
    assert (shown["settling"], shown["nodes"], shown["seconds"]) == (settling, 77, 2.0)
    assert sorted(by_name(shown, "badge").values()) == sorted(badges)
    assert by_name(shown, "best") == {name: name in shown["best"] for name in ("d4", "c3", "b4")}


def test_seats_say_who_is_out_and_who_has_won() -> None:
    game = parse_game(f"{LAST_MOVE.text} a3")
    before, after = big.game_json(game, 0, None), big.game_json(game, None, None)
    assert [seat["text"] for seat in before["seats"]] == ["to move, on a1", "on c1", "on d3", "on c5"]
    assert [seat["text"] for seat in after["seats"]] == [
        "has won: 3 points",
        "out first: no points",
        "out second: 1 point",
        "out third: 2 points",
    ]
    assert [(seat["out"], seat["points"], seat["square"]) for seat in after["seats"]] == [
        (None, 3, "a3"),
        (1, 0, None),
        (2, 1, None),
        (3, 2, None),
    ]
    assert [seat["player"] for seat in after["seats"]] == [1, 2, 3, 4]
    assert (before["task"], after["task"]) == ("move: 2 steps from a1", None)
    assert (before["winner"], after["winner"], after["moved_by"]) == (None, "red", "red")
    assert (before["went"], before["moved"]) == (None, None)
    went = "red went from a1 to a3; blue cannot move and is out, with no points;"
    assert str(after["went"]).startswith(went)


def test_a_match_counts_a_round_that_is_over_and_names_the_next() -> None:
    over = parse_game(f"{LAST_MOVE.text} a3")
    shown = big.game_json(over, None, "start")["match"]
    assert shown is not None
    assert (shown["title"], shown["points"], shown["winner"]) == ("round 1", [3, 0, 1, 2], None)
    assert shown["next_rules"] == "big4"
    assert str(shown["next_text"]).startswith("round 2: player 2 is red, player 3 is blue, ")
    playing = big.game_json(over, 0, "start")["match"]
    assert playing is not None
    assert (playing["points"], playing["next"], playing["next_text"]) == ([0, 0, 0, 0], None, None)
    second = big.game_json(over, None, shown["next"])["match"]
    assert second is not None
    assert (second["title"], second["points"]) == ("round 2", [3 + 2, 0 + 3, 1 + 0, 2 + 1])


def test_a_match_names_its_winner_by_number() -> None:
    """Player 1 wins as red, then as blue."""
    first = big.game_json(parse_game(ONE_PLY), None, "start")["match"]
    assert first is not None
    second = big.game_json(parse_game(f"{TWO.text} {BLUE_WINS}"), None, first["next"])["match"]
    assert second is not None
    assert (second["points"], second["winner"], second["next"]) == ([2, 0], 1, None)


@pytest.mark.parametrize("rules", BIG_RULE_SETS.values(), ids=str)
def test_matches_are_written_and_read_to_their_end(rules: BigRules) -> None:
    """Round by round as the page asks: every match that arises reads back, until somebody has won."""
    rng = random.Random(8)
    off = 0
    for _ in range(4):
        text, now, match = "start", rules, BigMatch.start(rules)
        while match.winner is None:
            off += match.rounds >= rules.players
            assert parse_big_match(format_big_match(match), match.rules) == match
            state = end_of_round(rng, now)
            shown: Any = big.game_json(Game.start(state), None, text)
            seats = {seat["seat"]: seat["player"] - 1 for seat in shown["seats"]}
            assert seats == {str(colour): number for colour, number in match.seats.items()}
            assert shown["match"]["title"] == match.title
            match = match.after(state)
            assert shown["match"]["points"] == list(match.points)
            if match.winner is None:
                text, now = shown["match"]["next"], BIG_RULE_SETS[shown["match"]["next_rules"]]
                assert now is match.rules
        assert shown["match"]["winner"] == match.winner + 1
        assert shown["match"]["next"] is None
    assert off or rules is not BIG  # two players with a round each are often level


def end_of_round(rng: random.Random, rules: BigRules) -> BigState:
    """Somebody has won: the order in which the others went out is by chance."""
    seats = list(rules.seats)
    rng.shuffle(seats)
    *out, winner = seats
    cards = deal(rng, rules).cards
    cell = next(cell for cell, card in enumerate(cards) if card is not None)
    pawns = tuple(cell if player is winner else OUT for player in rules.seats)
    return BigState(cards, pawns, winner, tuple(out), rules)


@pytest.mark.parametrize(
    "text",
    [
        *("", "x", "1-2", "0-0/0/12+0", "0-0/2", "3-1-2/1", "1-1/2/12+2", "1-1/2/13+0", "2-0/2/12+0"),
        *("1-1/2/21+0", "1-1/2/11+0", "1-1/٢/12+0"),
    ],
)
def test_a_match_that_cannot_be_is_refused(text: str) -> None:
    with pytest.raises(MalformedError):
        parse_big_match(text, BIG)


def lines_of(path: str, **texts: str) -> list[Any]:
    """The lines of a stream, without the end line."""
    work: Any = QUESTIONS[path].read(texts)
    *lines, end = work.make(lambda: False)
    assert end["why"] == "done"
    return lines


def test_the_last_line_of_an_analysis_has_perfect_play() -> None:
    lines = lines_of("big/analysis", position=TWO.text)
    assert lines[0]["answer"].get("line") is None
    assert lines[-1]["answer"]["line"] == BLUE_WINS.split()
    assert lines[-1]["text"] == "blue wins in 10 plies"
    over = lines_of("big/analysis", position=ONE_PLY)
    assert [(line["exact"], line["text"], line["moves"]) for line in over] == [
        (True, "red has won: blue cannot move", [])
    ]


def test_values_are_drawn_with_two_players_left() -> None:
    drawing = QUESTIONS["big/drawing"]
    drawing.read({"position": TWO.text, "values": "true"})
    with pytest.raises(CollapsiError, match="two players left, and here 3 are: ask without values"):
        drawing.read({"position": THREE.text, "values": "true"})


def test_a_review_counts_its_moves_and_then_names_those_that_gave_something_away() -> None:
    """Blue wins after d4: one of the answers gives that away."""
    won = TWO.play("d4")
    last = set()
    for game in (Game.start(TWO, ["d4"]), *(Game.start(won, [move]) for move in won.moves)):
        texts = [line["text"] for line in lines_of("big/review", game=game.text)]
        assert texts[0] == "looked at 0 of 1 moves, the last first"
        last.add(texts[-1])
    assert last == {"given away at move 1", "no move is known to have given anything away"}


class Answer(NamedTuple):
    """An answer of a solver, as far as a stream reads it."""

    finished: bool
    number: int


@pytest.mark.parametrize(
    ("finished", "seconds", "cancelled", "shown", "why"),
    [
        ((False, False, False), 60, False, [0, 1], "done"),
        ((False, False, True), 60, False, [0, 1], "done"),
        ((False, False, False), 60, True, [0], "turn"),
        ((True, False, False), 60, True, [0], "done"),
        ((False, False, False), 0, False, [0], "time"),
        ((), 60, False, [], "done"),
    ],
)
def test_a_stream_ends_when_all_is_known_or_its_time_is_over(
    finished: tuple[bool, ...], seconds: float, cancelled: bool, shown: list[int], why: str
) -> None:
    """Lines that repeat the last one are left out."""
    given: list[Limits] = []

    def searched(limits: Limits) -> Iterator[Answer]:
        given.append(limits)
        return (Answer(one, number // 2) for number, one in enumerate(finished))

    work = streams.improving(
        searched, lambda answer, _: {"number": answer.number}, "big", seconds=seconds, seed=None
    )
    *lines, end = work.make(lambda: cancelled)
    assert [line["number"] for line in lines] == shown
    assert (end["kind"], end["why"], end["text"]) == ("end", why, streams.ENDS[why])
    assert given == [Limits(seconds=seconds, estimate_first=True, seed=1)]
