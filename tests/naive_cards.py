"""The cards of rules, programmed from the rules of the game and the printed sentences alone.

`choose(card, position)` returns the squares of the moves that a card likes equally. The author had not read
the package: where the words leave a doubt, a comment says which reading was taken. Nothing is imported from
it. *start* is the card that the mover leaves, *land* the card where the move ends, *opp* the card under the
opponent's pawn. Squares are numbers from 0 to 15, row by row from the top.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

SENTENCES = {
    "pocket": """
        1. Win at once if you can.
        2. Never let them win at once.
        3. Go where you have most: cards you could go to next (their card counts as collapsed), minus cards
           they can go to.
    """,
    "points": """
        1. Win at once if you can.
        2. Never let them win at once.
        3. Points for cards you could go to next (their card counts as collapsed), minus cards they can go
           to: with 12 or more cards face up, its number; with fewer, 5 minus its number.
        4. Add your landing number minus 5 if they can go to a card you could go to next. Go where the sum
           is largest.
    """,
    "expert": """
        1. Win at once if you can.
        2. Never let them win at once.
        3. Points for cards you could go to next (their card counts as collapsed), and for the landing card
           if only your pawn keeps them from going there: with 15 or more cards face up, 2 for an ace, 5 for
           a two, three or four; with 12 to 14, 1 for an ace, 3 for a two or three, 5 for a four; with
           fewer, 4 for an ace, 5 for a two, 1 for a three or four.
        4. Minus points for the landing card, and again if they can go to a card you could go to next: with
           12 or more cards face up, 5 for an ace, 3 for a two or three, 2 for a four; with 10 to 11, 5 for
           an ace, 3 for a two or four, 4 for a three; with fewer, 4 for an ace, three or four, 3 for a two.
        5. Points for cards you could go to in your move after next (their card counts as collapsed), minus
           cards they could go to from whichever reply leads to most (your landing card counts as
           collapsed): with 11 or more cards face up, none; with fewer, 5 for each. Go where the sum is
           largest.
    """,
}
"""What was read; a change of words needs a new reading."""

NUMBER = {"A": 1, "2": 2, "3": 3, "4": 4, "J": 1}
"""A jack moves one step; nobody can land on one in real play."""


def name(square: int) -> str:
    return "abcd"[square % 4] + "1234"[square // 4]


def neighbours(square: int) -> list[int]:
    row, column = divmod(square, 4)
    return [
        (row - 1) % 4 * 4 + column,
        (row + 1) % 4 * 4 + column,
        row * 4 + (column - 1) % 4,
        row * 4 + (column + 1) % 4,
    ]


def parse(text: str) -> tuple[str, int, int]:
    """The sixteen cards, and the squares of the side to move and of the other."""
    board, side = text.split()
    cards, pawns = "", {}
    for sign in board.replace("/", ""):
        if sign in "rb":
            pawns[sign] = len(cards) - 1
        else:
            cards += sign
    assert len(cards) == 16
    return cards, pawns[side], pawns["b" if side == "r" else "r"]


def reach(cards: str, start: int, gone: Collection[int]) -> set[int]:
    """Where a move can end, with the squares in `gone` collapsed too; the other pawn is not considered."""
    ends = set()

    def step(square: int, used: frozenset[int], left: int) -> None:
        if left == 0:
            ends.add(square)
            return
        for there in neighbours(square):
            if there not in used and there not in gone and cards[there] != ".":
                step(there, used | {there}, left - 1)

    step(start, frozenset([start]), NUMBER[cards[start]])
    return ends


def moves(cards: str, me: int, them: int, gone: Collection[int] = ()) -> set[int]:
    """Legal moves: the other pawn may be passed over, but not stopped on."""
    return reach(cards, me, gone) - {them}


class After:
    """What one can see of a move from start to land, once it is made: start collapsed, their turn."""

    def __init__(self, cards: str, start: int, opp: int, land: int) -> None:
        self.cards, self.start, self.opp, self.land = cards, start, opp, land
        # Cards they can go to: over my pawn yes, onto it no.
        there = reach(cards, opp, {start})
        self.theirs = there - {land}
        # Only my pawn keeps them from the landing card: they would get there if my pawn were not on it.
        # Doubt: on the table after my move (start collapsed) or before it? After it.
        self.guarded = land in there
        # Cards I could go to next, their present card collapsed (they will have left it). Where they will be
        # then is not known: their pawn blocks nothing else.
        self.mine = reach(cards, land, {start, opp})
        # They go to a card I could go to next. Doubt: one such card or several, it counts once ("a card").
        self.meet = bool(self.theirs & self.mine)

    def wins(self) -> bool:
        return not self.theirs

    def lets_them_win(self) -> bool:
        return any(not moves(self.cards, self.land, reply, {self.start, self.opp}) for reply in self.theirs)

    def mine_after_next(self) -> set[int]:
        """Cards I could go to in my move after next: each card once, over all next moves together.

        Doubt: it could also be "from my best next move"; but only their half says "from whichever leads to
        most". The landing card has collapsed by then (rules of the game), as has their present card
        (sentence).
        """
        gone = {self.start, self.opp, self.land}
        return set().union(*[reach(self.cards, square, gone) for square in self.mine])

    def their_most_after(self) -> int:
        """The number of cards they could go to after their best reply.

        Replies as the board stands (over my pawn, not onto it); then the card they left has collapsed, and my
        landing card counts as collapsed.
        """
        gone = {self.start, self.opp, self.land}
        return max((len(reach(self.cards, reply, gone)) for reply in self.theirs), default=0)


def face_up(cards: str) -> int:
    # Doubt: counted before my move or after it? Before: what lies on the table when I decide.
    # Cards under the pawns (jacks too) are face up and count.
    return sum(card != "." for card in cards)


def best(options: list[After], score: Callable[[After], int]) -> list[After]:
    top = max(map(score, options))
    return [option for option in options if score(option) == top]


def first_two_rules(cards: str, me: int, them: int) -> tuple[list[After], bool]:
    """The moves that are left, and whether they are decided.

    1: all winning moves, if any. 2: the moves that do not let them win at once. Doubt: if every move lets
    them win at once, rule 2 says nothing, and the next rules choose among all.
    """
    options = [After(cards, me, them, land) for land in sorted(moves(cards, me, them))]
    wins = [option for option in options if option.wins()]
    if wins:
        return wins, True
    safe = [option for option in options if not option.lets_them_win()]
    return (safe or options), not options


def pocket(cards: str, me: int, them: int) -> list[After]:
    options, decided = first_two_rules(cards, me, them)
    if decided:
        return options
    return best(options, lambda option: len(option.mine) - len(option.theirs))


def points(cards: str, me: int, them: int) -> list[After]:
    options, decided = first_two_rules(cards, me, them)
    if decided:
        return options
    many = face_up(cards) >= 12

    def worth(square: int) -> int:
        number = NUMBER[cards[square]]
        return number if many else 5 - number

    def score(option: After) -> int:
        total = sum(map(worth, option.mine)) - sum(map(worth, option.theirs))
        # Doubt: "add (landing number minus 5), if …" and not "add landing number; minus 5 if …".
        if option.meet:
            total += NUMBER[cards[option.land]] - 5
        return total

    return best(options, score)


def expert(cards: str, me: int, them: int) -> list[After]:
    options, decided = first_two_rules(cards, me, them)
    if decided:
        return options
    up = face_up(cards)
    # By the number of a card; a jack (never landed on in real play) is taken as an ace.
    if up >= 15:
        plus = {1: 2, 2: 5, 3: 5, 4: 5}
    elif up >= 12:
        plus = {1: 1, 2: 3, 3: 3, 4: 5}
    else:
        plus = {1: 4, 2: 5, 3: 1, 4: 1}
    if up >= 12:
        minus = {1: 5, 2: 3, 3: 3, 4: 2}
    elif up >= 10:
        minus = {1: 5, 2: 3, 3: 4, 4: 3}
    else:
        minus = {1: 4, 2: 3, 3: 4, 4: 4}
    later = 0 if up >= 11 else 5

    def score(option: After) -> int:
        land = NUMBER[cards[option.land]]
        total = sum(plus[NUMBER[cards[square]]] for square in option.mine)
        # Doubt: the scale after the colon (rule 3) holds for both: the cards next, and the landing card.
        if option.guarded:
            total += plus[land]
        # Doubt: the landing card's minus always once; "again" is the same amount a second time.
        total -= minus[land] * (2 if option.meet else 1)
        if later:
            total += later * (len(option.mine_after_next()) - option.their_most_after())
        return total

    return best(options, score)


CARDS = {"pocket": pocket, "points": points, "expert": expert}


def choose(card: str, position: str) -> set[str]:
    """The squares of the moves that a card likes equally; none if there is no move (the game is lost)."""
    return {name(option.land) for option in CARDS[card](*parse(position))}
