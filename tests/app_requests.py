"""Requests to the service's app in this process: a server is another process, which a test cannot change."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from tests.service import run_apart


def request(app: Any, path: str, **query: str) -> tuple[int, str]:
    """Status and body of the answer to a GET request."""
    sent: list[Any] = []

    async def receive() -> Any:
        return {"type": "http.request"}

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "method": "GET",
        "path": path,
        "query_string": urlencode(query).encode(),
        "headers": [],
    }
    run_apart(app(scope, receive, send))
    return sent[0]["status"], sent[1]["body"].decode()
