"""Views of the big board: states and analyses in, typed dicts out.

Estimates and exact answers have different types, and each answer states in words which of them it is.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, cast

from collapsi.api.squares import board_json, way
from collapsi.api.streams import SECONDS
from collapsi.api.views import at_ply, last_move, squares_json, stuck_json, task, tree_json
from collapsi.games.big.analysis import big_json, points_text, seat_json
from collapsi.games.big.endgame import EndgameAnalysis
from collapsi.games.big.engine import Estimate, expected_text
from collapsi.games.big.enums import BigVerdict
from collapsi.games.big.match import BigMatch, format_big_match, parse_big_match
from collapsi.games.big.rules import BIG_RULE_SETS
from collapsi.games.big.state import OUT
from collapsi.games.levels import FIRST_LEVEL, Level
from collapsi.games.registry import deal, kind_of
from collapsi.play.levels import choose, level_text, levels_for

if TYPE_CHECKING:
    from typing import Any

    from collapsi.api import models
    from collapsi.core.game import Game
    from collapsi.core.players import Player
    from collapsi.games.big.analysis import BigAnalysis
    from collapsi.games.big.engine import BigAnswer
    from collapsi.games.big.review import BigReview
    from collapsi.games.big.rules import BigRules
    from collapsi.games.big.state import BigState

    MoveShown = tuple[int, str, bool | None, str]
    """A move, its badge, whether it wins, and a description."""

MEGABYTES = 16
"""The limit of the exact search's table in each process of the service."""
MOVE_SECONDS = 2.0
"""The time limit of the perfect player for a move."""

INTRODUCTION = (
    "A game of its own, from the same rule sheet: thirty-six cards for two, three or four. A pawn moves as "
    "on the small board. With three or four, a player who cannot move is out: the pawn leaves, its card "
    "stays face up, and the others play on. Points go by the order of going out: 0, 1, 2, 3."
)
PLACES = ("first", "second", "third")
"""The order of going out in words."""
START = "start"
"""The text of a match that has not begun."""
MATCH = (
    "A match is one round each, and the first move goes round. Most points win; players "
    "with equal points play on among themselves."
)

VERDICTS: dict[BigVerdict, tuple[str, models.Mood]] = {
    BigVerdict.ONLY: ("□", "neither"),
    BigVerdict.BEST: ("✓", "good"),
    BigVerdict.KEPT_WIN: ("✓", "good"),
    BigVerdict.SLOWER_WIN: ("~", "neither"),
    BigVerdict.STILL_LOST: ("·", "neither"),
    BigVerdict.FASTER_LOSS: ("↓", "neither"),
    BigVerdict.FEWER_POINTS: ("✗", "bad"),
    BigVerdict.THREW_AWAY: ("✗", "bad"),
}
ESTIMATE_SIGN = "≈"

EXAMPLES = {
    "big": (
        "43Jr423/324AA2/AJbA444/323.4./A32322/34A2AA r big",
        "c6",
        "red goes from the jack on c1 one step over the edge to c6",
    ),
    "big3": (
        "A.432A/....22/.234.Ab/.A443g4r/A332.2/A32443 g big3",
        "f2",
        "green goes three steps from e4, through the pawns on f4 and f3, to f2",
    ),
    "big4": (
        ".A22.4y/A.A33./..3..4/.3..4./Ab..4.A/...432r y big4 out:g",
        "d1",
        "green is out; yellow goes four steps from f1, twice over the edge, to d1",
    ),
    "five3": (
        "..4.A/AbA24g3/A..A3/.324r3/3A..2 g five3",
        "e1",
        "green goes four steps from d2 in a curve to e1",
    ),
}
"""For each rule set a position, a move on it, and what the picture shows."""

SOLVED_LEGEND = (
    "+5 wins in 5 moves, counting both players, this one included; −4 loses in 4; +? wins and −? loses, not "
    "known yet how soon; ? is not known yet. The best are filled."
)
ENDGAME_LEGEND = (
    "The number on a card: points for the player to move under perfect play. The best are filled."
)
ESTIMATE_LEGEND = "≈1.4: expected points for the player to move. The engine's choice is filled."

SURE = {
    "all": "exact, other moves not all settled yet",
    "winner": "the winner is exact, how soon is not known yet",
    "nothing": "not known yet",
}
"""How sure an incomplete exact answer is, by what is known of the position."""


