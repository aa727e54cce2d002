"""The atlas: the census kept as Parquet, one row for each truly different deal, and questions to it.

`atlas_files` writes it and knows whether it is whole, `atlas_sql` which queries it is asked; `atlas_query`
has them answered by another process.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from collapsi import __version__, atlas_files, atlas_sql
from collapsi.analysis import analyse_many
from collapsi.atlas_files import POLARS_ERRORS, Claim, claim
from collapsi.census import Census, GameCount, cards_of, class_of, count_deals, representatives
from collapsi.errors import AtlasError, DamagedAtlasError, MalformedError
from collapsi.extras import needs
from collapsi.faults import refuse_partial
from collapsi.made_up import deck_of
from collapsi.notation import format_position, format_rules, parse_position, parse_rules
from collapsi.rules import STANDARD, Card, Player, Rules
from collapsi.solve.layers import NUMBERED, codes_of, distance
from collapsi.symmetry import symmetries, transform

with needs("atlas"):
    import polars as pl

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Iterator

    from collapsi import json_shapes
    from collapsi.position import Position

NO_MOVE = -128
"""What the content hash takes for a first move that there is not."""


def frame_of(census: Census, games: GameCount | None = None) -> pl.DataFrame:
    """One row for each truly different deal of a census.

    Columns: `deal` in our notation, `distance` of the jacks, `numbering` (the code that orders and finds the
    rows), `weight`, `winner`, `plies`, `score`, a column `to_…` for each first move with its score (null
    where there is no such move), `winning_moves`, and `games` if they were counted.
    """
    squares = {cell: STANDARD.board.square(cell) for cell in range(16)}
    ends = sorted({cell for part in census.parts for cell in part.moves})
    parts = []
    for number, part in enumerate(census.parts):
        blue = part.jacks.blue
        ranks, weights = representatives(blue, census.rules)
        codes = codes_of(NUMBERED, (deck_of(census.rules),))[ranks]
        scores = part.answers[ranks].astype(np.int32)  # room for sums and products in people's questions
        columns: dict[str, Any] = {
            "deal": _texts(blue, codes, census.rules),
            "distance": np.full(len(ranks), part.jacks.distance, np.int32),
            "numbering": codes,
            "weight": weights.astype(np.int32),
            "winner": np.where(scores > 0, "red", "blue"),
            "plies": 16 - np.abs(scores) - census.rules.uncounted,
            "score": scores,
        }
        winning = np.zeros(len(ranks), np.int32)
        for end in ends:
            values = part.moves[end][ranks].astype(np.int32) if end in part.moves else None
            columns[f"to_{squares[end]}"] = (
                pl.Series([None] * len(ranks), dtype=pl.Int32) if values is None else values
            )
            winning += 0 if values is None else (values > 0)
        columns["winning_moves"] = winning
        if games is not None:
            columns["games"] = games.parts[number].answers[ranks].astype(np.int64)
        parts.append(pl.DataFrame(columns, schema_overrides={"winner": pl.Categorical}))
    return pl.concat(parts)


def _texts(blue: int, codes: np.ndarray[Any, Any], rules: Rules) -> pl.Series:
    """The deals in our notation, built as one block of characters."""
    cards = cards_of(blue, codes)
    letters = np.frombuffer("".join(card.letter for card in Card).encode(), np.uint8)
    suffix = "" if rules == STANDARD else f" {format_rules(rules)}"
    pieces: list[Any] = []
    for cell in range(16):
        pieces.append(letters[cards[:, cell]])
        after = ("r" if cell == 0 else "b" if cell == blue else "") + (
            "/" if cell % 4 == 3 and cell < 15 else ""
        )
        pieces += [np.full(len(codes), ord(letter), np.uint8) for letter in after]
    pieces += [np.full(len(codes), ord(letter), np.uint8) for letter in f" r{suffix}"]
    block = np.stack(pieces, axis=1)
    return pl.Series(np.ascontiguousarray(block).view(f"S{block.shape[1]}").reshape(-1).astype(str))


def content_hash(frame: pl.DataFrame) -> str:
    """A fingerprint of the rows that does not depend on their order, nor on how they are stored.

    Each row's numbers are mixed into 64 bits, and the rows' are added up.
    """
    total = np.zeros(len(frame), np.uint64)
    numeric = [name for name, dtype in frame.schema.items() if dtype.is_integer()]
    for name in sorted(numeric):
        key = np.uint64(int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "little"))
        total = _mix(total ^ key ^ frame[name].fill_null(NO_MOVE).to_numpy().astype(np.int64).view(np.uint64))
    return f"{int(np.add.reduce(total)):016x}"


def _mix(words: Any) -> Any:
    """Spread every bit of a word over all of it (the finaliser of splitmix64)."""
    words = (words ^ words >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ words >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return words ^ words >> np.uint64(31)


def write_atlas(
    place: Path | Claim, census: Census, games: GameCount | None = None, *, force: bool = False
) -> Atlas:
    """Write an atlas, whole or not at all; of what was there only the old atlas goes.

    `place` is a folder, or the claim to one that was made before the census was taken.
    """
    if isinstance(place, Path):
        with claim(place, force=force) as claimed:
            return write_atlas(claimed, census, games)
    frame = frame_of(census, games)
    facts = {
        "rules": census.rules.name,
        "red_first": list(census.rules.first_walks[Player.RED]),
        "blue_first": list(census.rules.first_walks[Player.BLUE]),
        "version": __version__,
        "rows": len(frame),
        "deals": int(frame["weight"].sum()),
        "columns": frame.columns,
        "lengths": {str(plies): deals for plies, deals in census.lengths.items()},
        "content_hash": content_hash(frame),
    }
    place.write(frame, facts)
    return Atlas(place.folder)


@dataclass(frozen=True)
class DealClass:
    """What the atlas knows of a deal: the truly different deal it is one of, and that one's row."""

    deal: str
    distance: int
    weight: int
    winner: json_shapes.Colour
    plies: int
    score: int
    winning_moves: int
    games: int | None
    first_moves: dict[str, int]
    """Score by end square of the representative's first move."""

    def to_json(self) -> json_shapes.DealRow:
        """The row as plain data."""
        return {
            "deal": self.deal,
            "distance": self.distance,
            "weight": self.weight,
            "winner": self.winner,
            "plies": self.plies,
            "score": self.score,
            "winning_moves": self.winning_moves,
            "games": self.games,
            "first_moves": dict(self.first_moves),
        }


