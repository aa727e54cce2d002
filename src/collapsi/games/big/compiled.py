"""The kernels compiled by Numba; `games.classic.compiled` describes the cost of importing them."""

from __future__ import annotations

from collapsi.games.big import judge as big_judge
from collapsi.games.big import kernel as big_kernel
from collapsi.games.big import lookahead as big_lookahead
from collapsi.games.big import pawns as big_pawns
from collapsi.games.big import tree as big_tree
from collapsi.solving.jit import inlined, machine_code, register_jitable

search = machine_code(big_kernel.search)
look = machine_code(big_lookahead.look)
grow = machine_code(big_tree.grow)
judge = machine_code(big_judge.judge)
secures = machine_code(big_judge.secures)

# All functions that they call.
inlined(big_kernel.reach)
for _helper in (
    big_kernel.spread,
    big_kernel.region,
    big_kernel.place_of,
    big_kernel.store,
    big_kernel.longest,
    big_kernel.apart,
    big_kernel.search,
    big_pawns.next_random,
    big_pawns.below,
    big_pawns.pawns_of,
    big_pawns.points_of,
    big_pawns.turn_to_next,
    big_pawns.go,
    big_pawns.moves_of,
    big_pawns.settle,
    big_pawns.count_moves,
    big_pawns.all_apart,
    big_pawns.run_out,
    big_pawns.exact_end,
    big_pawns.turn_of_other,
    big_pawns.merit,
    big_lookahead.guess,
    big_tree.weigh,
    big_tree.play_out,
    big_tree.expand,
    big_tree.pick,
    big_tree.settled_by_children,
    big_judge.slot_of,
    big_judge.all_points,
):
    register_jitable(_helper)
