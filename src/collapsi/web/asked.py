"""What may be asked, version 1, in plain terms: a query in, what answers it out. Nothing here knows of HTTP.

Each question reads what it was given, refuses what has no answer, and says who is to answer and how long
that takes, about. It does not answer: the service (`api`) gives hard questions to its workers, and the page
that is its own service (`collapsi.site`) answers all of them where they are asked, in the browser.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import collapsi
from collapsi import notation
from collapsi.daily import parse_date, today
from collapsi.draft import format_draft, parse_draft
from collapsi.errors import CollapsiError
from collapsi.games.crowd_notation import parse_crowd, parse_crowd_game
from collapsi.games.crowd_players import check_level
from collapsi.games.solo_deals import Difficulty, parse_deck
from collapsi.games.solo_notation import format_solo_game, parse_solo_game
from collapsi.made_up import deck_of, format_deck, refuse_other_boards
from collapsi.match import parse_match
from collapsi.opponent import FIRST_MET, Level
from collapsi.puzzles import DEALS_A_PUZZLE, PuzzleKind
from collapsi.rules import STANDARD, Exit, refuse_shifting
from collapsi.solve import answers
from collapsi.web import big, questions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from collapsi.game import Game
    from collapsi.rules import Rules
    from collapsi.web.kinds import Counted

MOST_SEEDS = 2**53
"""Seeds are below this, so that JavaScript can hold them exactly."""

JSON = "application/json"
SVG = "image/svg+xml"
LINES = "application/x-ndjson"


class Lane(NamedTuple):
    """Who answers hard questions of a kind: no kind waits for another, no worker for another."""

    worker: str
    kind: str


WORKER, SOLO_WORKER = "worker", "solo_worker"
SHIFT_WORKER, SHIFT_GAMES_WORKER = "shift_worker", "shift_games_worker"

DEALS = Lane(WORKER, "deals")
BOARDS = Lane(WORKER, "made-up boards")
GAMES = Lane(WORKER, "games to look back on")
LESSONS = Lane(WORKER, "lessons")
PUZZLES = Lane(WORKER, "puzzles")
SOLO_DEALS = Lane(SOLO_WORKER, "solo deals")
SOLO_BOARDS = Lane(SOLO_WORKER, "solo boards")
"""To deal a hard layout can take seconds, and nobody else waits for it."""
SHIFT_BOARDS = Lane(SHIFT_WORKER, "shifting boards")
SHIFT_REASONS = Lane(SHIFT_WORKER, "reasons on the shifting board")
SHIFT_GAMES = Lane(SHIFT_GAMES_WORKER, "shifting games to look back on")
SHIFT_DEALS = Lane(SHIFT_GAMES_WORKER, "shifting deals of a kind")
"""The shifting board has two workers: a deal takes tenths of a second, a game seconds."""
BIG_MOVES_WORKER, BIG_WORKER = "big_moves_worker", "big_worker"
BIG_MOVES = Lane(BIG_MOVES_WORKER, "moves of the computer on the big board")
BIG_DRAWINGS = Lane(BIG_MOVES_WORKER, "drawings of the big board with values")
BIG_ANALYSES = Lane(BIG_WORKER, "analyses of the big board")
BIG_REVIEWS = Lane(BIG_WORKER, "games of the big board to look back on")
"""The big board has two workers: a move takes seconds, an analysis a minute."""

LANES = (
    *(DEALS, BOARDS, GAMES, LESSONS, PUZZLES, SOLO_DEALS, SOLO_BOARDS),
    *(SHIFT_BOARDS, SHIFT_REASONS, SHIFT_GAMES, SHIFT_DEALS),
    *(BIG_MOVES, BIG_DRAWINGS, BIG_ANALYSES, BIG_REVIEWS),
)


class Asked(NamedTuple):
    """A question that was understood: `answer(game, **options)` is the text to send.

    Without a lane it takes no time. `seconds` is what it takes with the solver that is loaded, about; a
    `brief` question is hardly more than to solve that: where it is quick, it is answered on the spot.
    """

    answer: Callable[..., str]
    game: Game | None = None
    options: Mapping[str, Any] = {}
    lane: Lane | None = None
    seconds: float = 0.0
    brief: bool = False
    media: str = JSON

    def text(self) -> str:
        """The answer, made here and now."""
        return self.answer(self.game, **self.options)


class Deepening(NamedTuple):
    """A question whose answers come one after the other, each better than the last, for so many seconds."""

    question: str
    options: Mapping[str, Any]
    lane: Lane

    def answers(self) -> Iterator[Mapping[str, Any]]:
        """The answers, made here as they are taken; the last says why no more come."""
        return big.better_and_better(self.question, **self.options)


class OfCensus(NamedTuple):
    """A question to the census of some rules; without `answer` how far it is."""

    rules: str
    answer: Callable[[Counted], str] | None = None


def shifts(game: Game) -> bool:
    """Whether it is played on the shifting board."""
    return game.positions[0].rules.shift is not None


def _solved(
    answer: Callable[..., str], game: Game, *, media: str = JSON, brief: bool = True, **options: Any
) -> Asked:
    """A question that needs the last position of a game solved.

    A board that somebody made up can take longer: to solve, if it has many jacks, and to say whether it can
    arise.
    """
    dealt = game.positions[0].dealt
    lane = SHIFT_BOARDS if shifts(game) else DEALS if dealt else BOARDS
    seconds = answers.expected_seconds(game.position)
    return Asked(answer, game, options, lane, seconds, brief and lane is DEALS, media)


def _seed(seed: int | None) -> int:
    """The seed that was given, or one by chance."""
    return random.randrange(MOST_SEEDS) if seed is None else seed


def about() -> Asked:
    """What there is to choose from."""
    return Asked(questions.offered)


def analysis(position: str, rules: str = "standard") -> Asked:
    """A position solved.

    >>> asked = analysis("A223/4A2Jr/3A23/Jb3A4 r")
    >>> asked.lane.kind, asked.text()[:24]
    ('deals', '{"position":"A223/4A2Jr/')
    """
    return _solved(questions.analysis, notation.parse_game(position, rules=rules))


def moves(position: str, rules: str = "standard") -> Asked:
    """The moves of a position with their values."""
    return _solved(questions.moves, notation.parse_game(position, rules=rules))


def why(position: str, rules: str = "standard") -> Asked:
    """Why the best move is the best. To count takes milliseconds: never on the spot."""
    game = notation.parse_game(position, rules=rules)
    asked = _solved(questions.explained, game, brief=False)
    return asked._replace(lane=SHIFT_REASONS) if shifts(game) else asked


def computer_move(
    position: str, level: Level = Level.PERFECT, rules: str = "standard", seed: int | None = None
) -> Asked:
    """A move by the computer."""
    game = notation.parse_game(position, rules=rules)
    return _solved(questions.computer_move, game, level=level.value, seed=seed)


def deal(
    rules: str = "standard",
    seed: int | None = None,
    winner: Literal["red", "blue"] | None = None,
    plies: int | None = None,
    winning_moves: int | None = None,
) -> Asked | OfCensus:
    """A random deal, of a chosen kind if you like."""
    chosen = notation.parse_rules(rules)
    options: dict[str, Any] = {"rules": notation.format_rules(chosen), "seed": _seed(seed)}
    if plies is not None or winning_moves is not None:
        _refuse_uncounted(chosen)
        wanted = {"plies": plies, "winning_moves": winning_moves, "winner": winner}
        return OfCensus(chosen.name, lambda counted: questions.kind_deal(counted, options["seed"], wanted))
    if not winner:
        return Asked(questions.any_deal, None, options)
    seconds = answers.expected_seconds(collapsi.deal(random.Random(options["seed"]), chosen))
    lane = DEALS if chosen.shift is None else SHIFT_DEALS
    return Asked(questions.won_deal, None, {**options, "winner": winner}, lane, seconds)


def game(game: str, rules: str = "standard", ply: int | None = None, match: str = "0-0") -> Asked:
    """A game read, and a position of it shown."""
    score = parse_match(match)
    if score.winner is not None:
        msg = f"the match is over: {score.winner} has {max(score.red, score.blue)} points"
        raise CollapsiError(msg)
    asked = notation.parse_game(game, rules=rules)
    dealt = asked.positions[0].dealt  # then half a millisecond does: nobody who plays waits for the worker
    options = {"ply": ply, "match": match, "dealt": dealt}
    return Asked(questions.shown_game, asked, options, None if dealt else BOARDS)


def edit(
    draft: str,
    lay: str | None = None,
    square: str | None = None,
    side: str | None = None,
    rules: str | None = None,
) -> Asked:
    """A board that is being laid out, after a change."""
    changed = parse_draft(draft)
    if rules is not None:
        changed = changed.under(rules)
    if side is not None:
        changed = changed.give_turn(side)
    if lay is not None:
        changed = changed.lay(lay, square)
    try:
        quick = changed.position().dealt
    except CollapsiError:
        quick = True  # nothing is looked for in what is no position
    return Asked(questions.laid_out, None, {"draft": format_draft(changed)}, None if quick else BOARDS)


def review(game: str, rules: str = "standard") -> Asked:
    """A game looked back on."""
    asked = notation.parse_game(game, rules=rules)
    seconds = sum(map(answers.expected_seconds, asked.positions))
    return Asked(questions.reviewed, asked, {}, SHIFT_GAMES if shifts(asked) else GAMES, seconds)


def lessons() -> Asked:
    """All lessons."""
    return Asked(questions.taught, None, {}, LESSONS)


def drill(line: int, seed: int | None = None) -> Asked:
    """A drill for a line of the card of rules."""
    return Asked(questions.drill, None, {"line": line, "seed": _seed(seed)}, LESSONS)


def puzzle(kind: PuzzleKind | None = None, rules: str = "standard", seed: int | None = None) -> Asked:
    """A position of a game in which exactly one move wins."""
    chosen = notation.parse_rules(rules)
    refuse_shifting(chosen, "puzzles are")
    options = {"of_kind": kind, "rules": notation.format_rules(chosen), "seed": _seed(seed)}
    one = answers.expected_seconds(collapsi.deal(random.Random(options["seed"]), chosen))
    return Asked(questions.puzzle, None, options, PUZZLES, DEALS_A_PUZZLE * one)


def puzzle_try(position: str, move: str, rules: str = "standard") -> Asked:
    """A move tried where a win is to be found."""
    game = notation.parse_game(position, rules=rules)
    return _solved(questions.tried, game, move=move.lower())


def daily(date: str | None = None, moves: str = "") -> Asked:
    """The deal of a day after some moves."""
    day = today() if date is None else parse_date(date)
    options = {"day": day.isoformat(), "moves": moves.lower().replace("_", " ").split()}
    quick = not options["moves"] and answers.is_loaded()  # a deal or two to solve, and many ask for the same
    return Asked(questions.daily_game, None, options, None if quick else DEALS)


def solo_game(game: str, ply: int | None = None) -> Asked:
    """A position of a solo game shown."""
    return Asked(questions.solo_shown, None, {"played": _solo(game), "ply": ply})


def solo_analysis(game: str, ply: int | None = None) -> Asked:
    """A position of a solo game solved."""
    return Asked(questions.solo_analysis, None, {"played": _solo(game), "ply": ply}, SOLO_BOARDS)


def solo_deal(
    deck: str = "official",
    difficulty: Difficulty | None = None,
    exit: Exit = Exit.OPEN,
    seed: int | None = None,
) -> Asked:
    """A solo layout that can be solved."""
    options = {"deck": parse_deck(deck).name, "difficulty": difficulty, "reading": exit, "seed": _seed(seed)}
    return Asked(questions.solo_deal, None, options, SOLO_DEALS)


def solo_drawing(game: str, ply: int | None = None, values: bool = False, move: str | None = None) -> Asked:
    """A position of a solo game as a picture."""
    options = {"played": _solo(game), "ply": ply, "move": move.lower() if move else None}
    if values:
        return Asked(questions.solo_drawing, None, options, SOLO_BOARDS, media=SVG)
    return Asked(questions.solo_picture, None, options, media=SVG)


def _solo(game: str) -> str:
    """A solo game in our notation."""
    return format_solo_game(parse_solo_game(game))


def drawing(position: str, rules: str = "standard", values: bool = False, move: str | None = None) -> Asked:
    """A position as a picture."""
    game = notation.parse_game(position, rules=rules)
    move = move.lower() if move else None
    if values:
        return _solved(questions.drawing, game, media=SVG, move=move)
    return Asked(questions.picture, game, {"move": move}, media=SVG)


def census(rules: str = "standard") -> OfCensus:
    """All deals counted by kind."""
    chosen = notation.parse_rules(rules)
    _refuse_uncounted(chosen)
    return OfCensus(chosen.name)


def census_deal(position: str, rules: str = "standard") -> OfCensus:
    """What the census knows of a deal."""
    asked = notation.parse_position(position, rules=rules)
    _refuse_uncounted(asked.rules)
    return OfCensus(asked.rules.name, lambda counted: questions.kind_of_deal(counted, asked))


def big_deal(rules: str = "big", seed: int | None = None) -> Asked:
    """A random deal of the big board."""
    return Asked(questions.big_deal, None, {"rules": rules, "seed": _seed(seed)})


def big_game(game: str, ply: int | None = None, match: str | None = None) -> Asked:
    """A game of the big board read, and a position of it shown."""
    return Asked(questions.big_game, None, {"played": game, "ply": ply, "match": match})


def big_computer_move(position: str, level: Level = FIRST_MET, seed: int | None = None) -> Asked:
    """A move by the computer on the big board, whoever's turn it is."""
    state = parse_crowd(position)
    check_level(level, state.rules)
    options = {"position": state.text, "level": level.value, "seed": seed}
    return Asked(questions.big_move, None, options, BIG_MOVES)


