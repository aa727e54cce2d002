"""The state of the position editor: a board on which a pawn may be missing or on a collapsed card.

Its text is that of a position (`collapsi.games.notation`), except for what is missing::

    A223/4A2J/3A23/.b3A4 r         no red pawn, and blue's on a collapsed card

On a shifting board whose cards can leave the square there are gaps too (`-`), and the board is always the
bounding rectangle of all cards: it grows when a card is laid next to it, and shrinks when an edge has only
gaps. The squares next to it have names: row 0 is above row 1, and column @ is left of column a.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from string import ascii_lowercase
from typing import TYPE_CHECKING, Any

from collapsi.core.board import mask_of
from collapsi.core.cards import Card
from collapsi.core.errors import CollapsiError, MalformedError
from collapsi.core.players import PAIR, Player
from collapsi.core.rows import CARDS, format_rows, shorten
from collapsi.core.words import LONGEST, unquote
from collapsi.games.classic.rules import STANDARD
from collapsi.games.kind import Can
from collapsi.games.registry import format_rules, parse_position, parse_rules, require
from collapsi.games.shifting.state import LONGEST_SIDE

if TYPE_CHECKING:
    from collapsi.core.board import Grid
    from collapsi.core.rules import RuleSet
    from collapsi.games.shifting.state import Place

COLLAPSED = "."
GAP = "-"
_PAWNS = {player.letter: player for player in PAIR}
_SIDES = {name: player for player in PAIR for name in (player.letter, str(player))}
_COLUMNS = "@" + ascii_lowercase + "{"  # the first and the last are for squares next to the board
WHAT_CAN_BE_LAID = (*(card.letter for card in Card), COLLAPSED, *_PAWNS)
"""Letters that all rules allow; a gap only under rules that have gaps."""


def what_can_be_laid(rules: RuleSet) -> tuple[str, ...]:
    """Return the letters of cards, of squares without a card, and of pawns.

    >>> from collapsi.games.shifting.rules import SHIFT
    >>> " ".join(what_can_be_laid(STANDARD)), " ".join(what_can_be_laid(SHIFT))
    ('J A 2 3 4 . r b', 'J A 2 3 4 . r b -')
    """
    return (*WHAT_CAN_BE_LAID, GAP) if rules.leaves_square else WHAT_CAN_BE_LAID


@dataclass(frozen=True)
class Draft:
    """A board in the editor: cards by cell (None is collapsed or a gap), cells of the pawns or None, the side
    to move, the rules, and the board.

    >>> draft = parse_draft("A223/4A2Jr/3A23/Jb3A4 r")
    >>> format_draft(draft.lay("r", "a2").lay(".", "d2"))
    'A223/4rA2./3A23/Jb3A4 r'
    >>> format_draft(draft.under("shift").lay("-", "a1").lay("A", "e1"))
    '-223A/4A2Jr-/3A23-/Jb3A4- r shift'
    """

    cards: tuple[Card | None, ...]
    pawns: tuple[int | None, int | None]
    to_move: Player
    rules: RuleSet
    board: Grid

    @classmethod
    def empty(cls, rules: RuleSet, to_move: Player = Player.RED) -> Draft:
        """Return a board of collapsed cards only."""
        return cls.of(dict.fromkeys(range(rules.board.size)), to_move, rules)

    @classmethod
    def of(cls, cards: dict[int, Card | None], to_move: Player, rules: RuleSet) -> Draft:
        """Return a board with these cards by cell and no pawn."""
        columns = rules.board.columns
        places = {divmod(cell, columns): card for cell, card in cards.items()}
        return _on_bounding_board(places, (None, None), to_move, rules)

    def lay(self, what: str, square: str | None = None) -> Draft:
        """Lay a card or a gap, collapse a square, or put a pawn there.

        Without a square, lay the card on all squares and remove the pawns. A pawn is on one square, and a
        square has one pawn. Laying a pawn where it is removes it, and so does a gap.
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
                dict.fromkeys(range(self.rules.board.size), CARDS.get(what)), self.to_move, self.rules
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
            cards[place] = CARDS.get(what)
        return _on_bounding_board(cards, (pawns[Player.RED], pawns[Player.BLUE]), self.to_move, self.rules)

    def give_turn(self, side: str) -> Draft:
        """Return the board with this side to move, `r` or `b`."""
        if side.lower() not in _SIDES:
            msg = f"{shorten(side)} is no side to move: write r (red) or b (blue)"
            raise MalformedError(msg)
        return replace(self, to_move=_SIDES[side.lower()])

    def under(self, rules: RuleSet | str) -> Draft:
        """Return the board under other rules; if those have another board, it is empty."""
        rules = editable_rules(rules)
        whole = set(self._places) == {divmod(cell, rules.board.columns) for cell in range(rules.board.size)}
        if whole or (rules.leaves_square and self.rules.leaves_square):
            return _on_bounding_board(self._places, self._pawns, self.to_move, rules)
        return Draft.empty(rules, self.to_move)

    def position(self) -> Any:
        """Return the position; raise if the board is not one."""
        return parse_position(format_draft(self))

    def square(self, row: int, column: int) -> str:
        """Return the name of a square, on the board or next to it; rows and columns count from 0."""
        return f"{_COLUMNS[column + 1]}{row + 1}"

    def _place(self, square: str) -> Place:
        """Parse a square, on the board or, if the board can grow, next to it."""
        grows = self.rules.leaves_square
        found = re.fullmatch(r"([@a-z{])(0|[1-9][0-9]?)", square)
        if found:
            row, column = int(found[2]) - 1, _COLUMNS.index(found[1]) - 1
            if -grows <= row < self.board.rows + grows and -grows <= column < self.board.columns + grows:
                return row, column
        last = self.board.square(self.board.size - 1)
        outside = ", next to it from @0 on" * grows
        msg = f"{shorten(square)} is no square of this board (squares are a1 to {last}{outside})"
        raise MalformedError(msg)

    @property
    def _places(self) -> dict[Place, Card | None]:
        """The cards by row and column."""
        columns = self.board.columns
        return {
            divmod(cell, columns): card for cell, card in enumerate(self.cards) if not self.board.is_gap(cell)
        }

    @property
    def _pawns(self) -> tuple[Place | None, Place | None]:
        red, blue = (None if cell is None else divmod(cell, self.board.columns) for cell in self.pawns)
        return red, blue


