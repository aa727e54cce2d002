"""The commands of `atlas`: find, show, similar, sql, verify."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from collapsi.cli.app import EXAMPLE, app, examples
from collapsi.cli.options import JsonOption
from collapsi.cli.output import complain, new_console, new_table, print_json, print_table

if TYPE_CHECKING:
    import polars as pl


class Winner(StrEnum):
    """The winner of the deals to find."""

    RED = "red"
    BLUE = "blue"


AtlasOption = Annotated[Path, typer.Option("--atlas", metavar="FOLDER", help="Folder of the atlas.")]

atlas_app = typer.Typer(
    help="Query the census on disk: one row per truly different deal.\n\n"
    "'collapsi census --out FOLDER' writes an atlas."
)
app.add_typer(atlas_app, name="atlas")


@atlas_app.command(
    "find", epilog=examples("atlas find --plies 7 --winner red", "atlas find --winning-moves 1 --limit 5")
)
def atlas_find(
    *,
    plies: Annotated[int | None, typer.Option(help="Length in plies.", show_default=False)] = None,
    winner: Annotated[Winner | None, typer.Option(help="Winner.", show_default=False)] = None,
    distance: Annotated[int | None, typer.Option(help="Steps between the jacks.", show_default=False)] = None,
    winning_moves: Annotated[
        int | None, typer.Option(help="Number of winning first moves.", show_default=False)
    ] = None,
    limit: Annotated[int, typer.Option(min=1, help="Maximum number of rows.")] = 100,
    atlas: AtlasOption = Path("atlas"),
    json_lines: JsonOption = False,
) -> None:
    """List truly different deals with given properties."""
    from collapsi.census.atlas import Atlas

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


@atlas_app.command("show", epilog=examples(f'atlas show "{EXAMPLE}"'))
def atlas_show(
    deal: Annotated[str, typer.Argument(help="A whole deal, in any orientation.", show_default=False)],
    *,
    atlas: AtlasOption = Path("atlas"),
    json_lines: JsonOption = False,
) -> None:
    """Show the row of a deal."""
    from collapsi.census.atlas import Atlas

    found = Atlas(atlas).find(deal).to_json()
    if json_lines:
        print_json(found)
        return
    # The row may have another orientation than the given deal; its moves are in its own orientation.
    label = {"deal": "is the same as", "first_moves": "its first moves"}
    for name, value in found.items():
        text = "not counted" if value is None else str(value)
        if isinstance(value, dict):
            text = "  ".join(f"{square} {score:+}" for square, score in value.items())
        sys.stdout.write(f"{label.get(name, name.replace('_', ' ')):<16}{text}\n")


@atlas_app.command("similar", epilog=examples(f'atlas similar "{EXAMPLE}"'))
def atlas_similar(
    deal: Annotated[str, typer.Argument(help="A whole deal, in any orientation.", show_default=False)],
    *,
    atlas: Annotated[
        Path | None,
        typer.Option(
            "--atlas",
            metavar="FOLDER",
            help="Count in this atlas, of any rules. By default the counts that come with the program are "
            "used: those of standard, joker and choice.",
            show_default=False,
        ),
    ] = None,
    json_lines: JsonOption = False,
) -> None:
    """Show how often deals like this one are won, and how they begin.

    Deals are alike if the jacks are as far apart and have the same cards beside them, in any order.
    """
    from collapsi.games.registry import parse_position
    from collapsi.play.similar import percent, similar_deals

    if atlas is None:
        position = parse_position(deal)
        found = similar_deals(position)
    else:
        from collapsi.census.atlas import Atlas

        opened = Atlas(atlas)
        position = opened.position(deal)
        found = opened.similar(position)
    if json_lines:
        print_json(found.to_json(position))
        return
    console = new_console()
    console.print(found.text, soft_wrap=True)
    table = new_table("first move to", "a best move", "wins", left=["first move to"])
    for move in found.moves:
        table.add_row(found.describe(move), percent(move.best, found.deals), percent(move.wins, found.deals))
    print_table(console, table)


@atlas_app.command("sql", epilog=examples('atlas sql "select plies, sum(weight) from deals group by plies"'))
def atlas_sql(
    query: Annotated[str, typer.Argument(help="A SELECT over the table deals.", show_default=False)],
    *,
    atlas: AtlasOption = Path("atlas"),
    json_lines: JsonOption = False,
) -> None:
    """Query the table deals in SQL."""
    from collapsi.census.atlas_query import run_query

    _print_frame(run_query(atlas, query), json_lines=json_lines)


@atlas_app.command("verify", epilog=examples("atlas verify"))
def atlas_verify(*, atlas: AtlasOption = Path("atlas")) -> None:
    """Check the files against the manifest."""
    from collapsi.census.atlas import Atlas

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
    """Convert bytes to hexadecimal digits, which JSON can hold."""
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
    """Print rows as a table on a terminal, tab-separated in a pipe, or as JSON lines."""
    if json_lines:
        for part in frame.iter_slices():  # the text of all rows may not fit into memory
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
    console = Console(highlight=False, width=max(console.width, 160))  # wide rows are wrapped, not cropped
    text_columns = [name for name, dtype in frame.schema.items() if not dtype.is_numeric()]
    table = new_table(*frame.columns, left=text_columns)
    for row in frame.iter_rows():
        table.add_row(
            *(
                "" if value is None else f"{value:,}" if isinstance(value, int) else str(value)
                for value in row
            )
        )
    print_table(console, table)
