"""The commands that ask the atlas: find, show, sql, verify. What they need is loaded when they run."""

from __future__ import annotations

import json
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from collapsi.cli.common import EXAMPLE, JsonOption, app, complain, example, new_console, print_table

if TYPE_CHECKING:
    import polars as pl


class Winner(StrEnum):
    """Whose deals are wanted."""

    RED = "red"
    BLUE = "blue"


AtlasOption = Annotated[Path, typer.Option("--atlas", help="The folder of the atlas.")]

atlas_app = typer.Typer(help="Ask the atlas: the census kept on disk, one row for each truly different deal.")
app.add_typer(atlas_app, name="atlas")


@atlas_app.command(
    "find", epilog=example("atlas find --plies 7 --winner red", "atlas find --winning-moves 1 --limit 5")
)
def atlas_find(
    *,
    plies: Annotated[int | None, typer.Option(help="Length.", show_default=False)] = None,
    winner: Annotated[Winner | None, typer.Option(help="Who wins: red or blue.", show_default=False)] = None,
    distance: Annotated[int | None, typer.Option(help="Steps between the jacks.", show_default=False)] = None,
    winning_moves: Annotated[
        int | None, typer.Option(help="First moves that win.", show_default=False)
    ] = None,
    limit: Annotated[int, typer.Option(min=1, help="Rows at the most.")] = 100,
    atlas: AtlasOption = Path("atlas"),
    json_lines: JsonOption = False,
) -> None:
    """List truly different deals of a kind."""
    from collapsi.atlas import Atlas

    wanted = {
        "plies": plies,
        "winner": winner and winner.value,
        "distance": distance,
        "winning_moves": winning_moves,
    }
    found = Atlas(atlas).filter(**{name: value for name, value in wanted.items() if value is not None})
    _print_frame(found.head(min(limit, len(found))), json_lines=json_lines)
    if len(found) > limit:
        complain(f"{limit:,} of {len(found):,} rows shown: --limit shows more")


@atlas_app.command("show", epilog=example(f'atlas show "{EXAMPLE}"'))
def atlas_show(
    deal: Annotated[str, typer.Argument(help="A whole deal, in any orientation.", show_default=False)],
    *,
    atlas: AtlasOption = Path("atlas"),
    json_lines: JsonOption = False,
) -> None:
    """Show which truly different deal a deal is, and what the atlas knows of it."""
    from collapsi.atlas import Atlas

    found = Atlas(atlas).find(deal).to_json()
    if json_lines:
        sys.stdout.write(json.dumps(found) + "\n")
        return
    # The deal that is shown may be turned against the one that was asked for; its moves are its own.
    label = {"deal": "is the same as", "first_moves": "its first moves"}
    for name, value in found.items():
        text = "not counted" if value is None else str(value)
        if isinstance(value, dict):
            text = "  ".join(f"{square} {score:+}" for square, score in value.items())
        sys.stdout.write(f"{label.get(name, name.replace('_', ' ')):<16}{text}\n")


@atlas_app.command("sql", epilog=example('atlas sql "select plies, sum(weight) from deals group by plies"'))
def atlas_sql(
    query: Annotated[str, typer.Argument(help="A query over the table deals.", show_default=False)],
    *,
    atlas: AtlasOption = Path("atlas"),
    json_lines: JsonOption = False,
) -> None:
    """Ask in SQL."""
    from collapsi.atlas_query import ask

    _print_frame(ask(atlas, query), json_lines=json_lines)


@atlas_app.command("verify", epilog=example("atlas verify"))
def atlas_verify(*, atlas: AtlasOption = Path("atlas")) -> None:
    """Check that the files are whole and say what the manifest says."""
    from collapsi.atlas import Atlas

    opened = Atlas(atlas)
    faults = list(opened.faults())
    for fault in faults:
        complain(fault)
    if faults:
        raise typer.Exit(1)
    sys.stdout.write(
        f"{opened.path}: {opened.manifest['rows']:,} rows, {opened.manifest['deals']:,} deals, whole\n"
    )


def _printable(frame: pl.DataFrame) -> pl.DataFrame:
    """Bytes as hexadecimal digits: JSON has no others."""
    import polars as pl

    odd = [name for name, dtype in frame.schema.items() if "Binary" in str(dtype)]
    return frame.with_columns(
        pl.Series(name, [_hex(value) for value in frame[name].to_list()]) for name in odd
    )


def _hex(value: Any) -> Any:
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, list):
        return [_hex(one) for one in value]
    if isinstance(value, dict):
        return {name: _hex(one) for name, one in value.items()}
    return value


def _print_frame(frame: pl.DataFrame, *, json_lines: bool) -> None:
    """Rows as a table on a terminal, tab-separated in a pipe, or as JSON lines."""
    if json_lines:
        for part in frame.iter_slices():  # there may be more rows than there is room for their text
            sys.stdout.write(_printable(part).write_ndjson())
        return
    console = new_console()
    if not console.is_terminal:
        sys.stdout.write("\t".join(frame.columns) + "\n")
        for part in frame.iter_slices():
            for row in _printable(part).iter_rows():
                sys.stdout.write("\t".join("" if value is None else str(value) for value in row) + "\n")
        return
    frame = _printable(frame)
    console = Console(
        highlight=False, width=max(console.width, 160)
    )  # rather folded by the terminal than cut
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for name, dtype in frame.schema.items():
        table.add_column(name, justify="right" if dtype.is_numeric() else "left")
    for row in frame.iter_rows():
        table.add_row(
            *(
                "" if value is None else f"{value:,}" if isinstance(value, int) else str(value)
                for value in row
            )
        )
    print_table(console, table)
