"""A board while it is being laid out: what the editor holds. A pawn may be missing or on a collapsed card.

Its text is that of a position (`collapsi.notation`), but for what is missing::

    A223/4A2J/3A23/.b3A4 r         no red pawn, and blue's on a collapsed card
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from collapsi.errors import CollapsiError, MalformedError
from collapsi.notation import LONGEST, format_rules, parse_position, parse_rules, unquote
from collapsi.rows import format_rows, shorten
from collapsi.rules import STANDARD, Card, Player

if TYPE_CHECKING:
    from collapsi.board import Board
    from collapsi.position import Position
    from collapsi.rules import Rules

COLLAPSED = "."
_CARDS = {card.letter: card for card in Card}
_PAWNS = {player.letter: player for player in Player}
_SIDES = {name: player for player in Player for name in (player.letter, str(player))}
WHAT_CAN_BE_LAID = (*(card.letter for card in Card), COLLAPSED, *_PAWNS)


@dataclass(frozen=True)
class Draft:
    """Cards by cell (None has collapsed), the cells of the pawns that are there, the side to move, the rules.

    >>> draft = parse_draft("A223/4A2Jr/3A23/Jb3A4 r")
    >>> format_draft(draft.lay("r", "a2").lay(".", "d2"))
    'A223/4rA2./3A23/Jb3A4 r'
    """

    cards: tuple[Card | None, ...]
    pawns: tuple[int | None, int | None]
    to_move: Player
    rules: Rules

    @property
    def board(self) -> Board:
        """The board it is laid on."""
        return self.rules.board

    def lay(self, what: str, square: str | None = None) -> Draft:
        """Lay a card, collapse a square, or move a pawn there; without a square, a card everywhere, no pawn.

        A pawn is on one square only, and a square has one pawn only. To lay a pawn where it is takes it away.
        """
        what = what.lower() if what.lower() in _PAWNS else what.upper()
        if what not in WHAT_CAN_BE_LAID:
            msg = f"{shorten(what)} cannot be laid: choose one of {' '.join(WHAT_CAN_BE_LAID)}"
            raise MalformedError(msg)
        if square is None:
            if what in _PAWNS:
                msg = f"a pawn ({what}) is laid on one square: name it"
                raise MalformedError(msg)
            return replace(self, cards=(_CARDS.get(what),) * self.board.size, pawns=(None, None))
        cell = self.board.cell(square.lower())
        if cell is None:
            last = self.board.square(self.board.size - 1)
            msg = f"{shorten(square)} is no square of this board (squares are a1 to {last})"
            raise MalformedError(msg)
        if what in _PAWNS:
            player = _PAWNS[what]
            taken = self.pawns[player] == cell
            pawns = [None if at == cell else at for at in self.pawns]
            pawns[player] = None if taken else cell
            return replace(self, pawns=(pawns[Player.RED], pawns[Player.BLUE]))
        return replace(self, cards=(*self.cards[:cell], _CARDS.get(what), *self.cards[cell + 1 :]))

    def give_turn(self, side: str) -> Draft:
        """With this side to move, `r` or `b`."""
        if side.lower() not in _SIDES:
            msg = f"{shorten(side)} is no side to move: write r (red) or b (blue)"
            raise MalformedError(msg)
        return replace(self, to_move=_SIDES[side.lower()])

    def under(self, rules: Rules | str) -> Draft:
        """Under other rules; if these have another board, nothing lies on it."""
        rules = parse_rules(rules)
        if rules.board == self.board:
            return replace(self, rules=rules)
        return Draft((None,) * rules.board.size, (None, None), self.to_move, rules)

    def position(self) -> Position:
        """The position, or an error that says what it lacks."""
        return parse_position(format_draft(self))


def parse_draft(text: str) -> Draft:
    """Read a draft; a position or game in any notation is one too, of a game the last position."""
    try:
        position = parse_position(text)
    except CollapsiError:
        if len(text) > LONGEST:
            raise
    else:
        return Draft(position.cards, position.pawns, position.to_move, position.rules)
    words = unquote(text).split()
    rules = parse_rules(words[2]) if len(words) > 2 else STANDARD
    rows = words[0].split("/") if words else []
    draft = Draft((None,) * rules.board.size, (None, None), Player.RED, rules)
    if len(words) > 1:
        draft = draft.give_turn(words[1])
    if len(words) > 3 or len(rows) != rules.board.rows:
        raise MalformedError(_unreadable(text))
    cards: list[Card | None] = []
    pawns: dict[Player, int] = {}
    for row in rows:
        found = re.fullmatch(rf"([A234J.][rb]?){{{rules.board.columns}}}", row, re.IGNORECASE)
        if not found:
            raise MalformedError(_unreadable(text))
        for card, pawn in re.findall("([A234J.])([rb]?)", row, re.IGNORECASE):
            if pawn and pawns.setdefault(_PAWNS[pawn.lower()], len(cards)) != len(cards):
                raise MalformedError(_unreadable(text))  # a second pawn of a colour
            cards.append(_CARDS.get(card.upper()))
    return replace(draft, cards=tuple(cards), pawns=(pawns.get(Player.RED), pawns.get(Player.BLUE)))


def format_draft(draft: Draft) -> str:
    """The canonical text; of a whole position it is the position's."""
    texts = []
    for cell, card in enumerate(draft.cards):
        pawn = Player(draft.pawns.index(cell)).letter if cell in draft.pawns else ""
        texts.append((COLLAPSED if card is None else card.letter) + pawn)
    rules = "" if draft.rules == STANDARD else f" {format_rules(draft.rules)}"
    return f"{format_rows(texts, draft.board)} {draft.to_move.letter}{rules}"


def _unreadable(text: str) -> str:
    form = "rows of cards as in A223/4A2Jr/3A23/Jb3A4 r, pawns may be missing"
    return f"{shorten(text)} is no board to lay on: {form}"
