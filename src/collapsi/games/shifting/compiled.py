"""The kernel compiled by Numba; `games.classic.compiled` describes the cost of importing it."""

from __future__ import annotations

from collapsi.games.shifting import kernel as shift_kernel
from collapsi.games.shifting import survey as shift_survey
from collapsi.solving.jit import machine_code, register_jitable

for _helper in (
    shift_kernel.slide,
    shift_kernel.next_to,
    shift_kernel.counting,
    shift_kernel.neighbours,
    shift_kernel.reach,
    shift_kernel.search,
    shift_kernel.exact_value,
    shift_kernel.solve,
    shift_kernel.winner_and_length,
    shift_kernel.lay,
    shift_survey.survey,
):
    register_jitable(_helper)

solve_many = machine_code(shift_kernel.solve_many)
value_many = machine_code(shift_kernel.value_many)
survey_many = machine_code(shift_survey.survey_many)
