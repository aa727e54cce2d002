"""The tree of a game as a flat list of nodes, and its edits.

A tree is a tuple of nodes in preorder: a node, then everything after its first child (the main continuation),
then its other children (the variations). Node 0 is the start of the game. The main line is therefore at the
front, equal trees are equal tuples, and no function here recurses, however long a line is.
"""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, NamedTuple

from collapsi.core.errors import MalformedError
from collapsi.core.rows import shorten

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

ROOT = 0
NO_MOVE = -1
"""The move of the root."""

MOST_NODES = 5000
"""The most moves in a tree."""

MOST_COMMENT = 2000
"""The most characters of a comment."""

GLYPHS = {
    "!": "good move",
    "?": "mistake",
    "!!": "brilliant move",
    "??": "blunder",
    "!?": "interesting move",
    "?!": "dubious move",
}
"""The glyphs and their meaning, as in chess."""


_DIRECTIONS = frozenset(map(chr, (*range(0x202A, 0x202F), *range(0x2066, 0x206A))))


class Node(NamedTuple):
    """A move of a tree, with its notes."""

    parent: int
    """The index of the node before it; −1 for the root."""
    move: int
    comment: str = ""
    glyph: str = ""


Tree = tuple[Node, ...]


def plain_tree(moves: Iterable[int]) -> Tree:
    """Return the tree of a game without variations."""
    return (Node(-1, NO_MOVE), *(Node(number, move) for number, move in enumerate(moves)))


def children_of(tree: Sequence[Node]) -> tuple[tuple[int, ...], ...]:
    """Return the indices of the children of each node, the main continuation first."""
    found: list[list[int]] = [[] for _ in tree]
    for index, node in enumerate(tree):
        if index:
            found[node.parent].append(index)
    return tuple(map(tuple, found))


def main_line(tree: Sequence[Node]) -> tuple[int, ...]:
    """Return the moves of the main line: the nodes at the front that each follow the one before."""
    moves: list[int] = []
    for index, node in enumerate(tree[1:]):
        if node.parent != index:
            break
        moves.append(node.move)
    return tuple(moves)


def is_plain(tree: Sequence[Node]) -> bool:
    """Return whether a tree is a single line without notes."""
    return all(node[:2] == (index - 1, node.move) and not any(node[2:]) for index, node in enumerate(tree))


def clean_comment(text: str) -> str:
    """Return a comment without control characters and outer blanks; raise if it is too long.

    >>> clean_comment("  why\\tnot\\x00?  ")
    'why not ?'
    """
    if len(text) > MOST_COMMENT:
        msg = f"{len(text):,} characters are too many for a comment (at most {MOST_COMMENT:,})"
        raise MalformedError(msg)
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return "".join(" " if _is_control(character) else character for character in lines).strip()


def _is_control(character: str) -> bool:
    """Return whether a character controls a terminal or the direction of text."""
    return character != "\n" and (unicodedata.category(character) in ("Cc", "Cs") or character in _DIRECTIONS)


def check_glyph(glyph: str) -> str:
    """Return a glyph; raise if there is no such glyph. The empty text stands for none."""
    if glyph and glyph not in GLYPHS:
        msg = f"{shorten(glyph)} is no glyph: choose one of {' '.join(GLYPHS)}"
        raise MalformedError(msg)
    return glyph


class Draft:
    """A tree that can be edited; `freeze` returns the edited tree. Nodes keep their indices until then."""

    def __init__(self, tree: Sequence[Node]) -> None:
        self.nodes = list(tree)
        self.children = [list(found) for found in children_of(tree)]

    def child(self, parent: int, move: int) -> int | None:
        """Return the child of a node with this move, or None."""
        return next((index for index in self.children[parent] if self.nodes[index].move == move), None)

    def add(self, parent: int, move: int) -> int:
        """Add a move after a node as its last variation, and return its index."""
        if len(self.nodes) > MOST_NODES:
            msg = f"a game has at most {MOST_NODES:,} moves, variations included"
            raise MalformedError(msg)
        self.nodes.append(Node(parent, move))
        self.children.append([])
        self.children[parent].append(len(self.nodes) - 1)
        return len(self.nodes) - 1

    def annotate(self, index: int, *, comment: str | None = None, glyph: str | None = None) -> None:
        """Replace the comment or the glyph of a node; None leaves it."""
        node = self.nodes[index]
        if comment is not None:
            node = node._replace(comment=clean_comment(comment))
        if glyph is not None:
            if index == ROOT and glyph:
                msg = "the start of a game has no glyph: a glyph judges a move"
                raise MalformedError(msg)
            node = node._replace(glyph=check_glyph(glyph))
        self.nodes[index] = node

    def delete(self, index: int) -> None:
        """Remove a node and everything after it."""
        self.children[self.nodes[index].parent].remove(index)

    def promote(self, index: int) -> bool:
        """Make the variation that contains a node the main continuation where it branches off.

        Returns False if the node is on the main line already.
        """
        while index != ROOT:
            parent = self.nodes[index].parent
            siblings = self.children[parent]
            if siblings[0] != index:
                siblings.remove(index)
                siblings.insert(0, index)
                return True
            index = parent
        return False

    def freeze(self) -> Tree:
        """Return the tree in preorder, without the nodes that were removed."""
        found: list[Node] = []
        ahead = [(ROOT, -1)]
        while ahead:
            index, parent = ahead.pop()
            here = len(found)
            found.append(self.nodes[index]._replace(parent=parent))
            ahead.extend((child, here) for child in reversed(self.children[index]))
        return tuple(found)


def format_tree(start: str, tree: Sequence[Node], names: Sequence[str]) -> str:
    """Write a tree after the text of its start; `collapsi.core.movetext` reads it.

    `names` are the moves of all nodes in notation.
    """
    children = children_of(tree)
    words = [start, *_comment_words(tree[ROOT])]
    opening = ""
    ahead: list[int | str] = [ROOT]
    """What is still to be written, in reverse: a node stands for everything after its move."""
    while ahead:
        entry = ahead.pop()
        if entry == "(":
            opening = "("
        elif entry == ")":
            words[-1] += ")"
        elif isinstance(entry, str):
            words.append(opening + entry)
            opening = ""
        elif children[entry]:
            main, *others = children[entry]
            coming: list[int | str] = [*_node_words(tree[main], names[main])]
            for other in others:
                coming += ["(", *_node_words(tree[other], names[other]), other, ")"]
            ahead.extend(reversed([*coming, main]))
    return " ".join(words)


def _node_words(node: Node, name: str) -> list[str]:
    return [name + node.glyph, *_comment_words(node)]


def _comment_words(node: Node) -> list[str]:
    escaped = node.comment.replace("\\", "\\\\").replace("}", "\\}").replace("\n", "\\n")
    return [f"{{{escaped}}}"] if escaped else []
