"""The page as a player sees it: squares, values, messages, and the state in the URL."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from playwright.sync_api import Locator, expect

import collapsi
from tests.browser.contexts import wait_until_quiet
from tests.service import HANG_SECONDS

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import ConsoleMessage, Page, Route

    from collapsi import Game


every_screen = pytest.mark.parametrize(
    ("width", "height", "dark"),
    [
        (1200, 900, False),
        pytest.param(320, 640, True, marks=pytest.mark.slow),
        pytest.param(1200, 900, True, marks=pytest.mark.slow),
        pytest.param(320, 640, False, marks=pytest.mark.slow),
    ],
)
"""Light and dark, on a desk and in a hand; the ordinary run looks at one of each."""


DOORS = {"rules": "lessons", "edit": "analyse", "share": "analyse", "api": "census"}
"""The first view behind the same door."""
PLAYED = ("play", "solo", "big")


def in_moves(text: str) -> str:
    """As the page writes it: players count moves of both players, not plies."""
    return re.sub(r"\bply\b", "move", re.sub(r"\bplies\b", "moves", text))


def with_arrows(text: str) -> str:
    """As the page writes moves of the shifting board."""
    return re.sub(
        r"\b([a-h]\d)([rldu])\b",
        lambda found: found[1] + {"r": "→", "l": "←", "d": "↓", "u": "↑"}[found[2]],
        text,
    )


def sentence(text: str) -> str:
    """As the page writes it: with a capital, unless it begins with a square, and a full stop; in moves."""
    text = in_moves(text)
    return f"{text}." if text[1].isdigit() else f"{text[0].upper()}{text[1:]}."


def wait_until(page: Page, is_so: Callable[[], object]) -> None:
    """Wait until something is so for the test, such as that a request has come."""
    patience = time.monotonic() + HANG_SECONDS
    while not is_so():
        assert time.monotonic() < patience, "it is never so"
        page.wait_for_timeout(10)


class Gate:
    """Holds back some requests of a page until it is opened."""

    def __init__(self, page: Page, pattern: str) -> None:
        self.page = page
        self.closed = True
        self.held: list[Route] = []
        page.route(pattern, self._pass)

    def _pass(self, question: Route) -> None:
        if self.closed:
            self.held.append(question)
        else:
            question.continue_()

    def open(self) -> None:
        """Send what is held back, at least one request, and all that follow."""
        wait_until(self.page, lambda: self.held)
        self.closed = False
        while self.held:
            self.held.pop().continue_()


class Table:
    """One open page."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self.address = address
        self.complaints: list[str] = []
        """Errors and warnings in the console: none, if all is well."""
        self.asked: list[str] = []
        """Every address that was asked for anything."""
        page.on("console", self._listen)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", lambda request: self._note(request.url))

    def _note(self, url: str) -> None:
        if not url.startswith(("blob:", "data:")):  # what the page made itself
            self.asked.append(url)

    def _listen(self, message: ConsoleMessage) -> None:
        # A refusal is an answer that the page shows; the browser notes it all the same.
        if message.type in ("error", "warning") and "status of 422" not in message.text:
            self.complaints.append(message.text)

    def open(self, **state: object) -> None:
        """Go to a state, given as the parameters of the URL, and wait for the board."""
        self.page.goto(f"{self.address}?{self.query(**state)}")
        expect(self.page.locator("#turn")).not_to_be_empty()

    def reload(self) -> None:
        """Load the page again, and wait for the board: until then its controls do nothing."""
        self.page.reload()
        expect(self.page.locator("#turn")).not_to_be_empty()

    def turn_to(self, view: str, press: Callable[[Locator], None] = Locator.click) -> None:
        """Go to a view by the navigation: through its door, and behind that to its place.

        The door Play leads to the game played last, of whatever kind.
        """
        door = PLAYED[0] if view in PLAYED else DOORS.get(view, view)
        press(self.page.locator(f'#views [data-view="{door}"]'))
        if view in DOORS:
            press(self.page.locator(f'#places [data-view="{view}"]'))
        expect(self.page.locator(f"body[data-view={view}]")).to_be_visible()

    def choose_game(self, name: str) -> None:
        """Deal a game of the chooser: by the name of its rules, or of the exit in the game for one."""
        self.page.locator("#chooser-button").click()
        self.page.locator(f'#chooser [data-choice="{name}"]').click()
        expect(self.page.locator("#chooser")).to_be_hidden()

    def wait_until_quiet(self) -> None:
        """Wait until all requests are answered and their answers shown."""
        wait_until_quiet(self.page)

    @staticmethod
    def query(**state: object) -> str:
        """A state as it is written in the URL."""
        return "&".join(
            f"{name}={quote(str(value).replace(' ', '_'), safe='/')}" for name, value in state.items()
        )

    @property
    def state(self) -> dict[str, str]:
        """What the URL holds, after ? or, where the page has no service, after #."""
        address = urlsplit(self.page.url)
        return {name: values[0] for name, values in parse_qs(address.fragment or address.query).items()}

    @property
    def game(self) -> Game:
        """The game in the URL, as the library reads it."""
        return collapsi.parse_game(self.state["game"])

    def card(self, square: str) -> Locator:
        """A square of the board."""
        return self.page.locator(f'.card[data-square="{square}"]')

    def legal(self) -> list[str]:
        """The squares that are marked as ends of a legal move."""
        marked = self.page.locator(".card.legal")
        return sorted(marked.evaluate_all("cards => cards.map((card) => card.dataset.square)"))

    def values(self) -> dict[str, str]:
        """The values written on the board; a filled one has a star."""
        script = """cards => Object.fromEntries(cards.map(card => {
            const value = card.querySelector(".value");
            return [card.dataset.square, value && value.textContent + (value.matches(".best") ? "*" : "")];
        }).filter(([, value]) => value))"""
        found: dict[str, str] = self.page.locator(".card").evaluate_all(script)
        return found

    def board(self) -> dict[str, str]:
        """Every square as its label says it."""
        script = """cards => Object.fromEntries(
            cards.map((card) => [card.dataset.square, card.getAttribute("aria-label")]))"""
        found: dict[str, str] = self.page.locator(".card").evaluate_all(script)
        return found

    def wait_for_plies(self, plies: int) -> None:
        """Wait until the game has this number of moves and shows the last."""
        expect(self.page.locator("#ply")).to_have_text(f"{plies} / {plies}")

    def wait_for_turn(self, colour: str) -> None:
        """Wait until the board shows the whole game and a colour is to move, or it is over."""
        self.page.wait_for_function(
            """colour => {
                const address = location.search + location.hash;
                const moves = address.match(/[_+][a-z]\\d+[rldu]?(?=[_+&]|$)/g)?.length ?? 0;
                if (document.querySelector("#ply").textContent !== `${moves} / ${moves}`) return false;
                const text = document.querySelector("#turn").textContent.toLowerCase();
                const turns = ["", " (you)"].flatMap(
                    (who) => [`${colour}${who} to move`, `${colour}${who} to choose`]);
                return [...turns, " cannot move"].some((words) => text.includes(words));
            }""",
            arg=colour,
        )

    def moving(self, act: Callable[[], None]) -> None:
        """Do something that plays a move, and wait until the game has it."""
        script = """moves =>
            (location.search + location.hash).match(/[_+][a-z]\\d+[rldu]?(?=[_+&]|$)/g)?.length > moves"""
        moves = len(self.game.moves)
        act()
        self.page.wait_for_function(script, arg=moves)

    def let_move(self) -> None:
        """Have the computer move in a game that was opened, not begun here."""
        self.page.get_by_role("button", name="Let the computer move").click()

    def is_over(self) -> bool:
        """Whether the turn line names a winner."""
        return " cannot move" in str(self.page.locator("#turn").text_content())
