"""Settings that all tests share."""

from __future__ import annotations

import gc
import math
import signal
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest
import typer
from hypothesis import HealthCheck, settings

from collapsi.cli import progress
from tests.service import running_server

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.service import Server

# Machines are shared: no example is failed for being slow.
shared = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=100)
# The ordinary run tries the same examples every time, so that it gives the same answer twice. The slow one
# (`make test-slow`) asks for `--hypothesis-profile explore`, and tries others every time; what fails is tried
# again.
settings.register_profile("same", shared, derandomize=True)
settings.register_profile("explore", shared, derandomize=False, print_blob=True)
settings.load_profile("same")

# Typer builds all commands for every call, which takes longer than most of them. Here they are built once
# for each set of registered commands: most are registered only when they are first needed.
_build = typer.main.get_command
_build_once = cache(lambda app, _registered: _build(app))


def _get_command(typer_instance: typer.Typer) -> Any:
    registered = len(typer_instance.registered_commands), len(typer_instance.registered_groups)
    return _build_once(typer_instance, registered)


typer.main.get_command = _get_command

# However slow the machine, commands in this process print no lines of progress.
progress.LOG_SECONDS = math.inf

# In the background Ctrl-C is ignored, under nohup the end of the terminal: what tests start inherits that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP"):
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


@pytest.fixture(scope="session")
def cache_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The cache folder of the shared server."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="session")
def server(cache_folder: Path) -> Iterator[Server]:
    """The real server, for all tests that neither take a census nor stop it."""
    with running_server(cache_folder) as server:
        yield server
        assert "Traceback" not in server.complaints()


def pytest_collection() -> None:
    """Collect no garbage while tests are collected: there is hardly any."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Keep the thousands of collected tests out of every later garbage collection."""
    gc.freeze()
    gc.enable()
