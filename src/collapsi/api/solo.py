"""Views of the solo game: games in, typed dicts out."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from collapsi.api.squares import board_json
from collapsi.api.views import at_ply, last_move, squares_json, stuck_json, tree_json
from collapsi.games.registry import kind_of
from collapsi.games.solo.analysis import analyse_solo
from collapsi.games.solo.deals import DECKS, Difficulty, deal_solvable, deck_of
from collapsi.games.solo.notation import parse_solo
from collapsi.games.solo.rules import HOW_TO_PLAY_SOLO, Exit
from collapsi.games.solo.search import SolutionTable, moves_to_take_back
from collapsi.games.solo.state import SoloGame

if TYPE_CHECKING:
    from collapsi.api import models
    from collapsi.games.solo.deals import Deck

EXIT_LETTER = "X"
EXAMPLES = {
    Exit.OPEN: ("A2rX/3.2/A2A", "c2", "the pawn goes two steps from b1, over the exit on c1, to c2"),
    Exit.CLOSED: (
        "A2rX/3.2/A2A closed",
        "a2",
        "the pawn goes two steps from b1 to a2; over the exit on c1 it may not go",
    ),
}
"""For each reading of the exit a position, a move on it, and what the picture shows."""


def choices() -> models.SoloChoices:
    """What there is to choose from before a deal."""
    return {
        "decks": [
            {"value": deck.name, "text": f"{deck.name} ({deck.board.rows}×{deck.board.columns})"}
            for deck in DECKS.values()
        ],
        "difficulties": [{"value": level.value, "text": level.value} for level in Difficulty],
        "exits": [
            {"value": Exit.OPEN.value, "text": "open: may be passed over"},
            {"value": Exit.CLOSED.value, "text": "closed until the end"},
        ],
        "text": HOW_TO_PLAY_SOLO,
        "rules": [rules_json(reading) for reading in Exit],
    }


def rules_json(reading: Exit) -> models.SoloRulesShown:
    """A reading of the exit, with an example."""
    position, move, alt = EXAMPLES[reading]
    rules = parse_solo(position).rules
    return {
        "exit": reading,
        "title": rules.title,
        "text": rules.text,
        "example": {"position": position, "move": move, "alt": alt},
    }


def up_to(game: SoloGame, ply: int | None) -> SoloGame:
    """The game up to the position after `ply` moves (all of them if None)."""
    at = at_ply(game, ply)
    return SoloGame(game.positions[: at + 1], game.moves[:at])


def game_json(game: SoloGame, ply: int | None) -> models.SoloGame:
    """The game, and the position after `ply` moves (all of them if None)."""
    so_far = up_to(game, ply)
    position = so_far.position
    last = last_move(so_far, len(so_far.moves))
    board = board_json(position.board)
    deck = deck_of(game.positions[0])
    return {
        "position": position.text,
        "rules": position.rules.name,
        "rules_title": position.rules.title,
        "rules_text": f"{HOW_TO_PLAY_SOLO} {position.rules.text}",
        "aim": kind_of(position).aim,
        "exit": position.rules.exit,
        "deck": deck.name if deck else None,
        "to_move": "red",
        "game": game.text,
        "start": game.positions[0].text,
        "moves": list(game.squares),
        "ply": len(so_far.moves),
        "rows": board["rows"],
        "columns": board["columns"],
        "squares": squares_json(position),
        "cards_left": position.cards_left,
        "solved": position.solved,
        "over": not position.moves,
        "turn": turn(so_far),
        "moved": last.moved,
        "moved_strokes": last.strokes,
        "moved_by": "red" if last.moved else None,
        "went": last.went,
        "text": str(position),
        **tree_json(game),
        **stuck_json(so_far, len(so_far.moves)),
    }


def turn(game: SoloGame) -> str:
    """The next task in words.

    >>> from collapsi.games.solo.notation import parse_solo_game
    >>> turn(parse_solo_game("A2X/3Jr2/A2A b3"))
    '2 steps from b3: 7 cards to collapse'
    """
    position = game.position
    if position.solved:
        return f"solved in {len(game.moves)} move{'s' * (len(game.moves) != 1)}"
    if not position.moves:
        return position.turn
    if position.is_last:
        return f"the last card: leave by the exit on {position.board.square(position.exit)}"
    (number,) = position.steps
    steps = "1 step" if number == 1 else f"{number} steps"
    return f"{steps} from {position.board.square(position.pawn)}: {position.turn}"


def analysis_json(game: SoloGame, ply: int | None) -> models.SoloAnalysis:
    """The position after `ply` moves solved, and how far to go back if it cannot be."""
    so_far = up_to(game, ply)
    table = SolutionTable(game.positions[0])
    position = so_far.position
    found = analyse_solo(position, table=table)
    back = moves_to_take_back(so_far, table)
    keeping = table.keeping(position)
    hint = max(keeping, key=lambda move: table.share(position.play(move)), default=None)
    return {
        **found.facts_json(),
        "text": found.verdict if found.solvable else _lost(back),
        "back": back,
        "best": list(found.best),
        "hint": None if hint is None else position.move_text(hint),
        "solution": list(found.solution),
        "moves": [{**move.to_json(), "value": move.value, "text": str(move)} for move in found.moves],
    }


def _lost(back: int | None) -> str:
    """How far to go back from a position that cannot be solved; None: the board never could be."""
    if back is None:
        return "this board cannot be solved, from its first move on"
    return f"cannot be solved any more: take back {back} move{'s' * (back != 1)}"


def deal_json(deck: Deck, difficulty: Difficulty | None, reading: Exit, seed: int) -> models.SoloDeal:
    """A layout that can be solved."""
    dealt = deal_solvable(random.Random(seed), deck, reading, difficulty)
    return {
        "position": dealt.text,
        "rules": dealt.rules.name,
        "exit": dealt.rules.exit,
        "deck": deck.name,
        "difficulty": difficulty,
        "seed": seed,
    }
