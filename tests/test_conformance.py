"""One suite for every kind of game: whatever keeps the contract of `collapsi.core.state` must pass all of it.

The rule sets of the registry are here by themselves; a new kind adds a line to `KINDS`. A rule set without a
naive twin, a golden transcript, a text or a picture on the page fails here.
"""

from __future__ import annotations

import random
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, cast
from xml.etree import ElementTree as ET

import pytest

from collapsi import (
    Game,
    IllegalMoveError,
    Player,
    analyse,
    deal,
    format_position,
    parse_game,
    review,
)
from collapsi.api import about, big, json_types, models, solo, streams, views
from collapsi.api.question import Work
from collapsi.api.questions import QUESTIONS
from collapsi.core.board import Board
from collapsi.core.patch import Wrap
from collapsi.core.symmetry import symmetries
from collapsi.draw import terminal
from collapsi.draw.svg import draw_analysis, draw_position, strokes
from collapsi.games.analysis import games_json, outcome_json, position_json
from collapsi.games.big import search as big_search
from collapsi.games.big.analysis import BigAnalysis
from collapsi.games.big.endgame import EndgameAnalysis, analyse_endgame
from collapsi.games.big.engine import estimate
from collapsi.games.big.notation import parse_big_game
from collapsi.games.big.review import review_steps
from collapsi.games.big.rules import BIG_RULE_SETS
from collapsi.games.big.state import OUT, BigState, deal_big
from collapsi.games.classic.rules import CLASSIC_RULE_SETS
from collapsi.games.classic.symmetry import transform
from collapsi.games.levels import Level
from collapsi.games.shifting.state import Shifting
from collapsi.games.solo.analysis import analyse_solo
from collapsi.games.solo.deals import DECKS, deal_solo
from collapsi.games.solo.notation import parse_solo_game
from collapsi.games.solo.rules import Exit
from collapsi.games.solo.search import count_solutions, is_solvable
from collapsi.games.solo.state import Solo, SoloGame
from collapsi.solving import reference as definition
from tests import naive, naive_big, naive_shift
from tests.big_positions import secured
from tests.fitting import fitting
from tests.playthrough import BIG_GAMES, GAMES, GOLDEN
from tests.rule_sets import FOR_TWO

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from collapsi.core.state import State
    from collapsi.core.symmetry import Symmetry
    from collapsi.games.classic.position import Position


MIDDLE = 11
"""Cards left in the middle of a game of the classic kinds."""


SHIFTING_MIDDLE = 8
"""The same on the shifting board."""


BIG_MIDDLE = 12
"""The same on the big board."""


class Kind(NamedTuple):
    """How a kind of game is dealt, read and solved."""

    deal: Callable[[random.Random], State]
    parse: Callable[[str], Game[Any]]
    solve: Callable[[Any], tuple[int, ...]]
    """The points of each player, by the fast solver."""
    endgame: int
    """With so many cards left the judge is quick."""
    middle: int
    """With so many cards left the fast solver is quick, also where it is not compiled."""
    worth: Callable[[Any], object]
    """What no symmetry of the board may change."""
    images: Callable[[Any], set[Any]]
    """A position moved by every symmetry."""
    symmetries: int
    """How many images a position without a symmetry of its own has."""
    numbers: Callable[[Any], range]
    """All moves that can be named, legal or not."""
    answers: Callable[[Any], Iterator[tuple[Any, object]]]
    """What is said in JSON of a game: typed dicts, and answers that must be such."""


def points(position: Position) -> tuple[int, int]:
    score = analyse(position).score
    return (score, 0) if score > 0 else (0, -score)


def solo_points(position: Solo) -> tuple[int]:
    return (int(bool(is_solvable(position))),)


def images(position: Position) -> set[Position]:
    """Of the classic kinds: moved by every symmetry of the board."""
    return {transform(position, symmetry) for symmetry in renamings(position.board)}


def solo_images(position: Solo) -> set[Solo]:
    return {moved_solo(position, symmetry) for symmetry in renamings(position.board)}


def big_solved(state: BigState) -> BigAnalysis:
    """With two players left, by the interpreted search."""
    return BigAnalysis(state, None if state.over else big_search.solve(state, compiled=False))


