"""The words of rules of thumb: what a person can count on the table before a move.

For every move a word is a set of cards, such as the cards that the player could step to next. Rules count
these cards by their numbers, or test whether there are any. Each word has a phrase, a list of what one has to
look at for it, and a plain implementation that uses only the library. `games.classic.counting` counts the
same for many positions at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from collapsi.core.board import cells_of
from collapsi.core.cached import cached_property
from collapsi.core.cards import ANYWHERE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from collapsi.core.players import Player
    from collapsi.games.classic.position import Position


@dataclass(frozen=True)
class Candidate:
    """A possible move, and the sets of cards that words are made of."""

    position: Position
    end: int

    @property
    def start(self) -> int:
        """The card that the pawn leaves."""
        return self.position.pawns[self.position.to_move]

    @property
    def other(self) -> int:
        """The card under the opponent's pawn."""
        return self.position.pawns[self.position.to_move.other]

    @cached_property
    def after(self) -> int:
        """The face-up cards after the move."""
        return self.position.face_up & ~(1 << self.start)

    @cached_property
    def in_reply(self) -> int:
        """The opponent's end cells, including the end cell of this move."""
        return self.ends(self.position.to_move.other, self.other, self.after)

    @cached_property
    def replies(self) -> int:
        """The opponent's legal end cells."""
        return self.in_reply & ~(1 << self.end)

    @cached_property
    def next(self) -> int:
        """The end cells of the mover's next move; the opponent's current card has collapsed by then."""
        return self.ends(self.position.to_move, self.end, self.after & ~(1 << self.other))

    def onward(self, player: Player, cell: int) -> int:
        """Return a player's end cells from a cell after both have moved again."""
        return self.ends(player, cell, self.after & ~(1 << self.other | 1 << self.end))

    def ends(self, player: Player, start: int, face_up: int) -> int:
        """Return the end cells of a player on a cell, ignoring pawns."""
        card = self.position.cards[start]
        assert card is not None  # no pawn stands on a collapsed card
        found = 0
        for steps in self.position.rules.steps(card, player):
            found |= face_up if steps == ANYWHERE else self.position.board.reach(start, steps, face_up)
        return found & ~(1 << start)

    def if_so(self, *, true: bool) -> int:
        """Return the landing card if the condition is true, otherwise no card."""
        return 1 << self.end if true else 0


@dataclass(frozen=True)
class Look:
    """Something to look at, and its number of cards for a move; `once` if it is the same for all moves."""

    name: str
    cards: Callable[[Candidate], int]
    once: bool = False


@dataclass(frozen=True)
class Word:
    """A set of cards that is defined for every move."""

    name: str
    phrase: str
    """The counted cards in words, to follow "points for"."""
    cards: Callable[[Candidate], int]
    looks: tuple[str, ...]
    """What the player has to look at."""
    wish: str = ""
    """For a word that is true or false of a move: the sentence that requires it."""
    warning: str = ""
    """For such a word: the sentence that warns of it."""
    condition: str = ""
    """For such a word: when it is true, to follow "if"."""
    by_number: bool = True
    """Whether its cards may have different points by number."""
    proof: bool | None = None
    """True if such a move always wins, False if it always loses, None if neither is proven."""
    for_lessons: bool = False
    """Whether only lessons use it, and the search for cards does not."""

    @property
    def is_yes_or_no(self) -> bool:
        """Whether it is true or false of a move: the landing card or no card."""
        return bool(self.wish)


def _lively(candidate: Candidate, player: Player, cells: int) -> int:
    """Return those of the cells from which a player could move on."""
    return sum(1 << cell for cell in cells_of(cells) if candidate.onward(player, cell))


def _all_onward(candidate: Candidate, player: Player, cells: int) -> int:
    """Return every end cell of a player from any of the cells."""
    found = 0
    for cell in cells_of(cells):
        found |= candidate.onward(player, cell)
    return found


def _best_onward(candidate: Candidate, player: Player, cells: int) -> int:
    """Return the end cells from the cell that has most of them; ties go to the first in reading order."""
    return max((candidate.onward(player, cell) for cell in cells_of(cells)), key=int.bit_count, default=0)


def _sum_onward(candidate: Candidate, player: Player, cells: int) -> int:
    return sum(candidate.onward(player, cell).bit_count() for cell in cells_of(cells))


def _me(candidate: Candidate) -> Player:
    return candidate.position.to_move


def _they(candidate: Candidate) -> Player:
    return candidate.position.to_move.other


