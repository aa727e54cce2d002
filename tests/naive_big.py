"""The big board once more, written from the rule sheet alone: no code of the package, coordinates, no cells.

A table is a dict from (row, column) to the letter of a face-up card; pawns are a dict from a player's letter
to a place. Nothing here is clever: walks are listed whole, and players are asked in turn if they can move.
"""

from __future__ import annotations

from dataclasses import dataclass

Place = tuple[int, int]

SIDE = {"big": 6, "big3": 6, "big4": 6, "five3": 5}
PLAYERS = {"big": "rb", "big3": "rbg", "big4": "rbgy", "five3": "rbg"}
DECK = {
    "big": "JJJJ" + "A" * 8 + "2" * 8 + "3" * 8 + "4" * 8,
    "five3": "JJJ" + "A" * 6 + "2" * 6 + "3" * 6 + "4" * 4,
}
DECK["big3"] = DECK["big4"] = DECK["big"]


@dataclass
class Round:
    """A round under way; `play` changes it."""

    rules: str
    cards: dict[Place, str]
    pawns: dict[str, Place]
    to_move: str
    went_out: list[str]

    def ends(self, player: str) -> set[Place]:
        side = SIDE[self.rules]
        start = self.pawns[player]
        letter = self.cards[start]
        walks = [[start]]
        for _ in range({"J": 1, "A": 1, "2": 2, "3": 3, "4": 4}[letter]):
            longer = []
            for walk in walks:
                row, column = walk[-1]
                for down, right in ((0, 1), (0, -1), (1, 0), (-1, 0)):
                    there = (row + down) % side, (column + right) % side
                    if there in self.cards and there not in walk:
                        longer.append([*walk, there])
            walks = longer
        return {walk[-1] for walk in walks} - set(self.pawns.values())

    def next_turn(self) -> None:
        """Pass the turn on; who gets it and cannot move is out, as long as somebody else is left."""
        order = PLAYERS[self.rules]
        while True:
            self.to_move = order[(order.index(self.to_move) + 1) % len(order)]
            if self.to_move in self.pawns:
                if len(self.pawns) == 1 or self.ends(self.to_move):
                    return
                del self.pawns[self.to_move]
                self.went_out.append(self.to_move)

    def play(self, end: Place) -> None:
        assert end in self.ends(self.to_move)
        del self.cards[self.pawns[self.to_move]]
        self.pawns[self.to_move] = end
        self.next_turn()

    def points(self) -> dict[str, int] | None:
        """0 to the first who went out, 1 to the second, …; None while several are left."""
        if len(self.pawns) > 1:
            return None
        return {player: number for number, player in enumerate([*self.went_out, *self.pawns])}


def lay(rules: str, deck: list[str]) -> Round:
    """The round that begins with these cards, dealt row by row."""
    side, players = SIDE[rules], PLAYERS[rules]
    cards = {divmod(number, side): letter for number, letter in enumerate(deck)}
    jacks = [place for place, letter in cards.items() if letter == "J"]
    for place in jacks[len(players) :]:
        del cards[place]
    return Round(rules, cards, dict(zip(players, jacks, strict=False)), "r", [])
