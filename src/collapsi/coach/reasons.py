"""Reasons as data: what a sentence of the coach rests on, and the sentence that is made from nothing else.

Every reason names squares, numbers and lines that anybody can check on the board; `collapsi.coach.find` looks
for them, most concrete first. Players are called by their colours, so a sentence is true whoever reads it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from collapsi.state import count_plies, few

if TYPE_CHECKING:
    from collapsi import json_shapes
    from collapsi.rules import Player
    from collapsi.state import Outcome


class WhyKind(StrEnum):
    """The kinds of reason, most concrete first."""

    AT_ONCE = "at once"
    FORCED = "forced"
    ONLY_MOVE = "only move"
    EVERY_MOVE = "every move"
    OTHERS_LOSE = "others lose"
    NEXT_CARDS = "next cards"
    CARD = "card of rules"
    CALCULATION = "calculation"

    @property
    def is_concrete(self) -> bool:
        """Whether there is something to be seen on the board."""
        return self is not WhyKind.CALCULATION


@dataclass(frozen=True)
class Why:
    """A reason: its kind, who moves, and the sentence (without a full stop)."""

    kind: ClassVar[WhyKind]
    player: Player

    @property
    def text(self) -> str:
        """The sentence."""
        raise NotImplementedError

    def __str__(self) -> str:
        return self.text

    def to_json(self) -> json_shapes.Why:
        """The reason as plain data."""
        return {"kind": self.kind, "text": self.text}


@dataclass(frozen=True)
class MissedWin(Why):
    """Another move would have won at once."""

    kind = WhyKind.AT_ONCE
    move: str

    @property
    def text(self) -> str:
        """The sentence."""
        return f"{self.move} would have won at once: {self.player.other} could not have moved"


@dataclass(frozen=True)
class WinsAtOnce(Why):
    """The move ends the game."""

    kind = WhyKind.AT_ONCE
    move: str

    @property
    def text(self) -> str:
        """The sentence."""
        return f"{self.move} wins at once: {self.player.other} cannot move"


@dataclass(frozen=True)
class ForcedLoss(Why):
    """After the move the opponent wins soon, whatever is played."""

    kind = WhyKind.FORCED
    plies: int
    """To the end, the move itself counted."""
    line: tuple[str, ...]
    """From the opponent's answer to the end: it wins as soon as it can, the player holds out as long."""

    @property
    def text(self) -> str:
        """The sentence."""
        opponent = self.player.other
        start = f"loses in {count_plies(self.plies)}: {opponent} answers {self.line[0]}, and"
        if len(self.line) == 1:
            return f"{start} {self.player} cannot move"
        return f"{start} whatever {self.player} plays, {_runs_out(opponent, self.line)}"


@dataclass(frozen=True)
class ForcedWin(Why):
    """The move wins soon, whatever the opponent answers."""

    kind = WhyKind.FORCED
    plies: int
    line: tuple[str, ...]
    """From the move itself to the end, likewise."""

    @property
    def text(self) -> str:
        """The sentence."""
        start = f"{self.line[0]} wins in {count_plies(self.plies)}: whatever {self.player.other} answers,"
        return f"{start} {_runs_out(self.player, self.line)}"


def _runs_out(winner: Player, line: tuple[str, ...]) -> str:
    """How a line goes on to the end after the winner's first move."""
    moves = len(line) // 2  # that the winner still has to make
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

    @property
    def text(self) -> str:
        """The sentence."""
        return f"{self.move} is the only move"


@dataclass(frozen=True)
class EveryMove(Why):
    """All moves have the same winner, so that only time is to be won."""

    kind = WhyKind.EVERY_MOVE
    best: tuple[str, ...]
    wins: bool
    plies: int
    others: int | None
    """How long the best of the other moves lasts; None where all are equally good."""

    @property
    def text(self) -> str:
        """The sentence."""
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
    """Names as one says them: a, b and c."""
    *others, last = few(names)
    return f"{', '.join(others)} and {last}" if others else last


class Answer(NamedTuple):
    """A losing move, how the opponent answers it, and how many plies it lasts, itself counted."""

    move: str
    answer: str
    plies: int


@dataclass(frozen=True)
class OthersLose(Why):
    """Whatever does not win loses soon."""

    kind = WhyKind.OTHERS_LOSE
    winning: tuple[str, ...]
    """All moves that win."""
    answers: tuple[Answer, ...]
    """All moves that lose."""

    @property
    def text(self) -> str:
        """The sentence."""
        others = [
            f"{move} in {count_plies(plies)} ({self.player.other} answers {answer})"
            for move, answer, plies in self.answers
        ]
        return f"every move but {_listed(self.winning)} loses soon: {', '.join(others)}"


@dataclass(frozen=True)
class FewerNext(Why):
    """The move leaves far fewer cards to go to next than a winning one would have left."""

    kind = WhyKind.NEXT_CARDS
    move: str
    cards: tuple[str, ...]
    """Where the player's next move can end after it, whatever the opponent answers in between."""
    better: str
    better_cards: tuple[str, ...]

    @property
    def text(self) -> str:
        """The sentence."""
        left = f"{self.move} leaves {self.player} {_cards_to_go_to(self.cards)}"
        return (
            f"{left}; {self.better} would have left {len(self.better_cards)} ({', '.join(self.better_cards)})"
        )


@dataclass(frozen=True)
class MoreNext(Why):
    """The move leaves far more cards to go to next than any losing one."""

    kind = WhyKind.NEXT_CARDS
    move: str
    cards: tuple[str, ...]
    most: int
    """How many cards a losing move leaves at the most."""

    @property
    def text(self) -> str:
        """The sentence."""
        left = f"{self.move} leaves {self.player} {_cards_to_go_to(self.cards)}"
        return f"{left}; a move that loses leaves {self.most} at the most"


def _cards_to_go_to(cards: tuple[str, ...]) -> str:
    number = f"{len(cards)} card{'s' * (len(cards) != 1)}"
    return f"{number} to go to next ({', '.join(cards)})"


@dataclass(frozen=True)
class ByCard(Why):
    """Who follows the card of rules wins."""

    kind = WhyKind.CARD
    moves: tuple[str, ...]
    """Where the card goes: all of these win."""
    number: int
    """Which line of the card decides, from 1."""
    rule: str
    """What that line says, without what each number is worth."""
    missed: bool
    """Whether something else was played."""

    @property
    def text(self) -> str:
        """The sentence."""
        goes = "would have gone" if self.missed else "goes"
        where = " or ".join(self.moves)
        rule = self.rule[0].lower() + self.rule[1:]
        return f"the card of rules {goes} to {where}: line {self.number} decides ({rule})"


@dataclass(frozen=True)
class Calculation(Why):
    """None of all this."""

    kind = WhyKind.CALCULATION
    outcome: Outcome
    """What the move leads to, itself counted."""

    @property
    def text(self) -> str:
        """The sentence."""
        return f"no rule shows this; it takes calculation: {self.outcome}"