def big_points(state: BigState) -> tuple[int, ...]:
    """What `result` calls points: with two players cards left. More than two left are the judge's alone."""
    if len(state.left) > 2:
        return definition.points(state)
    found = big_solved(state)
    assert found.points is not None
    if found.score is None:
        return found.points
    return (found.score, 0) if found.score > 0 else (0, -found.score)


def big_worth(state: BigState) -> object:
    """With more than two left the rule for ties, which goes by names, is left out."""
    if len(state.left) > 2:
        return tuple(secured(state, player) for player in state.rules.seats)
    return big_points(state), big_solved(state).plies


def big_images(state: BigState) -> set[BigState]:
    found = set()
    for symmetry in renamings(state.board):
        cards = list(state.cards)
        for cell, card in enumerate(state.cards):
            cards[symmetry[cell]] = card
        pawns = tuple(OUT if cell == OUT else symmetry[cell] for cell in state.pawns)
        found.add(BigState(tuple(cards), pawns, state.to_move, state.out, state.rules))
    return found


def shifting_images(position: Shifting) -> set[Shifting]:
    """Turned and reflected in all eight ways; where the board stays a torus, also moved along it."""
    columns = position.board.columns
    turns: list[Callable[[int, int], tuple[int, int]]] = [
        lambda y, x, swap=swap, up=up, left=left: (up * x, left * y) if swap else (up * y, left * x)  # type: ignore[misc]
        for swap in (False, True)
        for up in (1, -1)
        for left in (1, -1)
    ]
    torus = position.rules.wrap is Wrap.ROTATE
    drifts = [(down, right) for down in range(4) for right in range(4)] if torus else [(0, 0)]
    found = set()
    for turn in turns:
        for down, right in drifts:

            def moved(
                cell: int,
                turn: Callable[[int, int], tuple[int, int]] = turn,
                down: int = down,
                right: int = right,
            ) -> tuple[int, int]:
                y, x = turn(*divmod(cell, columns))
                return ((y + down) % 4, (x + right) % 4) if torus else (y, x)

            cards = {
                moved(cell): card
                for cell, card in enumerate(position.cards)
                if not position.board.is_gap(cell)
            }
            red, blue = map(moved, position.pawns)
            found.add(Shifting.at(cards, (red, blue), position.to_move, position.rules))
    return found


def moved_solo(position: Solo, symmetry: Symmetry) -> Solo:
    cards = list(position.cards)
    for cell, card in enumerate(position.cards):
        cards[symmetry[cell]] = card
    return Solo(tuple(cards), (symmetry[position.pawn],), position.rules)


def answered(path: str, **texts: str) -> str:
    """The answer to a request, made in this process."""
    question = QUESTIONS[path]
    work = question.read(texts)
    assert isinstance(work, Work)
    return question.text(work.make())


def answers(game: Game) -> Iterator[tuple[Any, object]]:
    """Of the classic kinds."""
    position = game.position
    yield models.RulesShown, about.rules_json(position.rules)
    yield models.Deal, views.deal_json(game.positions[0], 7)
    yield models.Game, answered("game", game=game.text, match="9-4")
    yield models.Draft, answered("edit", draft=format_position(position))
    yield models.Draft, answered("edit", draft=position.text, lay=".")
    yield json_types.OfPosition, position_json(position)
    yield json_types.PossibleGames, games_json(position, 7)
    found = analyse(position)
    yield json_types.Outcome, outcome_json(found.outcome)
    yield json_types.Analysis, found.to_json()
    if game.positions[0].cards_left > MIDDLE:
        return  # what follows solves it again and again
    yield json_types.Analysis, answered("analysis", position=game.text)
    yield models.Moves, answered("moves", position=game.text)
    yield json_types.Review, review(game).to_json()
    yield json_types.Review, answered("review", game=game.text)
    for level in Level if position.moves else ():
        yield models.ComputerMove, answered("computer-move", position=game.text, level=level.value, seed="7")


def shifting_answers(game: Game[Any]) -> Iterator[tuple[Any, object]]:
    """Of the shifting board: what needs a solver only of endgames."""
    position = game.position
    yield models.RulesShown, about.rules_json(position.rules)
    yield models.Deal, views.deal_json(game.positions[0], 7)
    yield models.Game, answered("game", game=game.text, match="9-4")
    yield models.Draft, answered("edit", draft=position.text)
    yield models.Draft, answered("edit", draft=position.text, lay=".")
    yield json_types.OfPosition, position_json(position)
    yield json_types.PossibleGames, games_json(position, 7)
    if game.positions[0].cards_left > SHIFTING_MIDDLE:
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


