"""A board while it is being laid out: what the editor holds. A pawn may be missing or on a collapsed card.

Its text is that of a position (`collapsi.notation`), but for what is missing::

    A223/4A2J/3A23/.b3A4 r         no red pawn, and blue's on a collapsed card

On a shifting board that leaves the square, gaps are laid too (`-`), and the board is always the smallest
rectangle around all cards: it grows when a card is laid beside it, and shrinks when an edge has gaps only.
The squares beside it have names for that: row 0 is above row 1, and column @ is left of column a.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from string import ascii_lowercase
from typing import TYPE_CHECKING

from collapsi.board import mask_of
from collapsi.errors import CollapsiError, MalformedError
from collapsi.games.shifting import LONGEST_SIDE
from collapsi.notation import LONGEST, format_rules, parse_position, parse_rules, unquote
from collapsi.patch import Patch
from collapsi.rows import format_rows, shorten
from collapsi.rules import PAIR, STANDARD, Card, Player

if TYPE_CHECKING:
    from collapsi.board import Grid
    from collapsi.games.shifting import Place
    from collapsi.position import Position
    from collapsi.rules import Rules

COLLAPSED = "."
GAP = "-"
_CARDS = {card.letter: card for card in Card}
_PAWNS = {player.letter: player for player in PAIR}
_SIDES = {name: player for player in PAIR for name in (player.letter, str(player))}
_COLUMNS = "@" + ascii_lowercase + "{"  # the letters before a and after z, for what is beside the board
WHAT_CAN_BE_LAID = (*(card.letter for card in Card), COLLAPSED, *_PAWNS)
"""Under all rules; a gap only where there are any."""


def what_can_be_laid(rules: Rules) -> tuple[str, ...]:
    """The letters of cards, of what is no card, and of pawns.

    >>> from collapsi.rules import SHIFT
    >>> " ".join(what_can_be_laid(STANDARD)), " ".join(what_can_be_laid(SHIFT))
    ('J A 2 3 4 . r b', 'J A 2 3 4 . r b -')
    """
    return (*WHAT_CAN_BE_LAID, GAP) if rules.leaves_square else WHAT_CAN_BE_LAID


@dataclass(frozen=True)
class Draft:
    """Cards by cell (None has collapsed, or is a gap), the cells of the pawns that are there, the side to
    move, the rules, and the board it is laid on.

    >>> draft = parse_draft("A223/4A2Jr/3A23/Jb3A4 r")
    >>> format_draft(draft.lay("r", "a2").lay(".", "d2"))
    'A223/4rA2./3A23/Jb3A4 r'
    >>> format_draft(draft.under("shift").lay("-", "a1").lay("A", "e1"))
    '-223A/4A2Jr-/3A23-/Jb3A4- r shift'
    """

    cards: tuple[Card | None, ...]
    pawns: tuple[int | None, int | None]
    to_move: Player
    rules: Rules
    board: Grid

    @classmethod
    def empty(cls, rules: Rules, to_move: Player = Player.RED) -> Draft:
        """Nothing but collapsed cards on the board of the deal."""
        return cls.of(dict.fromkeys(range(rules.board.size)), to_move, rules)

    @classmethod
    def of(cls, cards: dict[int, Card | None], to_move: Player, rules: Rules) -> Draft:
        """Cards by cell of the board of the deal, and no pawn."""
        columns = rules.board.columns
        places = {divmod(cell, columns): card for cell, card in cards.items()}
        return _smallest(places, (None, None), to_move, rules)

    def lay(self, what: str, square: str | None = None) -> Draft:
        """Lay a card or a gap, collapse a square, or move a pawn there; without a square, a card on all
        squares of the deal, and no pawn.

        A pawn is on one square only, and a square has one pawn only. To lay a pawn where it is takes it away,
        and so does a gap.
        """
        what = what.lower() if what.lower() in _PAWNS else what.upper()
        known = what_can_be_laid(self.rules)
        if what not in known:
            msg = f"{shorten(what)} cannot be laid: choose one of {' '.join(known)}"
            raise MalformedError(msg)
        if square is None:
            if what in _PAWNS or what == GAP:
                one = f"a pawn ({what})" if what in _PAWNS else "a gap"
                msg = f"{one} is laid on one square: name it"
                raise MalformedError(msg)
            return Draft.of(
                dict.fromkeys(range(self.rules.board.size), _CARDS.get(what)), self.to_move, self.rules
            )
        place = self._place(square.lower())
        cards, pawns = self._places, list(self._pawns)
        if what in _PAWNS:
            if place not in cards:
                msg = f"there is no card on {square} for a pawn to stand on: lay one first"
                raise MalformedError(msg)
            player = _PAWNS[what]
            taken = pawns[player] == place
            pawns = [None if at == place else at for at in pawns]
            pawns[player] = None if taken else place
        elif what == GAP:
            cards.pop(place, None)
            pawns = [None if at == place else at for at in pawns]
        else:
            cards[place] = _CARDS.get(what)
        return _smallest(cards, (pawns[Player.RED], pawns[Player.BLUE]), self.to_move, self.rules)

    def give_turn(self, side: str) -> Draft:
        """With this side to move, `r` or `b`."""
        if side.lower() not in _SIDES:
            msg = f"{shorten(side)} is no side to move: write r (red) or b (blue)"
            raise MalformedError(msg)
        return replace(self, to_move=_SIDES[side.lower()])

    def under(self, rules: Rules | str) -> Draft:
        """Under other rules; if these have another board, nothing lies on it."""
        rules = parse_rules(rules)
        whole = set(self._places) == {divmod(cell, rules.board.columns) for cell in range(rules.board.size)}
        if whole or (rules.leaves_square and self.rules.leaves_square):
            return _smallest(self._places, self._pawns, self.to_move, rules)
        return Draft.empty(rules, self.to_move)

    def position(self) -> Position:
        """The position, or an error that says what it lacks."""
        return parse_position(format_draft(self))

    def square(self, row: int, column: int) -> str:
        """The name of a square of the board or, where it may grow, beside it: the first row is 0."""
        return f"{_COLUMNS[column + 1]}{row + 1}"

    def _place(self, square: str) -> Place:
        """Where a square is, also one beside the board if the board may grow there."""
        grows = self.rules.leaves_square
        found = re.fullmatch(r"([@a-z{])(0|[1-9][0-9]?)", square)
        if found:
            row, column = int(found[2]) - 1, _COLUMNS.index(found[1]) - 1
            if -grows <= row < self.board.rows + grows and -grows <= column < self.board.columns + grows:
                return row, column
        last = self.board.square(self.board.size - 1)
        beside = ", beside it from @0 on" * grows
        msg = f"{shorten(square)} is no square of this board (squares are a1 to {last}{beside})"
        raise MalformedError(msg)

    @property
    def _places(self) -> dict[Place, Card | None]:
        """Every card and where it lies, by row and column."""
        columns = self.board.columns
        return {
            divmod(cell, columns): card for cell, card in enumerate(self.cards) if not self.board.is_gap(cell)
        }

    @property
    def _pawns(self) -> tuple[Place | None, Place | None]:
        red, blue = (None if cell is None else divmod(cell, self.board.columns) for cell in self.pawns)
        return red, blue


def _smallest(
    cards: dict[Place, Card | None],
    pawns: tuple[Place | None, Place | None],
    to_move: Player,
    rules: Rules,
) -> Draft:
    """The draft with cards at these places, on the smallest board that holds them all."""
    if not cards:
        msg = "one card has to stay: lay another before a gap"
        raise MalformedError(msg)
    top, left = min(row for row, _ in cards), min(column for _, column in cards)
    rows = max(row for row, _ in cards) - top + 1
    columns = max(column for _, column in cards) - left + 1
    if max(rows, columns) > LONGEST_SIDE:
        msg = f"a board has at most {LONGEST_SIDE} rows and columns: move the other cards nearer first"
        raise MalformedError(msg)

    def cell(place: Place | None) -> int | None:
        return None if place is None else (place[0] - top) * columns + place[1] - left

    by_cell = {cell(place): card for place, card in cards.items()}
    board: Grid = rules.board
    if rules.leaves_square and rules.shift is not None:
        board = Patch(rows, columns, mask_of(at for at in by_cell if at is not None), rules.shift)
    return Draft(
        tuple(by_cell.get(at) for at in range(board.size)),
        (cell(pawns[Player.RED]), cell(pawns[Player.BLUE])),
        to_move,
        rules,
        board,
    )


def parse_draft(text: str) -> Draft:
    """Read a draft; a position or game in any notation is one too, of a game the last position."""
    try:
        position = parse_position(text)
    except CollapsiError:
        if len(text) > LONGEST:
            raise
    else:
        return Draft(position.cards, position.pawns, position.to_move, position.rules, position.board)
    words = unquote(text).split()
    rules = parse_rules(words[2]) if len(words) > 2 else STANDARD
    rows = words[0].split("/") if words else []
    draft = Draft.empty(rules)
    if len(words) > 1:
        draft = draft.give_turn(words[1])
    if len(words) > 3 or not rows or (not rules.leaves_square and len(rows) != rules.board.rows):
        raise MalformedError(_unreadable(text))
    cards: dict[Place, Card | None] = {}
    pawns: dict[Player, Place] = {}
    cell = r"(?:[A234J.][rb]?|-)" if rules.leaves_square else r"(?:[A234J.][rb]?)"
    columns = len(re.findall("[A234J.-]", rows[0], re.IGNORECASE))
    if not rules.leaves_square:
        columns = rules.board.columns
    for number, row in enumerate(rows):
        if not columns or not re.fullmatch(rf"{cell}{{{columns}}}", row, re.IGNORECASE):
            raise MalformedError(_unreadable(text))
        for column, (card, pawn) in enumerate(re.findall("([A234J.-])([rb]?)", row, re.IGNORECASE)):
            place = number, column
            if pawn and pawns.setdefault(_PAWNS[pawn.lower()], place) != place:
                raise MalformedError(_unreadable(text))  # a second pawn of a colour
            if card != GAP:
                cards[place] = _CARDS.get(card.upper())
    return _smallest(cards, (pawns.get(Player.RED), pawns.get(Player.BLUE)), draft.to_move, rules)


def format_draft(draft: Draft) -> str:
    """The canonical text; of a whole position it is the position's."""
    texts = []
    for cell, card in enumerate(draft.cards):
        pawn = Player(draft.pawns.index(cell)).letter if cell in draft.pawns else ""
        empty = GAP if draft.board.is_gap(cell) else COLLAPSED
        texts.append((empty if card is None else card.letter) + pawn)
    rules = "" if draft.rules == STANDARD else f" {format_rules(draft.rules)}"
    return f"{format_rows(texts, draft.board)} {draft.to_move.letter}{rules}"


def _unreadable(text: str) -> str:
    form = "rows of cards as in A223/4A2Jr/3A23/Jb3A4 r, pawns may be missing"
    return f"{shorten(text)} is no board to lay on: {form}"
