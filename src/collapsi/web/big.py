"""The big board as the page shows it, and what is asked about it: plain values in, typed dicts out.

What may think for long comes as better and better answers, one after the other (`thoughts`, `reviews`). An
estimate and an exact answer have different shapes, and the page is told in words which of them it shows.
"""

from __future__ import annotations

import random
import time
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from collapsi.crowd_match import CrowdMatch, format_crowd_match, parse_crowd_match
from collapsi.drawing import draw_analysis, draw_position, strokes
from collapsi.errors import CollapsiError, MalformedError
from collapsi.games.crowd import OUT, deal_crowd, went_out
from collapsi.games.crowd_analysis import (
    CrowdAnalysis,
    analyse_crowd,
    crowd_json,
    finding_line,
    seat_json,
)
from collapsi.games.crowd_endgame import EndgameAnalysis
from collapsi.games.crowd_engine import Estimate, about, think
from collapsi.games.crowd_notation import parse_crowd, parse_crowd_game, parse_crowd_rules
from collapsi.games.crowd_players import choose, level_text, levels
from collapsi.games.crowd_review import CrowdVerdict, review_steps
from collapsi.opponent import FIRST_MET, Level
from collapsi.rules import CROWD_RULES, Player
from collapsi.solve import crowd_search
from collapsi.web.shown import board_json, walk_json, way

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any, Literal

    from collapsi.game import Game
    from collapsi.games.crowd import Crowd
    from collapsi.games.crowd_engine import Thought
    from collapsi.rules import CrowdRules
    from collapsi.web import models

MEGABYTES = 256
"""The exact search's table in each process of the service, at the most."""

SECONDS = 60
"""How long an analysis or a review thinks, unless another time is asked for."""
MOST_SECONDS = 100
MOVE_SECONDS = 2.0
"""How long the perfect player thinks about a move."""
DRAWING_SECONDS = 2.0
"""How long is thought about values that are to be drawn."""

NODES = 2_000_000_000
"""More than is looked at in that time: an analysis ends when the time is over, or all is known."""

AIM = "The card it leaves collapses. Who cannot move is out; the last one left wins."
"""The game in a line, for who has never played it."""

INTRODUCTION = (
    "A game of its own, from the same rule sheet: thirty-six cards for two, three or four. A pawn moves as "
    "on the small board. With three or four, who cannot move on their turn is out: the pawn leaves, its card "
    "stays face up, and the others play on. Points go by the order of going out: 0, 1, 2, 3."
)
PLACES = ("first", "second", "third")
"""As which somebody goes out."""
START = "start"
"""In place of a match that has not begun."""
MATCH = (
    "A match is one round each, and the first move goes round. Most points win; those who are level play on "
    "among themselves."
)