def big_answers(game: Game[BigState]) -> Iterator[tuple[Any, object]]:
    """Of the big board: values of endgames, and what is said where nothing is known yet."""
    state = game.position
    yield models.BigRulesShown, big.rules_json(state.rules)
    yield models.BigDeal, big.deal_json(state.rules, 7)
    yield models.BigGame, big.game_json(game, None, None)
    yield models.BigGame, big.game_json(game, 0, "start")
    found: list[BigAnalysis | EndgameAnalysis] = []
    if state.moves and len(state.left) <= 2:
        found.append(BigAnalysis(state, big_search.nothing_known(state)))
    if state.cards_left <= BIG_MIDDLE:
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
    if game.positions[0].cards_left <= BIG_MIDDLE:
        for review in review_steps(game):
            yield json_types.BigReview, review.to_json()
    for why in streams.ENDS:
        yield models.EndLine, streams.end_json(cast("Any", why))


def solo_answers(game: SoloGame) -> Iterator[tuple[Any, object]]:
    """Of the solo game."""
    found = analyse_solo(game.position)
    yield json_types.SoloSolved, found.to_json()
    yield json_types.SoloFacts, found.facts_json()
    for move in found.moves:
        yield json_types.SoloMoveSolved, move.to_json()
    yield models.SoloAnalysis, answered("solo/analysis", game=game.text)
    yield models.SoloGame, solo.game_json(game, None)
    yield models.SoloGame, solo.game_json(game, 0)


KINDS = (
    {
        name: Kind(
            lambda rng, rules=rules: deal(rng, rules),  # type: ignore[misc]
            parse_game,
            points,
            endgame=10,
            middle=MIDDLE,
            worth=lambda position: analyse(position).outcome,
            images=images,
            symmetries=384,
            numbers=lambda position: range(position.board.size),
            answers=answers,
        )
        for name, rules in CLASSIC_RULE_SETS.items()
    }
    | {
        name: Kind(
            lambda rng, rules=rules: deal(rng, rules),  # type: ignore[misc]
            parse_game,
            points,
            endgame=6,
            middle=SHIFTING_MIDDLE,
            worth=lambda position: analyse(position).outcome,
            images=shifting_images,
            symmetries=128 if rules.wrap is Wrap.ROTATE else 8,
            numbers=lambda position: range(4 * position.board.size),
            answers=shifting_answers,
        )
        for name, rules in FOR_TWO.items()
        if rules.kind == "shifting"
    }
    | {
        name: Kind(
            lambda rng, rules=rules: deal_big(rng, rules),  # type: ignore[misc]
            parse_big_game,
            big_points,
            endgame=12,
            middle=BIG_MIDDLE,
            worth=big_worth,
            images=big_images,
            symmetries=8 * rules.board.size,
            numbers=lambda position: range(position.board.size),
            answers=big_answers,
        )
        for name, rules in BIG_RULE_SETS.items()
    }
    | {
        f"solo {deck.name} {reading}": Kind(
            lambda rng, deck=deck, reading=reading: deal_solo(rng, deck, reading),  # type: ignore[misc]
            parse_solo_game,
            solo_points,
            endgame=9,
            middle=16,
            worth=lambda position: (is_solvable(position), count_solutions(position)),
            images=solo_images,
            symmetries=384 if deck.board.size == 16 else 72,
            numbers=lambda position: range(position.board.size),
            answers=solo_answers,
        )
        for deck in (DECKS["official"], DECKS["11222233334444"])
        for reading in Exit
    }
)


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


def cards_left(position: State) -> int:
    return sum(card is not None for card in position.cards)


def middle_of(kind: Kind, game: Game[Any]) -> int:
    """After how many moves of a game the fast solver is quick; all of them if it ends before."""
    few = (ply for ply, position in enumerate(game.positions) if cards_left(position) <= kind.middle)
    return next(few, len(game.moves))


@pytest.fixture(params=KINDS, scope="module")
def kind(request: pytest.FixtureRequest) -> Kind:
    return KINDS[request.param]


