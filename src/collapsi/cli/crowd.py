"""The big board on the command line: what `show`, `deal`, `solve` and `line` do with it.

Nobody loads it who does not play it: `positions` asks for it where a position or `--rules` says so.
"""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from collapsi.cli.common import complain, new_console
from collapsi.errors import CollapsiError
from collapsi.games.crowd import Crowd, deal_crowd
from collapsi.games.crowd_analysis import CrowdAnalysis, analyse_crowd, nothing_known
from collapsi.games.crowd_endgame import EndgameAnalysis
from collapsi.games.crowd_engine import NODES, Estimate, think
from collapsi.games.crowd_notation import parse_crowd, parse_crowd_rules
from collapsi.games.crowd_players import affordable
from collapsi.rules import CROWD_RULES
from collapsi.solve import crowd_forms, crowd_search
from collapsi.solve.crowd_many import NOT_STOPPED
from collapsi.solve.crowd_search import Progress, Win

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Iterator

    from rich.console import Console

    from collapsi.games.crowd_engine import Thought

MOST_NAMED = 6
"""Moves known to win or to lose that are named in one line of progress."""


def read_crowd(text: str, rules: str) -> Crowd:
    """A position of the big board; `rules` where the text does not say."""
    return parse_crowd(text, rules=rules if rules.lower() in CROWD_RULES else None)


def show_crowd(text: str, rules: str, *, values: bool, svg: bool) -> None:
    """Draw a position."""
    state = read_crowd(text, rules)
    if values:
        analysis = solved(state, lambda found: _draw(found, svg=svg))
        _draw(analysis, svg=svg)
        return
    _warn(state)
    if svg:
        sys.stdout.buffer.write(state._repr_svg_().encode())
    else:
        print_board(new_console(), state)


def _draw(analysis: Thought, *, svg: bool) -> None:
    if not svg:
        print_crowd(new_console(), analysis)
    elif isinstance(analysis, CrowdAnalysis):
        sys.stdout.buffer.write(analysis._repr_svg_().encode())
    else:
        msg = "a drawing with values is for two players left: leave out --svg or --values"
        raise CollapsiError(msg)


def _warn(state: Crowd) -> None:
    for reason in state.faults:
        complain(f"warning: {reason}")


def print_board(console: Console, state: Crowd) -> None:
    """The board; on a terminal as a grid of cards."""
    if console.is_terminal:
        from collapsi import terminal

        console.print(terminal.draw_board(state), terminal.turn(state), sep="")
    else:
        sys.stdout.write(f"{state}\n")


def deal_one(rng: random.Random, rules: str) -> str:
    """A deal of the big board as text."""
    return deal_crowd(rng, parse_crowd_rules(rules)).text


def solved(
    state: Crowd,
    show: Callable[[Thought], None],
    *,
    winner_only: bool = False,
    seconds: float | None = None,
) -> Thought:
    """What is known of a position; after Ctrl-C, what was learned until then is shown before all ends."""
    if len(state.left) > 2:
        if winner_only:
            msg = f"--winner-only is for two players left, and here {len(state.left)} are: leave it out"
            raise CollapsiError(msg)
        return thought(state, show, seconds=seconds)
    last = nothing_known(state)

    with progress_line(state) as say:

        def told(progress: Progress) -> None:
            nonlocal last
            last = progress
            say(progress)

        try:
            return analyse_crowd(state, winner_only=winner_only, seconds=seconds, progress=told)
        except KeyboardInterrupt:
            stopped = CrowdAnalysis(state, last, winner_only=winner_only)
    show(stopped)
    sys.stdout.flush()
    raise KeyboardInterrupt


def thought(state: Crowd, show: Callable[[Thought], None], *, seconds: float | None = None) -> Thought:
    """What the engine comes to think of a position with three or four left, exact if it can be.

    It thinks as long as `seconds` say, else for a fixed number of nodes; Ctrl-C shows what it thinks so far.
    """
    last: Thought | None = None
    began = time.monotonic()
    with thinking_line(state) as say:
        try:
            for last in think(state, nodes=affordable(NODES) if seconds is None else NOT_STOPPED):
                say(last)
                if seconds is not None and time.monotonic() - began >= seconds:
                    break
        except KeyboardInterrupt:
            if last is not None:
                show(last)
                sys.stdout.flush()
            raise
    assert last is not None  # there is always a first answer
    return last


