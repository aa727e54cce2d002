"""Views of games: positions, games and drafts in, typed dicts out.

Of one position the page gets every square with where the pawn may go, how, and why not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, cast

from collapsi.api import shifting
from collapsi.api.squares import board_json, laid_json, walk_json, way
from collapsi.core.cards import ANYWHERE
from collapsi.core.errors import CollapsiError, IllegalPositionError, MalformedError
from collapsi.core.players import PAIR, Player
from collapsi.draw.svg import strokes
from collapsi.games.analysis import colour, move_json, position_json, warnings_json
from collapsi.games.classic.notation import format_published
from collapsi.games.registry import format_rules, kind_of
from collapsi.games.shifting.state import LONGEST_SIDE
from collapsi.play.coach import most_tempting, why_best
from collapsi.play.draft import format_draft, what_can_be_laid
from collapsi.play.levels import choose_move
from collapsi.play.match import format_match

if TYPE_CHECKING:
    import random

    from collapsi.api import json_types, models  # typed dicts, of no use when it runs
    from collapsi.core.game import Game
    from collapsi.core.reasons import Reason
    from collapsi.core.state import State
    from collapsi.core.stuck import Stuck
    from collapsi.draw.svg import Stroke
    from collapsi.games.analysis import Analysis
    from collapsi.games.levels import Level
    from collapsi.games.shifting.state import Shifting
    from collapsi.play.draft import Draft
    from collapsi.play.match import Match
    from collapsi.play.puzzles import Puzzle
    from collapsi.play.tempo import PassPuzzle


def game_json(game: Game[Any], ply: int | None, match: Match) -> models.Game:
    """The game, and the position after `ply` moves (all of them if None)."""
    ply = at_ply(game, ply)
    position = game.positions[ply]
    kind = kind_of(position)
    last = last_move(game, ply)
    shifted: models.LastShift = {}
    if kind.shifts and ply:
        shifted = {"shifted": shifting.shifted_json(game.positions[ply - 1], game.moves[ply - 1])}
    board = board_json(position.board)
    return {
        **position_json(position),
        "rules_title": position.rules.title,
        "rules_text": position.rules.text,
        "aim": kind.aim,
        "game": game.text,
        "start": game.positions[0].text,
        "moves": list(game.squares),
        "ply": ply,
        "rows": board["rows"],
        "columns": board["columns"],
        "squares": squares_json(position),
        "steps": [steps for steps in position.steps if steps != ANYWHERE],
        "task": task(position),
        "cards_left": position.cards_left,
        "winner": None if position.winner is None else colour(position.winner),
        "points": None if position.winner is None else position.cards_left,
        "moved": last.moved,
        "moved_strokes": last.strokes,
        "moved_by": None if last.by is None else colour(last.by),
        "went": last.went,
        **shifted,
        "match": match_json(match, position),
        "text": str(position),
        "published": _published(position),
        "warnings": [] if game.positions[0].dealt else [str(reason) for reason in position.faults],
        **tree_json(game),
        **stuck_json(game, ply),
    }


def stuck_json(game: Game[Any], ply: int) -> models.HasStuck:
    """Who cannot move in the position after `ply` moves, and where the ways of each end."""
    before, after = game.positions[ply - 1] if ply else None, game.positions[ply]
    found = kind_of(after).find_stuck(before, after)
    return {"stuck": [_stuck_json(after, stuck) for stuck in found]} if found else {}


def _stuck_json(state: State, stuck: Stuck) -> models.StuckShown:
    """A player who cannot move.

    >>> from collapsi import parse_position
    >>> position = parse_position("..../.2r../.2b../.2.. r b4")
    >>> shown = _stuck_json(position, position.stuck)
    >>> shown["text"], shown["dead_ends"][0]["text"]
    ('blue needs 2 steps: the only way ends at a ✕', "blue's way ends here after 1 of 2 steps")
    """
    *others, most = map(str, stuck.steps)
    count = f"{', '.join(others)} or {most}" if others else most
    who = str(stuck.player) if state.rules.players > 1 else "the pawn"
    steps_needed = f"{count} step{'s' * (count != '1')}"
    which = "every" if len(stuck.walks) > 1 else "the only"
    text = f"{who} needs {steps_needed}: {which} way ends at a ✕"
    if not stuck.walks:
        text = f"no card next to {who} can be entered"
    dead_ends: list[models.DeadEnd] = []
    for walk in stuck.walks or ((stuck.cell,),):
        steps = len(walk) - 1
        where = f"{who}'s way ends here after {steps} of {steps_needed}"
        if steps in stuck.steps:
            where = f"{who} may not end here"
        dead_ends.append(
            {
                "square": state.board.square(walk[-1]),
                "steps": steps,
                "text": where if steps else f"{who} has no first step",
                "strokes": strokes(state.board, walk),
            }
        )
    return {
        "player": cast("json_types.Seat", str(stuck.player)),
        "square": state.board.square(stuck.cell),
        "text": text,
        "dead_ends": dead_ends,
    }


EXAMPLE_STEPS = (3, 2, 4)
"""The numbers of steps of an example, the clearest first."""


def how_to_walk_json(state: State) -> models.HowToWalk:
    """An example of how pawns walk: from a numbered card straight on and over the edge, past no pawn.

    >>> from collapsi import parse_position
    >>> how_to_walk_json(parse_position("A223/4A2Jr/3A23/Jb3A4 r"))["walk"]["text"]
    '3 steps from the 3 on d1'
    """
    board = state.board
    free = {cell for cell, card in enumerate(state.cards) if card is not None} - set(state.pawns)
    for number in EXAMPLE_STEPS:
        starts = [cell for cell in sorted(free) if _steps_from(state, cell) == (number,)]
        walks = [walk for cell in starts for walk in board.paths(cell, number) if not board.turns(walk)]
        drawn = [(walk, strokes(board, walk)) for walk in walks if free.issuperset(walk)]
        edges = [[len(step) > 1 for step in steps] for _, steps in drawn]
        for second in (True, False):  # clearest if the second step goes over the edge
            for (walk, steps), over in zip(drawn, edges, strict=True):
                if over[1] if second else any(over):
                    square, letter = board.square(walk[0]), state.cell_text(walk[0])
                    text = f"{number} steps from the {letter} on {square}"
                    return {"walk": {"square": square, "steps": number, "text": text, "strokes": steps}}
    return {"walk": None}


def _steps_from(state: State, cell: int) -> tuple[int, ...]:
    """The numbers of steps from a card."""
    card = state.cards[cell]
    return () if card is None else state.rules.steps(card, state.to_move)


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


def at_ply(game: Game[Any], ply: int | None) -> int:
    """The number of the requested position of a game: `ply`, or the last if None."""
    last = len(game.moves)
    if ply is not None and ply > last:
        msg = f"there is no position after {ply} moves: the game has {last}"
        raise MalformedError(msg)
    return last if ply is None else ply


class LastMove(NamedTuple):
    """The move that led to a position; all None before the first move."""

    by: Player | None = None
    moved: list[str] | None = None
    """The squares of its path."""
    strokes: list[tuple[Stroke, ...]] | None = None
    went: str | None = None
    """The move in words."""


def last_move(game: Game[Any], ply: int) -> LastMove:
    """The move that led to the position after `ply` moves."""
    if not ply:
        return LastMove()
    before, after = game.positions[ply - 1 : ply + 1]
    path = before.path(game.moves[ply - 1])
    text = went(before, after, game.moves[ply - 1])
    return LastMove(before.to_move, way(before, path), strokes(before.board, path), text)


def moves_json(solved: Analysis) -> models.Moves:
    """The legal moves of a solved position with their values."""
    return {
        **position_json(solved.position),
        "moves": solved.to_json()["moves"],
        **warnings_json(solved.warnings),
    }


def why_json(solved: Analysis) -> models.WhyBest:
    """Why the best move of a solved position is best."""
    why, tempting = why_best(solved), most_tempting(solved)
    return {
        **position_json(solved.position),
        "best": list(solved.best),
        "why": why.to_json() if why else None,
        "tempting": tempting.to_json() if tempting else None,
    }


def computer_move_json(position: Any, level: Level, rng: random.Random) -> models.ComputerMove:
    """The computer's move."""
    chosen = choose_move(position, level, rng)
    return {
        **position_json(position),
        "level": level,
        **move_json(position, chosen),
        "path": way(position, position.path(chosen)),
    }


