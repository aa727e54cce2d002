"""The big board's kernels, compiled by Numba: see `compiled` for what that costs."""

from __future__ import annotations

from collapsi.solve import compiled, crowd_ahead, crowd_judge, crowd_kernel, crowd_pawns, crowd_tree
from collapsi.solve.jit import machine_code, register_jitable

__all__ = [
    "compiled",
    "grow",
    "judge",
    "look",
    "search",
    "secures",
]  # `compiled` teaches Numba the methods of ints

search = machine_code(crowd_kernel.search)
look = machine_code(crowd_ahead.look)
grow = machine_code(crowd_tree.grow)
judge = machine_code(crowd_judge.judge)
secures = machine_code(crowd_judge.secures)

# What they call, and what those call.
for _helper in (
    crowd_kernel.spread,
    crowd_kernel.reach,
    crowd_kernel.region,
    crowd_kernel.place_of,
    crowd_kernel.store,
    crowd_kernel.longest,
    crowd_kernel.apart,
    crowd_kernel.search,
    crowd_pawns.next_random,
    crowd_pawns.below,
    crowd_pawns.pawns_of,
    crowd_pawns.points_of,
    crowd_pawns.turn_to_next,
    crowd_pawns.go,
    crowd_pawns.moves_of,
    crowd_pawns.settle,
    crowd_pawns.count_moves,
    crowd_pawns.all_apart,
    crowd_pawns.run_out,
    crowd_pawns.exact_end,
    crowd_pawns.turn_of_other,
    crowd_pawns.merit,
    crowd_ahead.guess,
    crowd_tree.weigh,
    crowd_tree.play_out,
    crowd_tree.expand,
    crowd_tree.pick,
    crowd_tree.settled_by_children,
    crowd_judge.slot_of,
    crowd_judge.all_points,
):
    register_jitable(_helper)
