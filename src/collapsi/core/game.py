"""A game of any kind: a state (see `collapsi.core.state`), the moves played from it, and variations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic

from collapsi.core.cached import cached_property
from collapsi.core.drawing import draw
from collapsi.core.errors import MalformedError, wrong_type
from collapsi.core.rows import shorten
from collapsi.core.state import StateT, is_state, move_number
from collapsi.core.variations import (
    ROOT,
    Draft,
    Tree,
    children_of,
    format_tree,
    is_plain,
    main_line,
    plain_tree,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from collapsi.core.state import AnyMove


@dataclass(frozen=True, repr=False)
class Game(Generic[StateT]):
    """Every position of a game, first to last, and the moves between them.

    Immutable, like a position: `play` and `undo` return a new game.

    >>> import collapsi
    >>> game = collapsi.parse_game("A223/4A2Jr/3A23/Jb3A4 r d1 a3")
    >>> game.squares
    ('d1', 'a3')
    >>> collapsi.format_game(game.undo())
    'A223/4A2Jr/3A23/Jb3A4 r d1'

    A game may have variations, comments and glyphs; `positions` and `moves` are its main line. Other lines
    are named by their moves from the start, in notation or as a `GameNode`:

    >>> game = game.add_line("d1 d4 b2").annotate("d1 d4", comment="better", glyph="!")
    >>> game.text
    'A223/4A2Jr/3A23/Jb3A4 r d1 a3 (d4! {better} b2)'
    >>> game.promote("d1 d4").text
    'A223/4A2Jr/3A23/Jb3A4 r d1 d4! {better} (a3) b2'
    >>> game.delete("d1 a3").squares
    ('d1', 'd4', 'b2')
    """

    positions: tuple[StateT, ...]
    moves: tuple[int, ...] = ()
    tree: Tree = ()
    """All moves with their notes; empty for a game without variations and notes."""

    @classmethod
    def start(cls, position: StateT, moves: Iterable[AnyMove] = ()) -> Game[StateT]:
        """Return the game with this first position and these moves."""
        if not is_state(position):
            raise wrong_type(position, "a position, such as collapsi.parse_position(text)")
        if isinstance(moves, str) or not hasattr(moves, "__iter__"):
            raise wrong_type(moves, "a sequence of moves, such as ['d1', 'b4']")
        game: Game[StateT] = cls((position,))
        for move in moves:
            game = game.play(move)
        return game

    @property
    def position(self) -> StateT:
        """The current position: the end of the main line."""
        return self.positions[-1]

    @property
    def squares(self) -> tuple[str, ...]:
        """The moves played, in notation."""
        return tuple(before.move_text(move) for before, move in zip(self.positions, self.moves, strict=False))

    @property
    def text(self) -> str:
        """The game in notation: its first position and its moves, with variations and notes."""
        if self.tree:
            return format_tree(self.positions[0].text, self.tree, self.names)
        return " ".join([self.positions[0].text, *self.squares])

    def play(self, move: AnyMove) -> Game[StateT]:
        """Return the game after one more move, given as its number, its notation or a `MoveValue`."""
        chosen = move_number(self.position, move)
        after = self.position.play(chosen)
        if self.tree:
            drafted = Draft(self.tree)
            drafted.add(len(self.moves), chosen)
            return Game((*self.positions, after), (*self.moves, chosen), drafted.freeze())
        return Game((*self.positions, after), (*self.moves, chosen))

    def undo(self) -> Game[StateT]:
        """Return the game without its last move and its variations; raise `IndexError` if it has no moves."""
        if not self.moves:
            msg = "there is no move to take back"
            raise IndexError(msg)
        if self.tree:
            drafted = Draft(self.tree)
            drafted.children[len(self.moves) - 1].clear()
            return self.edited(drafted)
        return Game(self.positions[:-1], self.moves[:-1])

    @property
    def main_line(self) -> Game[StateT]:
        """The game without variations and notes."""
        return Game(self.positions, self.moves)

    @property
    def root(self) -> GameNode[StateT]:
        """The start of the game."""
        return GameNode(self, ROOT)

    @property
    def end(self) -> GameNode[StateT]:
        """The last move of the main line."""
        return GameNode(self, len(self.moves))

    def walk(self) -> Iterator[GameNode[StateT]]:
        """Yield the start and every move, a main continuation before its variations."""
        return (GameNode(self, index) for index in range(len(self.nodes)))

    def node(self, at: GameNode[StateT] | str | Iterable[AnyMove]) -> GameNode[StateT]:
        """Return the node after these moves from the start; raise if the game does not have them."""
        index = ROOT
        for move in self._path(at):
            number = move_number(self.states[index], move)
            found = next((child for child in self.children[index] if self.nodes[child].move == number), None)
            if found is None:
                where = f"after {' '.join(GameNode(self, index).path)}" if index else "at its start"
                named = move if isinstance(move, str) else self.states[index].move_text(number)
                msg = f"the game has no move {shorten(named)} {where}"
                raise MalformedError(msg)
            index = found
        return GameNode(self, index)

    def add_line(self, moves: GameNode[StateT] | str | Iterable[AnyMove]) -> Game[StateT]:
        """Return the game with a line, given by its moves from the start.

        Moves that the game has already are not repeated: the line branches off where it differs.
        """
        drafted = Draft(self.nodes)
        index, state = ROOT, self.positions[0]
        for move in self._path(moves):
            number = move_number(state, move)
            state = state.play(number)
            found = drafted.child(index, number)
            index = drafted.add(index, number) if found is None else found
        return self.edited(drafted)

    def promote(self, at: GameNode[StateT] | str | Iterable[AnyMove]) -> Game[StateT]:
        """Return the game with the variation of a move as the main continuation where it branches off."""
        drafted = Draft(self.nodes)
        drafted.promote(self.node(at).index)
        return self.edited(drafted)

    def make_main(self, at: GameNode[StateT] | str | Iterable[AnyMove]) -> Game[StateT]:
        """Return the game with a move, and the moves before it, on the main line."""
        drafted, index = Draft(self.nodes), self.node(at).index
        while drafted.promote(index):
            pass
        return self.edited(drafted)

    def delete(self, at: GameNode[StateT] | str | Iterable[AnyMove]) -> Game[StateT]:
        """Return the game without a move and everything after it."""
        index = self.node(at).index
        if index == ROOT:
            msg = "the start of a game cannot be deleted"
            raise MalformedError(msg)
        drafted = Draft(self.nodes)
        drafted.delete(index)
        return self.edited(drafted)

    def annotate(
        self,
        at: GameNode[StateT] | str | Iterable[AnyMove],
        *,
        comment: str | None = None,
        glyph: str | None = None,
    ) -> Game[StateT]:
        """Return the game with another comment or glyph at a move; None leaves it, an empty text removes it.

        The glyphs are `!`, `?`, `!!`, `??`, `!?` and `?!`. No moves stand for the start of the game.
        """
        drafted = Draft(self.nodes)
        drafted.annotate(self.node(at).index, comment=comment, glyph=glyph)
        return self.edited(drafted)

    def edited(self, drafted: Draft) -> Game[StateT]:
        """Return the game with this tree and the same start."""
        tree = drafted.freeze()
        moves = main_line(tree)
        kept = 0
        while kept < min(len(moves), len(self.moves)) and moves[kept] == self.moves[kept]:
            kept += 1
        positions = list(self.positions[: kept + 1])
        for move in moves[kept:]:
            positions.append(positions[-1].play(move))
        return Game(tuple(positions), moves, () if is_plain(tree) else tree)

    def _path(self, at: Any) -> Iterable[AnyMove]:
        if isinstance(at, GameNode):
            return at.path
        if isinstance(at, str):
            return at.lower().split()
        if not hasattr(at, "__iter__"):
            raise wrong_type(at, "moves from the start, such as 'd1 d4', or a GameNode")
        return list(at)

    @cached_property
    def nodes(self) -> Tree:
        """All moves with their notes: as `tree`, but never empty."""
        return self.tree or plain_tree(self.moves)

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """The indices of the moves after each node, the main continuation first."""
        return children_of(self.nodes)

    @cached_property
    def states(self) -> tuple[StateT, ...]:
        """The position at each node."""
        found = list(self.positions)
        for node in self.nodes[len(found) :]:
            found.append(found[node.parent].play(node.move))
        return tuple(found)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The move of each node in notation; empty for the start."""
        return (
            "",
            *(self.states[node.parent].move_text(node.move) for node in self.nodes[1:]),
        )

    def __repr__(self) -> str:
        return f"Game({self.text!r})"

    def _repr_svg_(self) -> str:
        return draw("film.draw_game", self)


