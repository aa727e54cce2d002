"""Views of the big board: states and analyses in, typed dicts out.

Analyses and reviews are streams of improving answers. Estimates and exact answers have different types, and
each answer states in words which of them it is.
"""

from __future__ import annotations

import random
import time
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from collapsi.api.question import StreamWork
from collapsi.api.views import at_ply, board_json, tree_json, walk_json, way
from collapsi.core.errors import CollapsiError
from collapsi.draw.svg import strokes
from collapsi.games.big import search as big_search
from collapsi.games.big.analysis import BigAnalysis, big_json, finding_line, seat_json
from collapsi.games.big.endgame import EndgameAnalysis
from collapsi.games.big.engine import Estimate, answers, points_estimate_text
from collapsi.games.big.enums import BigVerdict
from collapsi.games.big.levels import level_text, levels
from collapsi.games.big.match import BigMatch, format_big_match, parse_big_match
from collapsi.games.big.rules import BIG_RULE_SETS
from collapsi.games.big.state import OUT, deal_big, went_out
from collapsi.games.kind import Limits
from collapsi.games.levels import FIRST_LEVEL, Level
from collapsi.games.registry import kind_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any, Literal

    from collapsi.api import models
    from collapsi.core.game import Game
    from collapsi.core.players import Player
    from collapsi.games.big.engine import BigAnswer
    from collapsi.games.big.rules import BigRules
    from collapsi.games.big.state import BigState

MEGABYTES = 256
"""The limit of the exact search's table in each process of the service."""

SECONDS = 60
"""The default time limit of an analysis or a review."""
MOST_SECONDS = 100
MOVE_SECONDS = 2.0
"""The time limit of the perfect player for a move."""
DRAWING_SECONDS = 2.0
"""The time limit of an analysis for a drawing."""

NODES = 2_000_000_000
"""More than can be searched in that time: an analysis ends when the time is over or everything is known."""

INTRODUCTION = (
    "A game of its own, from the same rule sheet: thirty-six cards for two, three or four. A pawn moves as "
    "on the small board. With three or four, who cannot move on their turn is out: the pawn leaves, its card "
    "stays face up, and the others play on. Points go by the order of going out: 0, 1, 2, 3."
)
PLACES = ("first", "second", "third")
"""The order of going out in words."""
START = "start"
"""The text of a match that has not begun."""
MATCH = (
    "A match is one round each, and the first move goes round. Most points win; those who are level play on "
    "among themselves."
)

VERDICTS: dict[BigVerdict, tuple[str, Literal["good", "bad", "neither"]]] = {
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
    "+5 wins in 5 plies (moves of all players), −4 loses in 4, +? wins and −? loses, not known yet how soon; "
    "? is not known yet. The best are filled."
)
ENDGAME_LEGEND = "The number on a card: the mover's points under perfect play. The best are filled."
ESTIMATE_LEGEND = "≈1.4: about this many points for the mover, an estimate. The engine's choice is filled."

SURE = {
    "all": "exact, other moves not all settled yet",
    "winner": "the winner is exact, how soon is not known yet",
    "nothing": "not known yet",
}
"""How sure an incomplete exact answer is, by what is known of the position."""

ENDS: dict[str, str] = {
    "done": "nothing more is to be found out",
    "time": "the time is over: go on from here if you like, what was learned is kept",
    "turn": "another request waits: try again in a moment, what was learned is kept",
    "stopped": "the work was stopped: ask again",
}


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
        "levels": [{"value": level.value, "text": level_text(level)} for level in levels(rules)],
        "example": {"position": position, "move": move, "alt": alt},
    }


def deal_json(rules: BigRules, seed: int) -> models.BigDeal:
    """A random deal."""
    return {**big_json(deal_big(random.Random(seed), rules)), "seed": seed}


def game_json(game: Game[BigState], ply: int | None, match: str | None) -> models.BigGame:
    """A game, and the position after `ply` moves (all of them if None)."""
    at = at_ply(game.moves, ply)
    state = game.positions[at]
    before = game.positions[at - 1] if at else None
    path = before.path(game.moves[at - 1]) if before else ()
    board = board_json(state.board)
    score = None if match is None else read_match(match, state.rules)
    pawns = {state.pawns[player]: seat_json(player) for player in state.left}
    return {
        **big_json(state),
        "rules_title": state.rules.title,
        "rules_text": state.rules.text,
        "aim": kind_of(state).aim,
        "game": game.text,
        "start": game.positions[0].text,
        "moves": list(game.squares),
        "movers": [seat_json(position.to_move) for position in game.positions],
        "ply": at,
        "rows": board["rows"],
        "columns": board["columns"],
        "squares": [
            {
                "square": state.board.square(cell),
                "card": None if card is None else card.letter,
                "pawn": pawns.get(cell),
                **walk_json(state, cell),
            }
            for cell, card in enumerate(state.cards)
        ],
        "seats": seats_json(state, score),
        "task": task(state),
        "turn": state.turn,
        "cards_left": state.cards_left,
        "winner": None if state.winner is None else seat_json(state.winner),
        "moved": way(state, path) or None,
        "moved_strokes": strokes(state.board, path) if path else None,
        "moved_by": seat_json(before.to_move) if before else None,
        "went": went(before, state, path) if before else None,
        "match": None if score is None else match_json(score, state),
        "text": str(state),
        "warnings": [] if game.positions[0].dealt else [str(reason) for reason in state.faults],
        **tree_json(game),
    }