def test_play_and_undo(kind: Kind) -> None:
    for game in some_games(kind, 10):
        back = game
        for _ in game.moves:
            before = back.undo()
            assert before.play(back.moves[-1]) == back
            assert before.play(back.squares[-1]) == back
            back = before
        with pytest.raises(IndexError, match="no move to take back"):
            back.undo()


def test_the_text_of_every_game_and_position_reads_back(kind: Kind) -> None:
    for game in some_games(kind, 10):
        assert kind.parse(game.text) == game
        for position in game.positions:
            assert kind.parse(position.text).position == position
            assert repr(position) == f"{type(position).__name__}({position.text!r})"
            assert str(position).count("\n") == position.board.rows + 1
            assert str(position).endswith(position.turn)


def test_a_result_when_nothing_can_be_played_and_only_then(kind: Kind) -> None:
    for game in some_games(kind, 10):
        for position in game.positions[:-1]:
            assert position.result is None
            assert position.moves
        result = game.position.result
        assert result is not None
        assert len(result) == len(game.position.pawns)
        assert min(result) >= 0


def test_moves_have_names_and_ways_and_what_is_no_move_a_reason(kind: Kind) -> None:
    for game in some_games(kind, 5):
        for position in game.positions:
            for move in kind.numbers(position):
                name = position.move_text(move)
                assert position.parse_move(name) == move
                refusal = position.refusal(move)
                assert (refusal is None) == (move in position.moves)
                if refusal is None:
                    end = position.end(move)
                    after = position.play(move)
                    assert position.path(move)[-1] == end
                    landed = after.pawns[position.to_move]
                    assert after.cards[landed] == position.cards[end]
                    assert isinstance(position, Shifting) or landed == end
                    continue
                assert refusal[1]
                assert "\n" not in refusal[1]
                with pytest.raises(IllegalMoveError) as caught:
                    position.play(name)
                assert str(caught.value) == refusal[1]
            for wrong in ("", "z9", "a0", "a99", "é"):
                with pytest.raises(IllegalMoveError, match=r"is no (square|move)"):
                    position.play(wrong)


def test_the_fast_solver_says_what_the_judge_says(kind: Kind) -> None:
    for game in some_games(kind, 4):
        known: dict[Any, tuple[int, ...]] = {}
        for position in reversed(game.positions):
            if cards_left(position) <= kind.endgame:
                assert kind.solve(position) == definition.points(position, known)


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
        if isinstance(position, BigState):
            last = position.out[-1]
            assert position.turn.startswith(f"{position.winner} has won: {last} cannot move")
            assert terminal.turn(position).plain == position.turn
            assert f">{position.turn}</text>" in draw_analysis(big_solved(position))
            continue
        assert position.turn == f"{position.winner} has won: {position.to_move} cannot move"
        assert terminal.turn(position).plain == position.turn
        assert str(analyse(position)).splitlines()[-2:] == [
            position.turn,
            f"score {analyse(position).score:+}",
        ]
        assert f">{position.turn}</text>" in draw_analysis(analyse(position))
        assert views.task(position) is None


def test_nobody_chooses_a_card_to_start_on_when_there_is_none() -> None:
    position = parse_game("..../.Jr../..../.2b.. r choice").position
    assert position.turn == "blue has won: red cannot move"
    assert position.winner is Player.BLUE


def explained(state: State) -> tuple[str, str, models.Example]:
    """Title, text and example on the page of the rules that a state is played by."""
    told = about.service()
    if isinstance(state, Solo):
        reading = next(each for each in told["solo"]["rules"] if each["exit"] == state.rules.exit)
        return reading["title"], f"{told['solo']['text']} {reading['text']}", reading["example"]
    shown: list[Any] = [*told["rules"], *told["big"]["rules"]]
    rules = next(each for each in shown if each["name"] == state.rules.name)
    return rules["title"], rules["text"], rules["example"]


def test_every_kind_has_a_text_and_a_picture_on_the_page(kind: Kind) -> None:
    state = kind.deal(random.Random(1))
    title, text, example = explained(state)
    assert title == state.rules.title
    assert text.endswith(state.rules.text)
    assert text.endswith(".")
    position = kind.parse(example["position"]).position
    assert position.rules.title == title, "the example is played by these rules"
    assert example["alt"]
    assert example["move"] is not None
    path = position.path(example["move"])
    assert position.board.square(path[-1]) in example["alt"]
    assert len(strokes(position.board, path)) == len(path) - 1
    ET.fromstring(draw_position(position, move=example["move"]))