@contextmanager
def thinking_line(state: Crowd) -> Iterator[Callable[[Thought], None]]:
    """What is heard of the engine on a terminal: a line on standard error, where that is one."""
    with _line_on_terminal(state) as say:
        yield lambda found: say(found.text if isinstance(found, Estimate) else "exact")


@contextmanager
def progress_line(state: Crowd) -> Iterator[Callable[[Progress], None]]:
    """What is heard of a search on a terminal: a line on standard error, where that is one."""
    with _line_on_terminal(state) as say:
        yield lambda found: say(say_progress(state, found))


@contextmanager
def _line_on_terminal(state: Crowd) -> Iterator[Callable[[str], None]]:
    from collapsi.cli.progress import BarConsole

    console = BarConsole(stderr=True)
    if not console.is_terminal or state.cards_left <= crowd_search.FEW_CARDS:
        yield lambda _: None
        return
    from rich.progress import Progress as Line
    from rich.progress import TextColumn, TimeElapsedColumn

    text = "getting the solver ready (it is compiled the first time only)"
    columns = TimeElapsedColumn(), TextColumn("{task.description}")
    with Line(*columns, console=console, transient=True) as bar:
        task = bar.add_task("solving" if crowd_forms.is_loaded() else text)
        yield lambda said: bar.update(task, description=said)


def say_progress(state: Crowd, found: Progress) -> str:
    """How far a search is, in one line."""
    what = "perfect play" if found.settling is None else f"settling {state.move_text(found.settling)}"
    parts = [what, f"{found.nodes:,} nodes"]
    for kind in (Win.WINS, Win.LOSES):
        names = [state.move_text(move) for move, bounds in found.moves.items() if bounds.win is kind]
        if names:
            more = " …" if len(names) > MOST_NAMED else ""
            parts.append(f"{kind.value}: {' '.join(names[:MOST_NAMED])}{more}")
    exact = sum(bounds.exact is not None for bounds in found.moves.values())
    return ", ".join([*parts, f"{exact} of {len(found.moves)} moves exact"])


def print_crowd(console: Console, analysis: Thought) -> None:
    """An analysis; on a terminal with the board as a grid of cards."""
    if not console.is_terminal:
        sys.stdout.write(f"{analysis.state.text}\n{analysis}\n")
        return
    from collapsi import terminal

    known = analysis if isinstance(analysis, CrowdAnalysis) else None
    console.print(terminal.draw_board(analysis.state, known), terminal.turn(analysis.state), sep="")
    for note in analysis.notes:
        console.print(note, markup=False)
    if isinstance(analysis, EndgameAnalysis | Estimate):
        for row in analysis.rows:
            console.print(row, markup=False)
        return
    if analysis.moves:
        console.print(terminal.crowd_table(analysis))
    if analysis.line:
        console.print("perfect play: " + " ".join(analysis.state.line_text(analysis.line)))


def show_line(text: str, rules: str) -> None:
    """Play out perfect play, board by board; stopped before it is known, tell what is."""
    console = new_console()
    state = read_crowd(text, rules)
    if len(state.left) > 2:
        msg = f"perfect play is played out with two players left, and here {len(state.left)} are"
        raise CollapsiError(msg)
    analysis = solved(state, lambda found: print_crowd(console, found))
    assert isinstance(analysis, CrowdAnalysis)
    _warn(state)
    print_board(console, state)
    total = len(analysis.line or ())
    if total:
        console.print(f"{analysis.winner} wins in {total}")
    for number, move in enumerate(analysis.line or (), start=1):
        before, state = state, state.play(move)
        walk = " ".join(map(before.board.square, before.path(move)))
        console.print(f"\n{number}. {before.to_move} to {before.move_text(move)}  ({walk})")
        print_board(console, state)
        if not state.over:
            console.print(f"{analysis.winner} wins in {total - number}")
    if analysis.score is not None:
        console.print(f"score {analysis.score:+}")
