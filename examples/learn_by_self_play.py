"""Learn to play by self-play: a small network, in NumPy only, measured exactly.

The network values positions for the player to move. It plays games against itself, always choosing the move
after which the opponent's position has the least value, except for some random moves. Each position is then
trained towards the mean of two targets: the result of its game, and the value of its best move. No exact
value is used in training.

The measure is exact: among positions of other deals in which a win can be kept or thrown away, the share in
which the network's move keeps it. Deals for training and for the measure have no symmetry class in common.

    python examples/learn_by_self_play.py --games 1000000 --out docs/learning.csv

With the weights in the current folder the network takes the exam, in the folder above this one:

    python examples/learn_by_self_play.py --save network.npz
    collapsi exam --python examples.learn_by_self_play:choose
"""

from __future__ import annotations

import argparse
import csv
import os
import time
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

# Sums of floating-point numbers depend on the number of threads, and here more of them are slower.
for library in ("OPENBLAS", "MKL", "OMP"):
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")

import numpy as np

from collapsi import STANDARD, batch, symmetries
from collapsi.batch import PositionBatch
from collapsi.play.strategy.measure import Share, clustered_share
from collapsi.play.strategy.samples import Sample, Split, deals_of, draw_sample

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from collapsi import Position

    Floats = NDArray[np.float32]

