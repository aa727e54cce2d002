"""Looking for reasons: why a move threw the win away, and why a move is the best.

The most concrete reason is given, and only what is true of the position: whoever doubts it can count. Where
nothing can be seen on the board, the coach says so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from collapsi.analysis import analyse
from collapsi.coach.reasons import (
    Answer,
    ByCard,
    Calculation,
    EveryMove,
    FewerNext,
    ForcedLoss,
    ForcedWin,
    MissedWin,
    MoreNext,
    OnlyMove,
    OthersLose,
    WinsAtOnce,
)
from collapsi.position import Position
from collapsi.walking import shifts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from collapsi.analysis import Analysis, MoveValue
    from collapsi.coach.reasons import Why
    from collapsi.state import Duel, DuelKind

FAR_MOVES = 6
"""A loss or win within so many moves is shown move by move."""

MORE_CARDS = 2
"""Where two moves differ by at least so many next cards, and only one wins, it is four times in five the one
that leaves more. With a difference of one it is three times in five, and so it is for what the opponent is
left with: to name those would be true, but no reason. `benchmarks/coach.py` counts it."""


MOST_ANSWERED = 14
"""Moves that are shown with their answers at the most; only on the shifting board are there more."""


class Reading(Protocol):
    """What a card of rules says to a position."""

    @property
    def moves(self) -> tuple[int, ...]:
        """The moves that it allows."""

    @property
    def decided_by(self) -> int | None:
        """The line (from 0) that decides; None where the card has no preference."""


class Line(Protocol):
    """A line of a card of rules."""

    @property
    def text(self) -> str:
        """What it says."""


class RulesToFollow(Protocol):
    """A card of rules, as `collapsi.strategy` learns them."""

    @property
    def lines(self) -> Sequence[Line]:
        """The lines."""

    def explain(self, position: Any, /) -> Reading:
        """What it says to a position."""


def card_for(state: Duel) -> RulesToFollow | None:
    """The card of rules that comes with the package; None for a game that it does not know."""
    from collapsi.strategy.rulecard import kept_card

    return kept_card(state.rules.name) if isinstance(state, Position) else None


def why_thrown(
    before: Analysis[DuelKind],
    played: MoveValue[DuelKind],
    after: Analysis[DuelKind],
    card: RulesToFollow | None = None,
) -> Why:
    """Why a move lost a position that was won; `after` is the analysis of the position that it led to.

    The card of rules is the one that comes with the package, unless another is given.

    >>> game = "A223/4A2Jr/3A23/Jb3A4 r"
    >>> before = analyse(game)
    >>> played = next(move for move in before.moves if move.name == "c2")
    >>> print(why_thrown(before, played, analyse(f"{game} c2")))
    no rule shows this; it takes calculation: blue wins in 12 plies
    """
    player = before.position.to_move
    if len(before.line) == 1:
        return MissedWin(player, before.line[0])
    if len(after.line) < FAR_MOVES:
        return ForcedLoss(player, played.plies, after.line)
    return (
        _fewer_next(before, played)
        or _by_card(before, card, missed=True)
        or Calculation(player, played.outcome)
    )


def why_best(analysis: Analysis[DuelKind], card: RulesToFollow | None = None) -> Why | None:
    """Why the best move is the best, of several the one with the best reason; None when the game is over.

    >>> print(why_best(analyse("..../.2r../.Ab../.2.. r")))
    b4 wins at once: blue cannot move
    """
    if not analysis.moves:
        return None
    player, line = analysis.position.to_move, analysis.line
    if analysis.winner is player and len(line) == 1:
        return WinsAtOnce(player, line[0])
    if analysis.winner is player and len(line) <= FAR_MOVES:
        return ForcedWin(player, analysis.plies, line)
    if len(analysis.moves) == 1:
        return OnlyMove(player, line[0])
    if len({move.winner for move in analysis.moves}) == 1:
        return _every_move(analysis)
    return (
        _others_lose(analysis)
        or _more_next(analysis)
        or _by_card(analysis, card, missed=False)
        or Calculation(player, analysis.outcome)
    )


def next_cards(state: Duel, move: int) -> tuple[str, ...]:
    """Where the player's next move can end, after whichever answer: the squares in reading order.

    >>> import collapsi
    >>> next_cards(collapsi.parse_position("A223/4A2Jr/3A23/Jb3A4 r"), 4)
    ('b1', 'd1', 'c2', 'b3', 'd3', 'c4')
    """
    after = state.play(move)
    ends: set[int] = set()
    for answer in after.moves:
        then = after.play(answer)
        ends.update(map(then.end, then.moves))
    return tuple(map(state.board.square, sorted(ends)))


def _best(analysis: Analysis[DuelKind]) -> list[MoveValue[DuelKind]]:
    return [move for move in analysis.moves if move.outcome == analysis.outcome]


def _fewer_next(before: Analysis[DuelKind], played: MoveValue[DuelKind]) -> FewerNext | None:
    if shifts(before.position):
        return None  # the same card has another name after each shift
    cards = next_cards(before.position, played.move)
    found = {move.name: next_cards(before.position, move.move) for move in _best(before)}
    better = max(found, key=lambda name: len(found[name]))
    if len(found[better]) - len(cards) < MORE_CARDS:
        return None
    return FewerNext(before.position.to_move, played.name, cards, better, found[better])


def _more_next(analysis: Analysis[DuelKind]) -> MoreNext | None:
    if shifts(analysis.position):
        return None
    found = {move.name: next_cards(analysis.position, move.move) for move in _best(analysis)}
    best = max(found, key=lambda name: len(found[name]))
    losing = [move for move in analysis.moves if not move.wins]
    most = max(len(next_cards(analysis.position, move.move)) for move in losing)
    if len(found[best]) - most < MORE_CARDS:
        return None
    return MoreNext(analysis.position.to_move, best, found[best], most)


def _every_move(analysis: Analysis[DuelKind]) -> EveryMove:
    player = analysis.position.to_move
    wins = analysis.winner is player
    others = [move.plies for move in analysis.moves if move.name not in analysis.best]
    limit = (min if wins else max)(others, default=None)
    return EveryMove(player, analysis.best, wins, analysis.plies, limit)


def _others_lose(analysis: Analysis[DuelKind]) -> OthersLose | None:
    position = analysis.position
    losing = [move for move in analysis.moves if not move.wins]
    if len(losing) > MOST_ANSWERED or max(move.plies for move in losing) > FAR_MOVES:
        return None
    lines = [analyse(position.play(move.move)).line for move in losing]
    if max(map(len, lines)) >= FAR_MOVES:
        return None
    answers = [Answer(move.name, line[0], move.plies) for move, line in zip(losing, lines, strict=True)]
    winning = tuple(move.name for move in analysis.moves if move.wins)
    return OthersLose(position.to_move, winning, tuple(answers))


def _by_card(analysis: Analysis[DuelKind], card: RulesToFollow | None, *, missed: bool) -> ByCard | None:
    """What the card says, if all moves that it allows win and, for a hint, it allows a best one."""
    card = card or card_for(analysis.position)
    if card is None:
        return None
    reading = card.explain(analysis.position)
    allowed = [move for move in analysis.moves if move.move in reading.moves]
    if reading.decided_by is None or not all(move.wins for move in allowed):
        return None
    if not missed and analysis.outcome not in [move.outcome for move in allowed]:
        return None
    names = tuple(analysis.position.move_text(move) for move in reading.moves)
    rule, _, _ = card.lines[reading.decided_by].text.removesuffix(".").partition(": ")
    return ByCard(analysis.position.to_move, names, reading.decided_by + 1, rule, missed)
