"""Collapsi for OpenSpiel: importing this module registers the game `collapsi` (extra `openspiel`).

>>> import pyspiel
>>> import collapsi.ecosystem.openspiel
>>> game = pyspiel.load_game("collapsi(deal=A223/4A2Jr/3A23/Jb3A4 r)")
>>> state = game.new_initial_state()
>>> [state.action_to_string(action) for action in state.legal_actions()]
['d1', 'a2', 'c2', 'd3']

Parameters: `rules`, any game for two to four players; `deal`, a position in our notation (by default every
game begins with a new deal, with a chance node for each card); `points`, whether returns are points or wins.
Game strings cannot contain the comma of rules such as `1,3|2`: write `1%2C3|2`. For the encoding of moves and
boards see `collapsi.ecosystem.arena`.
"""

from __future__ import annotations

import random
from functools import reduce
from typing import TYPE_CHECKING, Any

import numpy as np

from collapsi.core.cards import Card
from collapsi.core.errors import CollapsiError
from collapsi.ecosystem.arena import Arena, make_arena
from collapsi.games.registry import parse_position
from collapsi.system.extras import needs

with needs("openspiel"):
    import pyspiel
    from open_spiel.python.algorithms.mcts import Evaluator
    from open_spiel.python.observation import IIGObserverForPublicInfoGame

if TYPE_CHECKING:
    from collections.abc import Mapping

    from collapsi.core.state import State

COMMA = "%2C"
"""An escaped comma in a game string, where a bare one begins the next parameter."""

PARAMETERS = {"rules": "standard", "deal": "", "points": False}
"""The parameters and their defaults."""


def game_type(arena: Arena | None = None) -> pyspiel.GameType:
    """Return the type of the game, in general or for given rules and deal."""
    fixed = arena is not None and arena.start is not None
    constant_sum = arena is not None and arena.utility_sum != 0
    chance, utility = pyspiel.GameType.ChanceMode, pyspiel.GameType.Utility
    return pyspiel.GameType(
        short_name="collapsi",
        long_name="Collapsi",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=chance.DETERMINISTIC if fixed else chance.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=utility.CONSTANT_SUM if constant_sum else utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=4,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=PARAMETERS,
    )