def went(before: BigState, after: BigState, path: tuple[int, ...]) -> str:
    """A move in words, and who went out by it.

    >>> from collapsi.games.big.notation import parse_big
    >>> state = parse_big("..A.../..3.../..A.../.2rA.../..2b.../...... r big")
    >>> went(state, state.play("c3"), state.path("c3"))
    'red went from b4 to c3; blue cannot move and is out, with no points; the card on c5 stays face up'
    """
    first, *_, last = way(before, path)
    return "; ".join([f"{before.to_move} went from {first} to {last}", *went_out(before, after)])


def task(state: BigState) -> str | None:
    """What the side to move has to do; nothing when the game is over.

    >>> from collapsi.games.big.notation import parse_big
    >>> task(parse_big("....../.2r.3../.AA.../.3b4g.../..3.../...... r big3"))
    'move: 2 steps from b2'
    """
    if state.over:
        return None
    (steps,) = state.steps
    count = "1 step" if steps == 1 else f"{steps} steps"
    return f"move: {count} from {state.board.square(state.pawns[state.to_move])}"


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
    players = kind_of(state).opponents
    assert players is not None
    chosen = players.choose(state, level, rng, seconds=MOVE_SECONDS)
    square = state.move_text(chosen.move)
    return {
        **big_json(state),
        "level": level,
        "move": square,
        "to": square,
        "path": way(state, state.path(chosen.move)),
        "said": chosen.comment,
    }


def refuse_values(state: BigState) -> None:
    """Raise an error for a position with more than two players left: its moves have no single value."""
    if len(state.left) > 2:
        msg = (
            f"values are drawn with two players left, and here {len(state.left)} are: ask without values, or "
            "for an analysis"
        )
        raise CollapsiError(msg)


def analysis_lines(
    state: BigState, limits: Limits
) -> Iterator[models.SolvedLine | models.EndgameLine | models.EstimateLine]:
    """Improving answers about a position; if it is solved, the last ones also have perfect play.

    `BigSolver.answers` yields nothing while it looks for perfect play. Here each step yields, so that a
    stream can be stopped, and on the static page other requests take turns with it in the same thread.
    """
    began = time.monotonic()
    last: BigAnswer | None = None
    for last in answers(state, seed=limits.seed, nodes=NODES, table=big_search.TABLE):
        yield answer_json(last, _since(began))
    if isinstance(last, BigAnalysis) and last.finished and last.found is not None:
        for line in finding_line(state, last.found):
            yield answer_json(replace(last, line_moves=line), _since(began))


def _since(began: float) -> float:
    return round(time.monotonic() - began, 1)


def answer_json(
    analysis: BigAnswer, seconds: float
) -> models.SolvedLine | models.EndgameLine | models.EstimateLine:
    """One answer, and how it is shown to people."""
    if isinstance(analysis, Estimate):
        return _estimate_json(analysis, seconds)
    if isinstance(analysis, EndgameAnalysis):
        return _endgame_json(analysis, seconds)
    return _solved_json(analysis, seconds)


def _estimate_json(analysis: Estimate, seconds: float) -> models.EstimateLine:
    answer = analysis.to_json()
    return {
        "kind": "estimate",
        "exact": False,
        "sure": "an estimate",
        "text": analysis.text,
        "notes": analysis.notes[:1],
        "legend": ESTIMATE_LEGEND,
        "nodes": analysis.nodes,
        "seconds": seconds,
        "best": answer["best"],
        "moves": [
            {
                "move": move["move"],
                "to": move["to"],
                "path": move["path"],
                "badge": f"{ESTIMATE_SIGN}{found.points[analysis.state.to_move]:.1f}"
                if found.visits
                else "…",
                "wins": None,
                "best": move["move"] in answer["best"],
                "words": (
                    points_estimate_text(found.points[analysis.state.to_move])
                    if found.visits
                    else "not looked at yet"
                ),
            }
            for move, (_, found) in zip(answer["moves"], analysis.moves, strict=True)
        ],
        "answer": answer,
    }


