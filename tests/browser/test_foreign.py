"""Pages of other sites: whatever they hold, nothing of ours answers or starts; only a link leads here."""

from __future__ import annotations

import threading
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

import pytest

from tests.browser.contexts import new_context
from tests.browser.table import wait_until
from tests.service import running_server

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Response

    from tests.service import Server

TRICKS = {
    "frame": "<iframe src='{url}'></iframe>",
    "object": "<object data='{url}'></object>",
    "embedded": "<embed src='{url}'>",
    "picture": "<img src='{url}'>",
    "script": "<script src='{url}'></script>",
    "module": "<script type='module' src='{url}'></script>",
    "style": "<link rel='stylesheet' href='{url}'>",
    "preload": "<link rel='preload' as='fetch' href='{url}' crossorigin>",
    "prefetch": "<link rel='prefetch' href='{url}'>",
    "video": "<video src='{url}' autoplay></video>",
    "fetch": "<script>fetch('{url}').catch(() => 0)</script>",
    "blind fetch": "<script>fetch('{url}', {{mode: 'no-cors', credentials: 'include'}})"
    ".catch(() => 0)</script>",
    "beacon": "<script>navigator.sendBeacon('{url}', 'x')</script>",
    "form in a frame": "<iframe name='f'></iframe><form target='f' action='{url}'></form>"
    "<script>document.forms[0].submit()</script>",
    "posted form in a frame": "<iframe name='f'></iframe>"
    "<form method='post' target='f' action='{url}'></form><script>document.forms[0].submit()</script>",
    "form": "<form action='{url}'></form><script>document.forms[0].submit()</script>",
    "posted form": "<form method='post' action='{url}'></form><script>document.forms[0].submit()</script>",
    "moved on": "<script>location = '{url}'</script>",
    "event stream": "<script>new EventSource('{url}')</script>",
    "window": "<script>window.open('{url}')</script>",
}


@contextmanager
def foreign_site(bodies: dict[str, str]) -> Iterator[str]:
    """Another site, by another name of this machine: its address."""

    class Pages(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = f"<!doctype html><title>elsewhere</title>{bodies.get(self.path, '')}".encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            with suppress(ConnectionError):  # a browser that has gone on does not wait
                self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    site = ThreadingHTTPServer(("127.0.0.1", 0), Pages)
    thread = threading.Thread(target=site.serve_forever, args=(0.01,))  # looks so often whether to stop
    thread.start()
    try:
        yield f"http://localhost:{site.server_port}"
    finally:
        site.shutdown()
        thread.join()
        site.server_close()


@pytest.fixture(scope="module")
def own_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server of its own, whose census no other test uses."""
    with running_server(tmp_path_factory.mktemp("cache")) as server:
        yield server


@pytest.mark.parametrize(
    ("trick", "same_site"),
    [(trick, False) for trick in TRICKS] + [(trick, True) for trick in ("picture", "fetch", "frame")],
)
def test_a_foreign_page_is_answered_nothing_and_starts_nothing(
    own_server: Server, browser: Browser, trick: str, same_site: bool
) -> None:
    ours = own_server.address if same_site is False else own_server.address.replace("127.0.0.1", "localhost")
    url = f"{ours}api/v1/census"
    with foreign_site({"/": TRICKS[trick].format(url=url)}) as site:
        context = new_context(browser)
        statuses: list[int] = []

        def note(response: Response) -> None:
            if response.url.startswith(url):
                statuses.append(response.status)

        context.on("response", note)
        failed: list[str] = []
        context.on("requestfailed", lambda request: failed.append(request.url))
        page = context.new_page()
        page.goto(f"{site}/", wait_until="commit")
        wait_until(page, lambda: statuses or any(one.startswith(url) for one in failed))  # it was tried
        context.close()
    assert all(400 <= status < 500 for status in statuses)
    assert own_server.census_jobs() == []


def test_a_link_leads_to_our_page(own_server: Server, browser: Browser) -> None:
    with foreign_site({"/": f"<a href='{own_server.address}'>play</a>"}) as site:
        context = new_context(browser)
        page = context.new_page()
        page.goto(f"{site}/")
        page.click("a")
        page.wait_for_selector("#board")
        context.close()


def test_nothing_was_kept(own_server: Server) -> None:
    """After all tricks our own question is the first that starts the census."""
    assert own_server.census_jobs() == []
    assert own_server.get_json("/api/v1/census")["state"] == "working"