def solved(position: Any) -> Any:
    """The analysis of a position of any kind."""
    if isinstance(position, BigState) and position.moves:  # a few nodes only: most of it is not known then
        return BigAnalysis(position, big_search.solve(position, compiled=False, nodes=2_000))
    if isinstance(position, BigState):
        return big_solved(position)
    return analyse_solo(position) if isinstance(position, Solo) else analyse(position)


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


def test_the_librarys_symmetries_are_all_there_are(kind: Kind) -> None:
    state = kind.deal(random.Random(1))
    if not isinstance(state, Shifting):  # there not all that keep neighbours keep lines
        assert isinstance(state.board, Board)
        assert set(symmetries(state.board)) == set(renamings(state.board))


def test_no_symmetry_of_the_board_changes_what_a_position_is_worth(kind: Kind) -> None:
    rng = random.Random(5)
    worths, sizes = set(), set()
    for game in some_games(kind, 12):
        position = game.positions[middle_of(kind, game)]
        worth = kind.worth(position)
        worths.add(worth)
        images = kind.images(position)
        assert position in images
        assert kind.symmetries % len(images) == 0
        sizes.add(len(images))
        for image in rng.sample(sorted(images, key=repr), min(6, len(images))):
            assert kind.worth(image) == worth
    assert max(sizes) == kind.symmetries
    assert len(worths) > 1


def test_json_is_what_its_types_say(kind: Kind) -> None:
    """Of a deal, of a game from the middle on, and of its end."""
    for game in some_games(kind, 3):
        middle = middle_of(kind, game)
        for first, last in ((0, 0), (0, 1), (middle, middle + 1), (middle, len(game.moves))):
            part = Game.start(game.positions[first], game.squares[first:last])
            for shape, answer in kind.answers(part):
                assert fitting(shape, answer)


@pytest.mark.parametrize("name", FOR_TWO)
def test_every_rule_set_has_a_twin_a_transcript_and_a_text(name: str) -> None:
    rules = FOR_TWO[name]
    assert rules.title
    assert rules.summary
    assert rules.text.endswith(".")
    told = [text for text in GAMES.values() if parse_game(text).position.rules == rules]
    assert told, f"no transcript of {name} in tests/playthrough.py"
    assert all((GOLDEN / f"{name}.txt").exists() for name in GAMES)
    position = deal(random.Random(1), rules)
    if rules.kind == "shifting":
        there = naive_shift.read(format_position(position))
        named = {naive_shift.move_name(there, move) for move in naive_shift.moves(there)}
        assert set(map(position.move_text, position.moves)) == named
        return
    ends = naive.ends(naive.read(format_position(position)))
    assert position.moves == tuple(sorted(row * 4 + column for row, column in ends))


@pytest.mark.parametrize("name", BIG_RULE_SETS)
def test_every_rule_set_of_the_big_board_has_a_twin_a_transcript_and_a_text(name: str) -> None:
    rules = BIG_RULE_SETS[name]
    assert rules.title
    assert rules.summary
    assert rules.text.endswith(".")
    told = [text for text in BIG_GAMES.values() if parse_big_game(text).position.rules == rules]
    assert told, f"no transcript of {name} in tests/playthrough.py"
    state = deal_big(random.Random(1), rules)
    side = naive_big.SIDE[name]
    cards = {divmod(cell, side): card.letter for cell, card in enumerate(state.cards) if card is not None}
    pawns = {player.letter: divmod(state.pawns[player], side) for player in rules.seats}
    twin = naive_big.Round(name, cards, pawns, state.to_move.letter, [])
    assert {divmod(move, side) for move in state.moves} == twin.ends(state.to_move.letter)


def test_two_players_are_a_case_of_many() -> None:
    """The judge for any number of players and the one for two say the same."""
    rng = random.Random(6)
    for _ in range(20):
        position = deal(rng)
        while position.cards_left > 9 and position.moves:
            position = position.play(rng.choice(position.moves))
        found = definition.points(position)
        assert definition.score(position) == found[Player.RED] - found[Player.BLUE]