def _endgame_json(analysis: EndgameAnalysis, seconds: float) -> models.EndgameLine:
    answer = analysis.to_json()
    mover = answer["to_move"]
    most_first = sorted(answer["moves"], key=lambda move: -_of(move["points"], mover))
    return {
        "kind": "endgame",
        "exact": analysis.exact,
        "sure": "exact" if analysis.exact else "exact under a rule for ties",
        "text": analysis.notes[0],
        "notes": analysis.notes[1:3],
        "legend": ENDGAME_LEGEND,
        "nodes": None,
        "seconds": seconds,
        "best": answer["best"],
        "moves": [
            {
                "move": move["move"],
                "to": move["to"],
                "path": move["path"],
                "badge": str(_of(move["points"], mover)),
                "wins": None,
                "best": move["move"] in answer["best"],
                "words": f"{_points_words(move['points'])}; secures {move['secures']}",
            }
            for move in most_first
        ],
        "answer": answer,
    }


def _of(points: Any, seat: str) -> int:
    return cast("int", points[seat])


def _points_words(points: Any) -> str:
    return ", ".join(f"{seat} {number}" for seat, number in points.items())


def _solved_json(analysis: BigAnalysis, seconds: float) -> models.SolvedLine:
    answer = analysis.to_json()
    settling = analysis.found.settling if analysis.found else None
    all_known = analysis.finished and analysis.known == "all"
    return {
        "kind": "solved",
        "exact": all_known,
        "sure": "exact" if all_known else SURE[analysis.known],
        "text": analysis.caption if analysis.found is None else analysis.text,
        "notes": [],
        "legend": SOLVED_LEGEND,
        "nodes": answer["nodes"],
        "seconds": seconds,
        "settling": None if settling is None else analysis.state.move_text(settling),
        "best": answer["best"],
        "moves": [
            {
                "move": move.name,
                "to": move.name,
                "path": list(move.path),
                "badge": move.value.replace("-", "−"),
                "wins": move.wins,
                "best": move.name in answer["best"],
                "words": move.text,
            }
            for move in analysis.moves
        ],
        "answer": answer,
    }


def review_lines(game: Game[BigState], limits: Limits) -> Iterator[models.ReviewLine]:
    """A review from the end of the game to its beginning: each line is the whole review so far."""
    for review in kind_of(game.position).reviews(game, limits) or ():
        answer = review.to_json()
        looked, plies = len(answer["moves"]), answer["plies"]
        turned = ", ".join(map(str, answer["turning_points"]))
        yield {
            "kind": "review",
            "text": (
                f"looked at {looked} of {plies} moves, the last first"
                if not review.finished
                else f"given away at move {turned}"
                if turned
                else "no move is known to have given anything away"
            ),
            "answer": answer,
        }


def improving(
    answers: Callable[[Limits], Iterator[Any]], seconds: float, seed: int | None
) -> StreamWork[Any]:
    """A stream of whole answers, each better than the last, until there is no better one, the time is over
    or the stream is stopped; the last line names the reason.

    >>> from collapsi.games.big.notation import parse_big
    >>> state = parse_big("..A.../..3.../..A.../.2rA.../..2b.../...... r big")
    >>> work = improving(lambda limits: analysis_lines(state, limits), seconds=60, seed=1)
    >>> *_, last, end = work.make(lambda: False)
    >>> last["sure"], end["text"]
    ('exact', 'nothing more is to be found out')
    """

    def lines(is_cancelled: Callable[[], bool]) -> Iterator[Mapping[str, Any]]:
        until = time.monotonic() + seconds

        def is_stopped() -> bool:
            return is_cancelled() or time.monotonic() >= until

        last: Mapping[str, Any] = {}
        complete = False
        for answer in answers(Limits(seconds=seconds, estimate_first=True, seed=seed or 1)):
            if answer != last:
                yield answer
            last, complete = answer, is_complete(answer)
            if is_stopped():
                break
        else:
            complete = True
        yield end_json("done" if complete else "turn" if is_cancelled() else "time")

    return StreamWork(lines, "big")


def is_complete(answer: Mapping[str, Any]) -> bool:
    """Whether no better answer follows."""
    return bool(answer["answer"]["finished"] if answer["kind"] == "review" else answer["exact"])


def end_json(why: Literal["done", "time", "turn", "stopped"]) -> models.EndLine:
    """The last line of a stream."""
    return {"kind": "end", "why": why, "text": ENDS[why]}
