"""Reasons of the coach as data, and the sentence that each generates from that data alone.

Every reason has squares, numbers and lines that a player can verify on the board; `find` looks for them, most
concrete first. Players are named by their colours, so a sentence is true for every reader.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Generic, NamedTuple

from collapsi.core.state import DuelT, abbreviate, count_plies, more_plies
from collapsi.games.analysis import move_json, outcome_json
from collapsi.play.enums import WhyKind

if TYPE_CHECKING:
    from collapsi.core.players import Player
    from collapsi.core.state import Outcome
    from collapsi.games.analysis import Analysis, MoveValue
    from collapsi.play import json_types


@dataclass(frozen=True)
class Why:
    """A reason: its kind, the player who moves, and as `str` the sentence (without a full stop)."""

    kind: ClassVar[WhyKind]
    player: Player

    @property
    def text(self) -> str:
        """The sentence."""
        return str(self)

    def to_json(self) -> json_types.Why:
        """Return the reason as plain data."""
        return {"kind": self.kind, "text": self.text}


@dataclass(frozen=True)
class MissedWin(Why):
    """Another move would have won at once."""

    kind = WhyKind.AT_ONCE
    move: str

    def __str__(self) -> str:
        return f"{self.move} would have won at once: {self.player.other} could not have moved"


@dataclass(frozen=True)
class WinsAtOnce(Why):
    """The move ends the game."""

    kind = WhyKind.AT_ONCE
    move: str

    def __str__(self) -> str:
        return f"{self.move} wins at once: {self.player.other} cannot move"


@dataclass(frozen=True)
class ForcedLoss(Why):
    """After the move the opponent wins soon against any play."""

    kind = WhyKind.FORCED
    left: int
    """Plies to the end after the move."""
    line: tuple[str, ...]
    """Perfect play from the opponent's answer to the end."""

    def __str__(self) -> str:
        opponent = self.player.other
        start = f"loses {more_plies(self.left)}: {opponent} answers {self.line[0]}, and"
        if len(self.line) == 1:
            return f"{start} {self.player} cannot move"
        return f"{start} whatever {self.player} plays, {_runs_out(opponent, self.line)}"


@dataclass(frozen=True)
class ForcedWin(Why):
    """The move wins soon against any answer."""

    kind = WhyKind.FORCED
    plies: int
    line: tuple[str, ...]
    """Perfect play from the move itself to the end."""

    def __str__(self) -> str:
        start = f"{self.line[0]} wins in {count_plies(self.plies)}: whatever {self.player.other} answers,"
        return f"{start} {_runs_out(self.player, self.line)}"


def _runs_out(winner: Player, line: tuple[str, ...]) -> str:
    """Return the words for the rest of a line after the winner's first move."""
    moves = len(line) // 2  # that remain for the winner
    if moves == 1:
        end = f"{winner}’s next move leaves {winner.other} none"
    else:
        end = f"{winner.other} cannot move after {moves} more moves of {winner} at the latest"
    return f"{end} ({' '.join(line)})"


@dataclass(frozen=True)
class OnlyMove(Why):
    """There is no choice."""

    kind = WhyKind.ONLY_MOVE
    move: str

    def __str__(self) -> str:
        return f"{self.move} is the only move"


@dataclass(frozen=True)
class EveryMove(Why):
    """All moves have the same winner and differ in length at most."""

    kind = WhyKind.EVERY_MOVE
    best: tuple[str, ...]
    wins: bool
    plies: int
    others: int | None
    """Plies of the best of the other moves; None if all are equally good."""

    def __str__(self) -> str:
        verb, plies = "wins" if self.wins else "loses", count_plies(self.plies)
        if self.others is None:
            return f"every move {verb} in {plies}"
        names, one = _listed(self.best), len(self.best) == 1
        if self.wins:
            best = f"{names} {'wins' if one else 'win'} soonest, in {plies}"
            rest = f"any other needs {self.others} or more"
        else:
            best = f"{names} {'holds' if one else 'hold'} out longest, for {plies}"
            rest = f"any other lasts {self.others} at the most"
        return f"every move {verb}; {best}: {rest}"


def _listed(names: tuple[str, ...]) -> str:
    """Join names in words: a, b and c."""
    *others, last = abbreviate(names)
    return f"{', '.join(others)} and {last}" if others else last


