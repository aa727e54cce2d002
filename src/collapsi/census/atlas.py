"""The atlas: a census stored as Parquet, one row for each truly different deal.

`atlas_files` writes the files and verifies them; `atlas_query` runs SQL over them in another process.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from collapsi.census import atlas_files, atlas_query
from collapsi.census.atlas_files import POLARS_ERRORS, AtlasWriter, open_writer
from collapsi.census.deals import cards_of, count_deals
from collapsi.census.different import class_of, classes_of, representatives
from collapsi.census.layers import NUMBERED, codes_of, distance
from collapsi.census.similar import count_similar
from collapsi.census.tempo import kinds_of, values_if_blue_starts
from collapsi.core.cards import Card
from collapsi.core.decks import deck_of
from collapsi.core.errors import AtlasError, DamagedAtlasError, MalformedError
from collapsi.core.players import Player
from collapsi.core.symmetry import symmetries
from collapsi.games.classic.faults import refuse_partial
from collapsi.games.classic.made_up import classic_rules
from collapsi.games.classic.rules import STANDARD, Rules
from collapsi.games.classic.symmetry import transform
from collapsi.games.registry import format_position, format_rules, parse_position
from collapsi.play.analysis import analyse_many
from collapsi.play.similar import surroundings_of
from collapsi.play.tempo import is_symmetric
from collapsi.system.extras import needs

with needs("atlas"):
    import polars as pl

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Iterator, Sequence

    from collapsi.census import json_types
    from collapsi.census.games import GameCount
    from collapsi.census.lengths import Census
    from collapsi.games.classic.position import Position
    from collapsi.play.similar import SimilarDeals

CARD_COLUMN = "card_"
"""Columns with the cards of a deal start with this."""

NO_MOVE = -128
"""Value of a missing first move in the content hash."""


def frame_of(census: Census, games: GameCount | None = None) -> pl.DataFrame:
    """Return a data frame with one row for each truly different deal of a census.

    Columns: `deal` in our notation, `distance` of the jacks, `numbering` (the code that sorts and identifies
    the rows), `weight`, `winner`, `plies`, `score`, a column `to_…` with the score of each first move (null
    if there is no such move), `winning_moves`, `tempo` (who wins if the other player starts; only if both
    players have the same first moves), `games` if they were counted, and a column `card_…` for each square
    with the card as a number of `Card` (1 to 4, 0 for a jack).
    """
    squares = {cell: STANDARD.board.square(cell) for cell in range(16)}
    ends = sorted({cell for part in census.parts for cell in part.moves})
    parts = []
    for number, part in enumerate(census.parts):
        blue = part.jacks.blue
        ranks, weights = representatives(blue, census.rules)
        codes = codes_of(NUMBERED, (deck_of(census.rules),))[ranks]
        cards = cards_of(blue, codes)
        scores = part.answers[ranks].astype(np.int32)  # wide enough for sums and products in queries
        columns: dict[str, Any] = {
            "deal": _deal_texts(blue, cards, census.rules),
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
        if is_symmetric(census.rules):
            columns["tempo"] = kinds_of(part, census.rules, values_if_blue_starts(part, census.rules))
        if games is not None:
            columns["games"] = games.parts[number].answers[ranks].astype(np.int64)
        columns |= {f"{CARD_COLUMN}{squares[cell]}": cards[:, cell].astype(np.int8) for cell in range(16)}
        categories: Any = {name: pl.Categorical for name in ("winner", "tempo") if name in columns}
        parts.append(pl.DataFrame(columns, schema_overrides=categories))
    return pl.concat(parts)


def _deal_texts(blue: int, cards: np.ndarray[Any, Any], rules: Rules) -> pl.Series:
    """Return the deals in our notation, built as one array of characters."""
    letters = np.frombuffer("".join(card.letter for card in Card).encode(), np.uint8)
    suffix = "" if rules == STANDARD else f" {format_rules(rules)}"
    pieces: list[Any] = []
    for cell in range(16):
        pieces.append(letters[cards[:, cell]])
        after = ("r" if cell == 0 else "b" if cell == blue else "") + (
            "/" if cell % 4 == 3 and cell < 15 else ""
        )
        pieces += [np.full(len(cards), ord(letter), np.uint8) for letter in after]
    pieces += [np.full(len(cards), ord(letter), np.uint8) for letter in f" r{suffix}"]
    block = np.stack(pieces, axis=1)
    return pl.Series(np.ascontiguousarray(block).view(f"S{block.shape[1]}").reshape(-1).astype(str))


def content_hash(frame: pl.DataFrame) -> str:
    """Return a hash of the rows that depends neither on their order nor on how they are stored.

    The numbers of each row are mixed into 64 bits, and these are summed over the rows.
    """
    total = np.zeros(len(frame), np.uint64)
    numeric = [
        name
        for name, dtype in frame.schema.items()
        if dtype.is_integer() and not name.startswith(CARD_COLUMN)  # these repeat `numbering`
    ]
    for name in sorted(numeric):
        key = np.uint64(int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "little"))
        total = _mix(total ^ key ^ frame[name].fill_null(NO_MOVE).to_numpy().astype(np.int64).view(np.uint64))
    return f"{int(np.add.reduce(total)):016x}"


def _mix(words: Any) -> Any:
    """Spread every bit of a word over the whole word (the finaliser of splitmix64)."""
    words = (words ^ words >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ words >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return words ^ words >> np.uint64(31)


def write_atlas(
    place: Path | AtlasWriter, census: Census, games: GameCount | None = None, *, force: bool = False
) -> Atlas:
    """Write an atlas atomically; of the existing files only the old atlas is removed.

    `place` is a folder, or a writer that was opened before the census was taken.
    """
    if isinstance(place, Path):
        with open_writer(place, force=force) as writer:
            return write_atlas(writer, census, games)
    frame = frame_of(census, games)
    facts = {
        "rules": census.rules.name,
        "red_first": list(census.rules.first_walks[Player.RED]),
        "blue_first": list(census.rules.first_walks[Player.BLUE]),
        "version": version("collapsi"),
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
    """A row of the atlas: the truly different deal that represents a deal, and its values."""

    deal: str
    distance: int
    weight: int
    winner: json_types.Colour
    plies: int
    score: int
    winning_moves: int
    games: int | None
    first_moves: dict[str, int]
    """Score by end square of the representative's first move."""
    tempo: str | None = None
    """Who wins if the other player starts; None if the atlas has no such column."""

    def to_json(self) -> json_types.DealRow:
        """Return the row as JSON."""
        return {
            "deal": self.deal,
            "distance": self.distance,
            "weight": self.weight,
            "winner": self.winner,
            "plies": self.plies,
            "score": self.score,
            "winning_moves": self.winning_moves,
            "tempo": self.tempo,
            "games": self.games,
            "first_moves": dict(self.first_moves),
        }


