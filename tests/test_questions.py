"""Each question of the API is declared once: signature, routes, and how requests are read."""

from __future__ import annotations

import inspect
import sys
from subprocess import run
from typing import Any

import pytest

from collapsi.api.question import SHORT_SECONDS, Cost, Param, Parameter, Work
from collapsi.api.questions import QUESTIONS, SUBJECTS
from collapsi.core.errors import CollapsiError
from collapsi.games.levels import Level
from collapsi.service.routes import PREFIX, answer_hint, routes
from tests.contract import entry

EXAMPLE = "A223/4A2Jr/3A23/Jb3A4 r"


def test_every_question_is_a_route_with_its_parameters() -> None:
    found = {route.path.removeprefix(f"{PREFIX}/"): route for route in routes()}
    assert list(found) == list(QUESTIONS) == list(entry.PATHS)
    for path, question in QUESTIONS.items():
        assert found[path].methods == {question.method}
        described = {
            field.name: inspect.Parameter.empty if field.field_info.is_required() else field.default
            for field in found[path].dependant.query_params
        }
        if question.method == "POST":
            assert not described
            extra: Any = found[path].openapi_extra
            schema = extra["requestBody"]["content"]["application/json"]["schema"]
            described = {
                name: inspect.Parameter.empty if name in schema["required"] else each["default"]
                for name, each in schema["properties"].items()
            }
        assert described == {name: each.default for name, each in question.parameters.items()}


@pytest.mark.parametrize("path", QUESTIONS)
def test_a_declaration_is_complete(path: str) -> None:
    question = QUESTIONS[path]
    assert question.function.__module__ in {module.__name__ for module in SUBJECTS}
    assert question.summary[0].isupper()
    assert question.summary[-1] != "."
    assert question.description.endswith(".")
    assert answer_hint(question)[0] is not None
    for parameter in question.parameters.values():
        assert parameter.param.description.endswith(".")
        for text in parameter.param.examples or ():
            parameter.read(text)


@pytest.mark.parametrize("path", QUESTIONS)
def test_examples_are_answered(path: str) -> None:
    """A request of the examples alone has an answer."""
    question = QUESTIONS[path]
    texts = {
        name: (each.param.examples or ["1"])[0] for name, each in question.parameters.items() if each.required
    }
    assert question.read(texts)


@pytest.mark.parametrize(
    ("parameter", "text", "value"),
    [
        (Parameter("name", str, Param("."), ""), "x", "x"),
        (Parameter("name", str | None, Param("."), None), "x", "x"),
        (Parameter("level", Level, Param("."), Level.PERFECT), "2", Level.TWO),
        (Parameter("values", bool, Param("."), False), "true", True),
        (Parameter("values", bool, Param("."), False), "0", False),
        (Parameter("ply", int | None, Param(".", ge=0, le=16), None), "16", 16),
        (Parameter("seconds", float, Param(".", gt=0, le=100), 60), "0.5", 0.5),
    ],
)
def test_texts_are_read(parameter: Parameter, text: str, value: object) -> None:
    assert parameter.read(text) == value


@pytest.mark.parametrize(
    ("parameter", "text", "expected"),
    [
        (Parameter("name", str, Param(".", max_length=3), ""), "abcd", "at most 3 characters"),
        (Parameter("values", bool, Param("."), False), "maybe", "true or false"),
        (Parameter("ply", int, Param(".", ge=0, le=16), 0), "17", "a number at least 0 and at most 16"),
        (Parameter("ply", int, Param(".", ge=0, le=16), 0), "-1", "a number at least 0 and at most 16"),
        (Parameter("ply", int, Param("."), 0), "1.5", "a number"),
        (Parameter("seconds", float, Param(".", gt=0, lt=2), 1), "0", "a number above 0 and below 2"),
        (Parameter("seconds", float, Param(".", gt=0, lt=2), 1), "2", "a number above 0 and below 2"),
        (Parameter("seconds", float, Param("."), 1), "nan", "a number"),
        (Parameter("seconds", float, Param("."), 1), "inf", "a number"),
    ],
)
def test_what_cannot_be_read_is_refused(parameter: Parameter, text: str, expected: str) -> None:
    with pytest.raises(CollapsiError) as caught:
        parameter.read(text)
    assert str(caught.value) == f"{parameter.name}: expected {expected}, not '{text}'"


def test_a_question_reads_what_it_knows_and_needs() -> None:
    question = QUESTIONS["analysis"]
    assert question.read({"position": EXAMPLE, "other": "ignored", "rules": ""})
    with pytest.raises(CollapsiError, match="position: field required"):
        question.read({"rules": "joker"})
    with pytest.raises(CollapsiError, match="the text is empty"):
        question.read({"position": ""})


def test_cost_classes() -> None:
    costs = [Work(str, seconds).cost for seconds in (0.0, 0.0029, 0.003, 0.99, SHORT_SECONDS, 100)]
    assert costs == [Cost.AT_ONCE] * 2 + [Cost.SHORT] * 2 + [Cost.LONG] * 2


def test_questions_load_no_service_and_no_heavy_library() -> None:
    heavy = ("fastapi", "pydantic", "starlette", "numpy", "numba", "polars", "collapsi.api.models")
    code = f"import sys, collapsi.api.questions; print([name for name in {heavy} if name in sys.modules])"
    done = run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=900)
    assert done.stdout.strip() == "[]"
