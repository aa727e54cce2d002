"""The solo game: rules, notation, solver, layouts and census against plain enumeration; its commands."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from fractions import Fraction
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from collapsi import Board, Card, CollapsiError, IllegalPositionError, Player, Refusal
from collapsi.core.symmetry import symmetries
from collapsi.games.solo.analysis import SoloMove, analyse_solo, per_cent
from collapsi.games.solo.census import SoloCensus, arrangements, sample_census, take_census
from collapsi.games.solo.deals import (
    DECKS,
    OFFICIAL,
    Deck,
    Difficulty,
    Scale,
    deal_solo,
    deal_solvable,
    deck_of,
    parse_deck,
)
from collapsi.games.solo.notation import parse_solo
from collapsi.games.solo.rules import SOLO_RULES, Exit
from collapsi.games.solo.search import (
    Layout,
    SolutionTable,
    is_solvable,
    moves_to_take_back,
)
from collapsi.games.solo.state import Solo, SoloGame
from tests import naive_solo
from tests.strategies import LARGE_DECKS as LARGE
from tests.strategies import SMALL_DECKS as SMALL
from tests.strategies import solo_deals, solo_played, solo_set_up
from tests.test_cli import on_a_terminal
from tests.typed import ok, refused

LAYOUT = "A2X/3Jr2/A2A"


def naive(position: Solo) -> naive_solo.NaiveSolo:
    return naive_solo.read(position.text)


def cell_at(place: naive_solo.Place, size: int) -> int:
    return place[0] * size + place[1]


def naive_solutions(position: Solo) -> list[tuple[int, ...]]:
    plain = naive(position)
    return [tuple(cell_at(place, plain.size) for place in way) for way in naive_solo.solutions(plain)]


# The rules


@given(st.one_of(solo_set_up(), solo_played(SMALL), solo_played(LARGE)))
def test_positions_are_won_lost_or_open_and_a_closed_exit_is_not_crossed(position: Solo) -> None:
    assert position.solved == naive_solo.is_solved(naive(position))
    assert position.result == ((1,) if position.solved else None if position.moves else (0,))
    assert position.to_move is Player.RED
    assert position.cards_left == len(naive(position).cards)
    for move in position.moves:
        crossed = position.exit in position.path(move)
        assert position.is_last or not crossed or position.rules.exit is Exit.OPEN


@pytest.mark.parametrize(
    ("text", "square", "kind", "sentence"),
    [
        (LAYOUT, "b2", Refusal.OWN_CARD, "the pawn stands on b2 already: a move ends on another card"),
        (LAYOUT, "c1", Refusal.EXIT, "c1 is the exit: it comes last, and 7 other cards are still face up"),
        (".../2rX./A..", "b2", Refusal.EXIT, "b2 is the exit: it comes last, and 1 other card is still"),
        (f"{LAYOUT} b1", "b2", Refusal.COLLAPSED, "b2 has collapsed"),
        (LAYOUT, "a1", Refusal.TOO_FAR, "a1 is 2 steps from b2, and the pawn goes 1 step"),
        (".../2rX./..A closed", "c3", Refusal.BLOCKED, "collapsed cards or the closed exit block every way"),
        (".2r./.../A.X", "a3", Refusal.BLOCKED, "collapsed cards block every way of 2 steps from b1 to a3"),
        ("3r3../..../..../...X", "b1", Refusal.NO_RETURN, "3 steps from a1 end on b1 only by crossing"),
        ("2r33X/AAAA/AAAA/AAAA", "b1", Refusal.WRONG_COUNT, "no way from a1 to b1 has exactly 2 steps"),
        ("Ar../.X./...", "b2", Refusal.TOO_FAR, "a1 is not next to the exit on b2, so the pawn cannot leave"),
        (".../.Xr./...", "b2", Refusal.OWN_CARD, "the pawn has left by b2: the board is solved"),
    ],
)  # fmt: skip
def test_refusals(text: str, square: str, kind: Refusal, sentence: str) -> None:
    refusal = parse_solo(text).refusal(square)
    assert refusal is not None
    assert refusal[0] is kind
    assert refusal[1].startswith(sentence)


def test_the_two_readings_of_the_exit() -> None:
    """A 2 beside the exit: over it, or not at all."""
    position = parse_solo(".../2rXA/...")
    assert [position.move_text(move) for move in position.moves] == ["c2"]
    assert position.path("c2") == (3, 4, 5)
    assert parse_solo(".../2rXA/... closed").result == (0,)
    board = parse_solo("..../2rXA./..../....")
    assert board.play("c2").play("b2").solved


def test_the_last_card_only_has_to_touch_the_exit() -> None:
    for card in "A234":
        for reading in ("", " closed"):
            position = parse_solo(f".../{card}rX./...{reading}")
            assert position.moves == (4,)
            assert position.path(4) == (3, 4)
            solved = position.play("b2")
            assert (solved.solved, solved.result, solved.moves) == (True, (1,), ())
            assert solved.text == f".../.Xr./...{reading}"
            assert solved.turn == "solved"
    assert parse_solo("Ar../.X./...").turn == "stuck with 1 card to collapse"


def test_of_several_ways_the_plainest() -> None:
    position = parse_solo("3r33A/AX3A/AAAA/AAAA")
    assert position.path("d1") == (0, 1, 2, 3)
    over = parse_solo("2rXA./AA../..../....")
    assert over.path("b2") == (0, 4, 5)


def test_positions_that_have_no_meaning_are_not_built() -> None:
    board = SOLO_RULES[Board(3, 3), Exit.OPEN]
    two = (Card.TWO, Card.JACK, *[None] * 7)
    for cards, pawn, message in (
        (two[:-1], 0, "is played with 9 cards, not 8"),
        (two, 9, "the pawn is off the board"),
        (two, 2, "stands on a collapsed card at c1"),
        ((Card.TWO, Card.JACK, Card.JACK, *[None] * 6), 0, "there are 2 exits, on b1 and c1"),
        ((Card.TWO, Card.TWO, *[None] * 7), 0, "there is no exit"),
        ((Card.TWO, Card.JACK, *[None] * 7), 1, "there is no exit"),
        ((Card.TWO, *[None] * 8), 0, "there is no exit"),
    ):
        with pytest.raises(IllegalPositionError, match=message):
            Solo(cards, (pawn,), board)


# Notation


def test_the_reading_is_assumed_only_where_the_text_is_silent() -> None:
    assert parse_solo(LAYOUT).rules.exit is Exit.OPEN
    assert parse_solo(LAYOUT, reading=Exit.CLOSED).rules.exit is Exit.CLOSED
    assert parse_solo(f"{LAYOUT} open", reading=Exit.CLOSED) == parse_solo(LAYOUT)
    assert parse_solo(f"{LAYOUT} CLOSED b1").rules.exit is Exit.CLOSED
    assert parse_solo("A2X%2F3Jr2%2fA2A%20closed+b1") == parse_solo(f"{LAYOUT} closed b1")


BAD = {
    "": "no position: the text is empty",
    "hello": "1 row instead of 3 rows of 3 or 4 rows of 4 cards: 'hello'",
    "A2X/3Jr2": "2 rows instead of",
    "A2X/3Jr2/A2": "row 3 has 2 cards instead of 3: 'A2'",
    "A2X/3Jr2/A2A/A2A": "row 1 has 3 cards instead of 4",
    "A2X/3Jr2/A2A2": "row 3 has 4 cards instead of 3",
    "A2X/3Jr2/A5A": "'5' in row 3, column 2 is no card: write A, 2, 3, 4, X",
    "A2X/3Jb2/A2A": "'b' in row 2, column 3 is no card",
    "12X/3Jr2/A2A": "'1' in row 1, column 1 is no card",
    "A2X/3J2/A2A": "no pawn: write r after the card it stands on",
    "ArX2/3Jr2/A2A": "a second pawn|row 1 has",
    "Ar2X/3Jr2/A2A": "a second pawn in row 2, column 2: the first is on a1",
    "rA2X/3J2/A2A": "pawn 'r' in row 1, column 1 has no card before it",
    "A22/3Jr2/A2A": "no exit: write X",
    "X2X/3Jr2/A2A": "a second exit X on c1: the first is on a1",
    "A2X/3Jr2/A2J": "the jack on c3 has no pawn: the exit is written X",
    "A2Xr/3A2/A2A": "the pawn stands on the exit on c1, but 8 other cards are face up",
    "..Xr/A../...": "the pawn stands on the exit on c1, but 1 other card is face up",
    ".../.Jr./...": "no exit",
    "A2X/3.r2/A2A": "the pawn stands on a collapsed card at b2",
    "A2X/3Jr2/A2A clsed": "'clsed' is neither a reading of the exit .* nor a move",
    "A2X/3Jr2/A2A d4": "'d4' is neither",
    "A2X/3Jr2/A2A b1 z": "move 2, 'z': 'z' is no square",
    "A2X/3Jr2/A2A c1": "move 1, 'c1': c1 is the exit",
    "A2X/3Jr2/A2A closed open": "move 1|neither",
    "\u01f02X/3Jr2/A2A": "in row 1, column 1 is no card",
    "A2X/3Jr2/A2A \udcff": "neither",
    "A" * 5000: "5,000 characters are too many",
}


@pytest.mark.parametrize(("text", "message"), BAD.items())
def test_nonsense_is_named(text: str, message: str) -> None:
    with pytest.raises(CollapsiError, match=message) as caught:
        parse_solo(text)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300
    str(caught.value).encode()


# The solver


@pytest.mark.parametrize("every", [20, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize(("reading", "solvable"), [(Exit.OPEN, 1120), (Exit.CLOSED, 1088)])
def test_layouts_of_the_official_deck_against_plain_enumeration(
    reading: Exit, solvable: int, every: int
) -> None:
    found: Counter[int] = Counter()
    for cards in islice(arrangements(OFFICIAL), 0, None, every):
        position = Solo(cards, (0,), SOLO_RULES[OFFICIAL.board, reading])
        plain = len(naive_solutions(position))
        assert analyse_solo(position).solutions == plain
        assert is_solvable(position) == (plain > 0)
        found[plain] += 1
    census = dict(take_census(OFFICIAL, reading).solutions)
    assert sum(census.values()) == 1120
    assert 1120 - census.get(0, 0) == solvable
    assert census == found or every > 1


small_positions = st.one_of(
    solo_set_up(most_cards=9),
    solo_played(SMALL),
    solo_played(LARGE, fewest=7).filter(lambda position: position.cards_left <= 9),
)


@settings(max_examples=200)
@given(small_positions)
def test_solutions_share_and_moves_against_plain_enumeration(position: Solo) -> None:
    plain = naive_solutions(position)
    table = SolutionTable(position)
    assert list(table.solutions(position)) == plain
    assert table.count(position) == len(plain)
    assert is_solvable(position) == bool(plain)
    keeping = sorted({way[0] for way in plain if way})
    assert list(table.keeping(position)) == keeping
    assert table.share(position) == naive_solo.share(naive(position))
    assert table.forced(position) == (forced(position) if plain else 0)
    for way in islice(plain, 3):
        assert SoloGame.start(position, way).position.solved
    for move in position.moves:  # the table of the first position answers for the later ones
        assert table.count(position.play(move)) == sum(way[0] == move for way in plain)


def forced(position: Solo) -> int:
    """The meaning of it, plainly: on the best of all solutions, how often one move of several will do."""
    if position.solved:
        return 0
    keeping = [after for after in map(position.play, position.moves) if naive_solutions(after)]
    return (len(keeping) == 1 < len(position.moves)) + min(map(forced, keeping))


@settings(max_examples=30)
@given(solo_played(LARGE, fewest=3))
def test_large_boards_against_a_search_without_colours(position: Solo) -> None:
    known: dict[tuple[int, int], int] = {}

    def plain(position: Solo) -> int:
        state = position.face_up, position.pawn
        if position.solved:
            return 1
        if state not in known:
            known[state] = sum(plain(position.play(move)) for move in position.moves)
        return known[state]

    assert analyse_solo(position).solutions == plain(position)
    assert is_solvable(position) == (plain(position) > 0)


@given(solo_played(LARGE))
def test_which_cards_may_be_the_last_is_known_from_the_start(position: Solo) -> None:
    if position.solved:
        return
    lasts = Layout(position).lasts
    for move in position.moves:
        after = position.play(move)
        if not after.solved:
            assert Layout(after).lasts == lasts & after.face_up
    for way in islice(SolutionTable(position).solutions(position), 20):
        before = (position.pawn, *way)[-2]
        assert lasts >> before & 1


@given(st.integers(0, 2**32), st.sampled_from(Exit))
def test_how_far_to_go_back(seed: int, reading: Exit) -> None:
    rng = random.Random(seed)
    game = SoloGame.start(deal_solo(rng, rng.choice(SMALL), reading))
    while game.position.moves:
        game = game.play(rng.choice(game.position.moves))
    back = moves_to_take_back(game)
    solvable = [bool(analyse_solo(position).solutions) for position in game.positions]
    if back is None:
        assert not any(solvable)
    else:
        assert solvable == [True] * (len(solvable) - back) + [False] * back


def test_a_table_answers_only_for_its_own_game() -> None:
    table = SolutionTable(parse_solo(LAYOUT))
    for other in (f"{LAYOUT} closed", "A2X/3Jr2/A22", "XA2/3Jr2/A2A"):
        with pytest.raises(ValueError, match="does not follow from"):
            table.count(parse_solo(other))


def test_a_solved_board_is_solved_in_one_way() -> None:
    position = parse_solo(".../.Xr./...")
    assert analyse_solo(position).solutions == 1
    assert list(SolutionTable(position).solutions(position)) == [()]
    assert analyse_solo(position).share == 1
    assert analyse_solo(position).verdict == "solved"


# Analyses


@settings(max_examples=40)
@given(st.one_of(solo_played(SMALL), solo_deals(LARGE)))
def test_an_analysis_says_what_the_table_says(position: Solo) -> None:
    analysis = analyse_solo(position)
    data = json.loads(json.dumps(analysis.to_json()))
    assert data["position"] == position.text
    assert data["exit"] == position.rules.exit
    assert data["solvable"] == (data["solutions"] > 0) == is_solvable(position)
    assert sum(move["solutions"] for move in data["moves"]) == (0 if position.solved else data["solutions"])
    assert [move["move"] for move in data["moves"]] == [move["to"] for move in data["moves"]]
    assert list(analysis.best) == [move["to"] for move in data["moves"] if move["solvable"]]
    if analysis.solvable:
        assert SoloGame.start(position, data["solution"]).position.solved
        assert len(analysis.steps()) == len(analysis.solution)
    else:
        assert data["solution"] == []
        assert (data["share"], data["forced"], data["difficulty"]) == (0, 0, None)


def test_large_numbers_stay_short() -> None:
    position = parse_solo(LAYOUT)
    short = [
        SoloMove(position, 1, count).value for count in (0, 9999, 10_000, 999_999, 1_000_000, 12 * 10**9)
    ]
    assert short == ["0", "9999", "10k", "999k", "1M", "12G"]
    assert [per_cent(share) for share in (0, 0.5, 0.000123)] == ["0.0 %", "50.0 %", "0.012 %"]


# Decks, dealing, difficulty


def test_the_decks_are_those_of_the_rules() -> None:
    assert [deck.numbers for deck in SMALL] == [
        "1112223",
        "1122334",
        "1233334",
        "1233444",
        "2233444",
        "2333444",
    ]
    assert [deck.numbers for deck in LARGE] == [
        "11112222333344",
        "11122233334444",
        "11222233334444",
        "11222333334444",
        "12223333344444",
    ]
    for deck in DECKS.values():
        assert sum(count for _, count in deck.cards) == deck.board.size
        assert dict(deck.cards)[Card.JACK] == 2
        assert parse_deck(deck.numbers) is parse_deck(deck.name.upper()) is deck
    with pytest.raises(CollapsiError, match="unknown deck 'tarot': choose one of official, 1122334"):
        parse_deck("tarot")


@pytest.mark.parametrize("deck", DECKS.values(), ids=str)
def test_deals_are_of_their_deck(deck: Deck) -> None:
    rng = random.Random(1)
    for reading in Exit:
        position = deal_solo(rng, deck, reading)
        assert deck_of(position) is deck
        assert (position.pawn, position.exit) == tuple(
            cell for cell, card in enumerate(position.cards) if card is Card.JACK
        )
        assert position.rules.exit is reading
    assert deck_of(position.play(position.moves[0])) is None


@pytest.mark.parametrize("difficulty", [None, *Difficulty])
@pytest.mark.parametrize(
    "deck", [*SMALL, LARGE[0], *(pytest.param(deck, marks=pytest.mark.slow) for deck in LARGE[1:])], ids=str
)
def test_only_layouts_are_dealt_that_can_be_solved_and_are_as_hard_as_was_asked(
    deck: Deck, difficulty: Difficulty | None
) -> None:
    position = deal_solvable(random.Random(5), deck, Exit.OPEN, difficulty)
    assert position == deal_solvable(random.Random(5), deck, Exit.OPEN, difficulty)
    analysis = analyse_solo(position)
    assert analysis.solvable
    assert difficulty in (None, analysis.difficulty)


@pytest.mark.parametrize("reading", Exit)
@pytest.mark.parametrize("deck", SMALL, ids=str)
def test_each_difficulty_is_about_a_third_of_the_layouts(deck: Deck, reading: Exit) -> None:
    """Of all layouts of nine cards; one of each eight that are the same but for a symmetry is looked at."""
    moved = [symmetry for symmetry in symmetries(deck.board) if symmetry[0] == 0]
    kinds: Counter[Difficulty] = Counter()
    for cards in arrangements(deck):
        if cards == min(tuple(cards[cell] for cell in symmetry) for symmetry in moved):
            position = Solo(cards, (0,), SOLO_RULES[deck.board, reading])
            share = SolutionTable(position).share(position)
            if share:
                kinds[deck.difficulty(share, reading)] += 1
    if not kinds:
        with pytest.raises(
            CollapsiError, match=f"no layout of deck {deck} can be solved with the exit closed"
        ):
            deal_solvable(random.Random(1), deck, reading)
        assert deck.scales[1] is None
    for difficulty in Difficulty if kinds else ():
        assert 0.25 < kinds[difficulty] / kinds.total() < 0.42, kinds


def test_a_scale_in_words_and_numbers() -> None:
    scale = Scale(easy=6, hard=9)
    shares = [Fraction(1, 6), Fraction(1, 7), Fraction(1, 9), Fraction(1, 10)]
    assert [scale.difficulty(share).value for share in shares] == ["easy", "medium", "medium", "hard"]


# The census

SOLVABLE = {
    "official": (1120, 1120, 1088),
    "1122334": (5040, 5024, 4032),
    "1233334": (1680, 1600, 480),
    "1233444": (3360, 3104, 784),
    "2233444": (1680, 1312, 0),
    "2333444": (1120, 560, 0),
}


@pytest.mark.parametrize(("name", "counts"), SOLVABLE.items())
def test_the_census_of_every_small_deck(name: str, counts: tuple[int, int, int]) -> None:
    deck = DECKS[name]
    open_exit, closed_exit = (take_census(deck, reading) for reading in Exit)
    assert (deck.layouts, open_exit.layouts) == (counts[0], counts[0])
    assert (open_exit.solvable, closed_exit.solvable) == counts[1:]
    assert not open_exit.is_sample
    assert len(set(arrangements(deck))) == deck.layouts
    # Burnside: the layouts that each symmetry leaves as they are, on average.
    moved = [symmetry for symmetry in symmetries(deck.board) if symmetry[0] == 0]
    same = sum(
        all(cards[cell] == cards[image] for cell, image in enumerate(symmetry))
        for cards in arrangements(deck)
        for symmetry in moved
    )
    assert open_exit.different == same / len(moved)
    assert sum(count for _, count in open_exit.spread()) == counts[0]


def test_layouts_are_listed_by_powers_of_two_of_their_solutions() -> None:
    census = SoloCensus(OFFICIAL, Exit.OPEN, ((1, 5), (2, 3), (3, 4), (1024, 2), (2047, 1)), 15)
    assert list(census.spread()) == [("0", 0), ("1", 5), ("2 to 3", 7), ("1,024 to 2,047", 3)]


def test_a_sample_agrees_with_the_census_within_its_interval() -> None:
    deck = DECKS["2333444"]
    sample = sample_census(deck, count=400, seed=1)
    assert sample == sample_census(deck, count=400, seed=1)
    assert sample.is_sample
    low, high = sample.rate.interval
    assert low < 0.5 < high
    assert high - low < 0.1
    whole = take_census(deck)
    assert whole.rate.interval == (0.5, 0.5)
    large = sample_census(LARGE[0], count=30, seed=2)
    assert (large.layouts, large.deck.layouts) == (30, 47_297_250)
    assert 0 < large.solvable < 30


# The commands


def test_a_whole_game_in_the_terminal() -> None:
    words = ["hint", "check", "moves", "b1", "nonsense", "c1", "c3", "c2", "check", "back", "undo", "undo"]
    solution = analyse_solo(LAYOUT).solution
    text = ok("play", LAYOUT, stdin="\n".join([*words, "help", "", "solution", *solution]).encode())
    assert "best: b1 a2 c2 b3 (92 solutions)\n92 solutions\nb1 a2 c2 b3\n" in text
    assert "'nonsense' is no square" in text
    assert "c1 is the exit: it comes last" in text
    hopeless = analyse_solo(f"{LAYOUT} b1 c3 c2").position
    assert f"{hopeless}\nno solution\n{analyse_solo(f'{LAYOUT} b1').position}\n" in text  # back: two moves
    assert "there is no move of yours to take back" in text
    assert f"perfect play: {' '.join(solution)}\n" in text
    assert text.count("your move is") == 3
    assert text.endswith(f"solved\nsolved in 8 moves\ngame: {LAYOUT} {' '.join(solution)}\n")


def test_playing_on_from_a_game_and_leaving_it() -> None:
    assert ok("play", f"{LAYOUT} b1", stdin=b"undo\nquit\n").endswith(f"game so far: {LAYOUT}\n")
    assert ok("play", LAYOUT, stdin=b"\xff\xfe\n").endswith(f"game so far: {LAYOUT}\n")
    assert ok("play", ".../.Xr./...", stdin=b"").endswith("game: .../.Xr./...\n")
    stuck = ok("play", "Ar../.X./...", stdin=b"hint\nsolution\nback\n")
    assert "stuck with 1 card to collapse" in stuck
    assert "best: none" in stuck
    assert "perfect play: none is known" in stuck
    assert "there is no earlier position of yours that can be won" in stuck
    assert stuck.endswith("game so far: Ar../.X./...\n")
    assert "your move is" in ok("play", "--rules", "solo", "--seed", "1", stdin=b"")


def test_on_a_terminal_the_board_is_drawn() -> None:
    plain = re.sub(r"\x1b\[[0-9;]*m", "", on_a_terminal("solve", LAYOUT))
    assert "│ X  │" in plain
    assert " Jr " in plain
    assert "╰─15─╯" in plain
    assert "92 ways" in plain


@pytest.mark.parametrize(
    "arguments",
    [
        ("solve", "-", LAYOUT),
        ("solve", f"{LAYOUT} ajar"),
        ("solve", "--seconds", "5", LAYOUT),
        ("deal", "--rules", "solo", "--deck", "2233444", "--exit", "closed"),
        ("deal", "--rules", "solo", "--difficulty", "impossible"),
        ("census", "--rules", "solo", "--sample", "0"),
        ("census", "--rules", "solo", "--games"),
        ("play", f"{LAYOUT} c1"),
        ("play", LAYOUT, "--red", "perfect"),
        ("play", LAYOUT, "--level", "1"),
        ("play", LAYOUT, "--blue", "you"),
        ("play", "--rules", "solo", "--match"),
    ],
)
def test_bad_input_gets_one_line_and_exit_code_2(arguments: tuple[str, ...]) -> None:
    refused(*arguments)