class CollapsiGame(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel has no types
    """The game with its parameters."""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        chosen = {**PARAMETERS, **(params or {})}
        rules, deal = (str(chosen[name]).replace(COMMA, ",") for name in ("rules", "deal"))
        self.arena = make_arena(rules, deal, points=bool(chosen["points"]))
        least, most = self.arena.utility_range
        info = pyspiel.GameInfo(
            num_distinct_actions=self.arena.actions,
            max_chance_outcomes=0 if self.arena.start else len(Card),
            num_players=self.arena.players,
            min_utility=least,
            max_utility=most,
            utility_sum=self.arena.utility_sum,
            max_game_length=self.arena.max_game_length,
        )
        start = self.arena.start
        texts = {"rules": str(self.arena.rules), "deal": start.text if start else ""}
        written = {name: text.replace(",", COMMA) for name, text in texts.items()}
        super().__init__(game_type(self.arena), info, {**written, "points": self.arena.points})

    def new_initial_state(self) -> CollapsiState:
        """Return the fixed start, or the state before the first card is dealt."""
        return CollapsiState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Return the number of cards that are dealt."""
        return 0 if self.arena.start else self.arena.cards

    def make_py_observer(
        self, iig_obs_type: Any = None, params: Mapping[str, Any] | None = None
    ) -> BoardObserver | IIGObserverForPublicInfoGame:
        """Return an observer of the board or, with perfect recall, of the moves so far."""
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return BoardObserver(self.arena, params)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class SharedState:
    """An immutable state and the one before it: copies share it, and pickling writes its text alone."""

    def __init__(self, state: State, before: SharedState | None = None) -> None:
        self.state = state
        self.before = before

    def __deepcopy__(self, memo: dict[int, Any]) -> SharedState:
        return self

    def __reduce__(self) -> tuple[type[str], tuple[str]]:
        return str, (self.state.text,)


class CollapsiState(pyspiel.State):  # type: ignore[misc]  # OpenSpiel has no types
    """A state of a game, possibly during the deal. OpenSpiel copies and pickles its attributes.

    OpenSpiel's C++ code stores the history, and a game in Python cannot remove its last action. So after
    `undo_action` the history here leaves undone actions out; C++ code that reads the history still sees them.
    """

    _undone: tuple[int, ...] = ()
    """The indices of undone actions in the history of the C++ code."""

    def __init__(self, game: CollapsiGame) -> None:
        super().__init__(game)
        self._dealt = ""  # the numbers of the dealt cards, as digits
        start = game.arena.start
        self._kept: SharedState | str | None = SharedState(start) if start else None

    @property
    def arena(self) -> Arena:
        """The arena of the game."""
        arena: Arena = self.get_game().arena
        return arena

    @property
    def position(self) -> State | None:
        """The state as an object of this package, for analysis; None during the deal."""
        if isinstance(self._kept, str):  # after unpickling
            self._kept = SharedState(parse_position(self._kept))
        return self._kept.state if self._kept else None

    @property
    def cards(self) -> tuple[Card | None, ...]:
        """The cards on the table."""
        return self.position.cards if self.position else self._cards_dealt

    @property
    def _cards_dealt(self) -> tuple[Card, ...]:
        return tuple(Card(int(digit)) for digit in self._dealt)

    def current_player(self) -> int:
        """Return the player to move; chance during the deal."""
        if self.position is None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(self.position.to_move if self.position.moves else pyspiel.PlayerId.TERMINAL)

    def _legal_actions(self, _player: int) -> list[int]:
        return list(self.arena.legal_actions(self.position)) if self.position else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the possible next cards with their probabilities."""
        return [(int(card), share) for card, share in self.arena.next_card(self._cards_dealt).items()]

    def _apply_action(self, action: int) -> None:
        if self.position is not None:
            before = self._kept if isinstance(self._kept, SharedState) else None
            self._kept = SharedState(self.arena.play(self.position, action), before)
            return
        self._dealt += str(action)
        if len(self._dealt) == self.arena.cards:
            self._kept = SharedState(self.arena.lay(self._cards_dealt))

    def undo_action(self, player: int, action: int) -> None:
        """Take back the last action, which must be this one of this player."""
        entries = self._entries()
        if not entries or (entries[-1][1].player, entries[-1][1].action) != (player, action):
            last = f"the last action is {entries[-1][1].action}" if entries else "nothing has happened yet"
            msg = f"action {action} of player {player} cannot be undone: {last}"
            raise CollapsiError(msg)
        if len(entries) == len(self._dealt):
            self._dealt, self._kept = self._dealt[:-1], None
        else:
            self._kept = self._before([entry.action for _, entry in entries[len(self._dealt) : -1]])
        self._undone = (*self._undone, entries[-1][0])

    def _before(self, moves: list[int]) -> SharedState:
        """Return the state before the last; after unpickling it is played again."""
        if isinstance(self._kept, SharedState) and self._kept.before:
            return self._kept.before
        start = self.arena.start or self.arena.lay(self._cards_dealt)
        return SharedState(reduce(self.arena.play, moves, start))

    def _entries(self) -> list[tuple[int, Any]]:
        """Return the actions that were not undone, with their indices in the history of the C++ code."""
        every = enumerate(super().full_history())
        return [(index, entry) for index, entry in every if index not in self._undone]

    def full_history(self) -> list[Any]:
        """Return the actions so far with their players."""
        return [entry for _, entry in self._entries()]

    def history(self) -> list[int]:
        """Return the actions so far."""
        return [entry.action for entry in self.full_history()]

    def history_str(self) -> str:
        """Return the actions so far as text."""
        return ", ".join(map(str, self.history()))

    def move_number(self) -> int:
        """Return the number of actions so far."""
        return len(self.history())

    def is_initial_state(self) -> bool:
        """Return whether nothing has happened yet."""
        return not self.history()

    def _action_to_string(self, _player: int, action: int) -> str:
        if self.position is None:
            return f"{Card(action).letter} on {self.arena.rules.board.square(len(self._dealt))}"
        move = self.arena.legal_actions(self.position).get(action)
        return f"no move ({action})" if move is None else self.position.move_text(move)

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.position is not None and not self.position.moves

    def returns(self) -> list[float]:
        """Return the returns of each player; zeros before the game is over."""
        return self.arena.returns(self.position)

    def __str__(self) -> str:
        letters = "".join(card.letter for card in self._cards_dealt)
        return str(self.position) if self.position else f"dealt: {letters or 'nothing'}"


class BoardObserver:
    """Observations as planes and as text: the interface of `open_spiel.python.observation`."""

    def __init__(self, arena: Arena, params: Mapping[str, Any] | None) -> None:
        if params:
            msg = f"observations of collapsi have no parameters: {params}"
            raise ValueError(msg)
        self.tensor = arena.planes((), None, 0).ravel()
        self.dict = {"observation": self.tensor.reshape(arena.shape)}

    def set_from(self, state: CollapsiState, player: int) -> None:
        """Set the tensor to the observation of a player."""
        self.dict["observation"][:] = state.arena.planes(state.cards, state.position, player)

    def string_from(self, state: CollapsiState, _player: int) -> str:
        """Return the board as text, which is the same for all players."""
        return str(state)


class PerfectBot(pyspiel.Bot):  # type: ignore[misc]  # OpenSpiel has no types
    """A bot that plays perfectly: at random among the moves that win soonest or, if none wins, lose last."""

    def __init__(self, *, seed: int | None = None) -> None:
        super().__init__()
        self._rng = random.Random(seed)

    def restart(self) -> None:
        """Do nothing: a move depends on the state alone."""

    def restart_at(self, state: CollapsiState) -> None:
        """Do nothing, likewise."""

    def provides_policy(self) -> bool:
        """Return that the probabilities of the moves are known."""
        return True

    def get_policy(self, state: CollapsiState) -> list[tuple[int, float]]:
        """Return each legal action with its probability."""
        best = state.arena.best_actions(_position(state))
        return [(action, (action in best) / len(best)) for action in state.legal_actions()]

    def step(self, state: CollapsiState) -> int:
        """Choose an action."""
        return self._rng.choice(state.arena.best_actions(_position(state)))

    def step_with_policy(self, state: CollapsiState) -> tuple[list[tuple[int, float]], int]:
        """Return the probabilities and the chosen action."""
        return self.get_policy(state), self.step(state)


class ExactEvaluator(Evaluator):  # type: ignore[misc]  # OpenSpiel has no types
    """Evaluates states by the solver, for OpenSpiel's `mcts.MCTSBot` and AlphaZero."""

    def evaluate(self, state: CollapsiState) -> np.ndarray[Any, np.dtype[np.float64]]:
        """Return the returns of the players if both play perfectly from here."""
        return np.array(state.arena.perfect_returns(_position(state)))

    def prior(self, state: CollapsiState) -> list[tuple[int, float]]:
        """Return the chances of a card, or the same probability for each legal action."""
        if state.is_chance_node():
            outcomes: list[tuple[int, float]] = state.chance_outcomes()
            return outcomes
        actions = state.legal_actions()
        return [(action, 1 / len(actions)) for action in actions]


def _position(state: CollapsiState) -> State:
    if state.position is None:
        msg = "a deal that is not complete has no value: deal all cards, or load the game with deal=…"
        raise CollapsiError(msg)
    return state.position


pyspiel.register_game(game_type(), CollapsiGame)
