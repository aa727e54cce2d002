"""Is there enough memory? Asked before long work starts, not found out in the middle of it."""

from __future__ import annotations

import resource
from pathlib import Path

from collapsi.errors import CollapsiError


def available_bytes() -> int | None:
    """The memory that this process can still get, or None where the system does not say."""
    limits = []
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        limits += [int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:")]
    except OSError:
        pass
    try:  # a container's own limit
        most = Path("/sys/fs/cgroup/memory.max").read_text(encoding="ascii").strip()
        used = Path("/sys/fs/cgroup/memory.current").read_text(encoding="ascii").strip()
        if most != "max":
            kept = dict(
                line.split()
                for line in Path("/sys/fs/cgroup/memory.stat").read_text(encoding="ascii").splitlines()
            )
            limits.append(
                int(most) - int(used) + int(kept.get("inactive_file", 0))
            )  # files kept in memory can go
    except (OSError, ValueError):
        pass
    soft, _ = resource.getrlimit(resource.RLIMIT_AS)
    if soft != resource.RLIM_INFINITY:
        limits.append(soft - _address_space())
    return min(limits, default=None)


def _address_space() -> int:
    """The address space that this process has taken already."""
    try:
        return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()
    except OSError:
        return 0


def check_memory(needed: int, what: str) -> None:
    """Refuse work that would not fit."""
    free = available_bytes()
    if free is not None and free < needed:
        msg = f"{what} needs about {needed / 1e9:.1f} GB of memory, and {free / 1e9:.1f} GB are free"
        raise CollapsiError(msg)
