"""One suite for every kind of game: whatever implements `games/kind.py` must pass all of it.

Properties of single positions are tested with `ANY` of `tests/strategies.py`, those of whole games with all
rule sets of the registry. A rule set without a naive twin, a golden transcript, a text or a picture on the
page fails here.
"""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache, partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, cast
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from collapsi import Game, IllegalMoveError, Player, analyse, deal, parse_game, parse_position, review
from collapsi.api import about, big, json_types, models, solo, streams, views
from collapsi.api.question import Work
from collapsi.api.questions import QUESTIONS
from collapsi.core.board import Board
from collapsi.core.cards import ANYWHERE
from collapsi.core.symmetry import symmetries
from collapsi.draw import terminal
from collapsi.draw.svg import draw_analysis, draw_position, strokes
from collapsi.games.analysis import games_json, outcome_json, position_json
from collapsi.games.big import search as big_search
from collapsi.games.big.analysis import BigAnalysis
from collapsi.games.big.endgame import EndgameAnalysis, analyse_endgame
from collapsi.games.big.engine import estimate
from collapsi.games.big.review import review_steps
from collapsi.games.big.state import OUT, BigState
from collapsi.games.classic.rules import CLASSIC_RULE_SETS
from collapsi.games.kind import Can
from collapsi.games.levels import Level
from collapsi.games.registry import NAMES, can, kind_of, rule_sets
from collapsi.games.shifting.state import Shifting
from collapsi.games.shifting.symmetry import transform as transform_shifting
from collapsi.games.solo.deals import DECKS, deal_solo
from collapsi.games.solo.rules import Exit
from collapsi.games.solo.search import is_solvable
from collapsi.games.solo.state import Solo
from collapsi.solving import reference as definition
from tests.big_positions import secured
from tests.fitting import fitting
from tests.playthrough import BIG_GAMES, GAMES, GOLDEN, SOLO_GAMES
from tests.strategies import ANY
from tests.twins import twin_of, twins_after

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from collapsi.core.rules import RuleSet
    from collapsi.core.symmetry import Symmetry


class Kind(NamedTuple):
    """How games of some rules are dealt, and when they are solved quickly."""

    deal: Callable[[random.Random], Any]
    endgame: int
    """The number of cards up to which the reference solver is quick."""
    middle: int
    """The number of cards up to which the fast solver is quick, also if it is not compiled."""


ENDGAME = {"classic": 10, "shifting": 6, "big": 12, "solo": 9}
MIDDLE = {"classic": 11, "shifting": 8, "big": 12, "solo": 11}


def dealers(rules: RuleSet) -> dict[str, Callable[[random.Random], Any]]:
    """What is dealt by some rules: of the solo game, both readings with a deck of nine and one of sixteen."""
    if rules.kind == "solo":
        return {
            f"solo {deck.name} {reading}": partial(deal_solo, deck=deck, reading=reading)
            for deck in (DECKS["official"], DECKS["11222233334444"])
            for reading in Exit
        }
    return {rules.name: partial(deal, rules=rules)}


KINDS = {
    name: Kind(dealer, ENDGAME[rules.kind], MIDDLE[rules.kind])
    for rules in rule_sets(*NAMES).values()
    for name, dealer in dealers(rules).items()
}


@pytest.fixture(params=KINDS, scope="module")
def kind(request: pytest.FixtureRequest) -> Kind:
    return KINDS[request.param]


def some_games(kind: Kind, count: int) -> list[Game[Any]]:
    """Games played at random to their ends."""
    rng = random.Random(3)
    games = []
    for _ in range(count):
        game: Game[Any] = Game.start(kind.deal(rng))
        while game.position.moves:
            game = game.play(rng.choice(game.position.moves))
        games.append(game)
    return games


def middle_of(kind: Kind, game: Game[Any]) -> int:
    """The number of moves after which the fast solver is quick; all of them if the game ends before."""
    few = (ply for ply, position in enumerate(game.positions) if position.cards_left <= kind.middle)
    return next(few, len(game.moves))


def big_solved(state: BigState) -> BigAnalysis:
    """With two players left, by the interpreted search."""
    return BigAnalysis(state, None if state.over else big_search.solve(state, compiled=False))


# Positions of all sorts


