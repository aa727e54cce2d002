"""Node and npm, for the page's linter and the page without a service.

`python -m tests.node` installs them where it may.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest

NEEDED = ("node", "npm")
ADVICE = (
    "Node.js or npm is missing: the linter of the page and the tests of the page without a service need them "
    "(on Debian and Ubuntu: sudo apt-get install nodejs npm)"
)


def is_there() -> bool:
    """Whether both are installed."""
    return all(map(shutil.which, NEEDED))


def required() -> None:
    """Where it is missing, tests that need it fail in CI and are left out elsewhere."""
    if not is_there():
        (pytest.fail if os.environ.get("CI") else pytest.skip)(ADVICE)


def install() -> bool:
    """Install it if the system allows it; return whether it is there now."""
    if not is_there() and shutil.which("apt-get") and os.geteuid() == 0:
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        for command in (["apt-get", "update", "-qq"], ["apt-get", "install", "-y", "-qq", "nodejs", "npm"]):
            subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=False)
    return is_there()


if __name__ == "__main__" and not install():
    sys.stderr.write(f"collapsi: {ADVICE}\n")
    sys.exit(1 if os.environ.get("CI") else 0)
