"""Players of the big board for a person to meet, two to four at a table.

Weakest first, as `collapsi ladder --rules big3` measures them. The random one; the beginner, who sees no more
than who goes out by its own move; those that look some plies ahead, everybody doing what is best for
themselves (max^n), and guess at the horizon, from the number of next moves, who will be left over; and those
that ask the engine (`collapsi.games.crowd_engine`) for as many nodes as they have. Guesses and estimates of
the engine are never shown as values. With two players the strongest is perfect where it solves the
position within its time; with more it is where two are left, or few cards. It says when it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from collapsi.errors import IllegalMoveError, MalformedError
from collapsi.games.crowd_analysis import points_text, say_bounds
from collapsi.games.crowd_endgame import EndgameAnalysis
from collapsi.games.crowd_engine import Estimate, about, estimate, think
from collapsi.opponent import Level
from collapsi.rules import PAIR
from collapsi.solve import crowd_forms, crowd_many, crowd_search
from collapsi.solve.crowd_search import Win

if TYPE_CHECKING:
    import random

    from collapsi.games.crowd import Crowd
    from collapsi.rules import CrowdRules

SECONDS = 10.0
"""How long the perfect player thinks about a move, about."""

EXPERT_NODES = 4_000
"""Positions that the expert's engine looks at for a move: a millisecond."""

MASTER_NODES = 2_000_000
"""The same for the master's: half a second, or a little more where two are left."""

FALL_BACK = 200_000
"""The same for the perfect player where it does not know enough."""

FEWEST_NODES = 500
"""The fewest of those who search, where nothing can be compiled."""

SIGHT = {Level.ONE: 1, Level.TWO: 2, Level.FOUR: 4}
"""How many plies those look ahead who do not ask the engine."""

SHORT_SIGHT = 2
"""Plies for which the interpreted look-ahead is quicker than to load the compiled one."""

TEXTS = {
    Level.ONE: "beginner (sees who goes out by its own move)",
    Level.TWO: "careful (looks two moves ahead, and counts next moves)",
    Level.FOUR: "calculating (looks four moves ahead, and counts next moves)",
    Level.EXPERT: "expert (plays a hundred rounds out in its head)",
    Level.MASTER: "master (the same with hundreds of thousands, and never errs near the end)",
    Level.PERFECT: "perfect (never errs once it has solved the position, and says so)",
}
"""What people are told of a level where it is something else than on the small board."""


@dataclass(frozen=True)
class Choice:
    """A move, and what the player that chose it has to say of it."""

    move: int
    said: str = ""


def levels(rules: CrowdRules) -> tuple[Level, ...]:
    """Those who can play by these rules, weakest first.

    >>> from collapsi.rules import BIG, BIG4
    >>> " ".join(levels(BIG)), " ".join(levels(BIG4))
    ('random 1 2 4 expert perfect', 'random 1 2 4 expert master')
    """
    strongest = Level.PERFECT if rules.players == len(PAIR) else Level.MASTER
    return (Level.RANDOM, *SIGHT, Level.EXPERT, strongest)


def level_text(level: Level) -> str:
    """What people are told of a level on the big board.

    >>> level_text(Level.TWO), level_text(Level.RANDOM)
    ('careful (looks two moves ahead, and counts next moves)', 'random (any move will do)')
    """
    return TEXTS.get(level, level.text)


def check_level(level: Level, rules: CrowdRules) -> None:
    """Refuse a level that does not know this game."""
    if level in levels(rules):
        return
    why = (
        "nobody knows perfect play of three or four players"
        if level is Level.PERFECT
        else "with two players the strongest is perfect"
        if level is Level.MASTER
        else f"{level} knows the small board only"
    )
    msg = f"{why}: on the big board ({rules}) choose one of {', '.join(levels(rules))}"
    raise MalformedError(msg)


