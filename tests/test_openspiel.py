"""Collapsi in OpenSpiel: its own tests, a golden playthrough, and values compared with our solver."""

from __future__ import annotations

import base64
import io
import pickle
import random
import runpy
import unittest
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
import pytest
from absl import flags
from open_spiel.integration_tests import api_test
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import generate_playthrough, mcts, minimax, random_agent

import collapsi
from collapsi.ecosystem.openspiel import COMMA, ExactEvaluator, PerfectBot
from collapsi.games.levels import Level
from collapsi.play.levels import choose_move
from tests.playthrough import BIG_GAMES, GAMES, GOLDEN
from tests.test_arena import ALL_RULES

ROOT = Path(__file__).parent.parent
NEW_DEALS = [f"collapsi(rules={rules.replace(',', COMMA)})" for rules in ALL_RULES]
DEALS = [
    "A223/4A2Jr/3A23/Jb3A4 r",
    "A223/4A2Jr/3A23/Jb3A4 r 1,3|2",
    "323A/2JrAA/4242/Jb3A3 r shift b1d",
    "3332/.A2./3.4b4/Ar.2. b shift-rotate",
    "2AA3A4/22Jr333/4AJbA24/343AA2/44Jg2Jy2/343A42 r big4",
    "....../.2r.3../.AA.../.Ab4.../....../...... r big3 out:g",
]
FIXED_DEALS = [f"collapsi(deal={text.replace(',', COMMA)},points=true)" for text in DEALS]
LIMIT = 900
"""Seconds, only to end what hangs."""