def big_analysis(position: str, seconds: float = big.SECONDS, seed: int | None = None) -> Deepening:
    """What is known of every move on the big board.

    >>> asked = big_analysis("..A.../..3.../..A.../.2rA.../..2b.../...... r big")
    >>> [answer["kind"] for answer in asked.answers()][-2:]
    ['solved', 'end']
    """
    options = {"position": parse_crowd(position).text, "seconds": seconds, "seed": seed or 1}
    return Deepening("thoughts", options, BIG_ANALYSES)


def big_review(game: str, seconds: float = big.SECONDS, seed: int | None = None) -> Deepening:
    """A game of the big board looked back on."""
    options = {"game": parse_crowd_game(game).text, "seconds": seconds, "seed": seed or 1}
    return Deepening("reviews", options, BIG_REVIEWS)


def big_drawing(position: str, values: bool = False, move: str | None = None) -> Asked:
    """A position of the big board as a picture."""
    state = parse_crowd(position)
    options = {"position": state.text, "move": move.lower() if move else None}
    if not values:
        return Asked(questions.big_picture, None, options, media=SVG)
    big.refuse_values(state)
    return Asked(questions.big_drawing, None, options, BIG_DRAWINGS, media=SVG)


PATHS: dict[str, Callable[..., Asked | OfCensus | Deepening]] = {
    "about": about,
    "analysis": analysis,
    "moves": moves,
    "why": why,
    "computer-move": computer_move,
    "deal": deal,
    "game": game,
    "edit": edit,
    "review": review,
    "lessons": lessons,
    "drill": drill,
    "puzzle": puzzle,
    "puzzle/try": puzzle_try,
    "daily": daily,
    "solo/game": solo_game,
    "solo/analysis": solo_analysis,
    "solo/deal": solo_deal,
    "solo/drawing": solo_drawing,
    "drawing": drawing,
    "census": census,
    "census/deal": census_deal,
    "big/deal": big_deal,
    "big/game": big_game,
    "big/computer-move": big_computer_move,
    "big/analysis": big_analysis,
    "big/review": big_review,
    "big/drawing": big_drawing,
}
"""Every question by the path that it is asked at."""


def _refuse_uncounted(rules: Rules) -> None:
    """Refuse rules of which no census is taken here."""
    refuse_shifting(rules, "the census here is")
    refuse_other_boards(rules)
    deck = deck_of(rules)
    if deck != deck_of(STANDARD):  # there are hundreds, each with files of its own
        msg = f"the census here is of the official deck: use collapsi census --deck {format_deck(deck)}"
        raise CollapsiError(msg)
