"""Computer players of the big board, for two to four players.

Weakest first, as `collapsi ladder --rules big3` measures them:

- random;
- the beginner, which only sees who goes out by its own move;
- two levels that search a few plies ahead, each player maximising its own points (max^n), and score the
  horizon by the number of next moves;
- the levels that use the engine (`collapsi.games.big.engine`), each with its own number of nodes.

Scores and estimates are never shown as exact values. With two players the strongest level plays perfectly if
it solves the position in time; with more, if two players or few cards are left. Its comment says so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from collapsi.core.errors import IllegalMoveError, MalformedError
from collapsi.core.players import PAIR
from collapsi.games.big import backends as big_backends
from collapsi.games.big import multiplayer as big_multiplayer
from collapsi.games.big import search as big_search
from collapsi.games.big.analysis import bounds_text, points_text
from collapsi.games.big.endgame import EndgameAnalysis
from collapsi.games.big.engine import Estimate, answers, estimate, expected_text
from collapsi.games.big.search import Win
from collapsi.games.kind import Choice, Opponents
from collapsi.games.levels import Level

if TYPE_CHECKING:
    import random

    from collapsi.games.big.rules import BigRules
    from collapsi.games.big.state import BigState

SECONDS = 10.0
"""Default time limit of the perfect level for a move."""

EXPERT_NODES = 4_000
"""Positions that the expert searches for a move: about a millisecond."""

MASTER_NODES = 2_000_000
"""The same for the master: half a second, or slightly more with two players left."""

FALL_BACK = 200_000
"""The same for the perfect level if it does not solve the position in time."""

FEWEST_NODES = 500
"""The least number of nodes of a level that searches, on a slow backend."""

SIGHT = {Level.ONE: 1, Level.TWO: 2, Level.FOUR: 4}
"""Search depth in plies of the levels that do not use the engine."""

SHORT_SIGHT = 2
"""Most plies for which the interpreted look-ahead is faster than loading the compiled one."""

TEXTS = {
    Level.ONE: "beginner (sees who goes out by its own move)",
    Level.TWO: "careful (looks two moves ahead)",
    Level.FOUR: "calculating (looks four moves ahead)",
    Level.EXPERT: "expert (plays out a hundred rounds in its head)",
    Level.MASTER: "master (plays out hundreds of thousands of rounds; perfect near the end)",
    Level.PERFECT: "perfect (plays perfectly once it has solved the position, and says so)",
}
"""Descriptions for players of the levels that differ from those of the small board."""


def levels(rules: BigRules) -> tuple[Level, ...]:
    """Return the levels that play by these rules, weakest first.

    >>> from collapsi.games.big.rules import BIG, BIG4
    >>> " ".join(levels(BIG)), " ".join(levels(BIG4))
    ('random 1 2 4 expert perfect', 'random 1 2 4 expert master')
    """
    strongest = Level.PERFECT if rules.players == len(PAIR) else Level.MASTER
    return (Level.RANDOM, *SIGHT, Level.EXPERT, strongest)


def level_text(level: Level) -> str:
    """Return the description of a level on the big board, for players.

    >>> level_text(Level.TWO), level_text(Level.RANDOM)
    ('careful (looks two moves ahead)', 'random (moves at random)')
    """
    return TEXTS.get(level, level.text)


def check_level(level: Level, rules: BigRules) -> None:
    """Refuse a level that does not play by these rules, with the reason."""
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


def level_named(name: str, rules: BigRules) -> Level:
    """Return the level with a name, if it plays by these rules."""
    try:
        level = Level(name)
    except ValueError:
        msg = f"{name!r:.40} is no player: choose one of {', '.join(levels(rules))}"
        raise MalformedError(msg) from None
    check_level(level, rules)
    return level


def choose(
    state: BigState, level: Level, rng: random.Random, *, seconds: float = SECONDS, nodes: int | None = None
) -> Choice:
    """Choose the computer's move; among equally good ones by chance.

    Only the perfect level uses `seconds`. The levels that search use `nodes`, if given, in place of their own
    limit. Without a time limit the same seed always plays the same game.

    >>> import random
    >>> from collapsi.games.big.notation import parse_big
    >>> state = parse_big("..A.../..3.../..A.../.2rA.../..2b.../...... r big")
    >>> choose(state, Level.PERFECT, random.Random(1))
    Choice(move=14, comment='solved: red wins in 1 ply')
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
        return _engine_choice(
            estimate(state, seed=rng.getrandbits(32), nodes=nodes or affordable(EXPERT_NODES))
        )
    if level is Level.MASTER:
        return _master(state, rng, nodes or affordable(MASTER_NODES))
    return Choice(rng.choice(liked(state, SIGHT[level], counting=level is not Level.ONE)))


