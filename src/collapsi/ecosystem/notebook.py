"""A board in notebooks: click to move, with the values on the cards (extra `notebook`).

    import collapsi
    board = collapsi.board("A223/4A2Jr/3A23/Jb3A4 r", values=True)
    board

shows the board of the page. A click on a card moves there, *Take back* takes the last move back, *Values*
shows the exact value of every move. Python knows the game: `board.game` and `board.position` change with
every move, and `board.play`, `board.take_back` and `board.values` change what is shown.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from collapsi.api import about
from collapsi.api.views import game_json
from collapsi.core.errors import CollapsiError, wrong_type
from collapsi.draw.svg import draw_position
from collapsi.games.registry import kind_of
from collapsi.play.analysis import analyse_last, as_game
from collapsi.play.match import Match
from collapsi.system.extras import needs

with needs("notebook"):
    import anywidget
    import traitlets

if TYPE_CHECKING:
    from collapsi.core.game import Game
    from collapsi.core.rules import RuleSet
    from collapsi.core.state import AnyMove

HERE = Path(__file__).parent
STYLES = (HERE.parent / "page" / "style.css", HERE / "notebook.css")
IMPORT = re.compile(r'^import \{([^}]+)\} from "(.+)";$', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async )?(?:const|function|class) ([\w$]+))", re.MULTILINE)


def bundle(path: Path) -> str:
    """Return a JavaScript module with all modules that it imports, as one module without imports.

    Each imported module becomes a function that returns its exports, called once, in the order of imports.
    """
    order: dict[Path, str] = {}

    def add(module: Path) -> None:
        if module in order:
            return
        text = module.read_text(encoding="utf-8")
        for _, target in IMPORT.findall(text):
            add((module.parent / target).resolve())
        order[module] = IMPORT.sub(
            lambda found: f"const {{{found[1]}}} = module_{Path(found[2]).stem};", text
        )

    add(path.resolve())
    *imported, (_, main) = order.items()
    parts = [
        f"const module_{module.stem} = (() => {{\n{EXPORT.sub('', text)}\n"
        f"return {{ {', '.join(EXPORT.findall(text))} }};\n}})();"
        for module, text in imported
    ]
    return "\n".join([*parts, main])


@lru_cache(maxsize=1)
def _style() -> str:
    """Return the style sheets for a shadow tree, whose root is its host."""
    return "\n".join(path.read_text(encoding="utf-8") for path in STYLES).replace(":root", ":host")


@lru_cache(maxsize=1)
def _about() -> dict[str, Any]:
    """Return what the board has to know of `about.service`: cards, rule sets and the outline of pawns."""
    service = about.service()
    rules = [{"name": each["name"], "shifts": each["shifts"]} for each in service["rules"]]
    return {"cards": service["cards"], "pawn": service["pawn"], "rules": rules}


class BoardWidget(anywidget.AnyWidget):
    """A board with a game; see `board`."""

    _esm = bundle(HERE / "notebook.js")
    about = traitlets.Dict().tag(sync=True)
    style = traitlets.Unicode().tag(sync=True)
    view = traitlets.Dict().tag(sync=True)
    """The answers of the API about the game, and its state in words."""
    values = traitlets.Bool(default_value=False).tag(sync=True)
    """Whether the values of moves are on the cards."""

    def __init__(self, game: Game[Any], *, values: bool = False) -> None:
        super().__init__(about=_about(), style=_style(), values=values)
        self._game = game
        self.observe(lambda _: self._show(), "values")
        self.on_msg(lambda _, content, __: self._receive(content))
        self._show()

    @property
    def game(self) -> Game[Any]:
        """The game that is shown; assign another one to show it."""
        return self._game

    @game.setter
    def game(self, game: Game[Any]) -> None:
        self._game = _shown_here(game)
        self._show()

    @property
    def position(self) -> Any:
        """The position that is shown."""
        return self._game.position

    def play(self, move: AnyMove) -> None:
        """Play a move: its name, its number or a `MoveValue`."""
        self.game = self._game.play(move)

    def take_back(self) -> None:
        """Take the last move back, if there is one."""
        if self._game.moves:
            self.game = self._game.undo()

    def _repr_mimebundle_(self, **options: Any) -> Any:
        """Return the board, and a picture where boards cannot be shown, such as in a saved notebook."""
        shown: Any = super()._repr_mimebundle_(**options)
        shown[0]["image/svg+xml"] = draw_position(self.position)
        return shown

    def _show(self) -> None:
        analysis = analyse_last(self._game).to_json() if self.values and self.position.moves else None
        self.view = {
            "shown": game_json(self._game, None, Match()),
            "analysis": analysis,
            "said": self.position.turn,
        }

    def _receive(self, content: Any) -> None:
        """Handle a message of the board; a move that is not legal any more is ignored."""
        move = content.get("move")
        if content.get("back"):
            self.take_back()
        elif move in [self.position.move_text(each) for each in self.position.moves]:
            self.play(move)


def board(position: Any, *, values: bool = False, rules: RuleSet | str | None = None) -> BoardWidget:
    """Return a board for a notebook: a position, a game or a text, of the classic game or the Shifting Board.

    >>> shown = board("A223/4A2Jr/3A23/Jb3A4 r")
    >>> shown.play("a2")
    >>> shown.position.text
    'A223/4rA2./3A23/Jb3A4 b'
    """
    if not isinstance(values, bool):
        raise wrong_type(values, "True or False")
    return BoardWidget(_shown_here(as_game(position, rules)), values=values)


def _shown_here(game: Game[Any]) -> Game[Any]:
    """Return a game if a notebook can show it."""
    kind = kind_of(game.position)
    if kind.path:
        msg = f"a board in a notebook shows the classic game and the Shifting Board, not {kind.title}"
        raise CollapsiError(msg)
    return game
