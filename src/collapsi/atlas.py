"""The atlas: the census kept as Parquet, one row for each truly different deal, and questions to it.

A folder with two files. `manifest.json` says what the atlas is and names the other, `deals-….parquet`, by its content.
The manifest is written last and replaced in one step, so at any moment the folder holds one whole atlas: the old one or the
new one.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import time
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

import collapsi
from collapsi.census import (
    WEIGHTS,
    Census,
    GameCount,
    Variant,
    cards_of,
    class_of,
    count_numberings,
    representatives,
)
from collapsi.errors import OutputError
from collapsi.files import check_writable, put_in_place, write_whole
from collapsi.notation import format_position
from collapsi.position import Position
from collapsi.rules import RULE_SETS, STANDARD, Card
from collapsi.solve.layers.numberings import NUMBERED, numberings
from collapsi.solve.layers.shapes import OPENINGS

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator

MANIFEST = "manifest.json"
MANIFEST_NAMES = (
    "rules",
    "red_first",
    "blue_first",
    "rows",
    "deals",
    "columns",
    "lengths",
    "file",
    "sha256",
    "content_hash",
)
ROW_GROUP = 1 << 16
LEFT_BEHIND_SECONDS = 3600
NO_MOVE = -128
"""What the content hash takes for a first move that there is not."""


class AtlasError(OutputError):
    """An atlas that is missing, damaged, or in the way."""


def frame_of(census: Census, games: GameCount | None = None) -> pl.DataFrame:
    """One row for each truly different deal of a census.

    Columns: `deal` in our notation (only the layout where the opening rule has no name there, as for `choice`), `distance` of the jacks, `numbering` (the code that orders and finds the rows),
    `weight`, `winner`, `plies`, `score`, a column `to_…` for each first move with its score (null where there is no such
    move), `winning_moves`, and `games` if they were counted.
    """
    squares = {cell: STANDARD.board.square(cell) for cell in range(16)}
    ends = sorted({cell for opening in census.openings for cell in opening.moves})
    parts = []
    for number, opening in enumerate(census.openings):
        ranks, weights = representatives(opening.blue)
        codes = numberings(NUMBERED).codes[ranks]
        scores = opening.answers[ranks].astype(np.int32)  # room for sums and products in people's questions
        columns: dict[str, Any] = {
            "deal": _texts(opening.blue, codes, census.variant),
            "distance": np.full(len(ranks), opening.distance, np.int32),
            "numbering": codes,
            "weight": weights.astype(np.int32),
            "winner": np.where(scores > 0, "red", "blue"),
            "plies": 16 - np.abs(scores) - census.variant.uncounted,
            "score": scores,
        }
        winning = np.zeros(len(ranks), np.int32)
        for end in ends:
            values = opening.moves[end][ranks].astype(np.int32) if end in opening.moves else None
            columns[f"to_{squares[end]}"] = (
                pl.Series([None] * len(ranks), dtype=pl.Int32) if values is None else values
            )
            winning += 0 if values is None else (values > 0)
        columns["winning_moves"] = winning
        if games is not None:
            columns["games"] = games.openings[number].answers[ranks].astype(np.int64)
        parts.append(pl.DataFrame(columns, schema_overrides={"winner": pl.Categorical}))
    return pl.concat(parts)


def _texts(blue: int, codes: np.ndarray[Any, Any], variant: Variant) -> pl.Series:
    """The deals in our notation, built as one block of characters."""
    cards = cards_of(blue, codes)
    letters = np.frombuffer("".join(card.letter for card in Card).encode(), np.uint8)
    named = variant.name in RULE_SETS and variant.name != "standard"
    suffix = f" {variant.name}" if named else ""
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


def check_free(folder: Path, *, force: bool) -> None:
    """Refuse early what could not be written late: a folder that holds an atlas, or cannot be written."""
    if (folder / MANIFEST).exists() and not force:
        msg = f"{folder} holds an atlas already: add --force to replace it"
        raise AtlasError(msg)
    check_writable(folder)


def write_atlas(
    folder: Path, census: Census, games: GameCount | None = None, *, force: bool = False
) -> Atlas:
    """Write an atlas, whole or not at all; of what was there only the old atlas goes."""
    check_free(folder, force=force)
    frame = frame_of(census, games)
    old = _named_file(folder)
    for left in folder.glob(".partial-*"):  # of a run that was killed; a younger one may still be writing
        if time.time() - left.stat().st_mtime > LEFT_BEHIND_SECONDS:
            left.unlink(missing_ok=True)
    partial = folder / f".partial-{os.getpid()}.parquet"
    try:
        frame.write_parquet(partial, compression="zstd", row_group_size=ROW_GROUP, statistics=True)
        digest = _sha256(partial)
        data = folder / f"deals-{digest[:16]}.parquet"
        manifest = {
            "rules": census.variant.name,
            "red_first": list(census.variant.red_first),
            "blue_first": list(census.variant.blue_first),
            "version": collapsi.__version__,
            "rows": len(frame),
            "deals": int(frame["weight"].sum()),
            "columns": frame.columns,
            "lengths": {str(plies): deals for plies, deals in census.lengths.items()},
            "file": data.name,
            "sha256": digest,
            "content_hash": content_hash(frame),
        }
        put_in_place(partial, data)
        try:
            write_whole(folder / MANIFEST, json.dumps(manifest, indent=2).encode() + b"\n")
        except OSError:
            if data.name != old:
                data.unlink()
            raise
    except (OSError, pl.exceptions.PolarsError) as error:  # Polars has its own words for a full disk
        msg = f"cannot write the atlas to {folder}: {getattr(error, 'strerror', None) or error}"
        raise AtlasError(msg) from None
    finally:
        partial.unlink(missing_ok=True)
    if old not in (None, data.name):
        (folder / str(old)).unlink(missing_ok=True)
    return Atlas(folder)


def _named_file(folder: Path) -> str | None:
    """The data file of the atlas that is there, if there is one; nothing else in the folder is ours."""
    try:
        name = Atlas(folder).path.name
    except AtlasError:
        return None
    return name if re.fullmatch(r"deals-[0-9a-f]{16}\.parquet", name) else None


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@dataclass(frozen=True)
class DealClass:
    """What the atlas knows of a deal: the truly different deal it is one of, and that one's row."""

    deal: str
    distance: int
    weight: int
    winner: str
    plies: int
    score: int
    winning_moves: int
    games: int | None
    first_moves: dict[str, int]
    """Score by end square of the representative's first move."""


