"""The contract of a kind of game: the only interface between a kind and the rest of the program.

A kind is a folder in `collapsi.games` with an object `KIND` in its module `kind`; `collapsi.games.registry`
finds it by name. Command line, API, page, review, opponents and the adapters use every kind through this
contract. `docs/add-rules.md` shows a complete kind in one file.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol, cast

from collapsi.core.cards import jacks_of
from collapsi.core.errors import CollapsiError, MalformedError
from collapsi.core.symmetry import symmetries

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from collapsi.core.cards import Card
    from collapsi.core.game import Game
    from collapsi.core.players import Player
    from collapsi.core.reasons import Reason
    from collapsi.core.rules import RuleSet
    from collapsi.core.state import State
    from collapsi.core.stuck import Stuck
    from collapsi.core.symmetry import Symmetry
    from collapsi.games.levels import Level

    Progress = Callable[[int, int], None]
    """Called with the number of settled moves and of all moves."""


TRAP_CARDS = 8
"""Face-up cards with which every kind can follow all lines to their end."""


class Can(StrEnum):
    """Capabilities of rules beyond dealing, playing and solving. The value starts the error message."""

    COUNT_GAMES = "counting possible games is"
    CENSUS = "a census of all deals is"
    SIMILAR = "counting similar deals is"
    DECKS = "comparing decks is"
    STRATEGY = "strategy cards are"
    FOLLOW_CARD = "following a strategy card is"
    LADDER = "a ladder of levels is"
    DATASET = "a dataset of positions is"
    PUZZLES = "puzzles are"
    COACH = "explaining a move is"
    EDIT = "laying out a position is"
    STUDY = "studies are"
    BATCH = "playing batches of games is"
    BENCH = "measuring the solver is"
    FACTS = "measuring a game by samples is"
    REVIEW = "reviewing a game is"
    OPPONENTS = "playing against the computer is"


@dataclass(frozen=True)
class Limits:
    """Limits of a search. None means no limit, or the default of the solver."""

    seconds: float | None = None
    nodes: int | None = None
    winner_only: bool = False
    """Whether to search for the winner only, not for the number of plies or the best moves."""
    estimate_first: bool = False
    """Whether to yield a quick estimate first if the exact answer takes long."""
    seed: int = 1
    """The seed of solvers that sample."""


NO_LIMITS = Limits()


class Answer(Protocol):
    """The result of a search. Exact answers and estimates are different types with different JSON."""

    @property
    def position(self) -> Any:
        """The state that was searched."""

    @property
    def finished(self) -> bool:
        """Whether the answer is complete: no better answer follows."""

    @property
    def best(self) -> tuple[str, ...]:
        """The best moves found so far."""

    @property
    def caption(self) -> str:
        """A short caption for a picture."""

    @property
    def status(self) -> str:
        """The state of the search, in one line."""

    def to_json(self) -> Any:
        """Return the answer as plain data."""


class Ending(NamedTuple):
    """How a game ends under perfect play."""

    winner: Player
    plies: int | None
    """The number of plies to the end; None if it was not requested."""


class Solver(ABC):
    """Solves states of one kind."""

    @abstractmethod
    def answers(self, state: Any, limits: Limits = NO_LIMITS) -> Iterator[Answer]:
        """Yield answers, each better than the one before, until the search is complete.

        Most kinds yield one exact answer. The caller may stop at any time.
        """

    def solve(self, state: Any, limits: Limits = NO_LIMITS) -> Answer:
        """Return the last answer, which is the best, within the limits."""
        *_, last = self.answers(state, limits)
        return last

    def solve_many(
        self, states: Sequence[Any], *, jobs: int | None = None, progress: Progress | None = None
    ) -> Iterable[Answer]:
        """Solve many states, in order; kinds that support threads use `jobs` of them."""
        return map(self.solve, states)

    def count_games(self, states: Sequence[Any], *, jobs: int | None = None) -> Iterable[int]:
        """Count the ways to play each state to its end."""
        from collapsi.solving import reference

        return map(reference.count_games, states)

    def endings(
        self, states: Sequence[Any], *, lengths: bool = True, nodes: list[int] | None = None
    ) -> Iterator[Ending]:
        """Find the winner of each state, and the plies to the end unless `lengths` is false.

        Uses the cheapest search of the kind. `nodes[0]` is increased by the number of positions searched.
        """
        for answer in self.solve_many(states):
            outcome = cast("Any", answer).outcome
            yield Ending(outcome.winner, outcome.plies)

    improves = False
    """Whether `answers` yields better and better answers, and heeds its limits."""

    lengths_are_cheap = True
    """Whether `endings` finds the number of plies at no extra cost."""

    def solves(self, rules: Any) -> bool:
        """Return whether whole deals are solved exactly."""
        return True

    def deal_seconds(self, rules: Any) -> float:
        """Estimate the time of `endings` for a deal with the fastest backend, in seconds."""
        return 0.001

    def seconds(self, state: Any) -> float:
        """Estimate the time to solve a state with the backends that are loaded, in seconds."""
        return 0.0

    def warm_up(self, rules: Any = None) -> None:  # noqa: B027 - optional
        """Load or compile the kernels; with `rules`, also prepare the tables for their board."""

    def use_backend(self, backend: Any) -> None:  # noqa: B027 - optional
        """Use another backend of the kernels, such as WebAssembly; None restores the solver's own."""

    def is_warm(self) -> bool:
        """Return whether the fastest backend is loaded."""
        return True


