"""The command `play`: a game of any kind in the terminal, against the computer or each other."""

from __future__ import annotations

import random
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from collapsi.cli.answers import best_answer, move_rows, warn
from collapsi.cli.app import app, examples
from collapsi.cli.daily import play_daily
from collapsi.cli.options import JsonOption, SeedOption
from collapsi.cli.output import new_console, say
from collapsi.cli.rule_sets import read_rules, rules_option
from collapsi.cli.terminal import print_board, taken_back, typed_word
from collapsi.core.errors import IllegalMoveError, MalformedError
from collapsi.core.game import Game
from collapsi.core.players import Player
from collapsi.games.classic.rules import STANDARD
from collapsi.games.kind import Can, Limits
from collapsi.games.levels import FIRST_LEVEL, Level
from collapsi.games.records import GameRecord, append_game, check_appendable
from collapsi.games.registry import can, deal, kind_of, parse_game
from collapsi.play.daily import today
from collapsi.play.levels import check_level, choose, levels_for
from collapsi.play.review import reviews

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.console import Console

    from collapsi.core.rules import RuleSet

HUMAN = "you"
PLAYERS = ", ".join([HUMAN, *Level])
SHIFTS = ("r", "l", "d", "u")
SLOW_SECONDS = 1.0
"""Expected time of a search beyond which it is announced."""
SHORT_SIGHTED = (Level.RANDOM, Level.ONE, Level.TWO)
"""Levels that always move at once."""
HINT_LIMITS = Limits(seconds=10.0)
REVIEW_SECONDS = 20.0
"""Time limit of the review after a game, where it improves step by step."""

WORDS = ("hint", "why", "why?", "values", "check", "line", "solution")
NOTHING_TO_UNDO = {
    "undo": "there is no move of yours to take back",
    "back": "there is no earlier position of yours that can be won",
}

Seats = dict[Player, Level | None]
"""The level of the computer that plays each colour; None for a person."""


@app.command(
    epilog=examples(
        "play --level card",
        "play --level 1 --blue you --rules joker",
        "play --red you --blue you --seed 7",
        "play --red perfect --blue random",
        "play --rules shift --level 2",
        "play --rules big4 --red you --green you --level 2",
        "play --rules big --match --level perfect",
        "play --rules solo",
        "play --save games.txt",
        "play --daily",
    )
)
def play(
    position: Annotated[
        str | None,
        typer.Argument(help="A position or game to continue.", show_default="a random deal"),
    ] = None,
    *,
    level: Annotated[
        Level | None,
        typer.Option(
            help="Strength of the computer, weakest first; 1, 2 and 4 look that many moves ahead.",
            show_default=FIRST_LEVEL.value,
        ),
    ] = None,
    red: Annotated[
        str | None,
        typer.Option(
            help=f"Player of red: {PLAYERS}. If only one colour is named, you play the computer.",
            show_default=HUMAN,
        ),
    ] = None,
    blue: Annotated[str | None, typer.Option(help="Player of blue.", show_default="the computer")] = None,
    green: Annotated[
        str | None, typer.Option(help="Player of green, with three or four.", show_default="the computer")
    ] = None,
    yellow: Annotated[
        str | None, typer.Option(help="Player of yellow, with four.", show_default="the computer")
    ] = None,
    rules: Annotated[str, rules_option("play")] = STANDARD.name,
    match: Annotated[
        bool,
        typer.Option(
            "--match", help="On the big board: one round per player, the first move rotates; ties play on."
        ),
    ] = False,
    save: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Add the game to a game file, with moves that were taken back as variations.",
            show_default="none",
        ),
    ] = None,
    seed: SeedOption = None,
    daily: Annotated[bool, typer.Option("--daily", help="Play the deal of the day.")] = False,
    date: Annotated[
        str | None,
        typer.Option(
            metavar="DATE",
            help="With --daily: play the deal of this day, such as 2026-10-02.",
            show_default="today",
        ),
    ] = None,
    json_line: JsonOption = False,
) -> None:
    """Play a game in the terminal, against the computer or each other.

    You are red and the computer is blue, unless --red and --blue say otherwise. At the prompt type a move, or
    help for the other words.

    The deal of the day (--daily) is the same for all players who have the same date, by their own clocks. You
    are red, and you can win. The computer always plays at the same level, and answers the same moves with the
    same moves. There are no hints, and no moves are taken back. At the end there is a text to share that does
    not reveal the solution. --json only prints the deal.
    """
    if daily:
        named = (position, level, red, blue, green, yellow, save, seed)
        if match or rules != STANDARD.name or any(given is not None for given in named):
            msg = "the deal of the day has its own rules and players: leave out all but --date and --json"
            raise MalformedError(msg)
        play_daily(date, json_line=json_line)
        return
    if date is not None or json_line:
        msg = "--date and --json are for the deal of the day: add --daily, or leave them out"
        raise MalformedError(msg)
    rng = random.Random(seed)
    assumed = read_rules("play", rules)
    game = parse_game(position, rules=assumed) if position else Game.start(deal(rng, assumed))
    seats = seat_players(
        game.position.rules, dict(zip(Player, (red, blue, green, yellow), strict=True)), level
    )
    console = new_console()
    if match and position:
        msg = "a match deals its own rounds: leave out the position or --match"
        raise MalformedError(msg)
    if save is not None:
        check_appendable(save)
    if match:
        _play_match(console, game, seats, rng, save)
        return
    warn(game.positions[0])
    _play_game(console, game, seats, rng, save)