def affordable(nodes: int) -> int:
    """Return this number of nodes, or fewer on a slower backend."""
    slower = big_backends.fastest().slower
    return nodes if slower == 1 else max(nodes // slower, FEWEST_NODES)


def _master(state: BigState, rng: random.Random, nodes: int) -> Choice:
    """Choose the engine's best move; with two players left, the best of the exact search.

    Among the moves that secure the most points it chooses the one with the best estimate, because the other
    players may make mistakes and need not follow the rule for ties.
    """
    if len(state.left) == len(PAIR):
        return _perfect(state, rng, SECONDS, nodes)
    seed = rng.getrandbits(32)
    expected, last = None, None
    for last in answers(state, seed=seed, nodes=nodes):
        expected = last if isinstance(last, Estimate) else expected
    if isinstance(last, Estimate):
        return _engine_choice(last)
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


def _engine_choice(found: Estimate) -> Choice:
    """Return the engine's best move, with its estimate as the comment."""
    move, expected = found.moves[0]
    return Choice(move, f"expects {expected_text(expected.points[found.position.to_move])} (an estimate)")


def _perfect(state: BigState, rng: random.Random, seconds: float, nodes: int | None) -> Choice:
    """Choose the best move if the position is solved in time, else the best as far as known; say which."""
    answer = big_search.solve(state, seconds=None if nodes else seconds, nodes=nodes)
    value = answer.bounds
    if value.exact is not None:
        best = [move for move, bounds in answer.moves.items() if bounds.exact == value.exact]
        return Choice(rng.choice(best), f"solved: {bounds_text(state, value)}")
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
    move, expected = next((move, expected) for move, expected in found.moves if move in hopeful)
    points = expected_text(expected.points[state.to_move])
    return Choice(move, f"not solved in time: expects {points} (an estimate)")


def liked(state: BigState, plies: int, *, counting: bool = True) -> tuple[int, ...]:
    """Return the best moves of a search to a depth of `plies`: most for the mover, then least for the others.

    >>> from collapsi.games.big.notation import parse_big
    >>> liked(parse_big("....../.2r.3../.AA.../.3b4g.../..3.../...... r big3"), 1)
    (14,)
    """
    compiled = plies > SHORT_SIGHT or big_backends.is_loaded()
    guesses = {
        move: big_multiplayer.guess(state.play(move), plies - 1, counting=counting, compiled=compiled)
        for move in state.moves
    }
    return big_multiplayer.best_for(state.to_move, guesses)


class BigOpponents(Opponents):
    """The computer players of the big board."""

    def levels(self, rules: BigRules) -> tuple[Level, ...]:
        return levels(rules)

    def text(self, level: Level) -> str:
        return level_text(level)

    def check(self, level: Level, rules: BigRules) -> None:
        check_level(level, rules)

    def choose(
        self, state: BigState, level: Level, rng: random.Random, *, seconds: float | None = None
    ) -> Choice:
        return choose(state, level, rng, seconds=SECONDS if seconds is None else seconds)
