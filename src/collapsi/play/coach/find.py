"""Find the reason why a move threw the win away, and why a move is best.

The most concrete reason that holds is given; a player can verify it on the board. If there is none, the
reason is that it takes calculation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from collapsi.games.kind import Can
from collapsi.games.registry import can
from collapsi.play.analysis import analyse
from collapsi.play.coach.reasons import (
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
    Tempting,
    WinsAtOnce,
)

if TYPE_CHECKING:
    from collapsi.core.state import Duel, DuelT
    from collapsi.games.analysis import Analysis, MoveValue
    from collapsi.play.coach.reasons import Why

FAR_MOVES = 6
"""A loss or win within this many moves is shown move by move."""

MORE_CARDS = 2
"""Least difference in next cards that counts as a reason.

If two moves differ by at least this many next cards, and only one wins, it is the one that leaves more in
four of five cases. With a difference of one it is three of five, and likewise for the cards left to the
opponent: true, but no reason. `benchmarks/coach.py` measures these shares.
"""

MOST_ANSWERED = 14
"""Most moves that are listed with their answers; only the shifting board has more."""


TAUGHT = ("pocket", "points")
"""The cards of rules that a player learns, the shorter first."""


def why_thrown(before: Analysis[DuelT], played: MoveValue[DuelT], after: Analysis[DuelT]) -> Why:
    """Return why a move lost a won position; `after` is the analysis of the position after it.

    >>> game = "A223/4A2Jr/3A23/Jb3A4 r"
    >>> before = analyse(game)
    >>> played = next(move for move in before.moves if move.name == "c2")
    >>> print(why_thrown(before, played, analyse(f"{game} c2")))
    no rule shows this; it takes calculation: blue wins in 11 more plies
    """
    player = before.position.to_move
    if len(before.line) == 1:
        return MissedWin(player, before.line[0])
    if len(after.line) < FAR_MOVES:
        return ForcedLoss(player, after.plies, after.line)
    return (
        _fewer_next(before, played)
        or _by_card(before, missed=True)
        or Calculation(player, after.outcome, played=True)
    )


def why_best(analysis: Analysis[DuelT]) -> Why | None:
    """Return why the best move is best, of several the one with the best reason; None if the game is over.

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
        or _by_card(analysis, missed=False)
        or Calculation(player, analysis.outcome, played=False)
    )


def most_tempting(analysis: Analysis[DuelT]) -> Tempting[DuelT] | None:
    """Return the most tempting move that is not best, and what it runs into; None if all moves are best.

    The moves considered are those that give the win away; if none does, those that win later or lose sooner.
    The most tempting one looks best one move ahead: it leaves the opponent the fewest cards to go to. Of
    several it is the one that loses latest or wins soonest, and then the first in reading order.

    >>> print(most_tempting(analyse("A223/4A2Jr/3A23/Jb3A4 r")))
    d1 is tempting: it leaves blue 4 cards to go to; but blue answers a3 and wins in 11 more plies
    """
    others = [move for move in analysis.moves if move.winner is not analysis.winner]
    others = others or [move for move in analysis.moves if move.outcome != analysis.outcome]
    if not others:
        return None
    replies = [len(_ends(analysis.position.play(move.move))) for move in others]
    fewest = min(replies)
    move = others[replies.index(fewest)]  # moves stand best first
    return Tempting(analysis, move, fewest, analyse(analysis.position.play(move.move)))


def _ends(state: Duel) -> set[int]:
    """Return the cells that the player to move can go to."""
    return set(map(state.end, state.moves))


def next_cards(state: Duel, move: int) -> tuple[str, ...]:
    """Return where the player's next move can end after any answer: the squares in reading order.

    >>> import collapsi
    >>> next_cards(collapsi.parse_position("A223/4A2Jr/3A23/Jb3A4 r"), 4)
    ('b1', 'd1', 'c2', 'b3', 'd3', 'c4')
    """
    after = state.play(move)
    ends: set[int] = set()
    for answer in after.moves:
        ends |= _ends(after.play(answer))
    return tuple(map(state.board.square, sorted(ends)))


def _best(analysis: Analysis[DuelT]) -> list[MoveValue[DuelT]]:
    return [move for move in analysis.moves if move.outcome == analysis.outcome]


def _fewer_next(before: Analysis[DuelT], played: MoveValue[DuelT]) -> FewerNext | None:
    if before.position.shift(played.move) is not None:
        return None  # a shift changes the squares of cards
    cards = next_cards(before.position, played.move)
    found = {move.name: next_cards(before.position, move.move) for move in _best(before)}
    better = max(found, key=lambda name: len(found[name]))
    if len(found[better]) - len(cards) < MORE_CARDS:
        return None
    return FewerNext(before.position.to_move, played.name, cards, better, found[better])


def _more_next(analysis: Analysis[DuelT]) -> MoreNext | None:
    if analysis.moves[0].shift is not None:
        return None
    found = {move.name: next_cards(analysis.position, move.move) for move in _best(analysis)}
    best = max(found, key=lambda name: len(found[name]))
    losing = [move for move in analysis.moves if not move.wins]
    most = max(len(next_cards(analysis.position, move.move)) for move in losing)
    if len(found[best]) - most < MORE_CARDS:
        return None
    return MoreNext(analysis.position.to_move, best, found[best], most)


def _every_move(analysis: Analysis[DuelT]) -> EveryMove:
    player = analysis.position.to_move
    wins = analysis.winner is player
    others = [move.plies for move in analysis.moves if move.name not in analysis.best]
    limit = (min if wins else max)(others, default=None)
    return EveryMove(player, analysis.best, wins, analysis.plies, limit)


def _others_lose(analysis: Analysis[DuelT]) -> OthersLose | None:
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


def _by_card(analysis: Analysis[DuelT], *, missed: bool) -> ByCard | None:
    """Return what the pocket card says, or else the points card, if following it wins."""
    if not can(analysis.position.rules, Can.FOLLOW_CARD):
        return None
    return next(filter(None, (_by_this_card(analysis, name, missed=missed) for name in TAUGHT)), None)


def _by_this_card(analysis: Analysis[DuelT], name: str, *, missed: bool) -> ByCard | None:
    """Return what a card says if all moves that it allows win and, for a hint, it allows a best one."""
    from collapsi.play.strategy.rulecard import bundled_card

    position, card = analysis.position, bundled_card(name)
    reading = card.explain(cast("Any", position))
    allowed = [move for move in analysis.moves if move.move in reading.moves]
    if reading.decided_by is None or not all(move.wins for move in allowed):
        return None
    if not missed and analysis.outcome not in [move.outcome for move in allowed]:
        return None
    names = tuple(position.move_text(move) for move in reading.moves)
    return ByCard(
        position.to_move, names, name, reading.decided_by + 1, card.summary(reading.decided_by), missed
    )