class Atlas:
    """An atlas on disk.

    `frame` has all rows as a Polars data frame; `find` looks up a deal in any orientation.
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
        """Whether sizes and dates of the files are those of the last verification."""
        return (
            self._data is not None
            and self._data[0] == atlas_files.signature(self.path)
            and self._manifest_signature == atlas_files.signature(self.folder / atlas_files.MANIFEST)
        )

    def check_intact(self) -> None:
        """Raise `DamagedAtlasError` if the data file is missing or has changed since it was written."""
        self._read_verified()

    def _read_verified(self) -> bytes:
        """Return the content of the data file, read and verified again whenever the file changes."""
        now = atlas_files.signature(self.path)
        if self._data is None or self._data[0] != now:
            self._data = now, atlas_files.read_data(self.folder, self.manifest)
        return self._data[1]

    def scan(self) -> pl.LazyFrame:
        """Return the rows as a lazy frame."""
        return pl.scan_parquet(self._read_verified())

    @cached_property
    def frame(self) -> pl.DataFrame:
        """All rows."""
        return self._collect(lambda rows: rows)

    def _collect(self, query: Callable[[pl.LazyFrame], pl.LazyFrame]) -> pl.DataFrame:
        rows = self.scan()
        try:
            return query(rows).collect()
        except POLARS_ERRORS as error:
            reason = str(error).partition("\n")[0]
            msg = f"the query of the atlas failed: {reason}"
            raise AtlasError(msg) from None

    def filter(self, *conditions: Any, **equal: Any) -> pl.DataFrame:
        """Return the rows for which Polars conditions hold and columns have the given values."""
        return self._collect(lambda rows: rows.filter(*conditions, **equal))

    def find(self, deal: Position | str) -> DealClass:
        """Return the row of a deal, up to all symmetries, the hidden ones included."""
        position = self.position(deal)
        refuse_partial(position)
        _, code = class_of(position)
        found = self.filter(distance=distance(*position.pawns), numbering=code)
        if len(found) != 1:
            raise self._not_found(position, len(found))
        row = found.row(0, named=True)
        moves = {
            name[3:]: score for name, score in row.items() if name.startswith("to_") and score is not None
        }
        fields: dict[str, Any] = {name: row.get(name) for name in DealClass.__dataclass_fields__}
        return DealClass(**{**fields, "first_moves": moves})

    def find_many(self, positions: Sequence[Position | str]) -> pl.DataFrame:
        """Return the rows of many deals, in their order, found up to all symmetries.

        Positions after the deal are solved instead: their rows have `winner`, `plies` and `score` only.
        """
        states = [self.position(given) for given in positions]
        whole = [index for index, state in enumerate(states) if state.dealt]
        cards = np.array([states[index].cards for index in whole], np.uint8).reshape(-1, 16)
        pawns = np.array([states[index].pawns for index in whole], np.int64).reshape(-1, 2)
        steps, codes = classes_of(cards, pawns)
        wanted = steps << 32 | codes
        places = np.minimum(np.searchsorted(self._keys, wanted), len(self._keys) - 1)
        if missing := np.flatnonzero(self._keys[places] != wanted).tolist():
            raise self._not_found(states[whole[missing[0]]], 0)
        rows = self.frame[places]
        rest = sorted(set(range(len(states))) - set(whole))
        if not rest:
            return rows
        solved = [
            {"winner": str(answer.winner), "plies": answer.plies, "score": answer.score}
            for answer in analyse_many([states[index] for index in rest])
        ]
        others = pl.DataFrame(solved).cast({name: rows.schema[name] for name in ("winner", "plies", "score")})
        both = pl.concat([rows, others], how="diagonal")
        return both[np.argsort(np.array(whole + rest))]

    @cached_property
    def _keys(self) -> Any:
        """The distance and numbering of each row as one number; rows are sorted by it."""
        frame = self.frame
        return frame["distance"].to_numpy().astype(np.int64) << 32 | frame["numbering"].to_numpy()

    def position(self, given: Position | str) -> Position:
        """Return a position of the atlas's rules."""
        position = parse_position(given, rules=self.rules) if isinstance(given, str) else given
        if position.rules.name != self.rules:
            msg = f"this is an atlas of {self.rules} rules, but the deal is for {position.rules}"
            raise AtlasError(msg)
        return position

    def _not_found(self, position: Position, rows: int) -> DamagedAtlasError:
        found = f"{rows} rows for {format_position(position)}"
        return DamagedAtlasError(f"{self.path} has {found}: check it with collapsi atlas verify")

    def similar(self, deal: Position | str) -> SimilarDeals:
        """Return the results of the deals with the jacks as far apart and the same cards beside them."""
        group = surroundings_of(self.position(deal))
        found = count_similar(self.frame, only=group)
        if group not in found:
            raise self._not_found(self.position(deal), 0)
        return found[group]

    def draw(self, rng: random.Random, **equal: Any) -> Position:
        """Return a random deal with given column values, such as `plies=7`, uniformly distributed.

        A row is drawn by weight and then mapped by a random symmetry.
        """
        matching = self._collect(lambda rows: rows.with_row_index().filter(**equal).select("index", "weight"))
        if not len(matching):
            wanted = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in equal.items())
            msg = f"there is no deal with {wanted}"
            raise AtlasError(msg)
        sums = matching["weight"].cast(pl.Int64).cum_sum()
        chosen = int(sums.search_sorted(rng.randrange(int(sums[-1])), side="right"))
        row = int(matching["index"][chosen])
        deal = parse_position(self._collect(lambda rows: rows.slice(row, 1).select("deal")).item())
        return transform(deal, rng.choice(symmetries(deal.board)))

    def kinds(self) -> pl.DataFrame:
        """Count deals and truly different deals by length and number of winning first moves."""
        deals = pl.col("weight").cast(pl.Int64).sum().alias("deals")
        kind = ("plies", "winner", "winning_moves")
        return self._collect(
            lambda rows: (
                rows.group_by(kind).agg(deals, pl.len().alias("different")).sort("plies", "winning_moves")
            )
        )

    def sql(self, query: str) -> pl.DataFrame:
        """Run a SELECT query over the table `deals`, the only one that it can read.

        The query runs in another process, limited to `atlas_query.MOST_SECONDS` and `MOST_BYTES` of memory.
        """
        self.check_intact()
        return atlas_query.run_query(self.folder, query)

    def faults(self) -> Iterator[str]:
        """Yield everything that is wrong with the files, one line each."""
        try:
            self._read_verified()
        except DamagedAtlasError as error:
            yield str(error)
            return
        frame = self.frame
        if missing := {"weight", "plies"} - set(frame.columns):
            yield f"columns are missing: {', '.join(sorted(missing))}"
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
            rules = classic_rules(self.rules)
        except MalformedError as error:
            yield f"rules: {error}"
            return
        if checks["deals"] != count_deals(rules):
            yield f"the weights add up to {checks['deals']}, and there are {count_deals(rules)} deals"
        if rules.first_walks != steps:
            yield f"red_first, blue_first: the manifest says {steps}, and that is not {self.rules}"
        elif {"deal", "score"} <= set(frame.columns):
            yield from self._solver_differences(frame, rules)

    @staticmethod
    def _solver_differences(frame: pl.DataFrame, rules: Rules) -> Iterator[str]:
        """Solve twenty evenly spaced rows again and yield those that differ."""
        rows = frame.gather_every(max(1, len(frame) // 20)).select("deal", "score", "plies").rows()
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