@dataclass(frozen=True)
class Choice:
    """A move of the computer with its comment."""

    move: int
    comment: str = ""


class Opponents(ABC):
    """Computer players of one kind."""

    @abstractmethod
    def levels(self, rules: Any) -> tuple[Level, ...]:
        """Return the levels that play by these rules, weakest first."""

    def text(self, level: Level) -> str:
        """Return the description of a level for players."""
        return level.text

    def check(self, level: Level, rules: Any) -> None:
        """Raise if a level does not play by these rules."""
        known = self.levels(rules)
        if level not in known:
            msg = f"{level} does not play {rules}: choose one of {', '.join(known)}"
            raise MalformedError(msg)

    @abstractmethod
    def choose(self, state: Any, level: Level, rng: random.Random, *, seconds: float | None = None) -> Choice:
        """Choose a move, at random among equally good ones. `seconds` limits the time of slow levels."""


class Kind(ABC):
    """A kind of game. Subclasses define what differs; everything else has a default here."""

    name: str
    """The value of `RuleSet.kind`."""
    title: str
    """The name in errors, as in "a position of the big board"."""
    path: str = ""
    """The prefix of its paths in the API."""
    aim: str = "The card you leave collapses, and a player who cannot move loses."
    """The aim of the game in one line, for players who already know how the pawn moves."""
    rule_sets: ClassVar[Mapping[str, RuleSet]]
    shifts: bool = False
    """Whether a move also shifts a line of the board, so that the end card alone does not define it."""
    can: frozenset[Can] = frozenset()

    def find_rules(self, text: str) -> RuleSet | None:
        """Return the rules with this text; None if they are not of this kind."""
        return self.rule_sets.get(text.lower())

    def owns(self, rows: Sequence[str]) -> bool:
        """Return whether these rows belong to this kind only, so that the text may omit the rules."""
        return False

    def capabilities(self, rules: Any) -> frozenset[Can]:
        """Return the capabilities of these rules."""
        return self.can

    @abstractmethod
    def parse(self, words: list[str], rules: Any, named: str | None) -> Game[Any]:
        """Read a game from its words.

        `named` is the word that names the rules, or None. `rules` are the named rules, else the default of
        the caller, else None.
        """

    @abstractmethod
    def lay(self, cards: Sequence[Card], rules: Any) -> State:
        """Return the deal of these cards, laid in reading order."""

    def deal(self, rng: random.Random, rules: Any) -> State:
        """Shuffle and deal; repeat while the rules do not allow the places of the jacks."""
        while True:
            cards = rules.shuffled_deck(rng)
            if rules.allows_jacks(jacks_of(cards)):
                return self.lay(cards, rules)

    def find_faults(self, state: Any) -> tuple[Reason, ...]:
        """Return the reasons why a state cannot arise in play; the module with the checks is loaded here."""
        return ()

    def symmetries(self, rules: Any) -> tuple[Symmetry, ...]:
        """Return all renamings of the cells of a deal that preserve the game."""
        return symmetries(rules.board)

    @property
    @abstractmethod
    def solver(self) -> Solver:
        """The solver, loaded on first access."""

    @property
    @abstractmethod
    def opponents(self) -> Opponents | None:
        """Computer players of this kind; None to use look-ahead and heuristics (`play.levels`)."""

    def reviews(self, game: Game[Any], limits: Limits) -> Iterator[Any] | None:
        """Yield reviews of a game, each better than the one before; None to solve all positions at once."""
        return None

    def events(self, before: Any, after: Any) -> Sequence[str]:
        """Describe what else happened in a move, such as a player who went out, for players."""
        return ()

    def find_stuck(self, before: Any, after: Any) -> Sequence[Stuck]:
        """Return why the players who cannot move after a move cannot; `before` is None at the start."""
        stuck = getattr(after, "stuck", None)  # a state need not be a `Walking`
        return () if stuck is None else (stuck,)

    def match(self, rules: Any, text: str = "") -> Any:
        """Read a match of several rounds; without a text, start one.

        Most kinds have none of their own: two players play the point game (`play.match`).
        """
        msg = f"a match is not supported for {rules}"
        raise UnsupportedError(msg)

    def finds_traps(self, state: Any) -> bool:
        """Return whether all lines of a state can be followed to their end in about a second (`play.traps`).

        Where they cannot, the level `tempting` plays like `perfect`.
        """
        return sum(card is not None for card in state.cards) <= TRAP_CARDS

    def heuristic(self, state: Any, moves: Sequence[int], name: str) -> tuple[int, ...]:
        """Return the moves that a heuristic prefers; all of them if the kind has no such heuristic."""
        return tuple(moves)

    def __repr__(self) -> str:
        return f"Kind({self.name!r})"


class UnsupportedError(CollapsiError):
    """Rules without a required capability."""
