"""A game as the page shows it: every square of one position with where the pawn may go, how, and why not."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from collapsi.api import shifting
from collapsi.core.cards import ANYWHERE
from collapsi.core.errors import CollapsiError, IllegalPositionError, MalformedError
from collapsi.core.players import PAIR, Player
from collapsi.draw.svg import strokes
from collapsi.games.analysis import colour, move_json, position_json, warnings_json
from collapsi.games.classic.notation import format_published
from collapsi.games.registry import format_game, format_position, format_rules, kind_of
from collapsi.games.shifting.state import LONGEST_SIDE, Shifting
from collapsi.play.coach import why_best
from collapsi.play.draft import format_draft, what_can_be_laid
from collapsi.play.levels import choose_move
from collapsi.play.match import format_match

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

    from collapsi.api import models  # typed dicts, of no use when it runs
    from collapsi.core.board import Grid
    from collapsi.core.game import Game
    from collapsi.core.reasons import Reason
    from collapsi.core.state import State
    from collapsi.games.analysis import Analysis
    from collapsi.games.classic.position import Position
    from collapsi.games.levels import Level
    from collapsi.play.draft import Draft
    from collapsi.play.match import Match
    from collapsi.play.puzzles import Puzzle


def game_json(game: Game[Any], ply: int | None, match: Match, *, dealt: bool) -> models.Game:
    """The game, and the position after `ply` moves (all of them if None); `dealt`: whether it begins with a
    deal.
    """
    ply = at_ply(game.moves, ply)
    position = game.positions[ply]
    before = game.positions[ply - 1] if ply else None
    shifts = kind_of(position).shifts
    move = game.moves[ply - 1] if ply else 0
    last_shift: models.LastShift = shifting.last_shift(before, move) if shifts and before else {}
    path = before.path(move) if before else ()
    board = board_json(position.board)
    return {
        **position_json(position),
        "rules_title": position.rules.title,
        "rules_text": position.rules.text,
        "aim": kind_of(position).aim,
        "game": format_game(game),
        "start": format_position(game.positions[0]),
        "moves": list(game.squares),
        "ply": ply,
        "rows": board["rows"],
        "columns": board["columns"],
        "squares": (shifting.squares_json(position) if shifts else squares_json(position)),
        "steps": [steps for steps in position.steps if steps != ANYWHERE],
        "task": task(position),
        "cards_left": position.cards_left,
        "winner": None if position.winner is None else colour(position.winner),
        "points": None if position.winner is None else position.cards_left,
        "moved": way(before, path) if before else None,
        "moved_strokes": strokes(before.board, path) if before else None,
        "moved_by": colour(before.to_move) if before else None,
        "went": went(before, path, move) if before else None,
        **last_shift,
        "match": match_json(match, position),
        "text": str(position),
        "published": _published(position),
        "warnings": [] if dealt else [str(reason) for reason in position.faults],
        **tree_json(game),
    }


def tree_json(game: Game[Any]) -> models.HasTree:
    """The variations and notes of a game, if it has any."""
    if not game.tree:
        return {}
    return {
        "tree": [
            {"parent": node.parent, "move": name, "comment": node.comment, "glyph": node.glyph}
            for node, name in zip(game.tree, game.names, strict=True)
        ]
    }


def at_ply(moves: Sequence[object], ply: int | None) -> int:
    """The number of the requested position of a game: `ply`, or the last if None."""
    last = len(moves)
    if ply is not None and ply > last:
        msg = f"there is no position after {ply} moves: the game has {last}"
        raise MalformedError(msg)
    return last if ply is None else ply


def moves_json(solved: Analysis) -> models.Moves:
    """The legal moves of a solved position with their values."""
    return {
        **position_json(solved.position),
        "moves": solved.to_json()["moves"],
        **warnings_json(solved.warnings),
    }


def why_json(solved: Analysis) -> models.WhyBest:
    """Why the best move of a solved position is best."""
    why = why_best(solved)
    return {
        **position_json(solved.position),
        "best": list(solved.best),
        "why": why.to_json() if why else None,
    }


def computer_move_json(position: Position, level: Level, rng: random.Random) -> models.ComputerMove:
    """The computer's move."""
    chosen = choose_move(position, level, rng)
    return {
        **position_json(position),
        "level": level,
        **move_json(position, chosen),
        "path": way(position, position.path(chosen)),
    }


@lru_cache(maxsize=256)  # boards with gaps come and go
def board_json(board: Grid) -> models.BoardShown:
    """The names on a board."""
    return {
        "rows": [board.square(row * board.columns)[1:] for row in range(board.rows)],
        "columns": [board.square(column)[0] for column in range(board.columns)],
        "squares": [board.square(cell) for cell in range(board.size)],
    }


def puzzle_json(puzzle: Puzzle, seed: int) -> models.Puzzle:
    """A puzzle that was made by chance."""
    return {**puzzle.to_json(), "seed": seed}


def deal_json(dealt: Position | Shifting, seed: int) -> models.Deal:
    """A deal, and how to get it again."""
    return {**position_json(dealt), "seed": seed}


