"""The answers, as the text that is sent: event loop, worker and the page by itself make them alike."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING

from collapsi.analysis import analyse_last, move_json, position_json, warnings_json
from collapsi.coach import why_best
from collapsi.daily import DailyGame, parse_date
from collapsi.dealing import deal_won_by
from collapsi.draft import parse_draft
from collapsi.drawing import draw_analysis, draw_position
from collapsi.games.solo_analysis import analyse_solo
from collapsi.games.solo_notation import parse_solo_game
from collapsi.match import parse_match
from collapsi.notation import parse_rules
from collapsi.opponent import Level, choose_move
from collapsi.position import deal
from collapsi.puzzles import PuzzleKind, make_puzzles, try_move
from collapsi.review import review
from collapsi.rules import Player
from collapsi.web import about, big, lessons, shown, solo
from collapsi.web.kinds import deal_class_json

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from collapsi.game import Game
    from collapsi.position import Position
    from collapsi.web import models
    from collapsi.web.kinds import Counted


def as_text(data: Mapping[str, object]) -> str:
    """Plain data as JSON."""
    return json.dumps(data, separators=(",", ":"))


def offered(_: None) -> str:
    """What there is to choose from."""
    return as_text(about.service())


def analysis(game: Game) -> str:
    """The last position of a game solved."""
    return as_text(analyse_last(game).to_json())


def moves(game: Game) -> str:
    """Its legal moves with their values."""
    solved = analyse_last(game)
    found: models.Moves = {
        **position_json(game.position),
        "moves": solved.to_json()["moves"],
        **warnings_json(solved.warnings),
    }
    return as_text(found)


def computer_move(game: Game, *, level: str, seed: int | None) -> str:
    """What the computer plays there."""
    position = game.position
    chosen = choose_move(position, Level(level), random.Random(seed))
    squares = [position.board.square(step) for step in position.path(chosen)]
    found: models.ComputerMove = {
        **position_json(position),
        "level": Level(level),
        **move_json(position, chosen),
        "path": squares,
    }
    return as_text(found)


def shown_game(game: Game, *, ply: int | None, match: str, dealt: bool) -> str:
    """A position of the game as the page shows it."""
    return as_text(shown.game_json(game, ply, parse_match(match), dealt=dealt))


def laid_out(_: None, *, draft: str) -> str:
    """A board that is being laid out, with what is wrong with it."""
    return as_text(shown.draft_json(parse_draft(draft)))


def explained(game: Game) -> str:
    """Why the best move of the last position is the best."""
    solved = analyse_last(game)
    why = why_best(solved)
    answer: models.WhyBest = {
        **position_json(game.position),
        "best": list(solved.best),
        "why": why.to_json() if why else None,
    }
    return as_text(answer)


def reviewed(game: Game) -> str:
    """The game looked back on."""
    return as_text(review(game).to_json())


def drawing(game: Game, *, move: str | None) -> str:
    """The last position with the value of each move on its end card."""
    return draw_analysis(analyse_last(game), move=move)


def picture(game: Game, *, move: str | None) -> str:
    """The last position as it is."""
    return draw_position(game.position, move=move)


def any_deal(_: None, *, rules: str, seed: int) -> str:
    """A deal by chance."""
    return as_text(shown.deal_json(deal(random.Random(seed), parse_rules(rules)), seed))


def kind_deal(counted: Counted, seed: int, wanted: Mapping[str, object]) -> str:
    """A deal of a kind that the census knows; what is None is not asked for."""
    asked = {name: value for name, value in wanted.items() if value is not None}
    return as_text(shown.deal_json(counted.draw(random.Random(seed), **asked), seed))


def kind_of_deal(counted: Counted, deal: Position) -> str:
    """What the census knows of a deal."""
    return as_text(deal_class_json(counted, deal))


def won_deal(_: None, *, rules: str, winner: str, seed: int) -> str:
    """A deal that one side wins."""
    dealt = deal_won_by(Player[winner.upper()], random.Random(seed), parse_rules(rules))
    return as_text(shown.deal_json(dealt, seed))


def puzzle(_: None, *, of_kind: str | None, rules: str, seed: int) -> str:
    """A position where one move wins."""
    found = next(make_puzzles(seed, kind=PuzzleKind(of_kind) if of_kind else None, rules=parse_rules(rules)))
    return as_text(shown.puzzle_json(found, seed))


def tried(game: Game, *, move: str) -> str:
    """A move tried where a win is to be found, with its proof."""
    return as_text(try_move(analyse_last(game), move).to_json())


def daily_game(_: None, *, day: str, moves: list[str]) -> str:
    """The deal of a day after some moves."""
    return as_text(DailyGame.start(parse_date(day), moves).to_json())


def solo_analysis(_: None, *, played: str, ply: int | None) -> str:
    """A position of a solo game solved."""
    return as_text(solo.analysis_json(parse_solo_game(played), ply))


def solo_deal(_: None, *, deck: str, difficulty: str | None, reading: str, seed: int) -> str:
    """A solo layout that can be solved."""
    return as_text(solo.deal_json(deck, difficulty, reading, seed))


def solo_shown(_: None, *, played: str, ply: int | None) -> str:
    """A position of a solo game as the page shows it."""
    return as_text(solo.game_json(parse_solo_game(played), ply))


def solo_picture(_: None, *, played: str, ply: int | None, move: str | None) -> str:
    """A position of a solo game as it is."""
    position = solo.at_ply(parse_solo_game(played), ply).position
    return draw_position(position, path=position.path(move) if move else ())


def solo_drawing(_: None, *, played: str, ply: int | None, move: str | None) -> str:
    """A position of a solo game with the number of solutions after each move on its end card."""
    position = solo.at_ply(parse_solo_game(played), ply).position
    return draw_analysis(analyse_solo(position), path=position.path(move) if move else None)


def taught(_: None) -> str:
    """All lessons."""
    return as_text(lessons.lessons())


def drill(_: None, *, line: int, seed: int) -> str:
    """A drill for a line of the card."""
    return as_text(lessons.drill(line, seed))


def big_deal(_: None, *, rules: str, seed: int) -> str:
    """A deal of the big board."""
    return as_text(big.deal(rules, seed))


def big_game(_: None, *, played: str, ply: int | None, match: str | None) -> str:
    """A game of the big board."""
    return as_text(big.shown_game(played, ply, match))


def big_move(_: None, *, position: str, level: str, seed: int | None) -> str:
    """A move of the computer on the big board."""
    return as_text(big.computer_move(position, level, seed))


def big_picture(_: None, *, position: str, move: str | None) -> str:
    """A position of the big board as a picture."""
    return big.drawing(position, move)


def big_drawing(_: None, *, position: str, move: str | None) -> str:
    """A position of the big board as a picture with values."""
    return big.drawing_with_values(position, move)


QUESTIONS: dict[str, Callable[..., str]] = {
    question.__name__: question
    for question in (
        analysis,
        moves,
        computer_move,
        shown_game,
        laid_out,
        explained,
        reviewed,
        drawing,
        won_deal,
        puzzle,
        tried,
        daily_game,
        solo_analysis,
        solo_deal,
        solo_drawing,
        taught,
        drill,
    )
}
"""Those that the worker is asked, by name."""