class Atlas:
    """An atlas on disk.

    `frame` is all of it as a Polars data frame; `find` looks a deal up in any orientation.
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        path = self.folder / MANIFEST
        try:
            self.manifest: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
            missing = [name for name in MANIFEST_NAMES if name not in self.manifest]
            self.path = self.folder / Path(str(dict(self.manifest).get("file"))).name
        except (FileNotFoundError, NotADirectoryError):
            msg = f"there is no atlas in {self.folder}: make one with collapsi census --out {self.folder}"
            raise AtlasError(msg) from None
        except (OSError, ValueError, KeyError, TypeError) as error:
            msg = f"{path} is damaged: {error}"
            raise AtlasError(msg) from None
        if missing:
            msg = f"{path} is damaged: it does not say {', '.join(missing)}"
            raise AtlasError(msg)

    @property
    def rules(self) -> str:
        """The name of the rules."""
        return str(self.manifest["rules"])

    def scan(self) -> pl.LazyFrame:
        """The rows, to be filtered before they are read."""
        if not self.path.exists():
            msg = f"{self.path} is missing: make the atlas again with collapsi census --out {self.folder} --force"
            raise AtlasError(msg)
        return pl.scan_parquet(self.path)

    @cached_property
    def frame(self) -> pl.DataFrame:
        """All rows."""
        return self._collect(self.scan())

    def _collect(self, rows: pl.LazyFrame) -> pl.DataFrame:
        try:
            return rows.collect()
        except (pl.exceptions.PolarsError, OSError) as error:
            reason = str(error).splitlines()[0]
            msg = f"{self.path} cannot be read ({reason}): check it with collapsi atlas verify"
            raise AtlasError(msg) from None

    def filter(self, *conditions: Any, **equal: Any) -> pl.DataFrame:
        """The rows for which Polars conditions hold and columns have the given values."""
        return self._collect(self.scan().filter(*conditions, **equal))

    def find(self, deal: Position | str) -> DealClass:
        """The class of a deal, turned, reflected, or moved by a symmetry that no eye sees."""
        known = (
            self.rules if self.rules in RULE_SETS else None
        )  # other opening rules have no name in a position
        position = collapsi.parse_position(deal, rules=known) if isinstance(deal, str) else deal
        if known and position.rules.name != known:
            msg = f"this is an atlas of {known} rules, and the deal is for {position.rules}"
            raise AtlasError(msg)
        reasons = collapsi.status(position)
        if reasons or position.cards_left != 16:
            why = reasons[0] if reasons else "some cards have collapsed"
            msg = f"{format_position(position)} is not a whole deal: {why}"
            raise AtlasError(msg)
        blue, code = class_of(position)
        found = self.filter(distance=OPENINGS.index(blue) + 1, numbering=code)
        if len(found) != 1:
            msg = f"{self.path} has {len(found)} rows for {format_position(position)}: check it with collapsi atlas verify"
            raise AtlasError(msg)
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
        kind = self._collect(self.scan().with_row_index().filter(**equal).select("index", "weight"))
        if not len(kind):
            wanted = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in equal.items())
            msg = f"there is no deal with {wanted}"
            raise AtlasError(msg)
        sums = kind["weight"].cast(pl.Int64).cum_sum()
        chosen = int(sums.search_sorted(rng.randrange(int(sums[-1])), side="right"))
        row = int(kind["index"][chosen])
        deal = collapsi.parse_position(self._collect(self.scan().slice(row, 1).select("deal")).item())
        return collapsi.transform(deal, rng.choice(collapsi.symmetries(deal.board)))

    def kinds(self) -> pl.DataFrame:
        """How many deals there are of each length and number of winning first moves, and how many truly different ones."""
        deals = pl.col("weight").cast(pl.Int64).sum().alias("deals")
        groups = (
            self.scan().group_by("plies", "winner", "winning_moves").agg(deals, pl.len().alias("different"))
        )
        return self._collect(groups.sort("plies", "winning_moves"))

    def check_whole(self) -> None:
        """Refuse data that is missing or is not what was written."""
        if not self.path.exists() or _sha256(self.path) != self.manifest["sha256"]:
            msg = f"{self.path} is missing or damaged: make the atlas again with collapsi census --out {self.folder} --force"
            raise AtlasError(msg)

    def sql(self, query: str) -> pl.DataFrame:
        """Ask in SQL; the table is `deals`."""
        if not re.match(r"\s*(select|with)\b", query, re.IGNORECASE):
            msg = "SQL: an atlas is only asked: begin with select or with"
            raise AtlasError(msg)
        try:
            return pl.SQLContext(deals=self.scan()).execute(query).collect()
        except (pl.exceptions.PolarsError, OSError) as error:
            msg = "SQL: " + str(error).strip().splitlines()[0]
            raise AtlasError(msg) from None

    def faults(self) -> Iterator[str]:
        """Everything that is wrong with the files, one line each; nothing for a whole atlas."""
        if not self.path.exists():
            yield f"{self.path} is missing"
            return
        if _sha256(self.path) != self.manifest["sha256"]:
            yield f"{self.path} is damaged: its SHA-256 is not the manifest's"
            return
        frame = self.frame
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
        if checks["deals"] != sum(WEIGHTS) * count_numberings():
            yield f"the weights add up to {checks['deals']}, and there are {sum(WEIGHTS) * count_numberings()} deals"
        yield from self._solved_again(frame)

    def _solved_again(self, frame: pl.DataFrame, count: int = 20) -> Iterator[str]:
        """Rows, evenly chosen, that a fresh solution by the rules of the manifest does not agree with."""
        if not {"deal", "score"} <= set(frame.columns):
            return
        rules = Variant(
            self.rules, tuple(self.manifest["red_first"]), tuple(self.manifest["blue_first"])
        ).rules
        rows = frame.gather_every(max(1, len(frame) // count)).select("deal", "score").rows()
        deals = [collapsi.parse_position(deal) for deal, _ in rows]
        again = collapsi.analyse_many(
            [Position(deal.cards, deal.pawns, deal.to_move, rules) for deal in deals]
        )
        for (deal, score), analysis in zip(rows, again, strict=True):
            if analysis.score != score:
                yield f"{deal}: score {score} by the atlas, {analysis.score} by the solver"

    @staticmethod
    def _lengths(frame: pl.DataFrame) -> dict[int, int]:
        sums = frame.group_by("plies").agg(pl.col("weight").cast(pl.Int64).sum()).sort("plies")
        return dict(sums.iter_rows())