def level_named(name: str, rules: CrowdRules, *, beside: tuple[str, ...] = ()) -> Level:
    """The level of this name, if it can play by these rules; `beside` are other names that would do."""
    try:
        level = Level(name)
    except ValueError:
        msg = f"{name!r:.40} is no player: choose one of {', '.join([*beside, *levels(rules)])}"
        raise MalformedError(msg) from None
    check_level(level, rules)
    return level


def choose(
    state: Crowd, level: Level, rng: random.Random, *, seconds: float = SECONDS, nodes: int | None = None
) -> Choice:
    """The computer's move; among equally good ones by chance.

    Only the perfect player uses `seconds`; those who search take `nodes` instead of what they have, so the
    same seed always plays the same game.

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
    if len(state.moves) == 1 and level in (Level.EXPERT, Level.MASTER):
        return Choice(state.moves[0], "the only move")
    if level is Level.RANDOM:
        return Choice(rng.choice(state.moves))
    if level is Level.PERFECT:
        return _perfect(state, rng, seconds, nodes)
    if level is Level.EXPERT:
        return _expecting(estimate(state, seed=rng.getrandbits(32), nodes=nodes or affordable(EXPERT_NODES)))
    if level is Level.MASTER:
        return _master(state, rng, nodes or affordable(MASTER_NODES))
    return Choice(rng.choice(liked(state, SIGHT[level], counting=level is not Level.ONE)))


def affordable(nodes: int) -> int:
    """So many nodes, or fewer where they take longer."""
    slower = crowd_forms.quickest().slower
    return nodes if slower == 1 else max(nodes // slower, FEWEST_NODES)


def _master(state: Crowd, rng: random.Random, nodes: int) -> Choice:
    """What the engine thinks best; where two are left what is solved, if it is solved in time.

    Of moves that secure as much, which is beyond argument, it makes the one that the engine expects most of:
    the others may err, and need not follow any rule for ties.
    """
    if len(state.left) == len(PAIR):
        return _perfect(state, rng, SECONDS, nodes)
    seed = rng.getrandbits(32)
    expected, last = None, None
    for last in think(state, seed=seed, nodes=nodes):
        expected = last if isinstance(last, Estimate) else expected
    if isinstance(last, Estimate):
        return _expecting(last)
    assert isinstance(last, EndgameAnalysis)
    best = last.safest
    if len(best) > 1:
        expected = expected or estimate(state, seed=seed, nodes=max(nodes // 2, 1))
        best = [move for move, _ in expected.moves if move in best]
    sure = max(safe for _, safe in last.by_move.values())
    if last.exact:
        return Choice(best[0], f"solved: {points_text(state, last.points)}")
    many = {0: "no point", 1: "1 point"}.get(sure, f"{sure} points")
    return Choice(best[0], f"is sure of {many}, whatever the others do")


def _expecting(found: Estimate) -> Choice:
    """The move that the engine thinks best, and what it expects."""
    move, thought = found.moves[0]
    return Choice(move, f"expects {about(thought.points[found.state.to_move])}")


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
    hopeful = {move for move, bounds in answer.moves.items() if bounds.win is Win.UNKNOWN}
    found = estimate(state, seed=rng.getrandbits(32), nodes=nodes or affordable(FALL_BACK))
    move, thought = next((move, thought) for move, thought in found.moves if move in hopeful)
    return Choice(move, f"not solved in time: expects {about(thought.points[state.to_move])}")


def liked(state: Crowd, plies: int, *, counting: bool = True) -> tuple[int, ...]:
    """The moves that look best to who looks so many plies ahead: most for the mover, least for the others.

    >>> from collapsi.games.crowd_notation import parse_crowd
    >>> liked(parse_crowd("....../.2r.3../.AA.../.3b4g.../..3.../...... r big3"), 1)
    (14,)
    """
    compiled = plies > SHORT_SIGHT or crowd_forms.is_loaded()
    guesses = {
        move: crowd_many.guess(state.play(move), plies - 1, counting=counting, compiled=compiled)
        for move in state.moves
    }
    return crowd_many.best_for(state.to_move, guesses)
