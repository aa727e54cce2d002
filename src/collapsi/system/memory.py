"""Memory limits, checked before long work starts."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path

from collapsi.core.errors import CollapsiError


def available_bytes() -> int | None:
    """Return the memory that this process can still allocate, or None where the system does not tell."""
    limits = []
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        limits += [int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:")]
    except OSError:
        pass
    try:  # the limit of a container
        most = Path("/sys/fs/cgroup/memory.max").read_text(encoding="ascii").strip()
        used = Path("/sys/fs/cgroup/memory.current").read_text(encoding="ascii").strip()
        if most != "max":
            statistics = dict(
                line.split()
                for line in Path("/sys/fs/cgroup/memory.stat").read_text(encoding="ascii").splitlines()
            )
            cached = int(statistics.get("inactive_file", 0))  # the kernel can drop cached files
            limits.append(int(most) - int(used) + cached)
    except (OSError, ValueError):
        pass
    if (rest := _address_space_left()) is not None:
        limits.append(rest)
    return min(limits, default=None)


def _address_space_left() -> int | None:
    """Return what a limit on the address space leaves to this process, or None without such a limit."""
    try:
        import resource
    except ImportError:  # Windows
        return None
    most, _ = resource.getrlimit(resource.RLIMIT_AS)
    if most == resource.RLIM_INFINITY:
        return None
    try:
        taken = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()
    except OSError:
        taken = 0
    return most - taken


def limit_memory(most: int) -> None:
    """Limit the data segment of this process to `most` bytes, where the system supports that."""
    try:
        import resource
    except ImportError:  # Windows
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    limits = [most, *(limit for limit in (soft, hard) if limit != resource.RLIM_INFINITY)]
    with suppress(OSError, ValueError):  # not permitted here
        resource.setrlimit(resource.RLIMIT_DATA, (min(limits), hard))


def peak_bytes() -> int | None:
    """Return the peak memory of this process, or None where the system does not tell."""
    try:
        import resource
    except ImportError:  # Windows
        return None
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def check_memory(needed: int, what: str) -> None:
    """Raise if less than `needed` bytes of memory are free for `what`."""
    free = available_bytes()
    if free is not None and free < needed:
        msg = f"{what} needs about {needed / 1e9:.1f} GB of memory, and {free / 1e9:.1f} GB are free"
        raise CollapsiError(msg)
