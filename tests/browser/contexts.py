"""Browser contexts for tests: with the hang limit, a count of pending requests, and delays on request.

With COLLAPSI_DELAY=SEED in the environment the page runs on a slow processor, and each of its requests is
delayed twice by up to 0.4 seconds, before it is sent and before its answer is handled. A test that fails only
then depends on the speed of the machine.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from tests.service import HANG_SECONDS

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

DELAY_SEED = os.environ.get("COLLAPSI_DELAY")
SLOWDOWN = 4
"""How many times slower the processor of the page is with delays."""
WATCH = """(() => {
    const [fetchNow, later] = [window.fetch.bind(window), window.setTimeout.bind(window)];
    let seed = SEED;
    const random = () => { // xorshift
        seed ^= seed << 13; seed ^= seed >>> 17; seed ^= seed << 5;
        return (seed >>> 0) / 2 ** 32;
    };
    const pause = () => new Promise((done) => later(done, random() * 400));
    const slowly = async (...given) => {
        await pause();
        const response = await fetchNow(...given);
        await pause();
        return response;
    };
    window.pendingRequests = 0;
    const counted = (promise) => {
        window.pendingRequests += 1;
        const end = () => later(() => { window.pendingRequests -= 1; }, 0); // after the page has handled it
        promise.then(end, end);
        return promise;
    };
    window.fetch = (...given) => counted((seed ? slowly : fetchNow)(...given));
    for (const name of ["json", "blob"]) {
        const read = Response.prototype[name];
        Response.prototype[name] = function () { return counted(read.call(this)); };
    }
})()"""
"""Counts the requests of the page that are pending, answered but not handled ones included."""


def new_context(browser: Browser, **options: Any) -> BrowserContext:
    """A browser of its own, with nothing stored."""
    context = browser.new_context(**options)
    context.set_default_timeout(HANG_SECONDS * 1000)
    seed = (int(DELAY_SEED) * 2654435761 + 1) % 2**31 if DELAY_SEED else 0
    context.add_init_script(WATCH.replace("SEED", json.dumps(seed)))
    if DELAY_SEED:
        context.on("page", _slow_down)
    return context


def wait_until_quiet(page: Page) -> None:
    """Wait until the page has handled the answers to all its requests.

    An action sends its first request at once, so after an action this waits for its result; but not for a
    move of the computer that comes after a pause, nor for the lines of a streamed answer.
    """
    page.wait_for_function("() => window.pendingRequests === 0")


def _slow_down(page: Page) -> None:
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN})