any_kind = pytest.mark.parametrize("name", NAMES)


@any_kind
@settings(max_examples=60)
@given(st.data())
def test_the_text_of_a_position_reads_back(name: str, data: st.DataObject) -> None:
    position = data.draw(ANY[name])
    text = position.text
    for written in (text, text.lower(), text.upper(), text.replace(" ", "_"), text.replace(" ", "+")):
        read = parse_position(written)
        assert (read, hash(read), read.text) == (position, hash(position), text)
    assert repr(position) == f"{type(position).__name__}({text!r})"
    assert str(position).count("\n") == position.board.rows + 1
    assert str(position).endswith(position.turn)


@any_kind
@settings(max_examples=60)
@given(st.data())
def test_moves_are_those_of_the_rule_sheet(name: str, data: st.DataObject) -> None:
    position = data.draw(ANY[name])
    after = twins_after(position)
    assert {position.move_text(move) for move in position.moves} == set(after)
    assert list(position.moves) == sorted(position.moves)
    for move, twin in after.items():
        assert twin_of(position.play(move)) == twin


@any_kind
@settings(max_examples=30)
@given(st.data())
def test_moves_have_names_and_paths_and_other_cells_a_refusal(name: str, data: st.DataObject) -> None:
    position = data.draw(ANY[name])
    shifts = 4 if isinstance(position, Shifting) else 1
    for move in range(shifts * position.board.size):
        text = position.move_text(move)
        assert position.parse_move(text) == move
        refusal = position.refusal(move)
        assert (refusal is None) == (move in position.moves)
        if refusal is None:
            end, after, path = position.end(move), position.play(move), position.path(move)
            assert position.play(text) == after
            assert path[-1] == end
            assert len(set(path)) == len(path)
            assert all(position.cards[cell] is not None for cell in path)
            landed = after.pawns[position.to_move]
            assert after.cards[landed] == position.cards[end]
            assert isinstance(position, Shifting) or landed == end
            steps = position.steps if isinstance(position.steps, tuple) else (position.steps,)
            if ANYWHERE in steps:  # under `choice` the pawn is put down
                assert path == (end,)
                continue
            assert path[0] == position.pawns[position.to_move]
            assert all(there in position.board.neighbours(here) for here, there in pairwise(path))
            assert len(path) - 1 in steps or (isinstance(position, Solo) and position.is_last)
            continue
        assert position.board.square(position.end(move)) in refusal[1] or not position.moves
        assert "\n" not in refusal[1]
        for use in (position.play, position.path):
            with pytest.raises(IllegalMoveError) as caught:
                use(text)
            assert str(caught.value) == refusal[1]
    for wrong in ("", "z9", "a0", "a99", "é", -1, shifts * position.board.size):
        with pytest.raises(IllegalMoveError, match=r"is no (square|move)"):
            position.play(wrong)


@any_kind
@settings(max_examples=40)
@given(st.data())
def test_games_are_played_taken_back_and_read_back(name: str, data: st.DataObject) -> None:
    start = data.draw(ANY[name])
    game = Game.start(start)
    while game.position.moves:
        assert game.position.result is None
        before, move = game, data.draw(st.sampled_from(game.position.moves))
        game = before.play(move)
        assert game.undo() == before
        assert before.play(game.squares[-1]) == game
    result = game.position.result
    assert result is not None
    assert len(result) == len(game.position.pawns)
    assert min(result) >= 0
    assert parse_game(game.text) == parse_game(game.text.replace(" ", "_")) == game
    assert parse_position(game.text) == game.position
    assert Game.start(start, game.moves) == Game.start(start, game.squares) == game
    assert repr(game) == f"Game({game.text!r})"
    with pytest.raises(IndexError, match="no move to take back"):
        Game.start(start).undo()


# Games from a deal to the end


def test_a_deal_is_legal_and_so_is_all_that_follows(kind: Kind) -> None:
    for game in some_games(kind, 10):
        dealt = game.positions[0]
        assert dealt.dealt
        assert not any(position.dealt for position in game.positions[1:])
        assert not any(position.faults for position in game.positions)
    assert kind.deal(random.Random(7)) == kind.deal(random.Random(7)) != kind.deal(random.Random(8))


