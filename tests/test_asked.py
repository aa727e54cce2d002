"""The questions without a service: the same ones, with the same names and defaults, and the same answers."""

from __future__ import annotations

import inspect
import sys
from subprocess import run
from typing import Any

import pytest
from fastapi.routing import APIRoute

from collapsi.web import api, api_big, asked

ROUTES = {
    route.path.removeprefix(f"{api.PREFIX}/"): route
    for route in (*api.router.routes, *api_big.router.routes)
    if isinstance(route, APIRoute)
}


def test_every_route_is_a_plain_question_and_every_plain_question_a_route() -> None:
    assert list(asked.PATHS) == list(ROUTES)


@pytest.mark.parametrize("path", asked.PATHS)
def test_a_question_takes_what_its_route_takes(path: str) -> None:
    described: dict[str, Any] = {
        field.name: inspect.Parameter.empty if field.field_info.is_required() else field.default
        for field in ROUTES[path].dependant.query_params
    }
    parameters = inspect.signature(asked.PATHS[path]).parameters
    taken = {name: each.default for name, each in parameters.items()}
    assert list(taken.items()) == list(described.items())


def test_plain_questions_load_no_service_and_no_heavy_library() -> None:
    heavy = ("fastapi", "pydantic", "starlette", "numpy", "numba", "polars")
    code = f"import sys, collapsi.web.asked; print([name for name in {heavy} if name in sys.modules])"
    done = run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=900)
    assert done.stdout.strip() == "[]"