def _trapped(candidate: Candidate) -> bool:
    """Whether some reply leaves the mover no next move."""
    return bool(candidate.replies) and any(
        candidate.next & ~(1 << reply) == 0 for reply in cells_of(candidate.replies)
    )


def _forced(candidate: Candidate) -> bool:
    """Whether the mover can win at once after every reply: take the opponent's last card, or none is left."""

    def wins_after(reply: int) -> bool:
        moves = candidate.next & ~(1 << reply)
        onward = candidate.onward(_they(candidate), reply)
        return bool(moves) if not onward else onward.bit_count() == 1 and bool(onward & moves)

    return bool(candidate.replies) and all(map(wins_after, cells_of(candidate.replies)))


def _cornered(candidate: Candidate) -> bool:
    """Whether no next card leads on, and the mover cannot win before that."""
    lively = _lively(candidate, _me(candidate), candidate.next)
    return bool(candidate.replies) and not lively and not _forced(candidate)


def _region(candidate: Candidate) -> int:
    """Return the face-up cards connected with the landing card."""
    found, before = 1 << candidate.end, 0
    while found != before:
        before = found
        for cell in cells_of(before):
            found |= sum(1 << there for there in candidate.position.board.neighbours(cell))
        found &= candidate.after
    return found & ~(1 << candidate.end)


def _neighbours(candidate: Candidate) -> int:
    return sum(1 << cell for cell in candidate.position.board.neighbours(candidate.end)) & candidate.after


def _same_colour(candidate: Candidate) -> bool:
    board = candidate.position.board
    return board.colour(candidate.end) == board.colour(candidate.other)


LOOKS = (
    Look("landing", lambda _: 1),
    Look("replies", lambda candidate: candidate.in_reply.bit_count(), once=True),
    Look("next", lambda candidate: candidate.next.bit_count()),
    Look("beyond next", lambda candidate: candidate.next.bit_count()),
    Look("beyond replies", lambda candidate: candidate.replies.bit_count()),
    Look("all beyond next", lambda candidate: _sum_onward(candidate, _me(candidate), candidate.next)),
    Look("all beyond replies", lambda candidate: _sum_onward(candidate, _they(candidate), candidate.replies)),
    Look("neighbours", lambda candidate: _neighbours(candidate).bit_count()),
    Look("region", lambda candidate: _region(candidate).bit_count()),
)
"""In the order of `games.classic.counting`. To see whether a card leads on takes a look at one more card."""

THEIRS = "(their card counts as collapsed)"
"""Said of the mover's later moves: the opponent will have left the card under its pawn by then."""
YOURS = "(your landing card counts as collapsed)"
"""Said of the opponent's later moves."""

