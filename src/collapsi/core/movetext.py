r"""Games with variations and comments as text: the part that all kinds of games share.

As in PGN, a variation stands in parentheses after the move that it replaces, a comment in braces after its
move, and a glyph at the end of its move::

    A223/4A2Jr/3A23/Jb3A4 r a2 a3 (d1?! d4 {why not}) c4
                               │   └ a variation: d1 in place of a3, then d4, with a comment
                               └ the main line goes on with c4 after the variation

A comment before the first move belongs to the start of the game. In a comment `\}` stands for a brace, `\\`
for a backslash and `\n` for a new line, so that a game is always one line of text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from collapsi.core.errors import IllegalMoveError, MalformedError, wrong_type
from collapsi.core.rows import shorten
from collapsi.core.state import move_number
from collapsi.core.variations import ROOT, Draft, check_glyph
from collapsi.core.words import unquote, words_of

if TYPE_CHECKING:
    from collapsi.core.game import Game
    from collapsi.core.state import StateT

LONGEST_TREE = 100_000
"""The most characters of a game with variations or comments."""

MOST_NESTING = 500
"""The most variations inside each other."""

_MARKS = frozenset("(){}!?")
_COMMENT = re.compile(r"\{([^\\}]*(?:\\.[^\\}]*)*)\}", re.DOTALL)
_TOKEN = re.compile(r"[()]|[^\s()]+")
_GLYPH = re.compile(r"[!?]+\Z")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)


class Token(NamedTuple):
    """A piece of a text: `kind` is `word`, `glyph`, `comment`, `(` or `)`."""

    kind: str
    text: str


@dataclass(frozen=True)
class MoveText:
    """A text, split into the words of its main line and the tokens of everything else."""

    words: list[str]
    """The position and the moves of the main line."""
    tokens: tuple[Token, ...]
    """All tokens, in order; empty for a game without variations and notes."""

    def grow(self, game: Game[StateT]) -> Game[StateT]:
        """Return the game of the main line with the variations and notes of the text."""
        return _grow(game, self) if self.tokens else game


def split_movetext(text: str) -> MoveText:
    """Split a game into the words of its main line and its variations and notes.

    >>> split_movetext("A223/4A2Jr/3A23/Jb3A4 r a2 a3 (d1?! d4 {why not}) c4").words
    ['A223/4A2Jr/3A23/Jb3A4', 'r', 'a2', 'a3', 'c4']
    """
    if not isinstance(text, str):
        raise wrong_type(text, "a text")
    if _MARKS.isdisjoint(text):
        return MoveText(words_of(text), ())
    if len(text) > LONGEST_TREE:
        msg = f"{len(text):,} characters are too many for a game (at most {LONGEST_TREE:,})"
        raise MalformedError(msg)
    tokens = _tokens(text)
    words: list[str] = []
    depth = 0
    for kind, word in tokens:
        depth += (kind == "(") - (kind == ")")
        if depth < 0:
            msg = f"a closing parenthesis without an opening one, after {_last(words)}"
            raise MalformedError(msg)
        if depth > MOST_NESTING:
            msg = f"more than {MOST_NESTING} variations inside each other"
            raise MalformedError(msg)
        if kind == "word" and not depth:
            words.append(word)
    if depth:
        msg = f"a variation is not closed: {depth} closing parenthes{'is' if depth == 1 else 'es'} missing"
        raise MalformedError(msg)
    if len(tokens) == len(words):
        return MoveText(words_of(text), ())
    return MoveText(words_of(" ".join(words)), tuple(tokens))


def _last(words: list[str]) -> str:
    return shorten(words[-1]) if words else "the beginning"


def _tokens(text: str) -> list[Token]:
    found: list[Token] = []
    done = 0
    while done < len(text):
        opened = text.find("{", done)
        plain = text[done:] if opened < 0 else text[done:opened]
        if "}" in plain:
            msg = f"a closing brace without an opening one, before {shorten(plain.partition('}')[2].strip())}"
            raise MalformedError(msg)
        for match in _TOKEN.finditer(unquote(plain)):
            found.extend(_split_word(match.group()))
        if opened < 0:
            break
        comment = _COMMENT.match(text, opened)
        if comment is None:
            msg = f"a comment is not closed: {shorten(text[opened:])}"
            raise MalformedError(msg)
        found.append(Token("comment", unescape_comment(comment.group(1))))
        done = comment.end()
    return found


def _split_word(word: str) -> list[Token]:
    if word in "()":
        return [Token(word, word)]
    glyph = None if "/" in word else _GLYPH.search(word)
    if glyph is None:
        return [Token("word", word)]
    mark = Token("glyph", check_glyph(glyph.group()))
    return [Token("word", word[: glyph.start()]), mark] if glyph.start() else [mark]


def unescape_comment(text: str) -> str:
    """Return the comment that a text in braces stands for."""
    return _ESCAPE.sub(lambda match: "\n" if match.group(1) == "n" else match.group(1), text)


def _grow(game: Game[StateT], text: MoveText) -> Game[StateT]:
    draft = Draft(game.nodes)
    states = dict(enumerate(game.positions))
    plies = {index: index for index in states}
    head = len(text.words) - len(game.moves)
    current, begun = ROOT, True
    before: list[int] = []
    notes: list[str] = []
    """Comments before the first move of a variation; they belong to that move."""
    for kind, word in text.tokens:
        if kind == "word" and not before and head:
            head -= 1
        elif kind == "word":
            state = states[current]
            number = plies[current] + 1
            try:
                move = move_number(state, word.lower())
                found = draft.child(current, move)
                if found is None:
                    after = state.play(move)
                    found = draft.add(current, move)
                    states[found], plies[found] = after, number
            except IllegalMoveError as error:
                msg = f"variation at move {number}, {shorten(word)}: {error}"
                raise IllegalMoveError(msg) from None
            current, begun = found, True
            for note in notes:
                _comment(draft, current, note)
            notes = []
        elif kind == "(":
            if current == ROOT or not begun:
                msg = "a variation stands after the move that it replaces, not before it"
                raise MalformedError(msg)
            before.append(current)
            current, begun = draft.nodes[current].parent, False
        elif kind == ")":
            if not begun:
                msg = f"an empty variation at move {plies[current] + 1}"
                raise MalformedError(msg)
            current = before.pop()
        elif kind == "comment":
            if begun:
                _comment(draft, current, word)
            else:
                notes.append(word)
        elif current == ROOT or not begun:
            msg = f"the glyph {word} stands after no move"
            raise MalformedError(msg)
        else:
            draft.annotate(current, glyph=word)
    return game.edited(draft)


def _comment(draft: Draft, index: int, text: str) -> None:
    """Add to the comment of a node."""
    draft.annotate(index, comment=f"{draft.nodes[index].comment} {text}")