BOARD = STANDARD.board
VIEW = np.array(
    [
        [(row + pawn // 4) % 4 * 4 + (column + pawn % 4) % 4 for row in range(4) for column in range(4)]
        for pawn in range(16)
    ]
)
"""By cell of the pawn: the cells of the board in the order in which that pawn sees them, its own first."""

TURNS = np.array([way for way in symmetries(BOARD) if way[0] == 0])
"""The symmetries that leave the first cell in place."""

PLANES = 8
"""The five cards, the other pawn, the legal moves, and those of the other player if it were its turn."""

SIZES = (PLANES * BOARD.size + BOARD.size + 1, 128, 64, 1)
RANDOM_MOVES = 0.15
GAMES_PER_ROUND = 2048
SAMPLES_PER_STEP = 1024
RATE = 0.002
"""The learning rate at the beginning; it falls linearly."""


class Network:
    """A network with two hidden layers, trained by Adam."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.weights: list[Floats] = []
        for size, following in pairwise(SIZES):
            scale = np.sqrt(2 / size)
            self.weights += [
                rng.normal(0, scale, (size, following)).astype(np.float32),
                np.zeros(following, np.float32),
            ]
        self.weights[-2] *= 0.1
        self.means = [np.zeros_like(weights) for weights in self.weights]
        self.squares = [np.zeros_like(weights) for weights in self.weights]
        self.steps = 0

    def layers(self, inputs: NDArray[np.int8]) -> list[Floats]:
        """Return the input and the output of each layer; the last is the value."""
        cards = np.eye(BOARD.size + 1, dtype=np.float32)[inputs[:, :5].sum(axis=(1, 2))]
        found = [np.column_stack([inputs.reshape(len(inputs), -1).astype(np.float32), cards])]
        for layer in range(0, len(self.weights), 2):
            output = found[-1] @ self.weights[layer] + self.weights[layer + 1]
            last = layer + 2 == len(self.weights)
            found.append(np.tanh(output) if last else np.maximum(output, 0))
        return found

    def values(self, inputs: NDArray[np.int8]) -> Floats:
        """Return the value of each position for the player to move: −1 for a loss to 1 for a win."""
        return self.layers(inputs)[-1][:, 0]

    def train(self, inputs: NDArray[np.int8], targets: Floats, rate: float) -> None:
        """Make one step of gradient descent towards the targets, by cross-entropy."""
        found = self.layers(inputs)
        error = (found[-1] - targets[:, None]) / len(targets)
        gradients: list[NDArray[np.floating]] = []
        for layer in reversed(range(0, len(self.weights), 2)):
            below = found[layer // 2]
            gradients = [below.T @ error, error.sum(axis=0), *gradients]
            error = error @ self.weights[layer].T * (below > 0)
        self.steps += 1
        for index, gradient in enumerate(gradients):
            self.means[index] += 0.1 * (gradient - self.means[index])
            self.squares[index] += 0.001 * (gradient**2 - self.squares[index])
            size = np.sqrt(self.squares[index] / (1 - 0.999**self.steps)) + 1e-8
            self.weights[index] -= rate * self.means[index] / (1 - 0.9**self.steps) / size

    def save(self, path: Path) -> None:
        """Write the weights to a file."""
        np.savez(path, *self.weights)

    @classmethod
    def load(cls, path: Path) -> Network:
        """Return a network with weights from a file."""
        network = cls(np.random.default_rng(0))
        with np.load(path) as stored:
            network.weights = [stored[name] for name in stored.files]
        return network


def inputs_of(states: PositionBatch, legal: NDArray[np.bool_]) -> NDArray[np.int8]:
    """Return the planes of positions as the player to move sees them: from its pawn on, over the edges."""
    planes = states.planes().reshape(len(states), -1, BOARD.size)
    roots = states.roots[:, [0, 2, 1, 3]]
    roots[:, 3] ^= BOARD.size
    others = PositionBatch(states.rules, states.cards, roots).legal()
    seen = np.concatenate([planes[:, :5], planes[:, 7:8], legal[:, None], others[:, None]], axis=1)
    return np.take_along_axis(seen, VIEW[states.roots[:, 1]][:, None], axis=2)


def move_values(network: Network, states: PositionBatch, legal: NDArray[np.bool_]) -> Floats:
    """Return the value of every move: 1 if it wins at once, otherwise minus the opponent's; −2: no move."""
    owners, ends = np.nonzero(legal)
    after = states[owners].played(ends)
    replies = after.legal()
    found = np.where(replies.any(axis=1), -network.values(inputs_of(after, replies)), 1)
    values = np.full(legal.shape, -2, np.float32)
    values[owners, ends] = found
    return values


class Round(NamedTuple):
    """The positions of one round of games."""

    inputs: NDArray[np.int8]
    targets: Floats


def play_round(network: Network, games: int, rng: np.random.Generator) -> Round:
    """Play games against itself; return their positions and what to train them towards."""
    states, owners = deals_of(Split.TRAIN, games, rng), np.arange(games)
    length = np.zeros(games, np.int64)
    plies: list[tuple[NDArray[np.generic], ...]] = []
    while (going := (legal := states.legal()).any(axis=1)).any():
        states, owners, legal = states[going], owners[going], legal[going]
        length[owners] = len(plies) + 1
        values = move_values(network, states, legal)
        plies.append((inputs_of(states, legal), owners, np.full(len(states), len(plies)), values.max(axis=1)))
        random = rng.random(len(states)) < RANDOM_MOVES
        states = states.played(np.where(random, batch.choose(legal, rng), values.argmax(axis=1)))
    inputs, owners, ply, best = (np.concatenate(column) for column in zip(*plies, strict=True))
    results = np.where((length[owners] - ply) % 2 == 1, 1, -1)  # who makes the last move wins
    return Round(inputs, ((results + best) / 2).astype(np.float32))


def kept_wins(network: Network, sample: Sample) -> Share:
    """Return the share of positions in which the network's move keeps the win."""
    wins = np.zeros((len(sample), BOARD.size), np.bool_)
    wins[sample.moves.owners, sample.moves.ends] = sample.wins
    ends = move_values(network, sample.states, sample.states.legal()).argmax(axis=1)
    return clustered_share(wins[np.arange(len(sample)), ends].astype(np.float64), sample.games)


def chance(sample: Sample) -> Share:
    """Return the same share for random moves, exactly."""
    counts = np.diff(sample.moves.begins)
    return clustered_share(np.add.reduceat(sample.wins, sample.moves.begins[:-1]) / counts, sample.games)


@lru_cache(maxsize=1)
def trained() -> Network:
    """Return the network whose weights are in the current folder."""
    return Network.load(Path("network.npz"))


def choose(position: Position) -> int:
    """Return the move of the trained network."""
    states = PositionBatch.of([position])
    return int(move_values(trained(), states, states.legal()).argmax())


class Point(NamedTuple):
    """A point of the curve of learning."""

    games: int
    cpu_seconds: float
    kept: Share


def learn(network: Network, games: int, sample: Sample, rng: np.random.Generator) -> Iterator[Point]:
    """Train a network; yield measurements before, at every doubling of games, and at the end."""
    yield Point(0, 0.0, kept_wins(network, sample))
    started = time.process_time()
    played, following = 0, GAMES_PER_ROUND
    while played < games:
        count = min(GAMES_PER_ROUND, games - played)
        found = play_round(network, count, rng)
        order = rng.permutation(len(found.inputs))
        for first in range(0, len(order), SAMPLES_PER_STEP):
            chosen = order[first : first + SAMPLES_PER_STEP]
            turned = TURNS[rng.integers(len(TURNS), size=len(chosen))][:, None]
            inputs = np.take_along_axis(found.inputs[chosen], turned, axis=2)
            network.train(inputs, found.targets[chosen], RATE * (1 - 0.95 * played / games))
        played += count
        if played >= following or played >= games:
            following *= 2
            yield Point(played, time.process_time() - started, kept_wins(network, sample))


def main(words: Sequence[str] | None = None) -> None:
    """Print one line for each measurement."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--games", type=int, default=1_000_000, help="games to learn from")
    parser.add_argument("--measure", type=int, default=6000, help="games whose positions are the measure")
    parser.add_argument("--seed", type=int, default=1, help="seed of everything")
    parser.add_argument("--out", type=Path, help="write the curve to this CSV file")
    parser.add_argument("--save", type=Path, help="write the weights to this file (.npz)")
    chosen = parser.parse_args(words)
    rng = np.random.default_rng(chosen.seed)
    sample = draw_sample(Split.FRESH, chosen.measure, np.random.default_rng([chosen.seed, 1]))
    network = Network(rng)
    by_chance = chance(sample)
    print(f"random moves keep {by_chance} % of the wins in {len(sample)} positions")
    print(f"{'games':>8} {'CPU s':>7}  kept wins %")
    rows = []
    for point in learn(network, chosen.games, sample, rng):
        print(f"{point.games:>8} {point.cpu_seconds:>7.1f}  {point.kept}", flush=True)
        kept = point.kept
        shares = (f"{share:.4f}" for share in (kept.value, kept.margin, by_chance.value))
        rows.append((point.games, f"{point.cpu_seconds:.1f}", *shares))
    if chosen.out is not None:
        with chosen.out.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(("games", "cpu_seconds", "kept", "margin", "chance"))
            writer.writerows(rows)
    if chosen.save is not None:
        network.save(chosen.save)


if __name__ == "__main__":
    main()