def seat_players(rules: RuleSet, named: Mapping[Player, str | None], level: Level | None) -> Seats:
    """Assign a person or a level to each colour.

    If no colour is said to be you, the first colour without a player is; the other ones are the computer.

    >>> from collapsi import parse_rules
    >>> [str(player) for player in seat_players(parse_rules("big3"), {Player.RED: "2"}, None).values()]
    ['2', 'None', '1']
    """
    seats = {player: _player(name, rules) for player, name in named.items() if name is not None}
    for player in seats:
        if player not in rules.seats:
            number = f"{rules.players} player{'s' * (rules.players > 1)}"
            msg = f"{rules} has {number} and no {player}: leave out --{player}, or use other rules (--rules)"
            raise MalformedError(msg)
    free = [player for player in rules.seats if player not in seats]
    if None not in seats.values() and free:
        seats[free.pop(0)] = None
    if level is not None and not free:
        msg = f"--level {level} is for a computer player that has no level yet: leave it out, or a colour"
        raise MalformedError(msg)
    if free:
        check_level(level or FIRST_LEVEL, rules)
    return {player: seats.get(player, level or FIRST_LEVEL) for player in rules.seats}


def _player(name: str, rules: RuleSet) -> Level | None:
    if name == HUMAN:
        return None
    try:
        chosen = Level(name)
    except ValueError:
        players = ", ".join([HUMAN, *levels_for(rules)])
        msg = f"{name!r:.40} is not a player: choose one of {players}"
        raise MalformedError(msg) from None
    check_level(chosen, rules)
    return chosen


def _play_match(
    console: Console, game: Game[Any], seats: Seats, rng: random.Random, save: Path | None
) -> None:
    """Play rounds until one player has won; player 1 is red in the first round, and so on."""
    match = kind_of(game.position).match(game.position.rules)
    people = list(seats.values())
    while match.winner is None:
        if match.rounds:
            game = Game.start(deal(rng, match.rules))
        who = ", ".join(f"{colour} is player {number + 1}" for colour, number in match.seats.items())
        say(console, f"{match.title}: {who}")
        seated = {colour: people[who] for colour, who in match.seats.items()}
        ended = _play_game(console, game, seated, rng, save)
        if ended is None:
            return
        match = match.after(ended)
        say(console, f"points so far: {match.text}\n")
    say(console, f"player {match.winner + 1} has won the match ({match.text})")


