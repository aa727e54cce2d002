"""The page without a service, from a plain file server, with the network cut: it plays and solves."""

from __future__ import annotations

import random
import re
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from collapsi import Player, analyse, parse_game, parse_position, review
from collapsi.draw.svg import draw_position
from collapsi.games.big.endgame import analyse_endgame
from collapsi.games.big.notation import parse_big
from collapsi.games.solo.analysis import analyse_solo
from collapsi.games.solo.notation import parse_solo_game
from tests.big_positions import review_big
from tests.browser.contexts import new_context
from tests.browser.table import Table, in_moves, sentence
from tests.browser.test_big import HARD, THREE, TWO, game_of, play_on
from tests.browser.test_looking import check_similar
from tests.browser.test_playing import play_to_the_end
from tests.site_folder import StaticServer, made, served

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Frame

EXAMPLE = "A223/4A2Jr/3A23/Jb3A4 r"
READERS: dict[str, Callable[[str], Any]] = {
    "game": parse_game,
    "solo": parse_solo_game,
    "big": parse_game,
}
PYTHON = "pyodide.asm.wasm.packed"
REST = "python_stdlib.zip"  # of the standard library
SOLVER = "kernels.wasm"
QUICK = ("standard", "joker", "choice", "shift-box")
"""Rule sets whose deals are solved at once."""
LOADING = re.compile(r"Loading the solver: [\d.]+ of 4\.\d MB")


class SiteTable(Table):
    """The page, whose state stands after #."""

    def open(self, **state: object) -> None:
        """Go to a state, and wait until it is shown."""
        self.page.goto(f"{self.address}#{self.query(**state)}")
        self.wait_until_shown()

    def wait_until_ready(self) -> None:
        """Wait until Python is there."""
        expect(self.page.locator("#loading")).to_be_hidden()

    def wait_until_shown(self) -> None:
        """Wait until the board is that of the game in the address."""
        view = self.state.get("view", "play")
        self.page.wait_for_function("view => document.body.dataset.view === view", arg=view)
        part = view if view in ("solo", "big") else "game"
        if part in self.state:
            text = str(READERS[part](self.state[part]).position)
            script = "text => document.querySelector('#text-board').textContent === text"
            self.page.wait_for_function(script, arg=text)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page's files, with few stored deals: `tests/test_site.py` looks at all of them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("collapsi.site.build.FIRST_DEALS", 3)
        return made(tmp_path_factory.mktemp("site") / "page").folder


@contextmanager
def opened(browser: Browser, static: StaticServer) -> Iterator[SiteTable]:
    """A browser of its own with the page; it may contact its server only, and must log no error."""
    context = new_context(browser, viewport={"width": 1200, "height": 900}, reduced_motion="reduce")
    table = SiteTable(context.new_page(), static.address)
    asked: list[str] = []
    context.on("request", lambda request: asked.append(request.url))  # those of workers too
    yield table
    assert table.complaints == []
    assert {url for url in asked if not url.startswith((static.address, "blob:"))} == set()
    context.close()


@pytest.mark.parametrize("rules", [QUICK, pytest.param(None, marks=pytest.mark.slow)], ids=["some", "all"])
def test_it_shows_a_board_at_once_and_then_needs_no_network(
    browser: Browser, folder: Path, rules: tuple[str, ...] | None
) -> None:
    """Whole deals of two readings of the shifting board take seconds to solve: in the slow run."""
    with served(folder) as static:
        static.gates |= {PYTHON: threading.Event(), REST: threading.Event()}
        with opened(browser, static) as table:
            page = table.page
            page.goto(f"{static.address}#view=big")  # a game of its own has to wait, on a board of its size
            expect(page.locator("#board .card")).to_have_count(36)
            page.goto("about:blank")
            page.goto(static.address)
            # Python has not come yet: there is a board all the same, and what is loading is said.
            expect(page.locator(".card.legal").first).to_be_visible()
            expect(page.locator("#loading")).to_contain_text(
                re.compile(r"Loading the solver: [\d.]+ of 4\.\d MB")
            )
            expect(page.locator("#loading").get_by_role("alert")).to_be_empty()  # it would speak all the time
            assert table.legal() == sorted(
                table.game.position.board.square(cell) for cell in table.game.position.moves
            )
            # The pawn goes where it is sent, and the computer replies.
            page.locator(".card.legal").first.click()
            table.wait_for_plies(2)
            first = table.game
            static.gates[PYTHON].set()
            table.wait_until_ready()
            assert table.game == first
            check_analysis(table)  # without the rest of the standard library
            static.gates[REST].set()
            page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
            page.context.set_offline(True)
            page.reload()  # from what was kept
            table.wait_until_ready()
            check_a_whole_game(table, "1")
            check_a_whole_game(table, "perfect")
            check_analysis(table)
            check_pass(table)
            check_editor(table)
            check_sharing(table)
            check_every_game(table, rules)
            check_pictures(table)
            check_census(table)
            check_similar_deals(table)
            check_big_board(table)


