"""The big board in the terminal: two to four at a table, each a person or a level of the computer."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from collapsi.cli.common import complain, new_console
from collapsi.cli.crowd import progress_line, thought
from collapsi.cli.play import HUMAN
from collapsi.cli.typed import say, taken_back, typed_word
from collapsi.crowd_match import CrowdMatch
from collapsi.errors import IllegalMoveError, MalformedError
from collapsi.game import Game
from collapsi.games.crowd import Crowd, deal_crowd, went_out
from collapsi.games.crowd_analysis import CrowdAnalysis, analyse_crowd, points_text
from collapsi.games.crowd_endgame import EndgameAnalysis
from collapsi.games.crowd_engine import Estimate
from collapsi.games.crowd_notation import parse_crowd_game, parse_crowd_rules
from collapsi.games.crowd_players import SECONDS, check_level, choose, level_named
from collapsi.games.crowd_review import review_crowd
from collapsi.opponent import FIRST_MET, Level
from collapsi.rules import CROWD_RULES, CrowdRules, Player

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.console import Console

WORDS = "or: hint, values, undo, moves, help, quit"
NODES_LOOKING_BACK = 500_000
"""For each position with two players left, in looking back on a game: some tenths of a second."""
Seats = dict[Player, Level | None]
"""Who plays which colour: a level of the computer, or None for a person."""


def play_crowd(
    text: str | None,
    rules: str,
    named: dict[Player, str | None],
    level: Level | None,
    seed: int | None,
    *,
    match: bool,
) -> None:
    """Play a round, or a match of rounds."""
    rng = random.Random(seed)
    assumed = rules if rules.lower() in CROWD_RULES else None
    game = (
        parse_crowd_game(text, rules=assumed)
        if text
        else Game.start(deal_crowd(rng, parse_crowd_rules(rules)))
    )
    seats = seat_players(game.position.rules, named, level)
    console = new_console()
    if match and text:
        msg = "a match deals its rounds itself: leave out the position, or --match"
        raise MalformedError(msg)
    if match:
        play_match(console, game, seats, rng)
        return
    for reason in game.positions[0].faults:
        complain(f"warning: {reason}")
    play_round(console, game, seats, rng)


def seat_players(rules: CrowdRules, named: Mapping[Player, str | None], level: Level | None) -> Seats:
    """Who plays which colour. If nobody is said to be you, the first colour that is not said is; the others
    that are not said are the computer.

    >>> from collapsi.rules import BIG3
    >>> [str(player) for player in seat_players(BIG3, {Player.RED: "2"}, None).values()]
    ['2', 'None', '1']
    """
    said = {player: _player(name, rules) for player, name in named.items() if name is not None}
    for player in said:
        if player not in rules.seats:
            msg = f"nobody plays {player} under the rules {rules}: {rules.players} players take part"
            raise MalformedError(msg)
    unsaid = [player for player in rules.seats if player not in said]
    if None not in said.values() and unsaid:
        said[unsaid.pop(0)] = None
    if level is not None and not unsaid:
        msg = f"--level {level}: there is no computer that it could be for; leave it out, or a colour"
        raise MalformedError(msg)
    computer = level or FIRST_MET
    check_level(computer, rules)
    return {player: said.get(player, computer) for player in rules.seats}


def _player(name: str, rules: CrowdRules) -> Level | None:
    return None if name == HUMAN else level_named(name, rules, beside=(HUMAN,))


def play_match(console: Console, game: Game[Crowd], seats: Seats, rng: random.Random) -> None:
    """Rounds until somebody has won; who plays red in the first is player 1, and so on."""
    match = CrowdMatch.start(game.position.rules)
    people = list(seats.values())
    while match.winner is None:
        if match.rounds:
            game = Game.start(deal_crowd(rng, match.rules))
        who = ", ".join(f"{colour} is player {number + 1}" for colour, number in match.seats.items())
        say(console, f"{match.title}: {who}")
        state = play_round(console, game, {colour: people[who] for colour, who in match.seats.items()}, rng)
        if state is None:
            return
        match = match.after(state)
        say(console, f"points so far: {match.text}\n")
    say(console, f"player {match.winner + 1} has won the match ({match.text})")


def play_round(console: Console, game: Game[Crowd], seats: Seats, rng: random.Random) -> Crowd | None:
    """One round: the state at its end, or None if somebody stopped it."""
    if None in seats.values() and not game.position.over:
        say(console, f"{game.text}\n{_how_to_move()}")
    while not game.position.over:
        before = game.position
        mover = seats[before.to_move]
        if mover is None:
            try:
                next_game = _human(console, game, seats)
            except KeyboardInterrupt:
                _say_so_far(console, game)
                raise
            if next_game is None:
                _say_so_far(console, game)
                return None
        else:
            if mover in (Level.MASTER, Level.PERFECT) and console.is_terminal:
                console.print("thinking …", style="dim")
            chosen = choose(before, mover, rng)
            next_game = game.play(chosen.move)
            said = f" ({chosen.said})" if chosen.said else ""
            say(console, f"{before.to_move} ({mover}) goes to {next_game.squares[-1]}{said}")
        if len(next_game.moves) > len(game.moves):
            for line in went_out(before, next_game.position):
                say(console, line)
        game = next_game
    _show_board(console, game.position)
    if console.is_terminal:  # the plain board ends with it
        say(console, game.position.turn)
    assert game.position.points is not None
    say(console, f"points: {points_text(game.position, game.position.points)}")
    say(console, f"game: {game.text}")
    if None in seats.values():
        _look_back(console, game)
    return game.position


def _look_back(console: Console, game: Game[Crowd]) -> None:
    """Where wins or points were given away, as far as that is found out within some seconds."""
    if console.is_terminal:
        console.print("looking back on the game …", style="dim")
    for move in review_crowd(game, for_two=NODES_LOOKING_BACK, for_more=1).turning_points:
        say(console, f"it turned at move {move.number}, {move.player} to {move.name}: {move.text}")


def _how_to_move() -> str:
    return f"your move is a square (d1), {WORDS}"


def _say_so_far(console: Console, game: Game[Crowd]) -> None:
    if console.is_terminal:
        console.print()  # after the prompt, which Ctrl-C and Ctrl-D do not end
    say(console, f"game so far: {game.text}")


def _show_board(console: Console, state: Crowd, analysis: CrowdAnalysis | None = None) -> None:
    if console.is_terminal:
        from collapsi import terminal

        console.print(terminal.draw_board(state, analysis), sep="", end="")
        if state.out:
            console.print(terminal.turn(state))
    else:
        say(console, str(state))


def _human(console: Console, game: Game[Crowd], seats: Seats) -> Game[Crowd] | None:
    """A person's turn: the game after it, or None to stop."""
    state = game.position
    _show_board(console, state)
    while True:
        word = typed_word(console, state.to_move)
        if word is None:
            return None
        if word == "undo":
            back = taken_back(game, seats)
            if back is not None:
                return back
            say(console, "there is no move of yours to take back")
        elif word in ("hint", "values"):
            _tell(console, state, word)
        elif word == "moves":
            say(console, " ".join(map(state.move_text, state.moves)))
        elif word in ("help", ""):
            say(console, _how_to_move())
        elif word in ("why", "why?"):
            say(console, "reasons are given on the small board only")
        else:
            try:
                return game.play(word)
            except IllegalMoveError as error:
                say(console, f"{error}")


def _tell(console: Console, state: Crowd, word: str) -> None:
    """What can be found out of a position within some seconds."""
    if len(state.left) > 2:
        found = thought(state, lambda _: None)
        assert isinstance(found, Estimate | EndgameAnalysis)  # more than two are left
        best = "best" if isinstance(found, EndgameAnalysis) else "the engine would go to"
        say(console, "\n".join(found.rows) if word == "values" else f"{best}: {' '.join(found.best)}")
        say(console, "\n".join(found.notes[:3]))
        return
    with progress_line(state) as told:
        analysis = analyse_crowd(state, seconds=SECONDS, progress=told)
    if word == "values":
        if console.is_terminal:
            _show_board(console, state, analysis)
        for move in analysis.moves:
            say(console, f"{move.name}  {move.value:>3}  {move.text}")
    elif analysis.best:
        say(console, f"best: {' '.join(analysis.best)} ({analysis.text})")
    else:
        wins = [move.name for move in analysis.moves if move.wins]
        known = f"known to win: {' '.join(wins)}" if wins else "no move is known to win"
        say(console, f"{known} ({analysis.text})")
    if analysis.so_far:
        say(console, analysis.so_far)
