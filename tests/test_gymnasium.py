"""Collapsi in Gymnasium: its own checker, its own vectorised environments, and the games behind them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils import env_checker
from gymnasium.utils.env_match import check_environments_match
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics

import collapsi
from collapsi import CollapsiError, IllegalMoveError, batch
from collapsi.ecosystem.arena import make_arena
from collapsi.ecosystem.gymnasium import CollapsiEnv, CollapsiVectorEnv, OpponentWrapper, vector_env
from collapsi.games.levels import Level
from tests.test_cli import EXAMPLE

if TYPE_CHECKING:
    from collapsi.ecosystem.gymnasium import Observation

RULES = ["standard", "joker", "1,3|2", "choice@3x4"]
OPPONENTS = [None, "random", "expert", "master"]
SHORT = "..../.2r../.Ab../.2.. r"
"""Red's only move, b4, wins."""


def random_actions(observation: Observation, rng: np.random.Generator) -> Any:
    return batch.choose(observation["action_mask"].astype(np.bool_), rng)


@pytest.mark.parametrize("opponent", OPPONENTS)
@pytest.mark.parametrize("rules", RULES)
def test_gymnasiums_checker(rules: str, opponent: str | None) -> None:
    """It accepts environments of one game only, so the vector environment is checked with one game."""
    made = gymnasium.make("collapsi-v0", rules=rules, opponent=opponent)
    env_checker.check_env(made.unwrapped)
    vector: Any = gymnasium.make_vec("collapsi-v0", num_envs=1, rules=rules, opponent=opponent)
    env_checker.check_reset_return_type(vector)
    env_checker.check_reset_seed_determinism(vector)
    env_checker.check_reset_options(vector)
    env_checker.check_returned_data_not_reused(vector)


def first_move(observation: Observation) -> Any:
    return observation["action_mask"].argmax(axis=1)


@pytest.mark.parametrize("opponent", [None, first_move])
@pytest.mark.parametrize("points", [False, True])
def test_the_vector_environment_is_that_of_gymnasium(opponent: Any, points: bool) -> None:
    """Gymnasium's own vector environment of single games gives the same, illegal moves included."""
    options: dict[str, Any] = {"deal": EXAMPLE, "opponent": opponent, "seat": "blue", "points": points}
    ours: Any = vector_env(5, **options)
    theirs: Any = SyncVectorEnv([lambda: CollapsiEnv(**options)] * 5)
    assert ours.metadata["autoreset_mode"] is theirs.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    for name in ("observation_space", "action_space", "single_observation_space", "single_action_space"):
        assert getattr(ours, name) == getattr(theirs, name)
    rng = np.random.default_rng(1)
    seen, expected = ours.reset(seed=1), theirs.reset(seed=1)
    ended = 0
    for _ in range(120):
        assert env_checker.data_equivalence(seen[0], expected[0], exact=True)
        assert seen[0] in ours.observation_space
        actions = random_actions(seen[0], rng)
        if rng.random() < 0.1:
            actions[2] = 0
        seen, expected = ours.step(actions), theirs.step(actions)
        for got, wanted in zip(seen[1:4], expected[1:4], strict=True):
            assert got.tolist() == wanted.tolist()
            assert got.dtype == wanted.dtype
        ended += int(seen[2].sum())
    assert ended > 20


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("points", [False, True])
def test_self_play_is_games(rules: str, points: bool) -> None:
    """Planes, masks and rewards are those of the arena, move by move."""
    arena = make_arena(rules, points=points)
    env = CollapsiVectorEnv(6, rules, points=points)
    observation, _ = env.reset(seed=3)
    rng = np.random.default_rng(1)
    states: list[Any] = [env.games.positions.position(index) for index in range(6)]
    ended = np.zeros(6, np.bool_)
    for _ in range(40):
        actions = random_actions(observation, rng)
        observation, rewards, terminations, truncations, info = env.step(actions)
        assert info == {}
        assert not truncations.any()
        for index in range(6):
            if ended[index]:
                state = env.games.positions.position(index)
                assert (state.cards_left, rewards[index]) == (arena.cards, 0)
            else:
                mover = states[index].to_move
                state = states[index].play(int(actions[index]))
                assert rewards[index] == arena.returns(state)[mover]
            states[index] = state
            assert terminations[index] == (not state.moves)
            planes = arena.planes(state.cards, state, state.to_move)
            assert (observation["observation"][index] == np.moveaxis(planes, 0, -1)).all()
            assert np.flatnonzero(observation["action_mask"][index]).tolist() == list(state.moves)
        ended = terminations