class Answer(NamedTuple):
    """A losing move, the opponent's answer, and the plies to the end, including the move."""

    move: str
    answer: str
    plies: int


@dataclass(frozen=True)
class OthersLose(Why):
    """Every move that does not win loses soon."""

    kind = WhyKind.OTHERS_LOSE
    winning: tuple[str, ...]
    """All moves that win."""
    answers: tuple[Answer, ...]
    """All moves that lose."""

    def __str__(self) -> str:
        others = [
            f"{move} in {count_plies(plies)} ({self.player.other} answers {answer})"
            for move, answer, plies in self.answers
        ]
        return f"every move but {_listed(self.winning)} loses soon: {', '.join(others)}"


@dataclass(frozen=True)
class FewerNext(Why):
    """The move leaves far fewer next cards than a winning move."""

    kind = WhyKind.NEXT_CARDS
    move: str
    cards: tuple[str, ...]
    """Where the player's next move can end, over all answers of the opponent."""
    better: str
    better_cards: tuple[str, ...]

    def __str__(self) -> str:
        left = f"{self.move} leaves {self.player} {_cards_to_go_to(self.cards)}"
        return (
            f"{left}; {self.better} would have left {len(self.better_cards)} ({', '.join(self.better_cards)})"
        )


@dataclass(frozen=True)
class MoreNext(Why):
    """The move leaves far more next cards than any losing move."""

    kind = WhyKind.NEXT_CARDS
    move: str
    cards: tuple[str, ...]
    most: int
    """The most next cards that a losing move leaves."""

    def __str__(self) -> str:
        left = f"{self.move} leaves {self.player} {_cards_to_go_to(self.cards)}"
        return f"{left}; a move that loses leaves {self.most} at the most"


def _cards_to_go_to(cards: tuple[str, ...]) -> str:
    number = f"{len(cards)} card{'s' * (len(cards) != 1)}"
    return f"{number} to go to next ({', '.join(cards)})"


@dataclass(frozen=True)
class ByCard(Why):
    """Following a card of rules wins."""

    kind = WhyKind.CARD
    moves: tuple[str, ...]
    """The moves that the card allows: all of them win."""
    card: str
    """The name of the card."""
    number: int
    """Number of the line that decides, from 1."""
    rule: str
    """Text of that line, without the values of the numbers."""
    missed: bool
    """Whether another move was played."""

    def __str__(self) -> str:
        goes = "would have gone" if self.missed else "goes"
        where = " or ".join(self.moves)
        rule = self.rule[0].lower() + self.rule[1:]
        return f"the {self.card} card {goes} to {where}: line {self.number} decides ({rule})"


@dataclass(frozen=True)
class Calculation(Why):
    """No other reason applies."""

    kind = WhyKind.CALCULATION
    outcome: Outcome
    """The outcome before a best move, or after a move that was played."""
    played: bool
    """Whether it is about a move that was played."""

    def __str__(self) -> str:
        winner, plies = self.outcome.winner, self.outcome.plies
        left = more_plies(plies) if self.played else f"in {count_plies(plies)}"
        return f"no rule shows this; it takes calculation: {winner} wins {left}"


@dataclass(frozen=True)
class Tempting(Generic[DuelT]):
    """The move that looks best of those that are not, and what it runs into; `str` is the sentence."""

    before: Analysis[DuelT]
    move: MoveValue[DuelT]
    replies: int
    """The number of cards that the opponent can go to after it."""
    after: Analysis[DuelT]

    def __str__(self) -> str:
        player, opponent = self.before.position.to_move, self.before.position.to_move.other
        left, best = more_plies(self.after.plies), " or ".join(abbreviate(self.before.best))
        if self.move.wins:
            result = f"it wins {left}, later than {best}"
        else:
            result = f"{opponent} answers {self.after.line[0]} and wins {left}"
            result += "" if self.before.winner is player else f", sooner than after {best}"
        cards = f"{self.replies} card{'s' * (self.replies != 1)}"
        return f"{self.move.name} is tempting: it leaves {opponent} {cards} to go to; but {result}"

    def to_json(self) -> json_types.Tempting:
        """Return the move as plain data."""
        return {
            **move_json(self.before.position, self.move.move),
            **outcome_json(self.move.outcome),
            "text": str(self),
            "line": list(self.after.line),
        }