WORDS = (
    Word(
        "stuck",
        "the landing card if they are left without a move",
        lambda c: c.if_so(true=not c.replies),
        ("replies",),
        wish="Win at once if you can",
        warning="Do not win at once",
        condition="they are left without a move",
        proof=True,
    ),
    Word(
        "trap",
        "the landing card if they can win at once then",
        lambda c: c.if_so(true=_trapped(c)),
        ("landing", "next", "replies"),
        wish="Let them win at once",
        warning="Never let them win at once",
        condition="they can win at once then",
        proof=False,
    ),
    Word("landing", "the landing card", lambda c: 1 << c.end, ("landing",)),
    Word("next", f"cards you could go to next {THEIRS}", lambda c: c.next, ("landing", "next")),
    Word(
        "taken",
        "the landing card if only your pawn keeps them from going there",
        lambda c: c.if_so(true=bool(c.in_reply >> c.end & 1)),
        ("landing", "replies"),
        wish="Land where only your pawn keeps them from going",
        warning="Do not land where only your pawn keeps them from going",
        condition="only your pawn keeps them from going to the landing card",
    ),
    Word(
        "free",
        "the landing card if they could not go there even without your pawn",
        lambda c: c.if_so(true=not c.in_reply >> c.end & 1),
        ("landing", "replies"),
        wish="Land where they could not go even without your pawn",
        warning="Do not land where they could not go even without your pawn",
        condition="they could not go to the landing card even without your pawn",
    ),
    Word("replies", "cards they can go to", lambda c: c.replies, ("replies",)),
    Word(
        "safe",
        f"cards you could go to next and they cannot {THEIRS}",
        lambda c: c.next & ~c.replies,
        ("landing", "next", "replies"),
    ),
    Word(
        "shared",
        f"cards you could go to next and they can go to first {THEIRS}",
        lambda c: c.next & c.replies,
        ("landing", "next", "replies"),
    ),
    Word(
        "crossing",
        f"the landing card if they can go to a card you could go to next {THEIRS}",
        lambda c: c.if_so(true=bool(c.next & c.replies)),
        ("landing", "next", "replies"),
        wish=f"Go where they can go to a card you could go to next {THEIRS}",
        warning=f"Go where they cannot go to a card you could go to next {THEIRS}",
        condition="they can go to a card you could go to next",
    ),
    Word(
        "lively",
        f"cards you could go to next and move on from {THEIRS}",
        lambda c: _lively(c, _me(c), c.next),
        ("landing", "next", "beyond next"),
    ),
    Word(
        "second",
        f"cards you could go to in your move after next {THEIRS}",
        lambda c: _all_onward(c, _me(c), c.next),
        ("landing", "next", "all beyond next"),
    ),
    Word(
        "lively replies",
        f"cards they can go to and move on from {YOURS}",
        lambda c: _lively(c, _they(c), c.replies),
        ("replies", "beyond replies"),
    ),
    Word(
        "hemmed in",
        f"the landing card if they can move on from no card they can go to {YOURS}",
        lambda c: c.if_so(true=not _lively(c, _they(c), c.replies)),
        ("replies", "beyond replies"),
        wish=f"Leave them only cards that they could not move on from {YOURS}",
        warning=f"Do not leave them only cards that they could not move on from {YOURS}",
        condition="they can move on from no card they can go to",
    ),
    Word(
        "their second",
        f"cards they could go to in their move after next {YOURS}",
        lambda c: _all_onward(c, _they(c), c.replies),
        ("replies", "all beyond replies"),
    ),
    Word(
        "best",
        f"cards you could go to from whichever next card leads to most {THEIRS}",
        lambda c: _best_onward(c, _me(c), c.next),
        ("landing", "next", "all beyond next"),
        by_number=False,
    ),
    Word(
        "their best",
        f"cards they could go to from whichever reply leads to most {YOURS}",
        lambda c: _best_onward(c, _they(c), c.replies),
        ("replies", "all beyond replies"),
        by_number=False,
    ),
    Word("neighbours", "face-up cards around the landing card", _neighbours, ("landing", "neighbours")),
    Word("region", "face-up cards that hang together with the landing card", _region, ("region",)),
    Word(
        "beside",
        "the landing card if it is beside them",
        lambda c: c.if_so(true=bool(_neighbours(c) >> c.other & 1)),
        ("landing",),
        wish="Stay beside them",
        warning="Keep away from them",
        condition="you land beside them",
    ),
    Word(
        "same colour",
        "the landing card if it has their card's colour, as on a chessboard",
        lambda c: c.if_so(true=_same_colour(c)),
        ("landing",),
        wish="Land on the colour, as on a chessboard, that they stand on",
        warning="Land on another colour, as on a chessboard, than they stand on",
        condition="you land on the colour, as on a chessboard, that they stand on",
    ),
    Word(
        "forced",
        "the landing card if you can win at once after every reply",
        lambda c: c.if_so(true=_forced(c)),
        ("landing", "next", "replies", "beyond replies"),
        wish="Go where you can win at once after every reply",
        warning="Do not go where you can win at once after every reply",
        condition="you can win at once after every reply",
        proof=True,
        for_lessons=True,
    ),
    Word(
        "cornered",
        f"the landing card if you could move on from no card you could go to next {THEIRS}",
        lambda c: c.if_so(true=_cornered(c)),
        ("landing", "next", "beyond next"),
        wish=f"Go where all cards you could go to next are dead ends {THEIRS}",
        warning=f"Do not go where all cards you could go to next are dead ends {THEIRS}",
        condition="all cards you could go to next are dead ends",
        proof=False,
        for_lessons=True,
    ),
)
"""In the order of `games.classic.counting`."""

WORD = {word.name: word for word in WORDS}
SURE = {word.name: word.proof for word in WORDS if word.proof is not None and not word.for_lessons}
"""The proven words that looking two plies ahead shows: every card begins with them."""
COUNTABLE = tuple(word for word in WORDS if word.proof is None and not word.for_lessons)
"""The words that the search for cards may count."""
LOOK = {look.name: look for look in LOOKS}


def candidates(position: Position, moves: Iterable[int] | None = None) -> tuple[Candidate, ...]:
    """Return the candidates for all moves, or for some."""
    return tuple(Candidate(position, end) for end in (position.moves if moves is None else moves))
