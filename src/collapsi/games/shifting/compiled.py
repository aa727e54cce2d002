"""The kernel compiled by Numba; `games.classic.compiled` describes the cost of importing it."""

from __future__ import annotations

from collapsi.games.shifting import kernel as shift_kernel
from collapsi.games.shifting import survey as shift_survey
from collapsi.solving.jit import inlined, machine_code, register_jitable

for _helper in (
    shift_kernel.line_of,
    shift_kernel.slide,
    shift_kernel.ahead_of,
    shift_kernel.behind,
    shift_kernel.reach,
):
    inlined(_helper)

for _function in (
    shift_kernel.put,
    shift_kernel.search,
    shift_kernel.exact_value,
    shift_kernel.solve,
    shift_kernel.winner_and_length,
    shift_kernel.lay,
    shift_survey.survey,
):
    register_jitable(_function)

solve_many = machine_code(shift_kernel.solve_many)
value_many = machine_code(shift_kernel.value_many)
survey_many = machine_code(shift_survey.survey_many)