VERDICTS: dict[CrowdVerdict, tuple[str, Literal["good", "bad", "neither"]]] = {
    CrowdVerdict.ONLY: ("□", "neither"),
    CrowdVerdict.BEST: ("✓", "good"),
    CrowdVerdict.KEPT_WIN: ("✓", "good"),
    CrowdVerdict.SLOWER_WIN: ("~", "neither"),
    CrowdVerdict.STILL_LOST: ("·", "neither"),
    CrowdVerdict.FASTER_LOSS: ("↓", "neither"),
    CrowdVerdict.FEWER_POINTS: ("✗", "bad"),
    CrowdVerdict.THREW_AWAY: ("✗", "bad"),
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
ESTIMATE_LEGEND = "≈1.4: about so many points for the mover, an estimate. The engine's choice is filled."

SURE = {
    "all": "exact, other moves not all settled yet",
    "winner": "the winner is exact, how soon is not known yet",
    "nothing": "not known yet",
}
"""Of exact answers that are not complete, by what is known of the position."""

ENDS: dict[str, str] = {
    "done": "nothing more is to be found out",
    "time": "the time is over: go on from here if you like, what was learned is kept",
    "turn": "somebody else waits to be answered: ask again in a moment, what was learned is kept",
    "stopped": "the work was stopped: ask again",
}


def choices() -> models.BigChoices:
    """What there is to choose from before a game."""
    return {
        "text": INTRODUCTION,
        "match": MATCH,
        "rules": [rules_json(rules) for rules in CROWD_RULES.values()],
        "first_level": FIRST_MET.value,
        "verdicts": [
            {"verdict": verdict, "sign": sign, "mood": mood} for verdict, (sign, mood) in VERDICTS.items()
        ],
        "estimate_sign": ESTIMATE_SIGN,
        "seconds": SECONDS,
    }


def rules_json(rules: CrowdRules) -> models.BigRulesShown:
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


def deal(rules: str, seed: int) -> models.BigDeal:
    """A random deal."""
    return {**crowd_json(deal_crowd(random.Random(seed), parse_crowd_rules(rules))), "seed": seed}


def at_ply(game: Game[Crowd], ply: int | None) -> int:
    """Which position is meant: that after so many moves, or the last."""
    last = len(game.moves)
    if ply is not None and ply > last:
        msg = f"there is no position after {ply} moves: the game has {last}"
        raise MalformedError(msg)
    return last if ply is None else ply


def shown_game(text: str, ply: int | None, match: str | None) -> models.BigGame:
    """A game, and the position after `ply` moves (all of them if None)."""
    game = parse_crowd_game(text)
    at = at_ply(game, ply)
    state = game.positions[at]
    before = game.positions[at - 1] if at else None
    path = before.path(game.moves[at - 1]) if before else ()
    board = board_json(state.board)
    score = None if match is None else read_match(match, state.rules)
    pawns = {state.pawns[player]: seat_json(player) for player in state.left}
    return {
        **crowd_json(state),
        "rules_title": state.rules.title,
        "rules_text": state.rules.text,
        "aim": AIM,
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
    }


def went(before: Crowd, after: Crowd, path: tuple[int, ...]) -> str:
    """A move in words, and who went out by it.

    >>> state = parse_crowd("..A.../..3.../..A.../.2rA.../..2b.../...... r big")
    >>> went(state, state.play("c3"), state.path("c3"))
    'red went from b4 to c3; blue cannot move and is out, with no points; the card on c5 stays face up'
    """
    first, *_, last = way(before, path)
    return "; ".join([f"{before.to_move} went from {first} to {last}", *went_out(before, after)])


def task(state: Crowd) -> str | None:
    """What the side to move has to do; nothing when the game is over.

    >>> task(parse_crowd("....../.2r.3../.AA.../.3b4g.../..3.../...... r big3"))
    'move: 2 steps from b2'
    """
    if state.over:
        return None
    (steps,) = state.steps
    count = "1 step" if steps == 1 else f"{steps} steps"
    return f"move: {count} from {state.board.square(state.pawns[state.to_move])}"


def seats_json(state: Crowd, match: CrowdMatch | None) -> list[models.BigSeat]:
    """Everybody who plays the round."""
    numbers = (match or CrowdMatch.start(state.rules)).seats
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


def settled_points(state: Crowd, player: Player) -> int | None:
    """What the round is worth to a player, once that is settled."""
    if player in state.out:
        return state.out.index(player)
    return len(state.out) if state.over else None


def seat_text(state: Crowd, player: Player) -> str:
    """How a player stands, in words.

    >>> state = parse_crowd("....../.2r.3../.AA.../.3b4g.../..3.../...... r big3").play("c3")
    >>> [seat_text(state, player) for player in state.rules.seats]
    ['on c3', 'to move, on b4', 'on c4']
    """
    points = settled_points(state, player)
    if points is None:
        on = f"on {state.board.square(state.pawns[player])}"
        return f"to move, {on}" if player is state.to_move else on
    count = "1 point" if points == 1 else f"{points or 'no'} points"
    return f"has won: {count}" if player is state.winner else f"out {PLACES[points]}: {count}"


def match_json(match: CrowdMatch, state: Crowd) -> models.BigMatch:
    """The points, this position counted if the round is over, and what comes next."""
    after = match.after(state) if state.over else match
    goes_on = state.over and after.winner is None
    return {
        "title": match.title,
        "points": list(after.points),
        "text": after.text,
        "winner": None if after.winner is None else after.winner + 1,
        "next": format_crowd_match(after) if goes_on else None,
        "next_rules": str(after.rules) if goes_on else None,
        "next_text": next_text(after) if goes_on else None,
    }


def next_text(match: CrowdMatch) -> str:
    """The next round in words.

    >>> from collapsi.rules import BIG
    >>> next_text(parse_crowd_match("4-4-1/3/12+0", BIG))
    'round 4, play-off: player 1 is red, player 2 is blue'
    """
    seats = ", ".join(f"player {number + 1} is {colour}" for colour, number in match.seats.items())
    return f"{match.title}: {seats}"


def read_match(text: str, rules: CrowdRules) -> CrowdMatch:
    """A match of which a round by these rules is the next; or is the first."""
    return CrowdMatch.start(rules) if text == START else parse_crowd_match(text, rules)


def computer_move(position: str, level: str, seed: int | None) -> models.BigMove:
    """What the computer plays."""
    state = parse_crowd(position)
    chosen = choose(state, Level(level), random.Random(seed), seconds=MOVE_SECONDS)
    square = state.move_text(chosen.move)
    return {
        **crowd_json(state),
        "level": Level(level),
        "move": square,
        "to": square,
        "path": way(state, state.path(chosen.move)),
        "said": chosen.said,
    }


def drawing(position: str, move: str | None) -> str:
    """A position as a picture."""
    return draw_position(parse_crowd(position), move=move)


def drawing_with_values(position: str, move: str | None) -> str:
    """A position with what is known of every move within a moment on its end card."""
    state = parse_crowd(position)
    refuse_values(state)
    return draw_analysis(analyse_crowd(state, seconds=DRAWING_SECONDS), move=move)


def refuse_values(state: Crowd) -> None:
    """An error for a position whose moves have no one value each."""
    if len(state.left) > 2:
        msg = (
            f"values are drawn with two players left, and here {len(state.left)} are: ask without values, or "
            "for an analysis"
        )
        raise CollapsiError(msg)


def thoughts(
    position: str, seed: int, *, nodes: int = NODES, stopped: Callable[[], bool] = lambda: False
) -> Iterator[models.BigSolved | models.BigEndgame | models.BigEstimate]:
    """Better and better answers about a position; of a solved one in the end also perfect play.

    Exact knowledge is kept in the search's room for the next question about the same deal.
    """
    state = parse_crowd(position)
    began = time.monotonic()
    last: Thought | None = None
    for last in think(state, seed=seed, nodes=nodes, room=crowd_search.ROOM):
        yield thought_json(last, _since(began))
    if isinstance(last, CrowdAnalysis) and last.finished and last.found is not None:
        for line in finding_line(state, last.found):
            if line is None and stopped():
                return
            yield thought_json(replace(last, line=line), _since(began))


def _since(began: float) -> float:
    return round(time.monotonic() - began, 1)


def thought_json(
    thought: Thought, seconds: float
) -> models.BigSolved | models.BigEndgame | models.BigEstimate:
    """One answer, and how it is shown to people."""
    if isinstance(thought, Estimate):
        return _estimate_json(thought, seconds)
    if isinstance(thought, EndgameAnalysis):
        return _endgame_json(thought, seconds)
    return _solved_json(thought, seconds)


def _estimate_json(thought: Estimate, seconds: float) -> models.BigEstimate:
    answer = thought.to_json()
    return {
        "kind": "estimate",
        "exact": False,
        "sure": "an estimate",
        "text": thought.text,
        "notes": thought.notes[:1],
        "legend": ESTIMATE_LEGEND,
        "nodes": thought.nodes,
        "seconds": seconds,
        "best": answer["best"],
        "moves": [
            {
                "move": move["move"],
                "to": move["to"],
                "path": move["path"],
                "badge": f"{ESTIMATE_SIGN}{found.points[thought.state.to_move]:.1f}" if found.visits else "…",
                "wins": None,
                "best": move["move"] in answer["best"],
                "words": (
                    about(found.points[thought.state.to_move]) if found.visits else "not looked at yet"
                ),
            }
            for move, (_, found) in zip(answer["moves"], thought.moves, strict=True)
        ],
        "answer": answer,
    }


def _endgame_json(thought: EndgameAnalysis, seconds: float) -> models.BigEndgame:
    answer = thought.to_json()
    mover = answer["to_move"]
    most_first = sorted(answer["moves"], key=lambda move: -_of(move["points"], mover))
    return {
        "kind": "endgame",
        "exact": thought.exact,
        "sure": "exact" if thought.exact else "exact under a rule for ties",
        "text": thought.notes[0],
        "notes": thought.notes[1:3],
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


def _solved_json(thought: CrowdAnalysis, seconds: float) -> models.BigSolved:
    answer = thought.to_json()
    settling = thought.found.settling if thought.found else None
    all_known = thought.finished and thought.known == "all"
    return {
        "kind": "solved",
        "exact": all_known,
        "sure": "exact" if all_known else SURE[thought.known],
        "text": thought.caption if thought.found is None else thought.text,
        "notes": [],
        "legend": SOLVED_LEGEND,
        "nodes": answer["nodes"],
        "seconds": seconds,
        "settling": None if settling is None else thought.state.move_text(settling),
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
            for move in thought.moves
        ],
        "answer": answer,
    }


def reviews(game: str, seed: int) -> Iterator[models.BigReviewed]:
    """A game looked back on, from its end to its beginning: again and again the whole review so far."""
    for review in review_steps(parse_crowd_game(game), seed=seed, room=crowd_search.ROOM):
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


STREAMS: dict[str, Callable[[dict[str, Any], Callable[[], bool]], Iterator[Mapping[str, Any]]]] = {
    "thoughts": lambda options, is_stopped: thoughts(**options, stopped=is_stopped),
    "reviews": lambda options, _: reviews(**options),
}
"""What gets better while one waits, by name."""


def better_and_better(
    question: str, told_to_stop: Callable[[], bool] = lambda: False, *, seconds: float, **options: Any
) -> Iterator[Mapping[str, Any]]:
    """Whole answers, each better than the last, until nothing better is to be found, the time is over or
    somebody says stop; then why no more come.

    >>> position = "..A.../..3.../..A.../.2rA.../..2b.../...... r big"
    >>> *_, last, end = better_and_better("thoughts", seconds=60, position=position, seed=1)
    >>> last["sure"], end["text"]
    ('exact', 'nothing more is to be found out')
    """
    until = time.monotonic() + seconds

    def is_stopped() -> bool:
        return told_to_stop() or time.monotonic() >= until

    last: Mapping[str, Any] = {}
    complete = False
    for answer in STREAMS[question](options, is_stopped):
        if answer != last:
            yield answer
        last, complete = answer, is_complete(answer)
        if is_stopped():
            break
    else:
        complete = True
    yield end_json("done" if complete else "turn" if told_to_stop() else "time")


def is_complete(answer: Mapping[str, Any]) -> bool:
    """Whether nothing better than this answer comes."""
    return bool(answer["answer"]["finished"] if answer["kind"] == "review" else answer["exact"])


def end_json(why: Literal["done", "time", "turn", "stopped"]) -> models.BigEnd:
    """The last line of a stream."""
    return {"kind": "end", "why": why, "text": ENDS[why]}
