"""Notation of states and games of the big board: rows, the side to move, the rules, players out, moves.

As in `games.notation`, with pawns `r b g y`, and the letters of the players who are out, in order::

    A223A4/…/3Jb2A44 r big3 out:g d4 e5
                     │ │    │     └ the moves played from there
                     │ │    └ green is out (then blue: out:gb)
                     │ └ the rules, always written: they give the number of players
                     └ red moves

A player who is out has no pawn on the board. If the side to move cannot move, `parse_big` returns the state
that follows: that player is out, and the next one is to move.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from collapsi.core.errors import MalformedError
from collapsi.core.game import Game
from collapsi.core.movetext import split_movetext
from collapsi.core.rows import CARDS, parse_rows, parse_side, pawn_names, shorten
from collapsi.core.words import play_words
from collapsi.games.big.rules import BIG_RULE_SETS, BigRules
from collapsi.games.big.state import OUT, BigState

if TYPE_CHECKING:
    from collapsi.core.players import Player

_WENT = "out:"
_CARD = "card: write A, 2, 3, 4, J, or . for collapsed"


def parse_big(text: str, *, rules: BigRules | None = None) -> BigState:
    """Read a state, or the last state of a game. `rules` apply where the text names none.

    >>> parse_big("....../.2r.3../.AA.../.Ab4.../....../...... r big3 out:g").turn
    'red to move; out: green'
    """
    return parse_big_game(text, rules=rules).position


def parse_big_game(text: str, *, rules: BigRules | None = None) -> Game[BigState]:
    """Read a game: a state, then the end square of every move.

    >>> parse_big_game("....../.2r.3../.AA.../.3b..../....../...... r big c3").position.turn
    'red has won: blue cannot move'
    """
    split = split_movetext(text)
    named = next((word for word in split.words[2:3] if word.lower() in BIG_RULE_SETS), None)
    return split.grow(parse_game(split.words, BIG_RULE_SETS[named.lower()] if named else rules, named))


def parse_game(words: list[str], rules: BigRules | None, named: str | None) -> Game[BigState]:
    """Read a game from its words. `rules` are those that apply, `named` is the word that names them."""
    rows, rest = words[0].split("/"), words[1:]
    side, rest = (rest[0], rest[1:]) if rest else ("", [])
    if rules is None:
        msg = f"the rules are missing: write one of {', '.join(BIG_RULE_SETS)} after the side to move"
        raise MalformedError(msg)
    if rest and rest[0] == named:
        rest = rest[1:]
    went = ""
    if rest and rest[0].lower().startswith(_WENT):
        went, rest = rest[0].lower()[len(_WENT) :], rest[1:]
    if rest and rules.board.cell(rest[0].lower()) is None:
        last = rules.board.square(rules.board.size - 1)
        msg = (
            f"{shorten(rest[0])} is neither rules ({', '.join(BIG_RULE_SETS)}), nor who is out ({_WENT}g), "
            f"nor a move (a1 to {last})"
        )
        raise MalformedError(msg)
    return play_words(Game.start(_state(rows, side, went, rules)), rest)


def _state(rows: list[str], side: str, went: str, rules: BigRules) -> BigState:
    seats = {player.letter: player for player in rules.seats}
    names = pawn_names(rules.seats)
    written = "/".join(rows).lower()
    here = {letter: name for letter, name in names.items() if letter.lower() in written}
    texts, found = parse_rows(rows, rules.board, "A234J.", here or names, _CARD)
    pawns = tuple(found.get(letter.upper(), OUT) for letter in seats)
    return BigState.at(
        tuple(CARDS.get(text) for text in texts),
        pawns,
        parse_side(side, rules.seats),
        _out(went, [player for player in rules.seats if pawns[player] == OUT], seats),
        rules,
    )


def _out(went: str, missing: list[Player], seats: dict[str, Player]) -> tuple[Player, ...]:
    """Return the players who are out, in order; they must be the ones without a pawn."""
    letters = "".join(player.letter for player in missing)
    if letters and not went:
        names = " and ".join(map(str, missing))
        where = f"write {letters[0]} after the card it stands on"
        msg = f"no {names} pawn: {where}, or {_WENT}{letters} if it is out"
        raise MalformedError(msg)
    if sorted(went) != sorted(letters):
        without = f"without one are {letters}" if letters else "every player has one"
        msg = f"{shorten(_WENT + went)} does not fit the pawns: {without}"
        raise MalformedError(msg)
    return tuple(seats[letter] for letter in went)