def choices() -> models.BigChoices:
    """What there is to choose from before a game."""
    return {
        "text": INTRODUCTION,
        "match": MATCH,
        "rules": [rules_json(rules) for rules in BIG_RULE_SETS.values()],
        "first_level": FIRST_LEVEL.value,
        "verdicts": [
            {"verdict": verdict, "sign": sign, "mood": mood} for verdict, (sign, mood) in VERDICTS.items()
        ],
        "estimate_sign": ESTIMATE_SIGN,
        "seconds": SECONDS,
    }


def rules_json(rules: BigRules) -> models.BigRulesShown:
    """A rule set, with a move as an example."""
    position, move, alt = EXAMPLES[rules.name]
    return {
        "name": rules.name,
        "title": rules.title,
        "text": rules.text,
        "board": board_json(rules.board),
        "seats": [seat_json(player) for player in rules.seats],
        "levels": [{"value": level.value, "text": level_text(level, rules)} for level in levels_for(rules)],
        "example": {"position": position, "move": move, "alt": alt},
    }


def deal_json(rules: BigRules, seed: int) -> models.BigDeal:
    """A random deal."""
    return {**big_json(deal(random.Random(seed), rules)), "seed": seed}


def game_json(game: Game[BigState], ply: int | None, match: str | None) -> models.BigGame:
    """A game, and the position after `ply` moves (all of them if None)."""
    ply = at_ply(game, ply)
    state = game.positions[ply]
    last = last_move(game, ply)
    board = board_json(state.board)
    score = None if match is None else read_match(match, state.rules)
    return {
        **big_json(state),
        "rules_title": state.rules.title,
        "rules_text": state.rules.text,
        "aim": kind_of(state).aim,
        "game": game.text,
        "start": game.positions[0].text,
        "moves": list(game.squares),
        "movers": [seat_json(position.to_move) for position in game.positions],
        "ply": ply,
        "rows": board["rows"],
        "columns": board["columns"],
        "squares": cast("list[models.BigSquare]", squares_json(state)),
        "seats": seats_json(state, score),
        "task": task(state),
        "turn": state.turn,
        "cards_left": state.cards_left,
        "winner": None if state.winner is None else seat_json(state.winner),
        "moved": last.moved,
        "moved_strokes": last.strokes,
        "moved_by": None if last.by is None else seat_json(last.by),
        "went": last.went,
        "match": None if score is None else match_json(score, state),
        "text": str(state),
        "warnings": [] if game.positions[0].dealt else [str(reason) for reason in state.faults],
        **tree_json(game),
        **stuck_json(game, ply),
    }


def seats_json(state: BigState, match: BigMatch | None) -> list[models.BigSeat]:
    """The players of the round."""
    numbers = (match or BigMatch.start(state.rules)).seats
    return [
        {
            "seat": seat_json(player),
            "player": numbers[player] + 1,
            "square": None if state.pawns[player] == OUT else state.board.square(state.pawns[player]),
            "out": state.out.index(player) + 1 if player in state.out else None,
            "points": settled_points(state, player),
            "text": seat_text(state, player),
        }
        for player in state.rules.seats
    ]


def settled_points(state: BigState, player: Player) -> int | None:
    """What the round is worth to a player, once that is settled."""
    if player in state.out:
        return state.out.index(player)
    return len(state.out) if state.over else None


def seat_text(state: BigState, player: Player) -> str:
    """How a player stands, in words.

    >>> from collapsi.games.big.notation import parse_big
    >>> state = parse_big("....../.2r.3../.AA.../.3b4g.../..3.../...... r big3").play("c3")
    >>> [seat_text(state, player) for player in state.rules.seats]
    ['on c3', 'to move, on b4', 'on c4']
    """
    points = settled_points(state, player)
    if points is None:
        on = f"on {state.board.square(state.pawns[player])}"
        return f"to move, {on}" if player is state.to_move else on
    count = "1 point" if points == 1 else f"{points or 'no'} points"
    return f"has won: {count}" if player is state.winner else f"out {PLACES[points]}: {count}"


def match_json(match: BigMatch, state: BigState) -> models.BigMatchScore:
    """The points, this position counted if the round is over, and what comes next."""
    after = match.after(state) if state.over else match
    goes_on = state.over and after.winner is None
    return {
        "title": match.title,
        "points": list(after.points),
        "text": after.text,
        "winner": None if after.winner is None else after.winner + 1,
        "next": format_big_match(after) if goes_on else None,
        "next_rules": str(after.rules) if goes_on else None,
        "next_text": next_text(after) if goes_on else None,
    }