def solver_points(position: Any) -> tuple[int, ...]:
    """The points of each player, by the fast solver."""
    if isinstance(position, Solo):
        return (int(bool(is_solvable(position))),)
    if isinstance(position, BigState):
        if len(position.left) > 2:
            return analyse_endgame(position).points
        found = big_solved(position)
        assert found.points is not None
        if found.score is None:
            return found.points
        score = found.score
    else:
        score = analyse(position).score
    return (score, 0) if score > 0 else (0, -score)


def test_the_fast_solver_agrees_with_the_reference(kind: Kind) -> None:
    for game in some_games(kind, 4):
        known: dict[Any, tuple[int, ...]] = {}
        for position in reversed(game.positions):
            if position.cards_left <= kind.endgame:
                assert solver_points(position) == definition.points(position, known)


def test_two_players_are_a_case_of_several() -> None:
    """The reference for any number of players and the one for two agree."""
    rng = random.Random(6)
    for _ in range(20):
        position = deal(rng)
        while position.cards_left > 9 and position.moves:
            position = position.play(rng.choice(position.moves))
        found = definition.points(position)
        assert definition.score(position) == found[Player.RED] - found[Player.BLUE]


# Drawings and texts


def test_every_position_is_drawn(kind: Kind) -> None:
    for game in some_games(kind, 2):
        for position, move in zip(game.positions, game.moves, strict=False):
            picture = ET.fromstring(draw_position(position, move=move))
            words = [part.text for part in picture.iter() if part.text and part.text.strip()]
            for cell, card in enumerate(position.cards):
                assert card is None or position.cell_text(cell)[0] in words
            assert position.turn in words


def test_a_finished_game_says_so_wherever_it_is_shown(kind: Kind) -> None:
    for game in some_games(kind, 3):
        position = game.position
        assert not any(" to move" in words or " to choose" in words for words in str(position).splitlines())
        assert f">{position.turn}</text>" in draw_position(position)
        if isinstance(position, Solo):
            assert position.turn.startswith("solved" if position.solved else "stuck")
            continue
        assert terminal.turn(position).plain == position.turn
        if isinstance(position, BigState):
            assert position.turn.startswith(f"{position.winner} has won: {position.out[-1]} cannot move")
            assert f">{position.turn}</text>" in draw_analysis(big_solved(position))
            continue
        assert position.turn == f"{position.winner} has won: {position.to_move} cannot move"
        solved = analyse(position)
        assert str(solved).splitlines()[-2:] == [position.turn, f"score {solved.score:+}"]
        assert f">{position.turn}</text>" in draw_analysis(solved)
        assert views.task(position) is None


def test_no_player_chooses_a_card_to_start_on_when_there_is_none() -> None:
    position = parse_position("..../.Jr../..../.2b.. r choice")
    assert position.turn == "blue has won: red cannot move"
    assert position.winner is Player.BLUE


def solved(position: Any) -> Any:
    """The analysis of a position of any kind."""
    if isinstance(position, BigState) and position.moves:  # a few nodes only: most of it is not known then
        return BigAnalysis(position, big_search.solve(position, compiled=False, nodes=2_000))
    return big_solved(position) if isinstance(position, BigState) else analyse(position)


def test_every_kind_is_drawn_with_the_values_of_its_moves(kind: Kind) -> None:
    for game in some_games(kind, 2):
        for position in game.positions[-4:]:
            if isinstance(position, BigState) and len(position.left) > 2:
                continue  # there every move has as many values as there are players
            analysis = solved(position)
            picture = ET.fromstring(draw_analysis(analysis))
            words = [part.text or "" for part in picture.iter() if part.tag.endswith("text")]
            moves: list[Any] = [*analysis.moves]
            best = {move.cell: move for move in reversed(moves)}  # of the moves to each card
            assert {move.value.replace("-", "−") for move in best.values()} <= set(words)
            assert words[-1] == analysis.caption


def explained(rules: Any) -> tuple[str, str, models.Example]:
    """Title, text and example of some rules on the page."""
    shown = about.service()
    if rules.kind == "solo":
        reading = next(each for each in shown["solo"]["rules"] if each["exit"] == rules.exit)
        return reading["title"], f"{shown['solo']['text']} {reading['text']}", reading["example"]
    every: list[Any] = [*shown["rules"], *shown["big"]["rules"]]
    found = next(each for each in every if each["name"] == rules.name)
    return found["title"], found["text"], found["example"]


