"""Collapsi for Gymnasium: thousands of games as one vector environment (extra `gymnasium`).

>>> from collapsi.ecosystem import gymnasium as collapsi_gym
>>> env = collapsi_gym.vector_env(1000, rules="joker", opponent="perfect")
>>> observation, info = env.reset(seed=1)
>>> observation["observation"].shape, observation["action_mask"].shape
((1000, 4, 4, 10), (1000, 16))
>>> actions = observation["action_mask"].argmax(axis=1)  # the first legal move of each game
>>> observation, rewards, terminations, truncations, info = env.step(actions)

`gymnasium.make_vec("collapsi-v0", num_envs=1000)` of Gymnasium itself does the same once this module is
imported, and `gymnasium.make("collapsi-v0")` makes an environment with one game.

Without an opponent (`CollapsiVectorEnv`), actions move for both players in turn, and the observation and the
reward are those of the player to move: self-play with one policy. `OpponentWrapper` adds an opponent: a level
of the computer, or any function from observations to actions, such as an older copy of the policy.

Rules are those of the classic game with any deck and board. Actions and planes are those of
`collapsi.ecosystem.arena`; as in our PettingZoo environment, the axes of an observation are rows, columns,
planes, and there is a mask of legal actions. An illegal action loses the game at once. A game that has ended
is dealt again in the next step, whose action is ignored (`AutoresetMode.NEXT_STEP`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from collapsi.batch import Games
from collapsi.batch.positions import PLANES
from collapsi.core.errors import CollapsiError, wrong_type
from collapsi.core.players import PAIR, Player
from collapsi.ecosystem.arena import make_arena
from collapsi.games.classic.rules import STANDARD
from collapsi.games.kind import Can
from collapsi.games.registry import require
from collapsi.play.strategy.ladder import choose_many
from collapsi.play.strategy.players import character
from collapsi.system.extras import needs

with needs("gymnasium"):
    import gymnasium
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv, VectorWrapper
    from gymnasium.vector.utils import batch_space

if TYPE_CHECKING:
    from numpy.typing import NDArray

Observation = dict[str, "NDArray[np.int8]"]
"""`observation`: planes; `action_mask`: 1 for each legal action. In a vector environment, a row per game."""

Policy = Callable[[Observation], "NDArray[np.int64]"]
"""A function that chooses an action for each row of an observation."""

RENDER_MODES = ("ansi",)
"""`ansi` returns the boards as text."""


class CollapsiVectorEnv(VectorEnv[Observation, "NDArray[np.int64]", "NDArray[Any]"]):
    """Games in which actions move for both players in turn."""

    metadata: ClassVar[dict[str, Any]] = {  # type: ignore[misc]  # Gymnasium does not declare it so
        "render_modes": list(RENDER_MODES),
        "render_fps": 1,
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self,
        num_envs: int = 1,
        rules: str = STANDARD.name,
        deal: str = "",
        *,
        points: bool = False,
        render_mode: str | None = None,
    ) -> None:
        """Prepare `num_envs` games; `rules`, `deal` and `points` are those of `arena.make_arena`."""
        if render_mode not in (None, *RENDER_MODES):
            msg = f"unknown render mode {render_mode!r:.40}: choose {', '.join(RENDER_MODES)}"
            raise CollapsiError(msg)
        self.arena = make_arena(rules, deal, points=points)
        require(self.arena.rules, Can.BATCH)
        self.num_envs = num_envs
        self.render_mode = render_mode
        rows, columns = self.arena.frame
        self.single_observation_space = spaces.Dict(
            {
                "observation": spaces.Box(0, 1, (rows, columns, PLANES), np.int8),
                "action_mask": spaces.Box(0, 1, (self.arena.actions,), np.int8),
            }
        )
        self.single_action_space = spaces.Discrete(self.arena.actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.ended = np.zeros(num_envs, np.bool_)
        """The games that ended in the last step, and are dealt again in the next."""
        self._games: Games | None = None

    @property
    def games(self) -> Games:
        """The games, for analysis: `games.positions` has exact values and best moves."""
        if self._games is None:
            msg = "no cards have been dealt: call reset first"
            raise CollapsiError(msg)
        return self._games

    @property
    def stakes(self) -> NDArray[np.float64]:
        """The reward of a win now: 1, or the number of face-up cards."""
        if self.arena.points:
            return self.games.positions.face_up.astype(np.float64)
        return np.ones(self.num_envs)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal all games; deterministic for a seed."""
        super().reset(seed=seed, options=options)
        if self._games is None:
            start: Any = self.arena.start
            rules: Any = self.arena.rules
            self._games = Games(self.num_envs, self.np_random, rules, start=start)
        else:
            self._games.rng = self.np_random
            self._games.reset()
        self.ended = np.zeros(self.num_envs, np.bool_)
        return self.observe(), {}

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[Observation, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Play a move in each game; the rewards are those of the players that made the moves."""
        rewards = self.play(actions)
        return self.observe(), rewards, self.ended.copy(), np.zeros(self.num_envs, np.bool_), {}

    def play(self, actions: NDArray[np.int64]) -> NDArray[np.float64]:
        """Deal again the games that have ended, play a move in each of the others, and return the rewards."""
        games, again = self.games, self.ended
        moves = np.asarray(actions, np.int64)
        if moves.shape != (self.num_envs,) or not ((moves >= 0) & (moves < self.arena.actions)).all():
            msg = f"expected {self.num_envs} actions from 0 to {self.arena.actions - 1}, one for each game"
            raise CollapsiError(msg)
        if again.any():
            games.reset(again)
        legal = games.legal[np.arange(self.num_envs), moves] & ~again
        illegal = ~legal & ~again
        games.step(moves, legal)
        won = legal & games.over
        self.ended = won | illegal
        return self.stakes * won - self.stakes * illegal

    def observe(
        self, observers: NDArray[np.int64] | None = None, which: NDArray[np.bool_] | None = None
    ) -> Observation:
        """Return the observations of the players to move, or of other observers; of all games or of some."""
        positions, legal = self.games.positions, self.games.legal
        if which is not None:
            positions, legal = positions[which], legal[which]
        planes = np.moveaxis(positions.planes(observers), 1, -1)
        return {"observation": planes, "action_mask": legal.astype(np.int8)}

    def render(self) -> tuple[str, ...] | None:
        """Render the boards according to `render_mode`."""
        if self.render_mode is None:
            return None
        return tuple(str(self.games.positions.position(index)) for index in range(self.num_envs))


class OpponentWrapper(
    VectorWrapper[Observation, "NDArray[np.int64]", Observation, "NDArray[np.int64]", "NDArray[Any]"]
):
    """Games against an opponent, which replies within each step.

    `opponent` is the name of a level (`collapsi.games.levels`), a level that errs more often (`card~20`), or
    a function from observations to actions; it can be exchanged at any time. `seat` is the agent's colour,
    `red` or `blue`; by default it is drawn for each game.
    """

    env: CollapsiVectorEnv

    def __init__(self, env: CollapsiVectorEnv, opponent: str | Policy, *, seat: str | None = None) -> None:
        if not isinstance(env, CollapsiVectorEnv):
            raise wrong_type(env, "a CollapsiVectorEnv without other wrappers")
        super().__init__(env)
        names = {str(player): player for player in PAIR}
        if seat is not None and seat not in names:
            msg = f"unknown seat {seat!r:.40}: choose red or blue"
            raise CollapsiError(msg)
        self.opponent = opponent
        if isinstance(opponent, str):
            character(opponent)  # raises for an unknown name
        self.seat: Player | None = None if seat is None else names[seat]
        self.seats = np.zeros(env.num_envs, np.int64)
        """The agent's player in each game: 0 for red, 1 for blue."""

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal all games; where the agent is blue, the opponent makes the first move."""
        self.env.reset(seed=seed, options=options)
        self._reply(np.ones(self.num_envs, np.bool_))
        return self.env.observe(self.seats), {}

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[Observation, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Play the agent's move in each game, and the opponent's reply."""
        env, dealt = self.env, self.env.ended
        rewards = env.play(actions)
        # A game that the opponent's first move decides ends with the agent's next action, which is illegal.
        lost = self._reply(dealt) & ~dealt
        rewards -= env.stakes * lost
        env.ended = env.ended | lost
        truncations = np.zeros(self.num_envs, np.bool_)
        return env.observe(self.seats), rewards, env.ended.copy(), truncations, {}

    def _reply(self, dealt: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Draw seats for new games, let the opponent move where it is its turn; return where that won."""
        env, games, rng = self.env, self.env.games, self.env.np_random
        seats = rng.integers(len(PAIR), size=self.num_envs) if self.seat is None else int(self.seat)
        self.seats = np.where(dealt, seats, self.seats)
        turn = np.asarray((games.positions.movers != self.seats) & ~env.ended)
        if not turn.any():
            return turn
        if isinstance(self.opponent, str):
            luck, slip = rng.random((2, int(turn.sum())))
            ends = choose_many(character(self.opponent), games.positions[turn], luck, slip)
        else:
            ends = self.opponent(env.observe(which=turn))
        moves = np.zeros(self.num_envs, np.int64)
        moves[turn] = ends
        games.step(moves, turn)
        return np.asarray(turn & games.over)


def vector_env(
    num_envs: int = 1,
    rules: str = STANDARD.name,
    deal: str = "",
    *,
    opponent: str | Policy | None = None,
    seat: str | None = None,
    points: bool = False,
    render_mode: str | None = None,
) -> CollapsiVectorEnv | OpponentWrapper:
    """Make a vector environment, with an opponent or, without one, for self-play."""
    env = CollapsiVectorEnv(num_envs, rules, deal, points=points, render_mode=render_mode)
    return env if opponent is None else OpponentWrapper(env, opponent, seat=seat)


class CollapsiEnv(gymnasium.Env[Observation, np.int64]):
    """One game; the parameters are those of `vector_env`."""

    metadata: ClassVar[dict[str, Any]] = {  # type: ignore[misc]  # Gymnasium does not declare it so
        "render_modes": list(RENDER_MODES),
        "render_fps": 1,
    }

    def __init__(self, **options: Any) -> None:
        self.vector = vector_env(1, **options)
        self.base = self.vector.env if isinstance(self.vector, OpponentWrapper) else self.vector
        self.render_mode = self.base.render_mode
        self.observation_space = self.vector.single_observation_space
        self.action_space = self.vector.single_action_space

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal; deterministic for a seed."""
        super().reset(seed=seed, options=options)
        self.base.np_random = self.np_random
        observations, info = self.vector.reset()
        return _only(observations), info

    def step(self, action: np.int64) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play a move, and the opponent's reply if there is an opponent."""
        if self.base.ended[0]:
            msg = "the game is over: call reset"
            raise CollapsiError(msg)
        observations, rewards, terminations, _, info = self.vector.step(np.array([action]))
        return _only(observations), float(rewards[0]), bool(terminations[0]), False, info

    def render(self) -> str | None:
        """Render the board according to `render_mode`."""
        frames = self.base.render()
        return None if frames is None else frames[0]


def _only(observations: Observation) -> Observation:
    """Return the observation of a single game."""
    return {name: rows[0] for name, rows in observations.items()}


gymnasium.register(
    "collapsi-v0",
    entry_point="collapsi.ecosystem.gymnasium:CollapsiEnv",
    vector_entry_point="collapsi.ecosystem.gymnasium:vector_env",
)