@pytest.mark.parametrize("opponent", [*Level, "card~20"])
@pytest.mark.parametrize("seat", ["red", "blue", None])
def test_games_against_an_opponent(opponent: str, seat: str | None) -> None:
    """Each step is a move of the agent and the opponent's reply; the agent sees the board as itself."""
    env: Any = vector_env(8, opponent=opponent, seat=seat)
    observation, _ = env.reset(seed=1)
    rng = np.random.default_rng(1)
    games = env.unwrapped.games
    ended = np.zeros(8, np.bool_)
    arena = make_arena()
    seats = set()
    for _ in range(12):
        seats |= set(env.seats.tolist())
        before = games.positions.face_up
        observation, rewards, terminations, _, _ = env.step(random_actions(observation, rng))
        won = games.won[np.arange(8), env.seats]
        assert (terminations == games.over).all()
        assert rewards.tolist() == np.where(terminations, np.where(won, 1.0, -1.0), 0.0).tolist()
        played = (before - games.positions.face_up)[~ended]
        assert (played == np.where(won, 1, 2)[~ended]).all()
        assert (games.positions.face_up[ended] == 16 - env.seats[ended]).all()
        going = ~terminations
        assert (games.positions.movers == env.seats)[going].all()
        for index in range(8):
            state: Any = games.positions.position(index)
            planes = arena.planes(state.cards, state, int(env.seats[index]))
            assert (observation["observation"][index] == np.moveaxis(planes, 0, -1)).all()
        assert (observation["action_mask"] == games.legal).all()
        ended = terminations
    assert seats == {"red": {0}, "blue": {1}, None: {0, 1}}[seat]


def test_a_perfect_opponent_never_gives_a_win_away() -> None:
    env: Any = vector_env(200, opponent="perfect", seat="red")
    env.reset(seed=5)
    games = env.unwrapped.games
    winnable = (games.positions.values() > 0).any(axis=1)
    results = np.zeros(200)
    finished = np.zeros(200, np.bool_)
    while not finished.all():
        actions = games.positions.best().argmax(axis=1)
        _, rewards, terminations, _, _ = env.step(actions)
        results += np.where(finished, 0, rewards)
        finished |= terminations
    assert ((results > 0) == winnable).all()


def test_self_play_against_a_copy_of_the_policy() -> None:
    """A function sees what the agent would see in its place: its own turn, legal moves, its pawn first."""
    asked = []

    def policy(observation: Observation) -> Any:
        asked.append(len(observation["action_mask"]))
        assert observation["action_mask"].any(axis=1).all()
        assert (observation["observation"][..., 8] == 1).all()
        return observation["action_mask"].argmax(axis=1)

    env: Any = vector_env(20, opponent=policy, seat="blue")
    observation, _ = env.reset(seed=1)
    assert asked == [20]
    for _ in range(10):
        observation, *_ = env.step(observation["action_mask"].argmax(axis=1))
    env.opponent = "perfect"  # exchanged while games go on
    env.step(observation["action_mask"].argmax(axis=1))
    assert len(asked) == 11

    env.opponent = lambda observation: np.zeros(len(observation["action_mask"]), np.int64)
    with pytest.raises(IllegalMoveError, match=r"game \d+: 0 is no move of"):
        env.reset(seed=1)