def editable_rules(rules: RuleSet | str) -> RuleSet:
    """Read rules of a kind of game whose positions can be laid out."""
    found = parse_rules(rules)
    require(found, Can.EDIT)
    return found


def _on_bounding_board(
    cards: dict[Place, Card | None],
    pawns: tuple[Place | None, Place | None],
    to_move: Player,
    rules: RuleSet,
) -> Draft:
    """Return a draft with cards at these places, on their bounding rectangle."""
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
    board = rules.grid(rows, columns, mask_of(at for at in by_cell if at is not None))
    return Draft(
        tuple(by_cell.get(at) for at in range(board.size)),
        (cell(pawns[Player.RED]), cell(pawns[Player.BLUE])),
        to_move,
        rules,
        board,
    )


def parse_draft(text: str) -> Draft:
    """Parse a draft, or a position or game in any notation; of a game, the last position."""
    try:
        position = parse_position(text)
    except CollapsiError:
        if len(text) > LONGEST:
            raise
    else:
        require(position.rules, Can.EDIT)
        return Draft(position.cards, position.pawns, position.to_move, position.rules, position.board)
    words = unquote(text).split()
    rules = editable_rules(words[2]) if len(words) > 2 else STANDARD
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
                cards[place] = CARDS.get(card.upper())
    return _on_bounding_board(cards, (pawns.get(Player.RED), pawns.get(Player.BLUE)), draft.to_move, rules)


def format_draft(draft: Draft) -> str:
    """Return the canonical text; for a valid position, the text of the position."""
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