def _play_game(
    console: Console, game: Game[Any], seats: Seats, rng: random.Random, save: Path | None = None
) -> Any:
    """Play a game to its end and return its last position, or None if a person stopped it.

    The game is added to the file `save`, also if it was stopped.
    """
    lines = Lines(game)
    try:
        return _play_moves(console, game, seats, rng, lines)
    finally:
        if save is not None and lines.game.moves:
            append_game(save, GameRecord.of(lines.game, Date=today().isoformat(), **_names(seats)))
            say(console, f"saved in {save}")


class Lines:
    """The game with all moves that were played, moves that were taken back as variations."""

    def __init__(self, game: Game[Any]) -> None:
        self.game = game

    def update(self, game: Game[Any]) -> None:
        """Add the current line and make it the main line."""
        if game.moves:
            self.game = self.game.add_line(game.moves).make_main(game.moves)


def _names(seats: Seats) -> dict[str, str]:
    """Return the tags that name the players."""
    return {
        str(colour).capitalize(): HUMAN if level is None else f"computer ({level})"
        for colour, level in seats.items()
    }


def _play_moves(console: Console, game: Game[Any], seats: Seats, rng: random.Random, lines: Lines) -> Any:
    person_plays = None in seats.values()
    if person_plays and game.position.result is None:
        say(console, f"{game.text}\n{_help(game.position)}")
    while _continues(game.position):
        state = game.position
        mover = seats[state.to_move]
        if mover is None:
            try:
                next_game = _person_moves(console, game, seats)
            except KeyboardInterrupt:
                _print_unfinished(console, game)
                raise
            if next_game is None:
                _print_unfinished(console, game)
                return None
        else:
            _announce(console, state, mover)
            chosen = choose(state, mover, rng)
            next_game = game.play(chosen.move)
            comment = f" ({chosen.comment})" if chosen.comment else ""
            say(console, f"{state.to_move} ({mover}) goes to {next_game.squares[-1]}{comment}")
        if len(next_game.moves) > len(game.moves):
            for event in kind_of(state).events(state, next_game.position):
                say(console, event)
        game = next_game
        lines.update(game)
    _finish(console, game, with_review=person_plays or not kind_of(game.position).solver.improves)
    return game.position


def _continues(state: Any) -> bool:
    """Whether play goes on: a single player who is stuck may still take moves back."""
    return state.result is None or (state.rules.players == 1 and not any(state.result))


def _announce(console: Console, state: Any, mover: Level | None = None) -> None:
    """Print on a terminal that the answer takes a while."""
    is_slow = mover not in SHORT_SIGHTED and kind_of(state).solver.seconds(state) > SLOW_SECONDS
    if console.is_terminal and is_slow:
        console.print("thinking …", style="dim")


def _print_unfinished(console: Console, game: Game[Any]) -> None:
    if console.is_terminal:
        console.print()  # Ctrl-C and Ctrl-D leave the cursor after the prompt
    say(console, f"game so far: {game.text}")


def _help(state: Any) -> str:
    move = "a square (d1)"
    if kind_of(state).shifts:
        move = "a square and a shift of its row (d1r, d1l) or column (d1d, d1u)"
    why = "why, " if can(state.rules, Can.COACH) else ""
    return f"your move is {move}, or: hint, {why}values, check, line, undo, back, moves, help, quit"


