"""Collapsi for PettingZoo: an AEC environment (extra `pettingzoo`).

>>> from collapsi.ecosystem import pettingzoo
>>> env = pettingzoo.env(deal="A223/4A2Jr/3A23/Jb3A4 r", render_mode="ansi")
>>> env.reset()
>>> observation, reward, termination, truncation, info = env.last()
>>> env.agent_selection, observation["action_mask"].nonzero()[0].tolist()
('player_0', [3, 4, 6, 11])
>>> env.step(4)
>>> print(env.render())
   a  b  c  d
1  A  2  2  3
2  4r A  2  .
3  3  A  2  3
4  Jb 3  A  4
blue to move

`pettingzoo.make("aec", "collapsi-v0", deal=…)` of PettingZoo itself does the same once this module is
imported.

`rules` is any game for two to four players; `deal` a position in our notation (by default every episode has a
new deal); `points` whether rewards are points or wins. For the encoding of moves and boards see
`collapsi.ecosystem.arena`; as usual in PettingZoo, the axes of an observation are rows, columns, planes.

All agents stay until the game is over, and are rewarded then; agents that are out of a round are not
selected.
"""

from __future__ import annotations

import random
import sys
from typing import TYPE_CHECKING, Any

import numpy as np

from collapsi.core.errors import CollapsiError, IllegalMoveError
from collapsi.draw.svg import draw_position
from collapsi.ecosystem.arena import make_arena
from collapsi.games.classic.rules import STANDARD
from collapsi.system.extras import needs

with needs("pettingzoo"):
    from gymnasium import spaces
    from gymnasium.utils import EzPickle
    from pettingzoo import AECEnv, register
    from pettingzoo.utils import wrappers

if TYPE_CHECKING:
    from collapsi.core.state import State

RENDER_MODES = ("human", "ansi", "svg")
"""`human` prints the board as text, `ansi` returns that text, `svg` returns a picture."""

ILLEGAL = -1.0
"""The reward of an illegal move, which ends the game."""


class raw_env(AECEnv, EzPickle):  # type: ignore[misc]  # PettingZoo has no types
    """The environment without wrappers, which raises errors for illegal moves; see `env`."""

    metadata = {  # noqa: RUF012 - required by PettingZoo
        "name": "collapsi_v0",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def __init__(
        self,
        rules: str = STANDARD.name,
        deal: str = "",
        *,
        points: bool = False,
        render_mode: str | None = None,
    ) -> None:
        EzPickle.__init__(self, rules, deal, points=points, render_mode=render_mode)
        super().__init__()
        if render_mode not in (None, *RENDER_MODES):
            msg = f"unknown render mode {render_mode!r:.40}: choose one of {', '.join(RENDER_MODES)}"
            raise CollapsiError(msg)
        self.render_mode = render_mode
        self.arena = arena = make_arena(rules, deal, points=points)
        self.possible_agents = [f"player_{seat}" for seat in range(arena.players)]
        self.agents: list[str] = []
        self.state_space = self._board_space()
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": self._board_space(),
                    "action_mask": spaces.Box(0, 1, (arena.actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(arena.actions) for agent in self.possible_agents}
        self._rng = random.Random()
        self.position: State | None = None
        """The state of the game, for analysis; None before the first deal."""

    def _board_space(self) -> spaces.Box:
        planes, rows, columns = self.arena.shape
        return spaces.Box(0, 1, (rows, columns, planes), np.int8)

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the observation space of an agent."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the action space of an agent; the mask of an observation has the legal actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a new game; deterministic for a seed."""
        del options
        if seed is not None:
            self._rng = random.Random(seed)
        self.position = self.arena.deal(self._rng)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self.agent_selection = self.possible_agents[self.position.to_move]
        self._show()

    def step(self, action: int | None) -> None:
        """Make a move; None when the game is over."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        if action is None:
            msg = f"{self.agent_selection} is to move: None is for agents whose game is over"
            raise IllegalMoveError(msg)
        self.position = self.arena.play(self._now, int(action))
        self._cumulative_rewards[self.agent_selection] = 0.0
        self.rewards = dict(zip(self.possible_agents, self.arena.returns(self.position), strict=True))
        self._accumulate_rewards()
        if self.position.result is not None:
            self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.possible_agents[self.position.to_move]
        self._show()

    def best_actions(self) -> list[int]:
        """Return the actions that are best now: the policy of a perfect player, for games of two."""
        return self.arena.best_actions(self._now)

    @property
    def _now(self) -> State:
        if self.position is None:
            msg = "no cards have been dealt: call reset first"
            raise CollapsiError(msg)
        return self.position

    def observe(self, agent: str) -> dict[str, Any]:
        """Return the observation of an agent and its mask of legal actions, empty if it is not its turn."""
        mask = np.zeros(self.arena.actions, np.int8)
        if agent == self.agent_selection:
            mask[list(self.arena.legal_actions(self._now))] = 1
        return {"observation": self._planes(self.possible_agents.index(agent)), "action_mask": mask}

    def _planes(self, observer: int) -> np.ndarray[Any, Any]:
        planes = self.arena.planes(self._now.cards, self._now, observer)
        return np.moveaxis(planes, 0, -1).astype(np.int8)

    def state(self) -> np.ndarray[Any, Any]:
        """Return the observation of the first player; no information is hidden."""
        return self._planes(0)

    def render(self) -> str | None:
        """Render the board according to `render_mode`."""
        if self.render_mode == "svg":
            return draw_position(self._now)
        if self.render_mode == "human":
            sys.stdout.write(f"{self._now}\n")
            return None
        return str(self._now) if self.render_mode == "ansi" else None

    def _show(self) -> None:
        """Print the position in render mode `human`."""
        if self.render_mode == "human":
            self.render()

    def close(self) -> None:
        """Do nothing: there are no resources to release."""


def env(**kwargs: Any) -> AECEnv[str, Any, Any]:
    """Return the environment with PettingZoo's usual wrappers: an illegal move ends the game."""
    wrapped: AECEnv[str, Any, Any] = raw_env(**kwargs)
    wrapped = wrappers.TerminateIllegalWrapper(wrapped, illegal_reward=ILLEGAL)
    wrapped = wrappers.AssertOutOfBoundsWrapper(wrapped)
    return wrappers.OrderEnforcingWrapper(wrapped)


register("aec", "collapsi-v0", entry_point="collapsi.ecosystem.pettingzoo:env")
