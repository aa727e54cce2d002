"""Measure the static page in Chromium: `make bench-site`.

First a visit over a slow line (Chromium's throttling): when there is a board, when the computer has replied
to the first move, made as soon as there is a board, and when Python is ready. Then without throttling; each
deal is sent once, from the page to Python in the web worker and back. The wall time is longer on a busy
machine; the CPU time covers all processes of the browser (Linux).
"""

from __future__ import annotations

import os
import random
import statistics
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import sync_playwright

import collapsi
from collapsi.site.build import build
from tests.browser import chromium
from tests.browser.conftest import FLAGS
from tests.site_folder import served

if TYPE_CHECKING:
    from playwright.sync_api import Browser

DEALS = {"standard": 200, "joker": 100, "choice": 100, "shift-box": 20, "shift": 10, "shift-rotate": 2}
SEED = 2025

LOADED = """async () => {
  const loading = document.querySelector("#loading");
  while (!loading.hidden) await new Promise((done) => setTimeout(done, 5));
  return performance.now();
}"""
SHOWN = """async () => {
  while (!document.querySelector(".card .pawn")) await new Promise((done) => setTimeout(done, 1));
  return performance.now();
}"""
ASK = """async (positions) => {
  const { ask } = await import(new URL("api.js", document.querySelector("script[type=module]").src));
  const taken = [];
  for (const position of positions) {
    const start = performance.now();
    await ask("analysis", { position }, { fresh: true });
    taken.push(performance.now() - start);
  }
  return taken;
}"""

BIG = {
    "big": "43Jr423/324AA2/AJbA444/323.4./A32322/34A2AA r big",
    "big3": "2AA3A4/22Jr333/4AJbA24/343AA2/44Jg2.2/343A42 r big3",
}
BIG_SECONDS = 10
THINK = """async ([position, seconds]) => {
  const { lines } = await import(new URL("api.js", document.querySelector("script[type=module]").src));
  let nodes = 0;
  for await (const line of lines("big/analysis", { position, seconds }, null)) nodes = line.nodes ?? nodes;
  return nodes;
}"""
"""Returns the number of positions visited."""


MEGABITS, LATENCY_MS = 3.2, 40
REPLIED = "() => document.querySelector('#ply').textContent.startsWith('2')"


def slow_visit(browser: Browser, address: str) -> None:
    """Print how long a first visit takes over a slow line."""
    page = browser.new_page()
    page.set_default_timeout(0)
    throttling = page.context.new_cdp_session(page)
    speed = MEGABITS * 1e6 / 8
    given = {"offline": False, "latency": LATENCY_MS, "downloadThroughput": speed, "uploadThroughput": speed}
    throttling.send("Network.enable")
    throttling.send("Network.emulateNetworkConditions", given)
    line = f"at {MEGABITS} Mb/s and {LATENCY_MS} ms"
    page.goto(address, wait_until="commit")
    print(f"{f'first board {line}, ms':40}{page.evaluate(SHOWN):.0f}")
    page.locator(".card.legal").first.click()
    page.wait_for_function(REPLIED)
    print(f"{f'first reply {line}, ms':40}{page.evaluate('performance.now()'):.0f}")
    print(f"{f'ready {line}, ms':40}{page.evaluate(LOADED):.0f}")
    page.context.close()


def cpu_seconds() -> float:
    """Return the CPU time so far of all descendants of this process."""
    parents, times = {}, {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # the process has ended
            fields = stat.read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
            process = int(stat.parent.name)
            parents[process] = int(fields[1])
            times[process] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    ours = {os.getpid()}
    while more := {process for process, parent in parents.items() if parent in ours} - ours:
        ours |= more
    return sum(times[process] for process in ours - {os.getpid()})


def main() -> None:
    """Build the page, open it, and measure its answers."""
    path = chromium.find()
    if path is None:
        sys.exit(chromium.ADVICE)
    with tempfile.TemporaryDirectory() as folder, served(Path(folder) / "page") as static:
        made = build(Path(folder) / "page")
        print(f"{'files, MB':40}{made.files}, {made.size / 1e6:.1f}")
        print(f"{'solver':40}{'WebAssembly' if made.compiled else 'interpreted'}")
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
            slow_visit(browser, static.address)
            page = browser.new_page()
            page.set_default_timeout(0)
            page.goto(static.address, wait_until="commit")
            print(f"{'first board, ms':40}{page.evaluate(SHOWN):.0f}")
            print(f"{'ready, ms':40}{page.evaluate(LOADED):.0f}")
            rng = random.Random(SEED)
            for name, count in DEALS.items():
                deals = [collapsi.deal(rng, name).text for _ in range(count + 1)]
                page.evaluate(ASK, deals[:1])  # the first request includes preparation
                before = cpu_seconds()
                taken = page.evaluate(ASK, deals[1:])
                cpu = (cpu_seconds() - before) / count * 1e3
                label = f"analysis of a {name} deal"
                clock = f"{statistics.median(taken):.1f} ms ({min(taken):.1f} to {max(taken):.1f})"
                print(f"{label:40}{cpu:.1f} ms CPU, wall {clock}; {count} deals")
            for name, position in BIG.items():
                page.evaluate(THINK, [position, 1])  # the first request includes preparation
                before = cpu_seconds()
                nodes = page.evaluate(THINK, [position, BIG_SECONDS])
                cpu = cpu_seconds() - before
                print(f"{f'analysis of a {name} deal':40}{nodes / cpu:,.0f} positions per CPU second")
            browser.close()


if __name__ == "__main__":
    main()
