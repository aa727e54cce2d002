"""Every reason why a position cannot arise in play.

Such a position still has a meaning and is solved; the reasons travel with the answer as warnings.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, cast

from collapsi.errors import AtlasError
from collapsi.history import can_be_reached
from collapsi.rules import PAIR, Card, Player
from collapsi.state import count_plies
from collapsi.walking import shifts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from collapsi.games.crowd import Crowd
    from collapsi.games.shifting import Shifting
    from collapsi.position import Position


class Fault(StrEnum):
    """The kinds of reason."""

    TOO_MANY = "too many of a card"
    WRONG_SIDE = "wrong side to move"
    PAWN_OFF_JACK = "pawn off its jack"
    PAWN_ON_JACK = "pawn still on a jack"
    STRAY_JACK = "stray jack"
    NO_WAY_HERE = "no way here"
    SPREAD = "cards too far apart"
    JACKS_IN_LINE = "jacks in one line"


@dataclass(frozen=True)
class Reason:
    """One reason: its kind, and a line that says it with squares and numbers."""

    fault: Fault
    text: str

    def __str__(self) -> str:
        return self.text


def refuse_partial(deal: Position) -> None:
    """An error that says why a position is no whole deal, which is all that a census knows."""
    reasons = status(deal)
    if reasons or deal.cards_left != deal.board.size:
        msg = f"{deal.text} is not a whole deal: {reasons[0] if reasons else 'some cards have collapsed'}"
        raise AtlasError(msg)


def status(position: Position | Shifting) -> tuple[Reason, ...]:
    """Every reason why the position cannot arise in play; none for a position of a real game.

    Whether any moves lead to it is asked only where cards, turn and jacks are in order: otherwise none do.

    >>> import collapsi
    >>> for reason in status(collapsi.parse_position("AAAA/4A2Jr/3A23/Jb3A4 b")):
    ...     print(reason)
    7 aces are face up, and the deck has 4
    blue is to move, but with no card collapsed it is red's turn
    """
    if shifts(position):
        return shifting_status(position)
    reasons = (*_cards(position), *_turn(position), *_jacks(position))
    if not reasons and not can_be_reached(cast("Position", position)):
        reasons = (
            Reason(Fault.NO_WAY_HERE, "no legal moves lead from a deal to these pawns and collapsed cards"),
        )
    return reasons


def is_deal(position: Position | Shifting) -> bool:
    """Whether the position is a deal as it comes from the pack: then all that is played from it can arise.

    Told at once, while to say whether a position in the middle of a game can arise may take a search.
    """
    return position.cards_left == position.rules.board.size and not status(position)


def shifting_status(position: Shifting) -> tuple[Reason, ...]:
    """Reasons why a position of the shifting board cannot arise in play.

    Cards, turn and jacks are looked at, and how far the cards lie apart: each ply widens one side by one at
    most. Whether any moves lead to it is not searched for.

    >>> import collapsi
    >>> for reason in shifting_status(collapsi.parse_position("A223/4A3Jr/3A22/A3Jb4 b shift")):
    ...     print(reason)
    blue is to move, but with no card collapsed it is red's turn
    """
    return (*_cards(position), *_turn(position), *_jacks(position), *_spread(position))


def crowd_status(state: Crowd) -> tuple[Reason, ...]:
    """Reasons why a state of the big board cannot arise in play.

    Cards and jacks are looked at, and, as long as nobody is out, whose turn it is. Whether any moves lead to
    it is not searched for.

    >>> from collapsi.games.crowd_notation import parse_crowd
    >>> for reason in crowd_status(parse_crowd("JrJJbJ22/AAAAAA/AA2222/222333/333334/444444 b big")):
    ...     print(reason)
    9 twos are face up, and the deck has 8
    the jack on b1 is face up without its pawn
    the jack on d1 is face up without its pawn
    """
    return (*_cards(state), *_crowd_turn(state), *_crowd_jacks(state))


def _crowd_turn(state: Crowd) -> Iterator[Reason]:
    plies = state.board.size - state.rules.unused_jacks - state.cards_left
    if (
        plies >= 0
        and not state.out
        and (due := state.rules.seats[plies % state.rules.players]) is not state.to_move
    ):
        text = f"{state.to_move} is to move, but after {count_plies(plies)} it is {due}'s turn"
        yield Reason(Fault.WRONG_SIDE, text)


def _crowd_jacks(state: Crowd) -> Iterator[Reason]:
    """A jack is face up until its owner has moved, or for good where its owner went out without a move."""
    plies = state.board.size - state.rules.unused_jacks - state.cards_left
    for player in state.left:
        cell = state.pawns[player]
        on_jack, square = state.cards[cell] is Card.JACK, state.board.square(cell)
        if plies <= player and not on_jack:
            text = f"{player} stands on {square} and not on a jack, but cannot have moved yet"
            yield Reason(Fault.PAWN_OFF_JACK, text)
        if not state.out and plies > player and on_jack:
            yield Reason(Fault.PAWN_ON_JACK, f"{player} stands on a jack on {square}, but must have left it")
    stray = [cell for cell, card in enumerate(state.cards) if card is Card.JACK and cell not in state.pawns]
    for cell in stray[len(state.out) :]:
        yield Reason(Fault.STRAY_JACK, f"the jack on {state.board.square(cell)} is face up without its pawn")


def _spread(position: Shifting) -> Iterator[Reason]:
    """How far the cards have been shifted apart, and jacks that are not dealt so."""
    board, whole = position.board, position.rules.board
    plies = _plies(position)
    spread = board.rows + board.columns - whole.rows - whole.columns
    if spread > plies or board.size < whole.size:
        text = (
            f"{plies} shift{'s' * (plies != 1)} cannot lay out {board.rows} rows of {board.columns} columns"
        )
        yield Reason(Fault.SPREAD, text)
    if plies == 0:
        (red_row, red), (blue_row, blue) = (divmod(cell, board.columns) for cell in position.pawns)
        if red_row == blue_row or red == blue:
            line = "row" if red_row == blue_row else "column"
            yield Reason(Fault.JACKS_IN_LINE, f"both jacks are in one {line}: such a deal is dealt again")


def _cards(position: Position | Shifting | Crowd) -> Iterator[Reason]:
    counts = Counter(position.cards)
    for card, most in position.rules.cards:
        if counts[card] > most:
            yield Reason(Fault.TOO_MANY, f"{counts[card]} {card.plural} are face up, and the deck has {most}")


def _plies(position: Position | Shifting) -> int:
    """How many moves were made: each collapses a card."""
    return position.rules.board.size - position.cards_left


def _turn(position: Position | Shifting) -> Iterator[Reason]:
    plies = _plies(position)
    if Player(plies % 2) is not position.to_move:
        collapsed = f"{plies or 'no'} card{'s' * (plies > 1)} collapsed"
        text = f"{position.to_move} is to move, but with {collapsed} it is {position.to_move.other}'s turn"
        yield Reason(Fault.WRONG_SIDE, text)


def _jacks(position: Position | Shifting) -> Iterator[Reason]:
    """A jack is face up exactly as long as its owner has not moved, and its owner stands on it."""
    plies = _plies(position)
    for player, cell in zip(PAIR, position.pawns, strict=True):
        on_jack = position.cards[cell] is Card.JACK
        square = position.board.square(cell)
        if plies <= player and not on_jack:
            text = f"{player} stands on {square} and not on a jack, but cannot have moved yet"
            yield Reason(Fault.PAWN_OFF_JACK, text)
        if plies > player and on_jack:
            yield Reason(Fault.PAWN_ON_JACK, f"{player} stands on a jack on {square}, but must have left it")
    for cell, card in enumerate(position.cards):
        if card is Card.JACK and cell not in position.pawns:
            yield Reason(
                Fault.STRAY_JACK, f"the jack on {position.board.square(cell)} is face up without its pawn"
            )