def test_every_rule_set_has_a_text_a_picture_and_a_transcript(kind: Kind) -> None:
    rules = kind.deal(random.Random(1)).rules
    title, text, example = explained(rules)
    assert title == rules.title
    assert rules.summary
    choices = [choice["deal"] for game in about.service()["games"] for choice in game["choices"]]
    assert ({"exit": rules.exit} if rules.kind == "solo" else {"rules": rules.name}) in choices
    assert text.endswith(rules.text)
    assert text.endswith(".")
    position = parse_position(example["position"])
    assert position.rules.title == title, "the example is played by these rules"
    assert example["alt"]
    assert example["move"] is not None
    path = position.path(example["move"])
    assert position.board.square(path[-1]) in example["alt"]
    assert len(strokes(position.board, path)) == len(path) - 1
    ET.fromstring(draw_position(position, move=example["move"]))
    games = {**GAMES, **BIG_GAMES, **SOLO_GAMES}
    assert all((GOLDEN / f"{name}.txt").exists() for name in games)
    played = [parse_position(text).rules for text in games.values()]
    assert rules.kind == "solo" or rules in played, "tests/playthrough.py has no game by these rules"


# Symmetries


@cache
def renamings(board: Board) -> tuple[Symmetry, ...]:
    """Every way to rename the cells of a board that keeps neighbours, found cell by cell from those alone."""
    order = [0]  # each cell touches one before it, so that few images have to be tried
    for cell in order:
        order += [there for there in board.neighbours(cell) if there not in order]

    def extend(images: dict[int, int]) -> Iterator[dict[int, int]]:
        if len(images) == board.size:
            yield images
            return
        cell = order[len(images)]
        for image in set(range(board.size)) - set(images.values()):
            touching = board.neighbours(image)
            if all((there in board.neighbours(cell)) == (at in touching) for there, at in images.items()):
                yield from extend({**images, cell: image})

    return tuple(tuple(images[cell] for cell in range(board.size)) for images in extend({}))


@pytest.mark.parametrize("side", [3, 4, 5, pytest.param(6, marks=pytest.mark.slow)])
def test_the_symmetries_of_a_board_are_all_that_exist(side: int) -> None:
    assert set(symmetries(Board(side, side))) == set(renamings(Board(side, side)))


def moved(position: Any, symmetry: Symmetry) -> Any:
    """A position with every card on another cell."""
    if isinstance(position, Shifting):
        return transform_shifting(position, symmetry)
    cards = list(position.cards)
    for cell, card in enumerate(position.cards):
        cards[symmetry[cell]] = card
    pawns = tuple(OUT if cell == OUT else symmetry[cell] for cell in position.pawns)
    return replace(position, cards=tuple(cards), pawns=pawns)


def worth(position: Any) -> object:
    """What no symmetry may change: the result of perfect play, and the values of all moves."""
    if isinstance(position, BigState) and len(position.left) > 2:
        # The rule for ties goes by names: only secured points are the same.
        return tuple(secured(position, player) for player in position.rules.seats)
    if isinstance(position, BigState):
        found = big_solved(position)
        return solver_points(position), found.plies
    answer = analyse(position)
    values = tuple(sorted(move.value for move in answer.moves))
    return ((answer.solutions, answer.share) if isinstance(position, Solo) else answer.outcome), values


def test_no_symmetry_changes_what_a_position_is_worth(kind: Kind) -> None:
    rng = random.Random(5)
    worths, sizes = set(), set()
    group = kind_of(kind.deal(rng)).symmetries(kind.deal(rng).rules)
    for game in some_games(kind, 8):
        position = game.positions[middle_of(kind, game)]
        expected = worth(position)
        worths.add(expected)
        images = {moved(position, symmetry) for symmetry in group}
        assert position in images
        assert len(group) % len(images) == 0
        sizes.add(len(images))
        for image in rng.sample(sorted(images, key=repr), min(4, len(images))):
            assert worth(image) == expected
    assert max(sizes) == len(group)
    assert len(worths) > 1


# JSON


def answered(path: str, **texts: str) -> str:
    """The answer to a request, made in this process."""
    question = QUESTIONS[path]
    work = question.read(texts)
    assert isinstance(work, Work)
    return question.text(work.make())