def test_if_a_file_does_not_come_it_says_so(browser: Browser, folder: Path) -> None:
    with served(folder) as static:
        static.missing.add(PYTHON)
        page = new_context(browser).new_page()
        page.goto(static.address)
        expect(page.locator("#loading").get_by_role("alert")).to_contain_text(f"/pyodide/{PYTHON}: 404)")
        page.locator(".card.legal").first.click()
        expect(page.locator("#ply")).to_have_text("2 / 2")  # the first reply is stored
        page.locator(".card.legal").first.click()
        expect(page.locator("#message")).to_contain_text("could not be loaded")
        page.context.close()


def check_a_whole_game(table: SiteTable, level: str) -> None:
    """Clicked through to its end, against one level."""
    table.open(game=EXAMPLE, blue=level)
    play_to_the_end(table, "red", random.Random(level))
    assert table.game.position.winner is not None
    expect(table.page.locator("#result")).to_contain_text("won with")
    if level == "perfect":
        blue = [move for move in review(table.game).moves if move.player is Player.BLUE]
        assert all(move.outcome == move.before.outcome for move in blue)


def shown_values(game: str) -> dict[str, str]:
    """What the board must say of a position: the value of each end square, with a star at the best."""
    found: dict[str, str] = {}
    solved: Any = analyse(parse_game(game).position)
    for move in solved.moves:
        wins = move.winner is solved.position.to_move
        star = "*" if move.outcome == solved.outcome else ""
        found.setdefault(move.to, f"{'+' if wins else '−'}{move.plies}{star}")  # the best shift comes first
    return found


def check_values(table: SiteTable) -> None:
    """The values on the board are the library's."""
    expect(table.page.locator(".card .value").first).to_be_visible()
    assert table.values() == shown_values(table.state["game"])


def check_pass(table: SiteTable) -> None:
    """A puzzle that asks whether one would rather pass."""
    table.page.goto(f"{table.address}#view=puzzles&kind=pass")
    table.page.wait_for_function("() => /[#&]pass=ask/.test(location.hash)")
    expect(table.page.locator("#puzzle-task")).to_contain_text("Would you rather pass?")
    table.page.get_by_role("button", name="Pass", exact=True).click()
    expect(table.page.locator("#puzzle-verdict")).to_contain_text("; after a pass, ")


def check_analysis(table: SiteTable) -> None:
    table.open(game=f"{EXAMPLE} a2 b4", view="analyse", hints=1)
    check_values(table)
    expect(table.page.locator("#verdicts .verdict")).to_have_count(2)
    said: Any = ask(table, "analysis", position=f"{EXAMPLE} a2")
    assert said == analyse(f"{EXAMPLE} a2").to_json()


def ask(table: SiteTable, path: str, **query: object) -> Any:
    """An answer as the page's own modules get it."""
    script = """async ([path, query]) => {
  const main = document.querySelector("script[type=module]").src;
  return (await import(new URL("api.js", main))).ask(path, query);
}"""
    return table.page.evaluate(script, [path, query])


def check_editor(table: SiteTable) -> None:
    table.open(game=EXAMPLE, view="edit")
    table.page.locator("#tools").get_by_role("button", name=re.compile("Collapsed", re.IGNORECASE)).click()
    table.card("a1").click()
    expect(table.page.locator("#edit-text")).to_have_text(".223/4A2Jr/3A23/Jb3A4 r")
    expect(table.page.locator("#edit-verdict")).to_contain_text("jack")
    table.page.locator("#edit-analyse").click()
    check_values(table)


def check_sharing(table: SiteTable) -> None:
    """A link holds the state after #, opens here, and is read where a game may be typed."""
    game = f"{EXAMPLE} a2 b4"
    table.open(game=game, view="share")
    link = table.page.locator("#copies input").first.input_value()
    assert link.startswith(f"{table.address}#game=A223/4A2Jr/3A23/Jb3A4_r_a2_b4")
    table.open(game=EXAMPLE, view="share")
    table.page.locator("#open-text").fill(link)
    table.page.get_by_role("button", name="Open it").first.click()
    table.wait_for_plies(2)
    assert table.game == parse_game(game)
    with table.page.expect_download() as saved:
        table.open(game=EXAMPLE, view="share")
        table.page.locator("#save-svg").click()
    assert saved.value.path().read_text(encoding="utf-8") == draw_position(parse_position(EXAMPLE))


def check_every_game(table: SiteTable, solved: tuple[str, ...] | None) -> None:
    """Each rule set that the page offers is dealt, some are solved, all by default; and the game for one."""
    for rules in ask(table, "about")["rules"]:
        name = rules["name"]
        table.open(game=EXAMPLE, blue="you")
        table.choose_game(name)
        if solved is None or name in solved:
            table.page.locator("#hints").click()
            check_values(table)
        else:
            expect(table.page).to_have_url(re.compile(rf"_{name}(&|$)"))
            table.wait_until_shown()
        assert table.game.position.rules.name == name
    table.open(view="solo", solo="A2X/3Jr2/A2A")
    for square in analyse_solo("A2X/3Jr2/A2A").solution:
        table.card(square).click()
        expect(table.card(square).locator(".pawn")).to_be_visible()
    assert parse_solo_game(table.state["solo"]).position.solved


