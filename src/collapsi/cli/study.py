"""The command that studies random deals of any rule set: study. The work is loaded when it runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from collapsi.cli.common import JobsOption, JsonOption, app, complete_any, example
from collapsi.errors import MalformedError
from collapsi.opponent import Level
from collapsi.rows import shorten
from collapsi.rules import CROWD_RULES, RULE_SETS

DEALS = 1000
"""If nothing else is said."""

MOST_DEALS = 10**9
"""More than the shifting board has."""

NARROWEST = 0.0001
"""An interval can be asked to be no narrower."""

OutOption = Annotated[
    Path | None,
    typer.Option(
        help="Keep the study in this folder. A study that was stopped goes on from there.",
        show_default=False,
    ),
]
LevelOption = Annotated[
    Level | None,
    typer.Option(
        help="On the big board: let the computer play at this level. Three and four players "
        "do so anyway, at level 2 if nothing is said.",
        show_default=False,
    ),
]


@app.command(
    epilog=example(
        "study joker --deals 2000",
        "study standard@3x4 --deals 5000",
        "study shift --deals 5000 --seed 7 --out shift",
        "study standard --until 1% --out standard --workers 2",
        "study big3 --level 1 --deals 300 --json",
        "study shift --deals 200 --estimate",
        "study shift --until 0.5% --out shift --cluster tcp://head:8786",
    )
)
def study(
    rules: Annotated[
        str,
        typer.Argument(
            help=f"Rules: {', '.join([*RULE_SETS, *CROWD_RULES])}; or first moves such as 1,3|2; "
            "a deck or a board after @, as in standard@5,4,3,2 or joker@3x4.",
            autocompletion=complete_any,
            show_default=False,
        ),
    ],
    *,
    deals: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=MOST_DEALS,
            help="Random deals; with --until at the most.",
            show_default=f"{DEALS:,}",
        ),
    ] = None,
    seed: Annotated[
        int, typer.Option(min=0, help="The same seed gives the same deals, and the same result.")
    ] = 1,
    out: OutOption = None,
    until: Annotated[
        str | None,
        typer.Option(
            metavar="WIDTH",
            help="Go on until the interval of the wins is so narrow, from end to end: 0.5%.",
            show_default=False,
        ),
    ] = None,
    level: LevelOption = None,
    lengths: Annotated[
        bool, typer.Option("--lengths", help="On the big board for two, also how long games last: longer.")
    ] = False,
    part: Annotated[
        int | None,
        typer.Option(min=1, help="Deals of a part.", show_default="about a second's work"),
    ] = None,
    jobs: JobsOption = None,
    workers: Annotated[
        int | None,
        typer.Option(min=1, max=1024, help="Start so many local workers (Dask).", show_default=False),
    ] = None,
    cluster: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="Use the workers of this Dask scheduler: tcp://host:8786, or the file that it wrote.",
            show_default=False,
        ),
    ] = None,
    estimate: Annotated[
        bool, typer.Option("--estimate", help="Also tell what all deals would take, by what these took.")
    ] = False,
    json_lines: JsonOption = False,
) -> None:
    """Solve random deals: who wins and how long games last, with 95 % intervals.

    Deals are numbered: deal n depends on the seed and n only, so a study gives the same result on any machine
    with any number of workers. docs/study.md says how to run one on a cluster.
    """
    if sum(option is not None for option in (jobs, workers, cluster)) > 1:
        msg = (
            "choose one of --jobs (threads), --workers (local processes) and --cluster (a running scheduler)"
        )
        raise MalformedError(msg)
    width = None if until is None else _width(until)
    from collapsi.cli import study_work as work

    work.study(
        work.Wanted(
            rules=rules,
            deals=DEALS if deals is None and width is None else deals,
            seed=seed,
            until=width,
            level=level,
            lengths=lengths,
            part=part,
        ),
        work.Means(jobs=jobs, workers=workers, cluster=cluster, out=out),
        estimate=estimate,
        json_lines=json_lines,
    )


def _width(text: str) -> float:
    """How narrow an interval is to be, as a share.

    >>> _width("0.5%"), _width("0.02")
    (0.005, 0.02)
    """
    number, percent, rest = text.strip().partition("%")
    try:
        width = float(number) / (100 if percent else 1)
    except ValueError:
        width = 0.0
    if rest or not NARROWEST <= width < 1:
        msg = f"{shorten(text)} is no width of an interval: write per cent, from {100 * NARROWEST:g}% to 99%"
        raise MalformedError(msg)
    return width
