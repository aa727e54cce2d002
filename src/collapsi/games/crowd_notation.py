"""States and games of the big board as text: rows of cards, the side to move, the rules, who is out.

As in `collapsi.notation`, with pawns `r b g y` and, where somebody is out, their letters in the order in
which they went::

    A223A4/…/3Jb2A44 r big3 out:g d4 e5
                     │ │    │     └ the moves played from there
                     │ │    └ green is out (two that are out are written in order: out:gb)
                     │ └ the rules, always written: they say how many play
                     └ red moves

Who is out has no pawn on the board. If the one to move is stuck, what is read is the state that follows: that
player is out, and the next one is to move.
"""

from __future__ import annotations

from collapsi.errors import MalformedError
from collapsi.game import Game
from collapsi.games.crowd import OUT, Crowd
from collapsi.notation import play_words, words_of
from collapsi.rows import format_cells, parse_rows, shorten
from collapsi.rules import CROWD_RULES, Card, CrowdRules, Player

_CARDS = {card.letter: card for card in Card}
_WENT = "out:"


def parse_crowd_rules(name: str | CrowdRules) -> CrowdRules:
    """The rule set of that name.

    >>> parse_crowd_rules("big4").players
    4
    """
    if isinstance(name, CrowdRules):
        return name
    found = CROWD_RULES.get(name.lower())
    if found is None:
        msg = f"unknown rules {shorten(name)}: choose one of {', '.join(CROWD_RULES)}"
        raise MalformedError(msg)
    return found


def parse_crowd(text: str, *, rules: CrowdRules | str | None = None) -> Crowd:
    """Read a state, or the last state of a game. `rules` is what to assume where the text does not say.

    >>> parse_crowd("....../.2r.3../.AA.../.Ab4.../....../...... r big3 out:g").turn
    'red to move; out: green'
    """
    return parse_crowd_game(text, rules=rules).position


def format_crowd(state: Crowd) -> str:
    """The canonical text of a state."""
    went = "".join(player.letter for player in state.out)
    return f"{format_cells(state)} {state.to_move.letter} {state.rules}" + (f" {_WENT}{went}" if went else "")


def parse_crowd_game(text: str, *, rules: CrowdRules | str | None = None) -> Game[Crowd]:
    """Read a game: a state, then the end square of every move.

    >>> parse_crowd_game("....../.2r.3../.AA.../.3b..../....../...... r big c3").position.turn
    'red has won: blue cannot move'
    """
    words = words_of(text)
    rows, rest = words[0].split("/"), words[1:]
    side, rest = (rest[0], rest[1:]) if rest else ("", [])
    named = rest[0] if rest and rest[0].lower() in CROWD_RULES else None
    if named is None and rules is None:
        msg = f"the rules are missing: write one of {', '.join(CROWD_RULES)} after the side to move"
        raise MalformedError(msg)
    agreed = parse_crowd_rules(named or rules or "")
    rest = rest[named is not None :]
    went = ""
    if rest and rest[0].lower().startswith(_WENT):
        went, rest = rest[0].lower()[len(_WENT) :], rest[1:]
    if rest and agreed.board.cell(rest[0].lower()) is None:
        last = agreed.board.square(agreed.board.size - 1)
        msg = (
            f"{shorten(rest[0])} is neither rules ({', '.join(CROWD_RULES)}), nor who is out ({_WENT}g), "
            f"nor a move (a1 to {last})"
        )
        raise MalformedError(msg)
    return play_words(Game.start(_state(rows, side, went, agreed)), rest)


def _state(rows: list[str], side: str, went: str, rules: CrowdRules) -> Crowd:
    seats = {player.letter: player for player in rules.seats}
    names = {letter.upper(): f"{player} pawn" for letter, player in seats.items()}
    written = "/".join(rows).lower()
    here = {letter: name for letter, name in names.items() if letter.lower() in written}
    texts, found = parse_rows(rows, rules.board, "A234J.", here or names, _no_card)
    pawns = tuple(found.get(letter.upper(), OUT) for letter in seats)
    return Crowd.at(
        tuple(_CARDS.get(text) for text in texts),
        pawns,
        _side(side, seats),
        _out(went, [player for player in rules.seats if pawns[player] == OUT], seats),
        rules,
    )


def _side(side: str, seats: dict[str, Player]) -> Player:
    for letter, player in seats.items():
        if side.lower() in (letter, str(player)):
            return player
    found = f"{shorten(side)} is no side to move" if side else "the side to move is missing"
    choice = ", ".join(f"{letter} ({player})" for letter, player in seats.items())
    msg = f"{found}: add one of {choice} after a space"
    raise MalformedError(msg)


def _out(went: str, missing: list[Player], seats: dict[str, Player]) -> tuple[Player, ...]:
    """Who is out, in order, which must be those without a pawn."""
    letters = "".join(player.letter for player in missing)
    if letters and not went:
        names = " and ".join(map(str, missing))
        where = f"write {letters[0]} after the card it stands on"
        msg = f"no {names} pawn: {where}, or {_WENT}{letters} if it is out"
        raise MalformedError(msg)
    if sorted(went) != sorted(letters):
        without = f"without one are {letters}" if letters else "everybody has one"
        msg = f"{shorten(_WENT + went)} does not fit the pawns: {without}"
        raise MalformedError(msg)
    return tuple(seats[letter] for letter in went)


def _no_card(character: str, row: int, column: int) -> str:
    where = f"{shorten(character)} in row {row}, column {column} is no card"
    return f"{where}: write A, 2, 3, 4, J, or . for collapsed"