def check_pictures(table: SiteTable) -> None:
    """There is no server that draws them, and they are shown."""
    table.open(view="rules")
    script = """() => [...document.querySelectorAll("#view img")]
        .every((image) => image.src.startsWith("blob:") && image.naturalWidth)"""
    table.page.wait_for_function(script)


def check_census(table: SiteTable) -> None:
    table.open(game=EXAMPLE, view="census")
    expect(table.page.locator("#deal-class")).to_contain_text("Red wins in 13 moves.")
    table.page.locator("#kind-plies").select_option("7")
    table.page.locator("#kind").get_by_role("button", name="Deal it").click()
    table.page.wait_for_function("() => !location.hash.includes('A223/4A2Jr')")
    assert analyse(table.game.positions[0]).plies == 7


def check_similar_deals(table: SiteTable) -> None:
    for name in ("standard", "joker", "choice"):
        table.open(game=f"{EXAMPLE} {name}", view="analyse")
        table.page.locator("#similar summary").click()
        check_similar(table, parse_position(f"{EXAMPLE} {name}"))
        table.page.locator("#similar summary").click()


def check_big_board(table: SiteTable) -> None:
    """An endgame against a level, looked back on; analyses that turn exact; one that is stopped."""
    page = table.page
    table.open(view="big", big=TWO, seats="you.perfect")
    state = play_on(table, random.Random(1), lambda square: table.card(square).click(), "red")
    expect(page.locator("#result")).to_contain_text(f"{str(state.winner).capitalize()} (")
    page.get_by_role("button", name="Where did I go wrong?").click()
    reviewed = review_big(game_of(table))
    expect(page.locator("#verdicts .verdict")).to_have_count(len(reviewed.moves))
    expect(page.locator("#look-stop")).to_be_hidden()
    for shown, move in zip(
        page.locator("#verdicts .verdict").all_text_contents(), reviewed.moves, strict=True
    ):
        assert in_moves(move.text) in shown
    with page.expect_download() as saved:
        page.locator("#save-svg").click()
    assert saved.value.path().read_text(encoding="utf-8") == draw_position(state)

    table.open(view="big", big=TWO, seats="you.you", hints=1)
    exact = analyse(TWO)
    expect(page.locator("#outcome")).to_have_text(sentence(exact.text))
    expect(page.locator("#line button")).to_have_count(len(exact.line or ()))
    assert table.values() == {
        move.name: move.value.replace("-", "−") + "*" * (move.name in exact.best) for move in exact.moves
    }
    table.open(view="big", big=THREE, seats="you.you.you", hints=1)
    judged = analyse_endgame(parse_big(THREE))
    expect(page.locator("#outcome")).to_have_text(sentence(judged.notes[0]))

    # The analysis of a whole deal takes long; other requests are answered meanwhile.
    table.open(view="big", big=HARD, seats="you.you", hints=1)
    expect(page.locator("#progress")).to_contain_text("positions")
    assert ask(table, "big/deal", rules="big4", seed=3)["rules"] == "big4"
    expect(page.locator("#analysis-stop")).to_have_text("Stop")
    page.locator("#analysis-stop").click()
    expect(page.locator("#progress")).to_contain_text("stopped")
    assert page.locator("#board .value").count()  # what is known stays


def test_in_a_frame_the_query_is_the_hosts_and_without_the_solver_it_says_so(
    browser: Browser, folder: Path, tmp_path: Path
) -> None:
    with served(folder) as static, served(tmp_path) as host:
        static.missing.add(SOLVER)
        address = f"{static.address}index.html?token=1"
        text = (
            f'<!doctype html><title>Host</title><iframe src="{address}" width="1100" height="880"></iframe>'
        )
        (tmp_path / "index.html").write_text(text, encoding="utf-8")
        context = new_context(browser, viewport={"width": 1200, "height": 900})
        page = context.new_page()
        page.goto(host.address)
        inside = page.frame_locator("iframe")
        expect(inside.locator("#loading")).to_contain_text("made without the compiled solver")
        inside.locator(".card.legal").first.click()
        expect(inside.locator("#ply")).to_have_text("2 / 2")  # the computer has answered
        frame = next(frame for frame in page.frames if frame.url.startswith(static.address))
        assert frame.url.startswith(f"{address}#game=")
        check_frame_link(frame, address)
        context.close()


def check_frame_link(frame: Frame, address: str) -> None:
    """A link to what the frame shows keeps what the host put into its address."""
    frame.locator('#views [data-view="analyse"]').click()
    frame.locator('#places [data-view="share"]').click()
    expect(frame.locator("#copies input").first).to_have_value(re.compile(re.escape(f"{address}#game=")))
