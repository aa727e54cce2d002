"""Compare answers with their typed dicts."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from pydantic import TypeAdapter


@cache
def _reader(shape: Any) -> TypeAdapter[Any]:
    return TypeAdapter(shape)


def fitting(shape: Any, answer: object) -> Any:
    """The data of an answer or its JSON, which is what the typed dict says: no field more, no other type."""
    text = answer if isinstance(answer, str | bytes) else json.dumps(answer)
    _reader(shape).validate_json(text, strict=True)
    return json.loads(text)
