"""Settings that all tests share."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# Machines are shared: no example is failed for being slow. derandomize: CI gives the same answer twice.
settings.register_profile(
    "collapsi",
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
    max_examples=100,
)
settings.load_profile("collapsi")
