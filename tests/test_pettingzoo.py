"""Collapsi in PettingZoo: its own tests, and episodes compared with the states behind them."""

from __future__ import annotations

import pickle
import random
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import api_test, render_test, seed_test, state_test
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

from collapsi import CollapsiError, IllegalMoveError
from collapsi.ecosystem.arena import make_arena
from collapsi.ecosystem.pettingzoo import ILLEGAL, RENDER_MODES, env, raw_env
from tests.test_arena import ALL_RULES

MAKERS = [env, raw_env]

# PettingZoo's test knows by name which environments have masks in their observations, as its own board games.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
]


@pytest.mark.parametrize("rules", ALL_RULES)
@pytest.mark.parametrize("points", [False, True])
@pytest.mark.parametrize("make", MAKERS)
def test_api(make: Any, rules: str, points: bool) -> None:
    api_test(make(rules=rules, points=points), num_cycles=100)


@pytest.mark.parametrize("rules", ALL_RULES)
@pytest.mark.parametrize("make", MAKERS)
def test_seed(make: Any, rules: str) -> None:
    seed_test(lambda: make(rules=rules), num_cycles=100)


@pytest.mark.parametrize("rules", ALL_RULES)
@pytest.mark.parametrize("make", MAKERS)
def test_render(make: Any, rules: str) -> None:
    def is_picture(answer: str) -> bool:
        return ET.fromstring(answer).tag == "{http://www.w3.org/2000/svg}svg"

    render_test(lambda **words: make(rules=rules, **words), custom_tests={"svg": is_picture})


@pytest.mark.filterwarnings("ignore:.*Illegal move made")
def test_state() -> None:
    parallel = turn_based_aec_to_parallel(env())
    state_test(env(rules="big3"), parallel, num_cycles=20)


def test_the_best_actions_win_a_won_deal() -> None:
    game = env(deal="A223/4A2Jr/3A23/Jb3A4 r")
    game.reset(seed=1)
    assert game.unwrapped.best_actions() == [4]
    rng = random.Random(1)
    for _ in range(13):
        assert game.rewards == {"player_0": 0, "player_1": 0}
        game.step(rng.choice(game.unwrapped.best_actions()))
    assert game.rewards == {"player_0": 1, "player_1": -1}
    three = env(rules="big3")
    three.reset(seed=1)
    with pytest.raises(CollapsiError, match="perfect play is known for two players"):
        three.unwrapped.best_actions()


@pytest.mark.parametrize("rules", ALL_RULES)
@pytest.mark.parametrize("points", [False, True])
def test_an_episode_is_a_game(rules: str, points: bool) -> None:
    playing = env(rules=rules, points=points)
    arena = make_arena(rules, points=points)
    rng = random.Random(4)
    for seed in range(5):
        playing.reset(seed=seed)
        state = arena.deal(random.Random(seed))
        players = [f"player_{seat}" for seat in range(arena.players)]
        assert playing.agents == playing.possible_agents == players
        rewarded = dict.fromkeys(players, 0.0)
        for agent in playing.agent_iter():
            observation, reward, termination, truncation, info = playing.last()
            assert playing.unwrapped.position == state
            assert (truncation, info) == (False, {})
            assert termination == (state.result is not None)
            rewarded[agent] += reward
            seat = players.index(agent)
            planes = arena.planes(state.cards, state, seat)
            assert (observation["observation"] == planes.transpose(1, 2, 0)).all()
            allowed = np.flatnonzero(observation["action_mask"]).tolist()
            assert allowed == list(arena.legal_actions(state))
            if termination:
                playing.step(None)
                continue
            assert seat == state.to_move
            for other in set(players) - {agent}:
                assert not playing.observe(other)["action_mask"].any()
            action = rng.choice(allowed)
            playing.step(action)
            state = state.play(arena.legal_actions(state)[action])
        assert list(rewarded.values()) == arena.returns(state)
        assert not playing.agents


def test_new_deals_come_one_after_the_other_and_a_fixed_one_stays() -> None:
    def deals(playing: Any) -> list[str]:
        found = []
        for seed in (1, None, None):
            playing.reset(seed=seed)
            found.append(playing.unwrapped.position.text)
        return found

    assert len(set(deals(env()))) == 3
    assert deals(env()) == deals(env())
    assert set(deals(env(deal="A223/4A2Jr/3A23/Jb3A4 r"))) == {"A223/4A2Jr/3A23/Jb3A4 r"}


@pytest.mark.filterwarnings("ignore:.*Illegal move made")
def test_an_illegal_move_ends_the_game_or_is_refused() -> None:
    wrapped, raw = env(deal="A223/4A2Jr/3A23/Jb3A4 r"), raw_env(deal="A223/4A2Jr/3A23/Jb3A4 r")
    wrapped.reset()
    wrapped.step(0)
    assert wrapped.rewards == {"player_0": ILLEGAL, "player_1": 0}
    assert all(wrapped.terminations.values())
    raw.reset()
    with pytest.raises(IllegalMoveError, match="0 is no move of red: choose one of 3, 4, 6, 11"):
        raw.step(0)
    with pytest.raises(IllegalMoveError, match="player_0 is to move"):
        raw.step(None)


def test_what_is_wrong_is_said_in_one_line() -> None:
    with pytest.raises(CollapsiError, match="unknown render mode 'film': choose one of human, ansi, svg"):
        env(render_mode="film")
    with pytest.raises(CollapsiError, match="unknown rules"):
        env(rules="chess")
    with pytest.raises(CollapsiError, match="call reset first"):
        raw_env(render_mode="ansi").render()


def test_people_who_look_on_see_every_position(capsys: pytest.CaptureFixture[str]) -> None:
    playing = raw_env(deal="..../.2r../.Ab../.2.. r", render_mode="human")
    playing.reset()
    playing.step(13)
    assert capsys.readouterr().out.count("   a  b  c  d\n") == 2
    assert playing.metadata["render_modes"] == list(RENDER_MODES)


def test_pettingzoo_makes_it_by_name_and_copies_of_it_are_whole() -> None:
    made = pettingzoo.make("aec", "collapsi-v0", rules="big4")
    made.reset(seed=1)
    assert made.num_agents == 4
    copied = pickle.loads(pickle.dumps(raw_env(rules="big4", points=True)))
    assert (copied.arena.players, copied.arena.points) == (4, True)
