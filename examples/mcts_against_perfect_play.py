"""Measure OpenSpiel's Monte Carlo tree search against perfect play.

The search plays red in random deals that red wins with perfect play; blue defends perfectly. For each number
of simulations per move the script prints the share of deals that the search wins, and the share of moves that
keep the win among those that could lose it.

    python examples/mcts_against_perfect_play.py --deals 40 --simulations 10,100,1000

The same search takes the exam, in the folder above this one:

    collapsi exam --bot examples.mcts_against_perfect_play:mcts_100
"""

from __future__ import annotations

import argparse
import random
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts

import collapsi
import collapsi.ecosystem.openspiel  # registers the game
from collapsi.core.intervals import wilson
from collapsi.games.levels import Level
from collapsi.play.dealing import deal_won_by
from collapsi.play.levels import choose_move

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Chooser = Callable[[collapsi.ecosystem.openspiel.CollapsiState], int]
    """A function that returns an action for a state: `step` of any OpenSpiel bot."""


class Tally(NamedTuple):
    """The result of one deal."""

    won: bool
    right: int
    """Moves that kept the win."""
    moves: int
    """Moves that could have lost it."""


def play(deal: collapsi.Position, red: Chooser, rng: random.Random) -> Tally:
    """Play a deal that red can win against a perfect defence."""
    state = pyspiel.load_game("collapsi", {"deal": deal.text}).new_initial_state()
    right = moves = 0
    while not state.is_terminal():
        position = state.position
        if position.to_move is collapsi.Player.BLUE:
            state.apply_action(choose_move(position, Level.PERFECT, rng))
            continue
        values = {move.move: move.wins for move in collapsi.analyse(position).moves}
        chosen = red(state)
        if any(values.values()) and not all(values.values()):
            moves += 1
            right += values[chosen]
        state.apply_action(chosen)
    return Tally(state.returns()[0] > 0, right, moves)


def make_bot(game: pyspiel.Game, simulations: int, seed: int = 1) -> mcts.MCTSBot:
    """Return OpenSpiel's tree search with random playouts."""
    dice = np.random.RandomState(seed)
    return mcts.MCTSBot(game, 1.4, simulations, mcts.RandomRolloutEvaluator(1, dice), random_state=dice)


mcts_10 = partial(make_bot, simulations=10)
mcts_100 = partial(make_bot, simulations=100)
mcts_300 = partial(make_bot, simulations=300)


def searcher(simulations: int, seed: int) -> Chooser:
    """Return the choice of the tree search."""
    game = pyspiel.load_game(
        "collapsi", {"deal": "A223/4A2Jr/3A23/Jb3A4 r"}
    )  # any deal: only the type of game matters
    step: Chooser = make_bot(game, simulations, seed).step
    return step


def share(found: int, looked_at: int) -> str:
    """Format a share with its 95 % interval, in per cent."""
    low, high = (f"{100 * end:.0f}" for end in wilson(found, looked_at))
    return (
        f"{found} of {looked_at}".rjust(12) + f"  {100 * found / max(looked_at, 1):5.1f} % ({low} to {high})"
    )


def main(words: Sequence[str] | None = None) -> None:
    """Print one line for each number of simulations."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--deals", type=int, default=40, help="number of deals")
    parser.add_argument("--simulations", default="10,30,100,300,1000", help="numbers of simulations per move")
    parser.add_argument("--rules", default="standard", help="standard, joker or choice")
    parser.add_argument("--seed", type=int, default=1, help="seed of the deals and the search")
    chosen = parser.parse_args(words)
    rng = random.Random(chosen.seed)
    rules = collapsi.parse_rules(chosen.rules)
    deals = [deal_won_by(collapsi.Player.RED, rng, rules) for _ in range(chosen.deals)]
    print(f"{'simulations':>11}  {'won deals kept':<32}  moves that keep the win")
    for simulations in map(int, chosen.simulations.split(",")):
        red = searcher(simulations, chosen.seed)
        tallies = [play(deal, red, rng) for deal in deals]
        won, right, moves = (sum(column) for column in zip(*tallies, strict=True))
        print(f"{simulations:>11}  {share(won, len(tallies)):<32}  {share(right, moves)}", flush=True)


if __name__ == "__main__":
    main()
