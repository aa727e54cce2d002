"""Parse the sentences of the coach and check them against the rules and the solver.

Nothing of `collapsi.play.coach` is used: the words are taken apart here, counts and lines are played out with
`tests.naive`, who wins in how many plies is asked of the solver, and a card of rules is asked for its choice.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from collapsi import Position, analyse
from collapsi.play.strategy.rulecard import bundled_card
from tests import naive

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from collapsi import Analysis
    from collapsi.play.strategy.rulecard import RuleCard
    from tests.naive import Naive, Place

COLOURS = ("red", "blue")
SOON = 6
"""Moves within which a game is called decided soon."""
MANY = 2
"""By how many next cards two moves must differ to be told apart by them."""
SQUARE = r"[a-d][1-4]"
SQUARES = rf"{SQUARE}(?:, {SQUARE})*"
NAMES = rf"{SQUARE}(?:(?:, | and ){SQUARE})*"


def place(square: str) -> Place:
    return int(square[1]) - 1, "abcd".index(square[0])


def squares(text: str) -> list[str]:
    return re.findall(SQUARE, text)


def wins_within(position: Naive, moves: int) -> bool:
    """Whether the side to move can leave the other without a move, by its own move within so many of both."""
    return moves > 0 and any(
        loses_within(naive.play(position, end), moves - 1) for end in naive.ends(position)
    )


def loses_within(position: Naive, moves: int) -> bool:
    """Whether the side to move has no move, or the other leaves it none within so many moves of both."""
    ends = naive.ends(position)
    return not ends or (moves > 1 and all(wins_within(naive.play(position, end), moves - 1) for end in ends))


def next_cards(position: Naive, square: str) -> set[Place]:
    """Where the side to move could be after its next move but one: played out, answer by answer."""
    after = naive.play(position, place(square))
    found: set[Place] = set()
    for answer in naive.ends(after):
        found |= naive.ends(naive.play(after, answer))
    return found


def is_forced(after: Naive, line: list[str], moves: int) -> bool:
    """Whether the first move of a line wins within so many moves, none wins sooner, and the line shows it."""
    here = after
    for square in line:
        if place(square) not in naive.ends(here):
            return False
        here = naive.play(here, place(square))
    return (
        len(line) == moves
        and not naive.ends(here)
        and loses_within(naive.play(after, place(line[0])), moves - 1)
        and not wins_within(after, moves - 2)
    )


@dataclass(frozen=True)
class Claims:
    """The position that a sentence is about."""

    position: Position

    @cached_property
    def here(self) -> Naive:
        return naive.read(self.position.text)

    @cached_property
    def solved(self) -> Analysis:
        return analyse(self.position)

    @property
    def me(self) -> str:
        return COLOURS[self.here.to_move]

    @property
    def they(self) -> str:
        return COLOURS[1 - self.here.to_move]

    def after(self, square: str) -> Naive:
        assert place(square) in naive.ends(self.here)
        return naive.play(self.here, place(square))

    def plies(self, square: str) -> int:
        return next(move.plies for move in self.solved.moves if move.to == square)

    def left(self, square: str) -> int:
        """The plies left after a move: choosing a start is no ply."""
        is_start = self.here.rules == "choice" and self.here.cards[self.here.pawns[self.here.to_move]] == "J"
        return self.plies(square) - (not is_start)

    def moves(self, plies: int) -> int:
        """How many moves so many plies are, beginning with one from here: choosing a start is no ply."""
        if self.here.rules != "choice":
            return plies
        return plies + sum(self.here.cards[pawn] == "J" for pawn in self.here.pawns)

    @cached_property
    def winning(self) -> list[str]:
        return [move.to for move in self.solved.moves if move.wins]

    @cached_property
    def losing(self) -> list[str]:
        return [move.to for move in self.solved.moves if not move.wins]

    @cached_property
    def stuck(self) -> list[str]:
        """The moves that win at once."""
        return [move.to for move in self.solved.moves if not naive.ends(self.after(move.to))]

    def by_card(self, card: RuleCard) -> tuple[list[str], int]:
        """Where a card goes, and the number of the line after which nothing changes any more."""
        choices = [card.first(count).choose(self.position) for count in range(len(card.lines) + 1)]
        changes = [count for count in range(1, len(choices)) if choices[count] != choices[count - 1]]
        return [self.position.board.square(move) for move in choices[-1]], max(changes, default=0)

    def card_that_finds_it(self, best: Collection[str] | None = None) -> str | None:
        """The first of the cards that are taught that chooses only winning moves, and one of the best."""
        for name in ("pocket", "points"):
            chosen, _ = self.by_card(bundled_card(name))
            if set(chosen) <= set(self.winning) and (best is None or set(chosen) & set(best)):
                return name
        return None

    def gap(self, better: str, worse: str) -> int:
        return len(next_cards(self.here, better)) - len(next_cards(self.here, worse))

    # Why a move threw the win away

    def check_thrown(self, played: str, said: str) -> str:
        """The kind of what is said of a move; an assertion fails where it is not true or not the nearest."""
        assert self.winning, "there was a win"
        assert played in self.losing, "it was thrown away"
        after = self.after(played)
        moves = self.moves(self.plies(played)) - 1  # those that follow
        kinds: dict[str, tuple[str, Callable[[re.Match[str]], bool], Callable[[], bool]]] = {
            "at once": (
                rf"({SQUARE}) would have won at once: {self.they} could not have moved",
                lambda words: words[1] in self.stuck,
                lambda: bool(self.stuck),
            ),
            "forced": (
                (
                    rf"loses in (\d) more pl(?:y|ies): {self.they} answers ({SQUARE}), and "
                    rf"(?:({self.me} cannot move)|whatever {self.me} plays, "
                    rf"(?:({self.they}’s next move leaves {self.me} none)|"
                    rf"{self.me} cannot move after (2) more moves of {self.they} at the latest)"
                    rf" \(((?:{SQUARE} ?)+)\))"
                ),
                lambda words: (
                    int(words[1]) == self.left(played)
                    and [moves == 1, moves == 3, moves == 5] == [bool(words[group]) for group in (3, 4, 5)]
                    and (words[6] or words[2]).startswith(words[2])
                    and is_forced(after, squares(words[6] or words[2]), moves)
                ),
                lambda: moves < SOON,
            ),
            "next cards": (
                (
                    rf"({SQUARE}) leaves {self.me} (\d+) cards? to go to next \(({SQUARES})\); "
                    rf"({SQUARE}) would have left (\d+) \(({SQUARES})\)"
                ),
                lambda words: (
                    words[1] == played
                    and words[4] in self.solved.best
                    and self._counted(played, words[2], words[3])
                    and self._counted(words[4], words[5], words[6])
                    and int(words[5]) - int(words[2]) >= MANY
                ),
                lambda: any(self.gap(best, played) >= MANY for best in self.solved.best),
            ),
            "card of rules": (
                (
                    rf"the (pocket|points) card would have gone to ({SQUARE}(?: or {SQUARE})*): "
                    r"line (\d+) decides \((.+)\)"
                ),
                lambda words: self.card_that_finds_it() == words[1] and self._is_on_card(words),
                lambda: self.card_that_finds_it() is not None,
            ),
            "calculation": (
                rf"no rule shows this; it takes calculation: {self.they} wins in (\d+) more plies",
                lambda words: int(words[1]) == self.left(played),
                lambda: True,
            ),
        }
        return self._nearest(kinds, said)

    # Why a move is the best

    def check_best(self, said: str) -> str:
        """The same for what is said of a best move."""
        best, plies = list(self.solved.best), self.solved.plies
        won = bool(self.winning)
        kinds: dict[str, tuple[str, Callable[[re.Match[str]], bool], Callable[[], bool]]] = {
            "at once": (
                rf"({SQUARE}) wins at once: {self.they} cannot move",
                lambda words: words[1] in self.stuck,
                lambda: bool(self.stuck),
            ),
            "forced": (
                (
                    rf"({SQUARE}) wins in (\d) pl(?:y|ies): whatever {self.they} answers, "
                    rf"(?:({self.me}’s next move leaves {self.they} none)|"
                    rf"{self.they} cannot move after (2) more moves of {self.me} at the latest)"
                    rf" \(((?:{SQUARE} ?)+)\)"
                ),
                lambda words: (
                    int(words[2]) == plies
                    and [self.moves(plies) == 3, self.moves(plies) == 5] == [bool(words[3]), bool(words[4])]
                    and words[5].startswith(words[1])
                    and is_forced(self.here, squares(words[5]), self.moves(plies))
                ),
                lambda: won and self.moves(plies) <= SOON,
            ),
            "only move": (
                rf"({SQUARE}) is the only move",
                lambda words: naive.ends(self.here) == {place(words[1])},
                lambda: len(naive.ends(self.here)) == 1,
            ),
            "every move": (
                (
                    rf"every move (wins|loses)(?: in (\d+) pl(?:y|ies)|; ({NAMES}) "
                    r"(?:wins? soonest, in|holds? out longest, for) (\d+) pl(?:y|ies): "
                    r"any other (?:needs (\d+) or more|lasts (\d+) at the most))"
                ),
                self._is_every_move,
                lambda: not (self.winning and self.losing),
            ),
            "others lose": (
                rf"every move but ({NAMES}) loses soon: (.+)",
                self._is_others_lose,
                lambda: all(self.moves(self.plies(one)) <= SOON for one in self.losing),
            ),
            "next cards": (
                (
                    rf"({SQUARE}) leaves {self.me} (\d+) cards? to go to next \(({SQUARES})\); "
                    r"a move that loses leaves (\d+) at the most"
                ),
                lambda words: (
                    words[1] in best
                    and self._counted(words[1], words[2], words[3])
                    and int(words[4]) == max(len(next_cards(self.here, one)) for one in self.losing)
                    and int(words[2]) - int(words[4]) >= MANY
                ),
                lambda: any(all(self.gap(one, other) >= MANY for other in self.losing) for one in best),
            ),
            "card of rules": (
                (
                    rf"the (pocket|points) card goes to ({SQUARE}(?: or {SQUARE})*): "
                    r"line (\d+) decides \((.+)\)"
                ),
                lambda words: self.card_that_finds_it(best) == words[1] and self._is_on_card(words),
                lambda: self.card_that_finds_it(best) is not None,
            ),
            "calculation": (
                rf"no rule shows this; it takes calculation: {self.me} wins in (\d+) plies",
                lambda words: won and int(words[1]) == plies,
                lambda: True,
            ),
        }
        return self._nearest(kinds, said)

    def _nearest(
        self,
        kinds: dict[str, tuple[str, Callable[[re.Match[str]], bool], Callable[[], bool]]],
        said: str,
    ) -> str:
        """The kind of a sentence: it is true, and no reason that is more concrete would have been."""
        for kind, (pattern, is_true, applies) in kinds.items():
            words = re.fullmatch(pattern, said)
            if words:
                assert is_true(words), f"not true of {self.position}: {said}"
                assert applies()
                return kind
            assert not applies(), f"{kind} would be more concrete at {self.position} than: {said}"
        raise AssertionError(said)

    def _counted(self, square: str, number: str, listed: str) -> bool:
        return int(number) == len(squares(listed)) and next_cards(self.here, square) == set(
            map(place, squares(listed))
        )

    def _is_on_card(self, words: re.Match[str]) -> bool:
        card = bundled_card(words[1])
        chosen, line = self.by_card(card)
        return (
            squares(words[2]) == chosen
            and int(words[3]) == line
            and card.sentences[line - 1].lower().startswith(words[4].lower())
        )

    def _is_every_move(self, words: re.Match[str]) -> bool:
        wins = words[1] == "wins"
        by_plies = {move.to: move.plies for move in self.solved.moves}
        if wins != bool(self.winning) or (self.winning and self.losing):
            return False
        if words[2]:
            return set(by_plies.values()) == {int(words[2])}
        best = set(squares(words[3]))
        others = [plies for square, plies in by_plies.items() if square not in best]
        limit = min(others) if wins else max(others)
        better = int(words[4]) < limit if wins else int(words[4]) > limit
        return (
            {plies for square, plies in by_plies.items() if square in best} == {int(words[4])}
            and better
            and int(words[5 if wins else 6]) == limit
        )

    def _is_others_lose(self, words: re.Match[str]) -> bool:
        answers = re.findall(
            rf"({SQUARE}) in (\d) pl(?:y|ies) \({self.they} answers ({SQUARE})\)(?:, |$)", words[2]
        )
        return (
            sorted(squares(words[1])) == sorted(self.winning)
            and sorted(move for move, _, _ in answers) == sorted(self.losing)
            and all(self._loses_to(move, int(plies), answer) for move, plies, answer in answers)
        )

    def _loses_to(self, move: str, plies: int, answer: str) -> bool:
        moves = self.moves(plies) - 1
        after = self.after(move)
        return (
            place(answer) in naive.ends(after)
            and loses_within(naive.play(after, place(answer)), moves - 1)
            and not wins_within(after, moves - 2)
        )
