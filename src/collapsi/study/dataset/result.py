"""A finished dataset: its files, counts and checksums."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from collapsi.study.dataset.plan import SPLITS, DatasetPlan, SplitPart

if TYPE_CHECKING:
    from pathlib import Path

    from collapsi.study import json_types

DATA = "data"
"""The folder of the finished parts."""


class StoredPart(NamedTuple):
    """What is known of the file of a part."""

    name: str
    bytes: int
    sha256: str
    sources: Counter[str]
    """Number of positions by source."""


@dataclass(frozen=True)
class Progress:
    """The progress of a dataset."""

    parts: int
    of: int
    positions: int

    def __str__(self) -> str:
        return f"{self.parts:,} of {self.of:,} parts, {self.positions:,} positions"


@dataclass(frozen=True)
class Dataset:
    """A finished dataset."""

    path: Path
    plan: DatasetPlan
    parts: dict[SplitPart, StoredPart]
    remade: tuple[str, ...] = ()
    """Names of files that were damaged and have been made again."""

    @property
    def sums(self) -> bytes:
        """The content of `SHA256SUMS`, as `sha256sum` writes it."""
        lines = [
            f"{stored.sha256}  {DATA}/{task.split}/{stored.name}\n" for task, stored in self.parts.items()
        ]
        return "".join(lines).encode()

    @property
    def sources(self) -> dict[str, int]:
        """Number of positions by source."""
        counts = sum((stored.sources for stored in self.parts.values()), Counter())
        return dict(sorted(counts.items()))

    def to_json(self) -> json_types.Dataset:
        """Return the facts about the dataset as plain data."""
        return {
            "folder": str(self.path),
            "rules": self.plan.rules,
            "seed": self.plan.seed,
            "positions": self.plan.positions,
            "splits": {split: self._split_json(split) for split in SPLITS},
            "sources": self.sources,
            "sha256": hashlib.sha256(self.sums).hexdigest(),
        }

    def _split_json(self, split: str) -> json_types.DatasetSplit:
        stored = [stored for task, stored in self.parts.items() if task.split == split]
        return {
            "positions": self.plan.sizes[split],
            "files": len(stored),
            "bytes": sum(each.bytes for each in stored),
        }