@dataclass(frozen=True, repr=False)
class GameNode(Generic[StateT]):
    """A move of a game, or its start: a place in the tree of variations.

    >>> import collapsi
    >>> game = collapsi.parse_game("A223/4A2Jr/3A23/Jb3A4 r d1 a3 (d4 b2 {a comment})")
    >>> node = game.node("d1 d4 b2")
    >>> node.name, node.comment, node.on_main_line, node.parent.name
    ('b2', 'a comment', False, 'd4')
    >>> [each.name for each in game.node("d1").variations]
    ['a3', 'd4']
    """

    game: Game[StateT]
    index: int
    """The index in `Game.nodes`."""

    @property
    def parent(self) -> GameNode[StateT] | None:
        """The move before; None at the start."""
        return None if self.index == ROOT else GameNode(self.game, self.game.nodes[self.index].parent)

    @property
    def variations(self) -> tuple[GameNode[StateT], ...]:
        """The moves after this one, the main continuation first."""
        return tuple(GameNode(self.game, index) for index in self.game.children[self.index])

    @property
    def move(self) -> int | None:
        """The number of the move; None at the start."""
        return None if self.index == ROOT else self.game.nodes[self.index].move

    @property
    def name(self) -> str:
        """The move in notation; empty at the start."""
        return self.game.names[self.index]

    @property
    def position(self) -> StateT:
        """The position after the move."""
        return self.game.states[self.index]

    @property
    def comment(self) -> str:
        """The comment on the move."""
        return self.game.nodes[self.index].comment

    @property
    def glyph(self) -> str:
        """The glyph of the move, such as `!?`."""
        return self.game.nodes[self.index].glyph

    @property
    def path(self) -> tuple[str, ...]:
        """The moves from the start to this one, in notation."""
        found: list[str] = []
        index = self.index
        while index != ROOT:
            found.append(self.game.names[index])
            index = self.game.nodes[index].parent
        return tuple(reversed(found))

    @property
    def on_main_line(self) -> bool:
        """Whether the move is part of the main line."""
        return self.index <= len(self.game.moves)

    def line(self) -> Game[StateT]:
        """Return the game from the start to this move, without variations."""
        return Game.start(self.game.positions[0], self.path)

    def __repr__(self) -> str:
        return f"GameNode({' '.join(self.path)!r})"