@pytest.mark.parametrize("game", [*NEW_DEALS, *FIXED_DEALS])
def test_random_simulations_with_serialisation(game: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(game), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("game", [*NEW_DEALS, *FIXED_DEALS])
def test_openspiels_api_test_of_every_game(game: str) -> None:
    fields = {"game_name": game, "game": pyspiel.load_game(game)}
    case = type("Collapsi", (api_test.EnforceAPIOnPartialTreeBase,), fields)
    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(case).run(result)
    assert result.testsRun >= 5
    assert not result.errors, result.errors
    assert not result.failures, result.failures
    assert not result.skipped


@pytest.mark.filterwarnings("ignore:The chararray class is deprecated")  # OpenSpiel's, from NumPy 2.5 on
@pytest.mark.parametrize("name", ["openspiel", "openspiel-big3"])
def test_playthrough(name: str) -> None:
    """To write one anew: `generate_playthrough.playthrough(game, None, seed=13)`."""
    flags.FLAGS.mark_as_parsed()
    expected, actual = generate_playthrough.replay(GOLDEN / f"{name}.txt")
    assert actual.splitlines() == expected.splitlines()


def test_the_deal_is_chance_unless_it_is_fixed() -> None:
    modes = pyspiel.GameType.ChanceMode
    for text in NEW_DEALS:
        game = pyspiel.load_game(text)
        assert game.get_type().chance_mode == modes.EXPLICIT_STOCHASTIC
        state, cards = game.new_initial_state(), 0
        while state.is_chance_node():
            state.apply_action(random.Random(cards).choice(state.legal_actions()))
            cards += 1
        assert cards == state.arena.rules.board.size == game.max_chance_nodes_in_history()
        assert game.max_chance_outcomes() == 5
    for text in FIXED_DEALS:
        game = pyspiel.load_game(text)
        assert game.get_type().chance_mode == modes.DETERMINISTIC
        assert game.max_chance_nodes_in_history() == 0
        assert not game.new_initial_state().is_chance_node()


@pytest.mark.parametrize("text", [*NEW_DEALS, *FIXED_DEALS])
def test_a_game_can_be_loaded_by_what_it_calls_itself(text: str) -> None:
    game = pyspiel.load_game(text)
    again = pyspiel.load_game(str(game))
    assert str(again) == str(game)
    assert (again.arena.rules, again.arena.start) == (game.arena.rules, game.arena.start)
    assert again.arena.points == game.arena.points == ("points=true" in text)


def test_utilities_are_what_the_type_says() -> None:
    types = {}
    for text in ("", "points=true", "rules=big3", "rules=big3,points=true", "rules=big4,points=true"):
        game = pyspiel.load_game(f"collapsi({text})" if text else "collapsi")
        kind = game.get_type().utility.name
        types[text] = kind, game.utility_sum(), game.min_utility(), game.max_utility(), game.num_players()
    assert types == {
        "": ("ZERO_SUM", 0, -1, 1, 2),
        "points=true": ("ZERO_SUM", 0, -15, 15, 2),
        "rules=big3": ("ZERO_SUM", 0, -0.5, 1, 3),
        "rules=big3,points=true": ("CONSTANT_SUM", 3, 0, 2, 3),
        "rules=big4,points=true": ("CONSTANT_SUM", 6, 0, 3, 4),
    }


class PlainValues(pickle.Unpickler):
    """Reads nothing but what Python has itself."""

    def find_class(self, module: str, name: str) -> Any:
        assert (module, name) == ("builtins", "str")
        return str


@pytest.mark.parametrize("text", [*GAMES.values(), *BIG_GAMES.values()])
def test_states_are_written_as_plain_values_and_read_back(text: str) -> None:
    whole = collapsi.parse_game(text)
    game = pyspiel.load_game("collapsi", {"deal": whole.positions[0].text.replace(",", COMMA)})
    state = game.new_initial_state()
    for before, name in zip(whole.positions, whole.squares, strict=False):
        assert state.position == before
        written = state.serialize()
        plain = PlainValues(io.BytesIO(base64.b64decode(written.partition("__dict__=")[2]))).load()
        assert plain == {"_dealt": "", "_kept": before.text}
        again = game.deserialize_state(written)
        assert again.position == before
        assert (again.history(), str(again)) == (state.history(), str(state))
        by_name = {state.action_to_string(action): action for action in state.legal_actions()}
        assert len(by_name) == len(before.moves)
        copied = state.clone()
        state.apply_action(by_name[name])
        assert copied.position == before  # a copy stays where it is
    assert state.position == whole.position
    assert state.is_terminal() == (not whole.position.moves)
    assert state.returns() == state.arena.returns(whole.position)


def endgames(rules: str, cards: int, count: int) -> list[collapsi.Position]:
    """Positions with few cards left, from games played at random."""
    rng = random.Random(11)
    found: list[collapsi.Position] = []
    while len(found) < count:
        position = collapsi.deal(rng, collapsi.parse_rules(rules))
        while position.moves and position.cards_left > cards:
            position = position.play(rng.choice(position.moves))
        if position.moves:
            found.append(position)
    return found


@pytest.mark.parametrize(("rules", "cards"), [("standard", 9), ("joker", 9), ("choice", 9), ("shift", 6)])
@pytest.mark.parametrize("points", [False, True])
def test_openspiels_alpha_beta_finds_what_our_solver_finds(rules: str, cards: int, points: bool) -> None:
    for position in endgames(rules, cards, 5):
        game = pyspiel.load_game("collapsi", {"deal": position.text, "points": points})
        value, action = minimax.alpha_beta_search(game, maximizing_player_id=int(position.to_move))
        analysis = collapsi.analyse(position)
        score = analysis.score if position.to_move is collapsi.Player.RED else -analysis.score
        state = game.new_initial_state()
        if points:
            assert value == score
            assert state.action_to_string(action) in analysis.best
        else:
            assert value == (1 if score > 0 else -1)


def seen(state: Any) -> tuple[object, ...]:
    """What can be seen of a state."""
    player = state.current_player()
    return (
        str(state),
        state.history(),
        [(entry.player, entry.action) for entry in state.full_history()],
        state.history_str(),
        state.move_number(),
        state.is_initial_state(),
        player,
        state.legal_actions(),
        state.returns(),
        state.information_state_string(0),
        state.observation_tensor(0),
    )


@pytest.mark.parametrize("text", [NEW_DEALS[0], *FIXED_DEALS])
def test_undone_actions_lead_back_and_other_ones_on(text: str) -> None:
    """Compared with states in which nothing was undone; also for copies, and for states read from text."""
    rng = random.Random(4)
    game = pyspiel.load_game(text)
    state, path = game.new_initial_state(), [game.new_initial_state()]
    for number in range(60):
        if path[-1].is_terminal() or (len(path) > 1 and rng.random() < 0.4):
            last = path.pop().full_history()[-1]
            state.undo_action(last.player, last.action)
        else:
            action = rng.choice(path[-1].legal_actions())
            path.append(path[-1].child(action))
            state.apply_action(action)
        assert seen(state) == seen(path[-1])
        if number % 7 == 0:
            state = state.clone() if number % 2 else pickle.loads(pickle.dumps(state))
            assert seen(state) == seen(path[-1])


def test_only_the_last_action_can_be_undone() -> None:
    state = pyspiel.load_game(FIXED_DEALS[0]).new_initial_state()
    with pytest.raises(collapsi.CollapsiError, match="nothing has happened yet"):
        state.undo_action(0, 4)
    state.apply_action(4)
    for player, action in ((1, 4), (0, 3)):
        with pytest.raises(collapsi.CollapsiError, match="cannot be undone: the last action is 4"):
            state.undo_action(player, action)
    assert state.history() == [4]


@pytest.mark.parametrize(("rules", "cards"), [("standard", 16), ("joker", 9), ("shift", 6)])
@pytest.mark.parametrize("points", [False, True])
def test_the_perfect_bot_reaches_what_the_exact_evaluator_says(rules: str, cards: int, points: bool) -> None:
    for position in endgames(rules, cards, 3):
        game = pyspiel.load_game("collapsi", {"deal": position.text, "points": points})
        state, bot, analysis = game.new_initial_state(), PerfectBot(seed=1), collapsi.analyse(position)
        value = ExactEvaluator().evaluate(state)
        assert value.tolist() == (
            [analysis.score, -analysis.score]
            if points
            else [
                1 if analysis.winner is player else -1
                for player in (collapsi.Player.RED, collapsi.Player.BLUE)
            ]
        )
        policy, action = bot.step_with_policy(state)
        likely = {state.action_to_string(number): chance for number, chance in policy if chance}
        assert likely == {move: pytest.approx(1 / len(analysis.best)) for move in analysis.best}
        assert state.action_to_string(action) in analysis.best
        assert len(policy) == len(state.legal_actions())
        reached = pyspiel.evaluate_bots(state, [bot, bot], 1)
        assert reached == value.tolist()


def test_openspiels_tree_search_plays_perfectly_with_the_exact_evaluator() -> None:
    """With exact values a look at each move is enough to keep a win, also with the rule of AlphaZero."""
    game = pyspiel.load_game("collapsi(deal=A223/4A2Jr/3A23/Jb3A4 r)")
    for selection in (mcts.SearchNode.uct_value, mcts.SearchNode.puct_value):
        dice = np.random.RandomState(1)
        bot = mcts.MCTSBot(game, 1.4, 12, ExactEvaluator(), random_state=dice, child_selection_fn=selection)
        assert pyspiel.evaluate_bots(game.new_initial_state(), [bot, PerfectBot(seed=2)], 1) == [1, -1]


def test_values_are_refused_where_there_are_none() -> None:
    dealing = pyspiel.load_game("collapsi").new_initial_state()
    with pytest.raises(collapsi.CollapsiError, match="a deal that is not complete has no value"):
        ExactEvaluator().evaluate(dealing)
    assert ExactEvaluator().prior(dealing) == dealing.chance_outcomes()
    three = pyspiel.load_game("collapsi", {"deal": DEALS[-1]}).new_initial_state()
    with pytest.raises(collapsi.CollapsiError, match="perfect play is known for two players: big3 has 3"):
        PerfectBot().step(three)


def test_gambit_reads_the_same_value() -> None:
    """Gambit solves the tree of an endgame that OpenSpiel has written."""
    pygambit = pytest.importorskip("pygambit")
    from open_spiel.python.algorithms.gambit import export_gambit

    for position in endgames("standard", 7, 4):
        game = pyspiel.load_game("collapsi", {"deal": position.text, "points": True})
        tree = pygambit.read_efg(io.BytesIO(export_gambit(game).encode()))
        found = pygambit.nash.enumpure_solve(tree).equilibria
        assert found
        for profile in found:  # Gambit 17 has payoffs, Gambit 16 a method
            payoffs = profile.payoffs if hasattr(profile, "payoffs") else {"Pl0": profile.payoff("Pl0")}
            assert payoffs["Pl0"] == collapsi.analyse(position).score


def test_a_bot_of_openspiel_plays_with_our_levels() -> None:
    game = pyspiel.load_game("collapsi(deal=A223/4A2Jr/3A23/Jb3A4 r)")
    rng = random.Random(1)
    state = game.new_initial_state()
    while not state.is_terminal():
        number = choose_move(state.position, Level.PERFECT, rng)
        state.apply_action(number)
    assert state.returns() == [1, -1]
    assert len(state.history()) == 13


@pytest.mark.parametrize("text", ["collapsi", "collapsi(rules=big3,points=true)", "collapsi(rules=shift)"])
def test_openspiels_agents_and_its_tree_search_play_it(text: str) -> None:
    environment = rl_environment.Environment(text)
    environment.seed(1)
    actions = environment.action_spec()["num_actions"]
    agents = [random_agent.RandomAgent(seat, actions) for seat in range(environment.num_players)]
    step = environment.reset()
    while not step.last():
        step = environment.step([agents[step.observations["current_player"]].step(step).action])
    game = pyspiel.load_game(text)
    assert sum(step.rewards) == game.utility_sum()
    dice = np.random.RandomState(1)
    bot = mcts.MCTSBot(game, 1.4, 5, mcts.RandomRolloutEvaluator(1, dice), random_state=dice)
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(dice.choice(state.legal_actions()) if state.is_chance_node() else bot.step(state))
    assert state.position.result is not None
    assert sum(state.returns()) == game.utility_sum()


def example() -> dict[str, Any]:
    return runpy.run_path(str(ROOT / "examples" / "mcts_against_perfect_play.py"))


def test_the_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    example()["main"](["--deals", "3", "--simulations", "2,20"])
    header, *lines = capsys.readouterr().out.splitlines()
    assert "won deals kept" in header
    assert [line.split()[0] for line in lines] == ["2", "20"]
    assert all(" of 3 " in line for line in lines)


def test_the_example_measures_perfect_and_bad_play_rightly() -> None:
    play = example()["play"]
    rng = random.Random(2)
    deal = collapsi.parse_position("A223/4A2Jr/3A23/Jb3A4 r")  # only a2 wins

    def chooses(best: bool) -> Any:
        return lambda state: collapsi.analyse(state.position).moves[0 if best else -1].move

    won, right, moves = play(deal, chooses(True), rng)
    assert won
    assert right == moves > 0
    assert play(deal, chooses(False), rng) == (False, 0, 1)
