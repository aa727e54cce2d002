"""Players of the big board for a person to meet, two to four at a table.

All but the random one look ahead so many plies, everybody doing what is best for themselves (max^n). The
beginner sees no more than who goes out by its own move. The others guess at the horizon, from the number of
next moves, who will be left over: an estimate, never shown as a value.
The perfect one is for two, and perfect where it solves the position within its time: it says when it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from collapsi.board import mask_of
from collapsi.errors import IllegalMoveError, MalformedError
from collapsi.games.crowd_analysis import say_bounds
from collapsi.opponent import Level
from collapsi.rules import PAIR
from collapsi.solve import crowd_search
from collapsi.solve.crowd_search import Win

if TYPE_CHECKING:
    import random

    from collapsi.games.crowd import Crowd
    from collapsi.rules import CrowdRules, Player

SECONDS = 10.0
"""How long the perfect player thinks about a move, about."""

FALL_BACK = 4
"""How many plies it looks ahead where it does not know enough."""

SIGHT = {Level.ONE: 1, Level.TWO: 2, Level.FOUR: 4}
"""How many plies the others look ahead."""

Guess = tuple[float, ...]


@dataclass(frozen=True)
class Choice:
    """A move, and what the player that chose it has to say of it."""

    move: int
    said: str = ""


def levels(rules: CrowdRules) -> tuple[Level, ...]:
    """Those who can play by these rules, weakest first.

    >>> from collapsi.rules import BIG, BIG4
    >>> " ".join(levels(BIG)), " ".join(levels(BIG4))
    ('random 1 2 4 perfect', 'random 1 2 4')
    """
    return (Level.RANDOM, *SIGHT, *((Level.PERFECT,) if rules.players == len(PAIR) else ()))


def check_level(level: Level, rules: CrowdRules) -> None:
    """Refuse a level that does not know this game."""
    if level in levels(rules):
        return
    why = (
        "nobody knows perfect play of three or four players"
        if level is Level.PERFECT
        else f"{level} knows the small board only"
    )
    msg = f"{why}: on the big board ({rules}) choose one of {', '.join(levels(rules))}"
    raise MalformedError(msg)


def choose(
    state: Crowd, level: Level, rng: random.Random, *, seconds: float = SECONDS, nodes: int | None = None
) -> Choice:
    """The computer's move; among equally good ones by chance.

    Only the perfect player uses `seconds`, or `nodes` so that the same seed always plays the same game.

    >>> import random
    >>> from collapsi.games.crowd_notation import parse_crowd
    >>> state = parse_crowd("..A.../..3.../..A.../.2rA.../..2b.../...... r big")
    >>> choose(state, Level.PERFECT, random.Random(1))
    Choice(move=14, said='solved: red wins in 1 ply')
    """
    check_level(level, state.rules)
    if not state.moves:
        msg = f"{state.to_move} cannot move: the game is over"
        raise IllegalMoveError(msg)
    if level is Level.RANDOM:
        return Choice(rng.choice(state.moves))
    if level is Level.PERFECT:
        return _perfect(state, rng, seconds, nodes)
    return Choice(rng.choice(liked(state, SIGHT[level], counting=level is not Level.ONE)))


def _perfect(state: Crowd, rng: random.Random, seconds: float, nodes: int | None) -> Choice:
    """The best move if the position is solved in time; else the best of what is known, and it says so."""
    answer = crowd_search.solve(state, seconds=None if nodes else seconds, nodes=nodes)
    value = answer.bounds
    if value.exact is not None:
        best = [move for move, bounds in answer.moves.items() if bounds.exact == value.exact]
        return Choice(rng.choice(best), f"solved: {say_bounds(state, value)}")
    winning = [move for move, bounds in answer.moves.items() if bounds.win is Win.WINS]
    if winning:
        soonest = max(answer.moves[move].lower for move in winning)
        best = [move for move in winning if answer.moves[move].lower == soonest]
        return Choice(rng.choice(best), "this move is known to win; how soon is not known yet")
    if value.win is Win.LOSES:
        longest = max(-bounds.lower for bounds in answer.moves.values())
        best = [move for move, bounds in answer.moves.items() if -bounds.lower == longest]
        return Choice(rng.choice(best), "every move is known to lose; how soon is not known yet")
    hopeful = tuple(move for move, bounds in answer.moves.items() if bounds.win is Win.UNKNOWN)
    move = rng.choice(liked(state, FALL_BACK, hopeful))
    return Choice(move, f"not solved in time: an estimate, looking {FALL_BACK} moves ahead")


def liked(
    state: Crowd, plies: int, moves: tuple[int, ...] | None = None, *, counting: bool = True
) -> tuple[int, ...]:
    """The moves, of all or of those given, that look best to who looks so many plies ahead."""
    guesses = {move: guess(state.play(move), plies - 1, counting=counting) for move in moves or state.moves}
    best = max(_for_mover(state, found) for found in guesses.values())
    return tuple(move for move, found in guesses.items() if _for_mover(state, found) == best)


def guess(state: Crowd, plies: int, *, counting: bool = True) -> Guess:
    """About how many points each will have, by looking so many plies ahead, and counting next moves there.

    Who is last on the table has a little more the more cards are left: so a win is taken soon, and a loss
    put off.

    >>> from collapsi.games.crowd_notation import parse_crowd
    >>> guess(parse_crowd("....../.2r.3../.AA.../.3b4g.../..3.../...... r big3"), 0)
    (1.5, 1.5, 0.0)
    """
    if state.over:
        assert state.points is not None
        extra = state.cards_left / (2 * state.board.size)
        return tuple(
            points + extra * (player is state.to_move)
            for player, points in zip(state.rules.seats, state.points, strict=True)
        )
    if plies == 0:
        return _shared(state, {player: _mobility(state, player) if counting else 1 for player in state.left})
    return max(
        (guess(state.play(move), plies - 1, counting=counting) for move in state.moves),
        key=lambda found: _for_mover(state, found),
    )


def _for_mover(state: Crowd, found: Guess) -> tuple[float, float]:
    """What the judge goes by: most for the mover, then least for the others."""
    mine = found[state.to_move]
    return round(mine, 9), round(mine - sum(found), 9)


def _shared(state: Crowd, moves: dict[Player, int]) -> Guess:
    """The points still to be had, shared by how many moves each would have now; none has more than all."""
    count = len(state.left)
    total = sum(moves.values()) or 1
    to_share = count * (count - 1) / 2
    return tuple(
        state.out.index(player)
        if player in state.out
        else len(state.out) + min(to_share * moves[player] / total, count - 1)
        for player in state.rules.seats
    )


def _mobility(state: Crowd, player: Player) -> int:
    cell = state.pawns[player]
    (steps,) = state.rules.steps(state.card(player), player)
    pawns = mask_of(state.pawns[other] for other in state.left)
    return (state.board.reach(cell, steps, state.face_up) & ~pawns).bit_count()