def _person_moves(console: Console, game: Game[Any], seats: Seats) -> Game[Any] | None:
    """Let a person move or take back moves; return None to stop."""
    state = game.position
    print_board(console, state)
    walked = ""
    while (word := typed_word(console, state.to_move if state.rules.players > 1 else "")) is not None:
        if word in ("undo", "back"):
            earlier = taken_back(game, seats) if word == "undo" else _last_chance(game, seats)
            if earlier is not None:
                return earlier
            say(console, NOTHING_TO_UNDO[word])
        elif word in ("moves", "help", ""):
            say(console, _help(state) if word != "moves" else " ".join(map(state.move_text, state.moves)))
        elif word in WORDS:
            _announce(console, state)
            _explain(console, state, word)
        else:
            word = walked + word if walked and word in SHIFTS else word
            walked = _half_move(state, word)
            if walked:
                say(console, f"{walked}: now shift its row, r or l, or its column, d or u")
                continue
            try:
                return game.play(word)
            except IllegalMoveError as error:
                say(console, str(error))
    return None


def _half_move(state: Any, word: str) -> str:
    """Return the typed square if it is only the walk of a move that also needs a shift."""
    if not kind_of(state).shifts:
        return ""
    cell = state.board.cell(word)
    return word if cell is not None and cell in state.ends else ""


def _last_chance(game: Game[Any], seats: Seats) -> Game[Any] | None:
    """Take back moves to the last position in which the person to move could win; None if there is none."""
    earlier = taken_back(game, seats)
    while earlier is not None:
        answer = best_answer(earlier.position, HINT_LIMITS)
        if any(getattr(move, "wins", False) for move in getattr(answer, "moves", ())):
            return earlier
        earlier = taken_back(earlier, seats)
    return None


def _explain(console: Console, state: Any, word: str) -> None:
    """Answer a question about the position."""
    if word in ("why", "why?") and not can(state.rules, Can.COACH):
        say(console, f"reasons are not supported for {state.rules}")
        return
    answer = best_answer(state, HINT_LIMITS)
    if word == "hint":
        best = "best" if answer.finished else "best so far"
        say(console, f"{best}: {' '.join(answer.best) or 'none'} ({_verdict(answer)})")
    elif word in ("why", "why?"):
        from collapsi.play.coach import most_tempting, why_best

        say(console, f"why: {why_best(answer)}")
        say(console, f"besides: {most_tempting(answer) or 'no other move is worse'}")
    elif word == "check":
        say(console, _verdict(answer))
    elif word in ("line", "solution"):
        moves = getattr(answer, "line", None)
        say(console, f"perfect play: {'none is known' if moves is None else ' '.join(moves)}")
    else:
        if console.is_terminal:
            print_board(console, state, answer)
        say(console, "\n".join(move_rows(answer)))


def _verdict(answer: Any) -> str:
    """Return the answer in words, without the side to move."""
    return str(answer.caption.removeprefix(f"{answer.position.turn}, "))


def _finish(console: Console, game: Game[Any], *, with_review: bool) -> None:
    """Print the result, the points, the moves where the game turned, and the game as text."""
    state = game.position
    print_board(console, state)
    if state.rules.players == 1:
        say(console, f"solved in {len(game.moves)} moves")
    else:
        points = getattr(state, "points", None) or state.result
        say(console, "points: " + ", ".join(f"{player} {points[player]}" for player in state.rules.seats))
    if with_review and can(state.rules, Can.REVIEW):
        _review(console, game)
    say(console, f"game: {game.text}")


def _review(console: Console, game: Game[Any]) -> None:
    """Print the moves that gave a win or points away, as far as they are found in the time limit."""
    seconds = kind_of(game.position).solver.seconds
    if console.is_terminal and sum(map(seconds, game.positions)) > SLOW_SECONDS:
        console.print("reviewing the game …", style="dim")
    until = time.monotonic() + REVIEW_SECONDS
    turning_points: Sequence[Any] = ()
    for found in reviews(game):
        turning_points = found.turning_points
        if time.monotonic() > until:
            break
    for move in turning_points:
        text = str(move).removeprefix(f"{move.number}. {move.player} {move.name}: ")
        say(console, f"it turned at move {move.number}, {move.player} to {move.name}: {text}")
        if why := getattr(move, "why", None):
            say(console, f"  why: {why}")
