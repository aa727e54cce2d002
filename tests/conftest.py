"""Settings that all tests share."""

from __future__ import annotations

import signal
from functools import cache
from typing import Any

import typer
from hypothesis import HealthCheck, settings

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

# In the background Ctrl-C is ignored, under nohup the end of the terminal: what tests start inherits that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP"):
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
