"""Positions of every kind for property tests: deals, positions of real games, and boards laid out by hand."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from collapsi import Card, Position, deal
from collapsi.core.players import PAIR
from collapsi.games.big.rules import BIG_RULE_SETS
from collapsi.games.classic.rules import CLASSIC_RULE_SETS
from collapsi.games.solo.deals import DECKS, Deck, deal_solo
from collapsi.games.solo.rules import SOLO_BOARDS, SOLO_RULES, Exit
from collapsi.games.solo.state import Solo
from tests.big_positions import endgames
from tests.rule_sets import SHIFTING
from tests.shifting_positions import made_up

if TYPE_CHECKING:
    from collapsi import Board
    from collapsi.games.big.state import BigState
    from collapsi.games.shifting.state import Shifting

seeds = st.integers(0, 2**32)
rule_sets = st.sampled_from(list(CLASSIC_RULE_SETS.values()))
"""Of the classic kind; the others follow."""
shifting_rules = st.sampled_from(SHIFTING)
big_rules = st.sampled_from(list(BIG_RULE_SETS.values()))
SMALL_DECKS, LARGE_DECKS = (
    [deck for deck in DECKS.values() if deck.board.size == board.size] for board in SOLO_BOARDS
)
"""Decks of the solo game with 9 and with 16 cards."""


def play_on(draw: st.DrawFn, state: Any, plies: int) -> Any:
    """Play random moves from a state; fewer if the game ends."""
    for _ in range(plies):
        if state.moves:
            state = state.play(draw(st.sampled_from(state.moves)))
    return state


@st.composite
def deals(draw: st.DrawFn, rules: st.SearchStrategy[Any] = rule_sets) -> Any:
    """A whole deal, by rules of any kind."""
    return deal(random.Random(draw(seeds)), draw(rules))


@st.composite
def played(
    draw: st.DrawFn, *, fewest: int = 0, most: int = 14, rules: st.SearchStrategy[Any] = rule_sets
) -> Any:
    """A position after some plies of any play, good or bad."""
    return play_on(draw, draw(deals(rules)), draw(st.integers(fewest, most)))


@st.composite
def set_up(draw: st.DrawFn, *, most_cards: int = 16, rules: st.SearchStrategy[Any] = rule_sets) -> Position:
    """Any cards anywhere, pawns on any two of them, either side to move: most cannot arise in play."""
    cells = draw(st.permutations(range(16)))
    count = draw(st.integers(2, most_cards))
    cards: list[Card | None] = [None] * 16
    for cell in cells[:count]:
        cards[cell] = draw(st.sampled_from(Card))
    return Position(tuple(cards), (cells[0], cells[1]), draw(st.sampled_from(PAIR)), draw(rules))


@st.composite
def shifting_set_up(draw: st.DrawFn, *, most_cards: int = 16) -> Shifting:
    """The same on any patch of the Shifting Board."""
    return made_up(random.Random(draw(seeds)), draw(shifting_rules), most_cards)


@st.composite
def big_endgames(draw: st.DrawFn) -> BigState:
    """Connected cards of the big board with all pawns on them."""
    return draw(st.sampled_from(endgames(draw(big_rules), draw(st.integers(5, 14)), 5)))


@st.composite
def solo_deals(draw: st.DrawFn, decks: list[Deck]) -> Solo:
    """A layout of the solo game, solvable or not."""
    return deal_solo(random.Random(draw(seeds)), draw(st.sampled_from(decks)), draw(st.sampled_from(Exit)))


@st.composite
def solo_played(draw: st.DrawFn, decks: list[Deck], *, fewest: int = 0) -> Solo:
    """The same after some moves of any play."""
    position = draw(solo_deals(decks))
    found: Solo = play_on(draw, position, draw(st.integers(fewest, position.board.size)))
    return found


@st.composite
def solo_set_up(draw: st.DrawFn, *, most_cards: int = 16, boards: tuple[Board, ...] = SOLO_BOARDS) -> Solo:
    """Any numbers anywhere, the pawn on any card and the exit on another: most cannot arise in play."""
    board = draw(st.sampled_from(boards))
    cells = draw(st.permutations(range(board.size)))
    cards: list[Card | None] = [None] * board.size
    cards[cells[0]] = draw(st.sampled_from(Card))
    cards[cells[1]] = Card.JACK
    for cell in cells[2 : draw(st.integers(2, most_cards))]:
        cards[cell] = draw(st.sampled_from(list(Card)[1:]))
    return Solo(tuple(cards), (cells[0],), SOLO_RULES[board, draw(st.sampled_from(Exit))])


ANY: dict[str, st.SearchStrategy[Any]] = {
    "classic": st.one_of(set_up(), played()),
    "shifting": st.one_of(shifting_set_up(), played(rules=shifting_rules)),
    "big": st.one_of(big_endgames(), played(rules=big_rules, most=30)),
    "solo": st.one_of(solo_set_up(), solo_played(SMALL_DECKS), solo_played(LARGE_DECKS)),
}
"""By kind: positions of all sorts."""