class Atlas:
    """An atlas on disk.

    `frame` is all of it as a Polars data frame; `find` looks a deal up in any orientation.
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self._manifest_signature = atlas_files.signature(self.folder / atlas_files.MANIFEST)
        self.manifest = atlas_files.read_manifest(self.folder)
        self.path = self.folder / str(self.manifest["file"])
        self._data: tuple[Any, bytes] | None = None

    @property
    def rules(self) -> str:
        """The name of the rules."""
        return str(self.manifest["rules"])

    def __repr__(self) -> str:
        return f"Atlas({str(self.folder)!r}, {self.manifest['rows']:,} deals)"

    def is_unchanged(self) -> bool:
        """Whether the files are those that were last found whole, by their sizes and dates."""
        return (
            self._data is not None
            and self._data[0] == atlas_files.signature(self.path)
            and self._manifest_signature == atlas_files.signature(self.folder / atlas_files.MANIFEST)
        )

    def check_whole(self) -> None:
        """Refuse data that is missing or is not what was written."""
        self._whole()

    def _whole(self) -> bytes:
        """What is in the data file: read and hashed when first asked for, and when the file has changed."""
        now = atlas_files.signature(self.path)
        if self._data is None or self._data[0] != now:
            self._data = now, atlas_files.read_data(self.folder, self.manifest)
        return self._data[1]

    def scan(self) -> pl.LazyFrame:
        """The rows, to be filtered before they are read."""
        return pl.scan_parquet(self._whole())

    @cached_property
    def frame(self) -> pl.DataFrame:
        """All rows."""
        return self._ask(lambda rows: rows)

    def _ask(self, question: Callable[[pl.LazyFrame], pl.LazyFrame]) -> pl.DataFrame:
        rows = self.scan()
        try:
            return question(rows).collect()
        except POLARS_ERRORS as error:
            reason = str(error).partition("\n")[0]
            msg = f"the atlas cannot be asked this: {reason}"
            raise AtlasError(msg) from None

    def filter(self, *conditions: Any, **equal: Any) -> pl.DataFrame:
        """The rows for which Polars conditions hold and columns have the given values."""
        return self._ask(lambda rows: rows.filter(*conditions, **equal))

    def find(self, deal: Position | str) -> DealClass:
        """The class of a deal, turned, reflected, or moved by a symmetry that no eye sees."""
        position = parse_position(deal, rules=self.rules) if isinstance(deal, str) else deal
        if position.rules.name != self.rules:
            msg = f"this is an atlas of {self.rules} rules, and the deal is for {position.rules}"
            raise AtlasError(msg)
        refuse_partial(position)
        _, code = class_of(position)
        found = self.filter(distance=distance(*position.pawns), numbering=code)
        if len(found) != 1:
            rows = f"{len(found)} rows for {format_position(position)}"
            msg = f"{self.path} has {rows}: check it with collapsi atlas verify"
            raise DamagedAtlasError(msg)
        row = found.row(0, named=True)
        moves = {
            name[3:]: score for name, score in row.items() if name.startswith("to_") and score is not None
        }
        fields: dict[str, Any] = {name: row.get(name) for name in DealClass.__dataclass_fields__}
        return DealClass(**{**fields, "first_moves": moves})

    def draw(self, rng: random.Random, **equal: Any) -> Position:
        """A random deal of a kind, such as `plies=7`: every deal of that kind is as likely as any other.

        A row is drawn by its weight, then turned, moved or reflected by a random symmetry.
        """
        kind = self._ask(lambda rows: rows.with_row_index().filter(**equal).select("index", "weight"))
        if not len(kind):
            wanted = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in equal.items())
            msg = f"there is no deal with {wanted}"
            raise AtlasError(msg)
        sums = kind["weight"].cast(pl.Int64).cum_sum()
        chosen = int(sums.search_sorted(rng.randrange(int(sums[-1])), side="right"))
        row = int(kind["index"][chosen])
        deal = parse_position(self._ask(lambda rows: rows.slice(row, 1).select("deal")).item())
        return transform(deal, rng.choice(symmetries(deal.board)))

    def kinds(self) -> pl.DataFrame:
        """How many deals, and truly different ones, have each length and number of winning first moves."""
        deals = pl.col("weight").cast(pl.Int64).sum().alias("deals")
        kind = ("plies", "winner", "winning_moves")
        return self._ask(
            lambda rows: (
                rows.group_by(kind).agg(deals, pl.len().alias("different")).sort("plies", "winning_moves")
            )
        )

    def sql(self, query: str) -> pl.DataFrame:
        """Ask in SQL; the table is `deals`, and there is nothing else to be seen.

        The answer may take any amount of memory: `atlas_query` bounds that, for the command.
        """
        checked = atlas_sql.checked(query)
        rows = self.scan()
        try:
            return pl.SQLContext(deals=rows).execute(checked).collect()
        except (*POLARS_ERRORS, ValueError, TypeError, OverflowError) as error:
            msg = "SQL: " + (str(error).strip() or "Polars cannot answer it").partition("\n")[0]
            raise AtlasError(msg) from None

    def faults(self) -> Iterator[str]:
        """Everything that is wrong with the files, one line each; nothing for a whole atlas."""
        try:
            self._whole()
        except DamagedAtlasError as error:
            yield str(error)
            return
        frame = self.frame
        if missing := {"weight", "plies"} - set(frame.columns):
            yield f"the rows do not say {', '.join(sorted(missing))}"
            return
        checks = {
            "rows": len(frame),
            "deals": int(frame["weight"].sum()),
            "columns": frame.columns,
            "content_hash": content_hash(frame),
            "lengths": {str(plies): int(total) for plies, total in self._lengths(frame).items()},
        }
        yield from (
            f"{name}: the manifest says {self.manifest.get(name)}, the rows {found}"
            for name, found in checks.items()
            if self.manifest.get(name) != found
        )
        steps = tuple(self.manifest["red_first"]), tuple(self.manifest["blue_first"])
        try:
            rules = parse_rules(self.rules)
        except MalformedError as error:
            yield f"rules: {error}"
            return
        if checks["deals"] != count_deals(rules):
            yield f"the weights add up to {checks['deals']}, and there are {count_deals(rules)} deals"
        if rules.first_walks != steps:
            yield f"red_first, blue_first: the manifest says {steps}, and that is not {self.rules}"
        elif {"deal", "score"} <= set(frame.columns):
            yield from self._solved_again(frame, rules)

    @staticmethod
    def _solved_again(frame: pl.DataFrame, rules: Rules, count: int = 20) -> Iterator[str]:
        """Rows, evenly chosen, that a fresh solution by the manifest's rules does not agree with."""
        rows = frame.gather_every(max(1, len(frame) // count)).select("deal", "score", "plies").rows()
        again = analyse_many([replace(parse_position(deal), rules=rules) for deal, _, _ in rows])
        for (deal, score, plies), analysis in zip(rows, again, strict=True):
            if analysis.score != score:
                yield f"{deal}: score {score} by the atlas, {analysis.score} by the solver"
            elif analysis.plies != plies:
                yield f"{deal}: {plies} plies by the atlas, {analysis.plies} by the solver"

    @staticmethod
    def _lengths(frame: pl.DataFrame) -> dict[int, int]:
        sums = frame.group_by("plies").agg(pl.col("weight").cast(pl.Int64).sum()).sort("plies")
        return dict(sums.iter_rows())