def answers(game: Game[Any], kind: Kind) -> Iterator[tuple[Any, object]]:
    """Typed dicts, and answers that must fit them: about games of kinds without their own API paths."""
    position = game.position
    yield models.RulesShown, about.rules_json(position.rules)
    yield models.Deal, views.deal_json(game.positions[0], 7)
    yield models.Game, answered("game", game=game.text, match="9-4")
    if can(position.rules, Can.EDIT):
        yield models.Draft, answered("edit", draft=position.text)
        yield models.Draft, answered("edit", draft=position.text, lay=".")
    yield json_types.OfPosition, position_json(position)
    yield json_types.PossibleGames, games_json(position, 7)
    if game.positions[0].cards_left > kind.middle:
        return
    found = analyse(position)
    yield json_types.Outcome, outcome_json(found.outcome)
    yield json_types.Analysis, found.to_json()
    yield json_types.Analysis, answered("analysis", position=game.text)
    yield models.Moves, answered("moves", position=game.text)
    yield json_types.Review, review(game).to_json()
    yield json_types.Review, answered("review", game=game.text)
    for level in Level if position.moves else ():
        yield models.ComputerMove, answered("computer-move", position=game.text, level=level.value, seed="7")


def big_answers(game: Game[BigState], kind: Kind) -> Iterator[tuple[Any, object]]:
    """The same for the big board: values of endgames, and answers where nothing is known yet."""
    state = game.position
    yield models.BigRulesShown, big.rules_json(state.rules)
    yield models.BigDeal, big.deal_json(state.rules, 7)
    yield models.BigGame, big.game_json(game, None, None)
    yield models.BigGame, big.game_json(game, 0, "start")
    found: list[BigAnalysis | EndgameAnalysis] = []
    if state.moves and len(state.left) <= 2:
        found.append(BigAnalysis(state, big_search.nothing_known(state)))
    if state.cards_left <= kind.middle:
        found.append(analyse_endgame(state) if len(state.left) > 2 else big_solved(state))
    for analysis in found:
        exact = isinstance(analysis, BigAnalysis)
        yield json_types.BigSolved if exact else json_types.BigEndgame, analysis.to_json()
        yield models.SolvedLine if exact else models.EndgameLine, big.answer_json(analysis, 0.5)
    if state.moves:
        guess = estimate(state, nodes=200, compiled=False)
        yield json_types.BigEstimate, guess.to_json()
        yield models.EstimateLine, big.answer_json(guess, 0.5)
        yield models.BigMove, big.computer_move_json(state, Level.ONE, random.Random(7))
    if game.positions[0].cards_left <= kind.middle:
        for review in review_steps(game):
            yield json_types.BigReview, review.to_json()
    for why in streams.ENDS:
        yield models.EndLine, streams.end_json(cast("Any", why))


def solo_answers(game: Game[Solo], _: Kind) -> Iterator[tuple[Any, object]]:
    """The same for the solo game."""
    found = analyse(game.position)
    yield json_types.SoloSolved, found.to_json()
    yield json_types.SoloFacts, found.facts_json()
    for move in found.moves:
        yield json_types.SoloMoveSolved, move.to_json()
    yield models.SoloAnalysis, answered("solo/analysis", game=game.text)
    yield models.SoloGame, solo.game_json(game, None)
    yield models.SoloGame, solo.game_json(game, 0)


ANSWERS: dict[str, Any] = {"big": big_answers, "solo": solo_answers}


def test_json_fits_its_types(kind: Kind) -> None:
    """Of a deal, of a game from the middle on, and of its end."""
    for game in some_games(kind, 2):
        middle = middle_of(kind, game)
        for first, last in ((0, 0), (0, 1), (middle, middle + 1), (middle, len(game.moves))):
            part = Game.start(game.positions[first], game.squares[first:last])
            for shape, answer in ANSWERS.get(part.position.rules.kind, answers)(part, kind):
                assert fitting(shape, answer)


@pytest.mark.parametrize("name", CLASSIC_RULE_SETS)
def test_json_of_a_solved_deal_fits_its_type(name: str) -> None:
    assert fitting(json_types.Analysis, analyse(deal(random.Random(3), name)).to_json())