def next_text(match: BigMatch) -> str:
    """The next round in words.

    >>> from collapsi.games.big.rules import BIG
    >>> next_text(parse_big_match("4-4-1/3/12+0", BIG))
    'round 4, play-off: player 1 is red, player 2 is blue'
    """
    seats = ", ".join(f"player {number + 1} is {colour}" for colour, number in match.seats.items())
    return f"{match.title}: {seats}"


def read_match(text: str, rules: BigRules) -> BigMatch:
    """A match of which a round by these rules is the next; or is the first."""
    return BigMatch.start(rules) if text == START else parse_big_match(text, rules)


def computer_move_json(state: BigState, level: Level, rng: random.Random) -> models.BigMove:
    """The computer's move and its comment."""
    chosen = choose(state, level, rng, seconds=MOVE_SECONDS)
    square = state.move_text(chosen.move)
    return {
        **big_json(state),
        "level": level,
        "move": square,
        "to": square,
        "path": way(state, state.path(chosen.move)),
        "said": chosen.comment,
    }


def answer_json(
    analysis: BigAnswer, seconds: float
) -> models.SolvedLine | models.EndgameLine | models.EstimateLine:
    """One answer of an analysis, and how it is shown to people."""
    answer: Any = analysis.to_json()
    state = analysis.position
    shown, moves = (
        _estimate(analysis, seconds)
        if isinstance(analysis, Estimate)
        else _endgame(analysis, seconds)
        if isinstance(analysis, EndgameAnalysis)
        else _solved(analysis, seconds)
    )
    names = {move: state.move_text(move) for move, *_ in moves}
    return cast(
        "models.SolvedLine",
        {
            **shown,
            "best": answer["best"],
            "moves": [
                {
                    "move": names[move],
                    "to": names[move],
                    "path": way(state, state.path(move)),
                    "badge": badge,
                    "wins": wins,
                    "best": names[move] in answer["best"],
                    "words": words,
                }
                for move, badge, wins, words in moves
            ],
            "answer": answer,
        },
    )


def _estimate(analysis: Estimate, seconds: float) -> tuple[dict[str, Any], list[MoveShown]]:
    mover = analysis.position.to_move
    shown = {
        "kind": "estimate",
        "exact": False,
        "sure": "an estimate",
        "text": analysis.text,
        "notes": [analysis.seats_text],
        "legend": ESTIMATE_LEGEND,
        "nodes": analysis.nodes,
        "seconds": seconds,
    }
    return shown, [
        (move, f"{ESTIMATE_SIGN}{found.points[mover]:.1f}", None, expected_text(found.points[mover]))
        if found.visits
        else (move, "…", None, "not looked at yet")
        for move, found in analysis.moves
    ]


def _endgame(analysis: EndgameAnalysis, seconds: float) -> tuple[dict[str, Any], list[MoveShown]]:
    state = analysis.position
    shown = {
        "kind": "endgame",
        "exact": analysis.exact,
        "sure": "exact" if analysis.exact else "exact under a rule for ties",
        "text": analysis.notes[0],
        "notes": analysis.notes[1:3],
        "legend": ENDGAME_LEGEND,
        "nodes": None,
        "seconds": seconds,
    }
    most_first = sorted(analysis.by_move.items(), key=lambda each: -each[1][0][state.to_move])
    return shown, [
        (move, str(points[state.to_move]), None, f"{points_text(state, points)}; secures {secures}")
        for move, (points, secures) in most_first
    ]


def _solved(analysis: BigAnalysis, seconds: float) -> tuple[dict[str, Any], list[MoveShown]]:
    settling = analysis.found.settling if analysis.found else None
    exact = analysis.finished and analysis.known == "all"
    shown = {
        "kind": "solved",
        "exact": exact,
        "sure": "exact" if exact else SURE[analysis.known],
        "text": analysis.text if analysis.found else analysis.caption,
        "notes": [],
        "legend": SOLVED_LEGEND,
        "nodes": analysis.found.nodes if analysis.found else 0,
        "seconds": seconds,
        "settling": None if settling is None else analysis.position.move_text(settling),
    }
    return shown, [(move.move, move.value.replace("-", "−"), move.wins, move.text) for move in analysis.moves]


def review_json(review: BigReview, _seconds: float) -> models.ReviewLine:
    """The whole review so far."""
    answer = review.to_json()
    turned = ", ".join(map(str, answer["turning_points"]))
    if not review.finished:
        text = f"looked at {len(answer['moves'])} of {answer['plies']} moves, the last first"
    elif turned:
        text = f"given away at move {turned}"
    else:
        text = "no move is known to have given anything away"
    return {"kind": "review", "text": text, "answer": answer}