def test_an_illegal_action_loses() -> None:
    env = CollapsiVectorEnv(2, deal=SHORT, points=True)
    env.reset(seed=1)
    assert env.games.positions.position(0).moves == (13,)
    _, rewards, terminations, *_ = env.step(np.array([13, 0]))
    assert rewards.tolist() == [2.0, -3.0]
    assert terminations.tolist() == [True, True]
    _, rewards, terminations, *_ = env.step(np.array([0, 0]))
    assert rewards.tolist() == [0.0, 0.0]
    assert not terminations.any()
    assert (env.games.positions.face_up == 3).all()


def test_who_cannot_move_after_the_first_reply_has_lost() -> None:
    """The opponent, red, wins with its first move: the agent's game ends with its first action."""
    env: Any = vector_env(2, deal=SHORT, opponent="perfect", seat="blue")
    observation, _ = env.reset(seed=1)
    assert not observation["action_mask"].any()
    for _ in range(2):
        _, rewards, terminations, *_ = env.step(np.array([0, 5]))
        assert rewards.tolist() == [-1.0, -1.0]
        assert terminations.all()
        _, rewards, terminations, *_ = env.step(np.array([0, 0]))
        assert rewards.tolist() == [0.0, 0.0]
        assert not terminations.any()


def test_wrappers_of_gymnasium_work() -> None:
    env: Any = RecordEpisodeStatistics(vector_env(4, opponent="random"))
    observation, _ = env.reset(seed=1)
    rng = np.random.default_rng(1)
    for _ in range(30):
        observation, *_ = env.step(random_actions(observation, rng))
    assert env.episode_count > 8
    assert {abs(float(total)) for total in env.return_queue} == {1.0}
    assert max(env.length_queue) <= 7
    DictInfoToList(vector_env(2)).reset(seed=1)


def test_equal_seeds_give_equal_games() -> None:
    first, second = (gymnasium.make("collapsi-v0", opponent="random") for _ in range(2))
    check_environments_match(first, second, 30, seed=4)


def test_boards_are_shown_as_text() -> None:
    vector = CollapsiVectorEnv(2, deal=EXAMPLE, render_mode="ansi")
    vector.reset()
    assert vector.render() == (str(collapsi.parse_position(EXAMPLE)),) * 2
    single = gymnasium.make("collapsi-v0", deal=EXAMPLE, render_mode="ansi")
    single.reset()
    shown: Any = single.render()
    assert shown == str(collapsi.parse_position(EXAMPLE))
    assert CollapsiVectorEnv(2).render() is None


def test_what_is_wrong_is_said_in_one_line() -> None:
    with pytest.raises(CollapsiError, match="batches of games is not supported for shift: use standard"):
        CollapsiVectorEnv(2, "shift")
    with pytest.raises(CollapsiError, match="unknown render mode 'film': choose ansi"):
        CollapsiVectorEnv(2, render_mode="film")
    with pytest.raises(CollapsiError, match="unknown seat 'green': choose red or blue"):
        vector_env(2, opponent="1", seat="green")
    with pytest.raises(CollapsiError, match="'strong' is no player: choose one of random, 1"):
        vector_env(2, opponent="strong")
    with pytest.raises(CollapsiError, match="call reset first"):
        CollapsiVectorEnv(2).step(np.zeros(2, np.int64))
    vector = CollapsiVectorEnv(2)
    vector.reset()
    for actions in ([0], [0, 16], [-1, 0]):
        with pytest.raises(CollapsiError, match="expected 2 actions from 0 to 15, one for each game"):
            vector.step(np.array(actions))
    wrapped: Any = RecordEpisodeStatistics(vector_env(4))
    with pytest.raises(TypeError, match="expected a CollapsiVectorEnv without other wrappers"):
        OpponentWrapper(wrapped, "1")
    single = CollapsiEnv(deal=SHORT)
    single.reset()
    single.step(np.int64(13))
    with pytest.raises(CollapsiError, match="the game is over: call reset"):
        single.step(np.int64(13))