def puzzle_json(puzzle: Puzzle | PassPuzzle, seed: int) -> models.Puzzle:
    """A puzzle that was made by chance."""
    return {**puzzle.to_json(), "seed": seed}


def deal_json(dealt: State, seed: int) -> models.Deal:
    """A deal, and how to get it again."""
    return {**position_json(dealt), "seed": seed}


def task(position: Any) -> str | None:
    """What the side to move has to do; nothing when the game is over.

    >>> from collapsi import parse_position
    >>> task(parse_position("A223/4A2Jr/3A23/Jb3A4 r joker"))
    'move: 1, 2, 3 or 4 steps from d2'
    >>> task(parse_position("A223/4A2Jr/3A23/Jb3A4 r choice"))
    'choose a card to start on'
    """
    if position.winner is not None:
        return None
    if ANYWHERE in position.steps:
        return str(position.turn.removeprefix(f"{position.to_move} to "))
    *others, most = map(str, position.steps)
    count = f"{', '.join(others)} or {most}" if others else most
    steps = "step" if count == "1" else "steps"
    return f"move: {count} {steps} from {position.board.square(position.pawns[position.to_move])}"


def went(before: Any, after: Any, move: int) -> str:
    """A move in words, and what else happened.

    >>> from collapsi import parse_position
    >>> position = parse_position("A223/4A2Jr/3A23/Jb3A4 r shift")
    >>> went(position, position.play("a2l"), position.parse_move("a2l"))
    'red went from d2 to a2 and shifted row 2 to the left'
    >>> state = parse_position("..A.../..3.../..A.../.2rA.../..2b.../...... r big")
    >>> went(state, state.play("c3"), state.parse_move("c3"))
    'red went from b4 to c3; blue cannot move and is out, with no points; the card on c5 stays face up'
    """
    squares = way(before, before.path(move))
    who = before.to_move if before.rules.players > 1 else "the pawn"
    if len(squares) == 1:
        return f"{who} starts on {squares[0]}"
    kind = kind_of(before)
    shifted = f" and shifted {shifting.line_text(before, move)}" if kind.shifts else ""
    return "; ".join([f"{who} went from {squares[0]} to {squares[-1]}{shifted}", *kind.events(before, after)])


def squares_json(state: State) -> list[models.SquareShown]:
    """Every square in reading order, and the move there."""
    shifts = kind_of(state).shifts
    found: list[models.SquareShown] = []
    for cell, laid in enumerate(laid_json(state)):
        then: models.AfterWalk = shifting.after_walk(cast("Shifting", state), cell) if shifts else {}
        found.append({**laid, **walk_json(state, cell), **then})
    return found


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


def match_json(match: Match, position: Any) -> models.MatchScore:
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
