"""Where Chromium is, and how it comes here: `python -m tests.browser.chromium` installs it where it may."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

SHELL = "chromium-headless-shell"
"""Chromium without windows: the same pages for half the work."""
NAMES = (SHELL, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ADVICE = (
    "no browser for the tests of the page: install Chromium (on Debian and Ubuntu: sudo apt-get install "
    "chromium; elsewhere: python -m playwright install chromium), or name one in COLLAPSI_CHROMIUM"
)


def find() -> str | None:
    """The path of a browser, or None."""
    named = os.environ.get("COLLAPSI_CHROMIUM")
    return named or next(filter(None, map(shutil.which, NAMES)), None) or _playwrights_own()


def _playwrights_own() -> str | None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() else None


def required() -> bool:
    """Whether a missing browser is a failure: it is in CI; elsewhere the tests that need it are left out."""
    return bool(os.environ.get("CI"))


def install() -> bool:
    """Install a browser if the system allows it; return whether there is one now."""
    named = "COLLAPSI_CHROMIUM" in os.environ
    if not named and not shutil.which(SHELL) and shutil.which("apt-get") and os.geteuid() == 0:
        if not find():
            _quietly("apt-get", "update", "-qq")
        _quietly("apt-get", "install", "-y", "-qq", SHELL)
        if not find():  # older systems have no such package
            _quietly("apt-get", "install", "-y", "-qq", "chromium")
    if not find():
        _quietly(sys.executable, "-m", "playwright", "install", "chromium")
    return bool(find())


def _quietly(*command: str) -> None:
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run(
        command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False
    )


if __name__ == "__main__" and not install():
    sys.stderr.write(f"collapsi: {ADVICE}\n")
    sys.exit(1 if required() else 0)