def task(position: Position | Shifting) -> str | None:
    """What the side to move has to do; nothing when the game is over.

    >>> from collapsi import parse_position
    >>> task(parse_position("A223/4A2Jr/3A23/Jb3A4 r joker"))
    'move: 1, 2, 3 or 4 steps from d2'
    >>> task(parse_position("A223/4A2Jr/3A23/Jb3A4 r choice"))
    'choose a card to start on'
    """
    if position.winner is not None:
        return None
    what = position.turn.removeprefix(f"{position.to_move} to ")
    if ANYWHERE in position.steps:
        return what
    *others, most = map(str, position.steps)
    count = f"{', '.join(others)} or {most}" if others else most
    steps = "step" if count == "1" else "steps"
    return f"{what}: {count} {steps} from {position.board.square(position.pawns[position.to_move])}"


def went(before: Any, path: Sequence[int], move: int) -> str:
    """A move in words.

    >>> from collapsi import parse_position
    >>> went(parse_position("A223/4A2Jr/3A23/Jb3A4 r"), (7, 4), 4)
    'red went from d2 to a2'
    >>> went(parse_position("A223/4A2Jr/3A23/Jb3A4 r shift"), (7, 4), 17)
    'red went from d2 to a2 and shifted row 2 to the left'
    """
    squares = way(before, path)
    if ANYWHERE in before.steps:
        return f"{before.to_move} starts on {squares[-1]}"
    shifted = f" and shifted {shifting.line_text(before, move)}" if kind_of(before).shifts else ""
    return f"{before.to_move} went from {squares[0]} to {squares[-1]}{shifted}"


def squares_json(state: State) -> list[models.SquareShown]:
    """Every square in reading order, of a game where a move is its end square."""
    pawns = {cell: colour(Player(index)) for index, cell in enumerate(state.pawns)}
    found: list[models.SquareShown] = []
    no_shift: models.AfterWalk = {}
    for cell, card in enumerate(state.cards):
        laid: models.SquareLaid = {
            "square": state.board.square(cell),
            "card": None if card is None else state.cell_text(cell)[0],
            "pawn": pawns.get(cell),
        }
        found.append({**laid, **no_shift, **walk_json(state, cell)})
    return found


def walk_json(state: State, cell: int) -> models.WalkShown:
    """The move to a cell, where a move is its end square, or why there is none."""
    refusal = state.refusal(cell)
    path = None if refusal else state.path(cell)
    return {
        "move": None if refusal else state.move_text(cell),
        "path": None if path is None else way(state, path),
        "strokes": None if path is None else strokes(state.board, path),
        "refusal": {"kind": refusal[0], "text": refusal[1]} if refusal else None,
    }


def way(state: State, path: Sequence[int]) -> list[str]:
    """The names of the squares that a path leads over."""
    return [state.board.square(cell) for cell in path]


def draft_json(draft: Draft) -> models.Draft:
    """A board that is being laid out, with what is wrong with it."""
    error: str | None = None
    reasons: tuple[Reason, ...] = ()
    try:
        reasons = draft.position().faults
    except CollapsiError as problem:
        error = str(problem).partition(": write ")[0]  # it is not typed, but laid
    rows, columns, squares = _laid_out(draft)
    return {
        "draft": format_draft(draft),
        "rules": format_rules(draft.rules),
        "to_move": colour(draft.to_move),
        "rows": rows,
        "columns": columns,
        "squares": squares,
        "lay": list(what_can_be_laid(draft.rules)),
        "error": error,
        "warnings": [str(reason) for reason in reasons],
    }


def _laid_out(draft: Draft) -> tuple[list[str], list[str], list[models.SquareLaid]]:
    """The names of rows and columns and every square; where the board may grow, also the squares beside it.

    >>> from collapsi.play.draft import parse_draft
    >>> rows, columns, squares = _laid_out(parse_draft("A223/4A2Jr/3A23/Jb3A4 r shift"))
    >>> rows, squares[0]
    (['', '1', '2', '3', '4', ''], {'square': '@0', 'card': None, 'pawn': None, 'gap': True})
    """
    board = draft.board
    names = board_json(board)
    pawns = {cell: colour(player) for player, cell in zip(PAIR, draft.pawns, strict=True)}
    beside = int(draft.rules.leaves_square and max(board.rows, board.columns) < LONGEST_SIDE)
    squares: list[models.SquareLaid] = []
    for row in range(-beside, board.rows + beside):
        for column in range(-beside, board.columns + beside):
            inside = 0 <= row < board.rows and 0 <= column < board.columns
            cell = row * board.columns + column if inside else None
            card = None if cell is None else draft.cards[cell]
            laid: models.SquareLaid = {
                "square": draft.square(row, column),
                "card": None if card is None else card.letter,
                "pawn": pawns.get(cell),
            }
            if cell is None or board.is_gap(cell):
                laid["gap"] = True
                laid["pawn"] = None
            squares.append(laid)
    edge = [""] * beside
    return [*edge, *names["rows"], *edge], [*edge, *names["columns"], *edge], squares


def match_json(match: Match, position: Position | Shifting) -> models.MatchScore:
    """The points, this position counted if the round is over."""
    after = match.after(position)
    over = position.winner is not None and after.winner is None
    return {
        "red": after.red,
        "blue": after.blue,
        "winner": None if after.winner is None else colour(after.winner),
        "next": format_match(after.next_round()) if over else None,
    }


def _published(position: Any) -> str | None:
    """The published notation, which only has positions of the classic game that can arise."""
    try:
        return format_published(position)
    except (IllegalPositionError, TypeError):
        return None
