"""Which SQL an atlas is asked: one query, of bounded size, that sees the table `deals` and nothing else.

Polars would also read files and addresses that a query names, `read_csv('…')`. So a query is taken apart here
first. What Polars gets is put together again from the pieces, without comments: it cannot read something else
into the text than was looked at.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple, NoReturn

from collapsi.errors import AtlasError

TABLE = "deals"

# Polars works through a query by recursion, and dies of one that is too deep: with half a megabyte of stack
# it was seen to die of 400 strings joined by ||, with eight of 700 selects joined by union.
MOST_CHARACTERS = 20_000
MOST_PIECES = 5_000
MOST_TERMS = 250
"""Operators, brackets and joining words in an expression: it may be as deep as it has of them."""
MOST_SELECTS = 40
MOST_NESTED = 40

PIECE = re.compile(
    r"""(?P<space>   [ \t\r\n\f\v]+ | --[^\r\n]* | /\*.*?\*/ )
      | (?P<string>  '(?:[^']|'')*' )
      | (?P<quoted>  "(?:[^"]|"")*" )
      | (?P<number>  (?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)? )
      | (?P<word>    [^\W\d]\w* )
      | (?P<sign>    [-+*/%<>=!|&^~:;,.()\[\]] )
    """,
    re.VERBOSE | re.DOTALL,
)
BEFORE_TABLES = {"from", "join", "apply", "straight_join", "table"}
AFTER_TABLES = {
    "where", "group", "having", "order", "limit", "offset", "fetch", "window", "qualify", "union",
    "intersect", "except", "select",
}  # fmt: skip
QUERIES = {"select", "with", "values"}
OTHER_STATEMENTS = {
    "insert",
    "update",
    "delete",
    "merge",
    "into",
    "create",
    "drop",
    "alter",
    "truncate",
    "copy",
}
WITH_FROM_INSIDE = {"extract", "substring", "trim", "overlay"}
"""Functions in whose brackets `from` stands before a value, as in `extract(year from day)`."""
JOINING = {
    *BEFORE_TABLES, "and", "or", "not", "in", "is", "like", "ilike", "between", "case", "when", "then",
    "else", "select", "union", "intersect", "except",
}  # fmt: skip


class Piece(NamedTuple):
    """A word, sign, number, string or quoted name of a query."""

    kind: str
    text: str

    @property
    def keyword(self) -> str:
        """The word in small letters, or the sign; nothing for what cannot be a keyword."""
        return self.text.lower() if self.kind in ("word", "sign") else ""

    @property
    def name(self) -> str:
        """What it names, in small letters; nothing if it is no name."""
        if self.kind == "quoted":
            return self.text[1:-1].replace('""', '"').lower()
        return self.text.lower() if self.kind == "word" else ""


NOTHING = Piece("end", "")


def checked(query: str) -> str:
    """The query as Polars may have it.

    >>> checked("select plies from deals -- all of them")
    'select plies from deals'
    >>> checked("select * from read_csv('/etc/passwd')")
    Traceback (most recent call last):
    collapsi.errors.AtlasError: SQL: read_csv is no table here: there is only deals
    """
    if not query.isascii() and re.search("[\ud800-\udfff]", query):
        refuse("there are bytes in it that are no text")
    if len(query) > MOST_CHARACTERS:
        refuse(f"a query has at most {MOST_CHARACTERS:,} characters, and this one {len(query):,}")
    pieces, text = _take_apart(query)
    if not pieces or pieces[0].keyword not in ("select", "with"):
        refuse("an atlas is only asked: begin with select or with")
    _check_size(pieces)
    for piece, after in zip(pieces, [*pieces[1:], NOTHING], strict=True):
        if piece.keyword in OTHER_STATEMENTS:
            refuse(f"an atlas is only asked: it knows no {piece.keyword}")
        if piece.keyword == ";":
            refuse("an atlas is asked one query at a time")
        if after.text == "(" and re.search("(read|scan)_", piece.name):
            refuse_table(piece)
    _check_tables(pieces, {TABLE} | _names_given(pieces))
    return text


def refuse(reason: str) -> NoReturn:
    """Say why a query is not put."""
    msg = f"SQL: {reason}"
    raise AtlasError(msg)


def refuse_table(piece: Piece) -> NoReturn:
    """Say that there is no such table."""
    shown = piece.text if len(piece.text) <= 40 else piece.text[:39] + "…"
    refuse(f"{shown or 'the end of the query'} is no table here: there is only {TABLE}")


def _take_apart(query: str) -> tuple[list[Piece], str]:
    """The pieces, and the text put together from them: comments become spaces, and a last semicolon goes."""
    pieces: list[Piece] = []
    text: list[str] = []
    at = 0
    while at < len(query):
        found = PIECE.match(query, at)
        if found is None or found.lastgroup is None:
            refuse(f"{query[at]!r} is not understood at character {at + 1}")
        at = found.end()
        piece = Piece(found.lastgroup, found.group())
        if piece.kind == "space":
            text.append(" ")
            continue
        if piece.kind in ("string", "quoted"):
            _check_quoted(piece)
            # A letter before a string changes what is in it; only x'00ff' has one meaning everywhere.
            if text and text[-1][-1].isalnum() and not _is_hex(text[-1], piece):
                text.append(" ")
        pieces.append(piece)
        text.append(piece.text)
    while text and text[-1] in (" ", ";"):
        text.pop()
    while pieces and pieces[-1].text == ";":
        pieces.pop()
    return pieces, "".join(text)


def _check_quoted(piece: Piece) -> None:
    inside = piece.text[1:]
    if f"\\{piece.text[0]}" in inside:
        refuse("a backslash before a quotation mark can be read in two ways")


def _is_hex(before: str, piece: Piece) -> bool:
    return before in ("x", "X") and re.fullmatch("'[0-9a-fA-F]*'", piece.text) is not None


def _check_size(pieces: list[Piece]) -> None:
    if len(pieces) > MOST_PIECES:
        refuse(f"a query has at most {MOST_PIECES:,} words and signs, and this one {len(pieces):,}")
    selects = sum(piece.keyword in QUERIES for piece in pieces)
    if selects > MOST_SELECTS:
        refuse(f"a query has at most {MOST_SELECTS} selects, and this one {selects:,}")


def _names_given(pieces: list[Piece]) -> set[str]:
    """The names given to queries inside the query: `with NAME as (…)` and `with NAME (columns) as (…)`."""
    names = set()
    for place, piece in enumerate(pieces):
        ahead = [after.keyword for after in pieces[place + 1 : place + 4]]
        if piece.keyword == "as" and place and ("(" in ahead[:1] or "materialized" in ahead[:2]):
            before = place - 1
            if pieces[before].text == ")":
                while before and pieces[before].text != "(":
                    before -= 1
                before -= 1
            names.add(pieces[before].name)
    return names - {""}


@dataclass
class Bracket:
    """What is open: the query itself, or a bracket in it."""

    function: str = ""
    """The name before it."""
    in_tables: bool = False
    """Whether a comma here separates tables."""
    has_select: bool = False
    terms: int = 0
    """Terms since the last comma that parts them: so many may be one inside the other."""
    most_terms: int = 0

    def count(self, terms: int) -> None:
        """So many more terms."""
        self.terms += terms
        self.most_terms = max(self.most_terms, self.terms)
        if self.terms > MOST_TERMS:
            refuse(f"it joins more than {MOST_TERMS} terms")


def _check_tables(pieces: list[Piece], tables: set[str]) -> None:
    """Refuse all in the place of a table but the tables there are, queries in brackets, and `unnest`."""
    open_brackets = [Bracket()]
    expected = False  # a table, as the next piece
    for place, piece in enumerate(pieces):
        here = open_brackets[-1]
        before = pieces[place - 1] if place else NOTHING
        after = pieces[place + 1] if place + 1 < len(pieces) else NOTHING
        here.count(piece.keyword in JOINING or (piece.kind == "sign" and piece.text not in ",."))
        if piece.text == "(":
            open_brackets.append(Bracket(before.name, in_tables=expected))
            if len(open_brackets) > MOST_NESTED:
                refuse(f"its brackets are nested more than {MOST_NESTED} deep")
        elif expected and piece.keyword in QUERIES:
            expected = here.in_tables = False
            here.has_select = True
        elif expected and piece.keyword != "lateral":
            known = piece.name in tables and after.text not in ("(", ".")
            if not known and not (piece.keyword == "unnest" and after.text == "("):
                refuse_table(piece)
            expected = False
        elif piece.text == ")":
            open_brackets.pop()
            if not open_brackets:
                refuse("a bracket is closed that was not opened")
            open_brackets[-1].count(here.most_terms)
        elif piece.text == ",":
            expected = here.in_tables
            here.terms = here.terms if here.in_tables else 0
        elif piece.keyword in BEFORE_TABLES:
            if not (piece.keyword == "from" and _stands_before_a_value(pieces, place, here)):
                expected = here.in_tables = True
        elif piece.keyword in AFTER_TABLES:
            here.in_tables = False
            here.has_select = here.has_select or piece.keyword == "select"
    if expected:
        refuse_table(NOTHING)


def _stands_before_a_value(pieces: list[Piece], place: int, bracket: Bracket) -> bool:
    """Whether a `from` is that of `extract(year from day)` or of `a is distinct from b`."""
    if bracket.function in WITH_FROM_INSIDE and not bracket.has_select:
        return True
    two_before = [piece.keyword for piece in pieces[max(0, place - 2) : place]]
    return two_before in (["is", "distinct"], ["not", "distinct"])
