"""Folders of long work that is done in parts: one file for each part, and how damaged files are detected.

The manifest describes the work and is written first. The file of a part is `part-000012-5000-….parquet` for
part 12 with its 5000 rows; the rest of the name is a hash of the manifest and of the file's content, which
exposes a damaged file and one of other work. Files are written atomically, and one process writes at a time.
So work that was killed at any moment leaves a valid folder, and the next run continues from it.
"""

from __future__ import annotations

import hashlib
import json
import re
from contextlib import suppress
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, Self, TypeVar

from collapsi.core.errors import OutputError
from collapsi.system.files import read_file, read_json_file, reporting_write_errors, write_atomically

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from collapsi.study import json_types
    from collapsi.study.plan import Part

MOST_MANIFEST_BYTES = 1 << 16
MOST_PART_BYTES = 1 << 32
NAME = re.compile(r"part-(\d{6,})-(\d+)-([0-9a-f]{16})\.parquet")
LEFT_BEHIND = re.compile(
    r"\.partial-\d+-(part-.*\.parquet|\w+\.json|result\.\w+|README\.md|SHA256SUMS)|\.probe-\d+"
)


class StudyError(OutputError):
    """A folder of other work, or one whose manifest cannot be read."""


class AnyPlan(Protocol):
    """The plan of long work: a frozen dataclass of plain values."""

    noun: ClassVar[str]
    """What the work makes, as in "another study"."""
    manifest: ClassVar[str]
    """The name of the manifest."""
    format: ClassVar[int]
    """Version of the rows of a part; incremented when they change."""

    @property
    def subject(self) -> str:
        """What the rows depend on, in words."""

    @property
    def part(self) -> int:
        """Number of rows in a part."""

    def to_json(self) -> json_types.StudyPlan | json_types.DatasetPlan:
        """Return the content of the manifest."""


PlanType = TypeVar("PlanType", bound=AnyPlan)
Found = TypeVar("Found")


def read_plan(path: Path, wanted: PlanType) -> PlanType | None:
    """Return the plan stored in a folder, None if there is none; raise if it differs from `wanted`."""
    manifest, noun = path / wanted.manifest, wanted.noun
    try:
        facts = read_json_file(manifest, MOST_MANIFEST_BYTES)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        msg = f"cannot read {manifest}: {error.strerror}"
        raise StudyError(msg) from None
    except ValueError:
        facts = None
    other = f"name another folder, or remove {path}"
    if not isinstance(facts, dict) or type(facts.get("format")) is not int:
        msg = f"{manifest} is damaged: {other}"
        raise StudyError(msg)
    if facts["format"] != wanted.format:
        written = f"{noun} of format {facts['format']}, and this program writes {wanted.format}"
        msg = f"{path} holds a {written}: {other}"
        raise StudyError(msg)
    try:
        found = type(wanted)(**{name: value for name, value in facts.items() if name != "format"})
    except TypeError:
        msg = f"{manifest} is damaged: {other}"
        raise StudyError(msg) from None
    if found != wanted:
        what = found.subject if found.subject != wanted.subject else f"{found.part} deals a part"
        mine = wanted.subject if found.subject != wanted.subject else f"{wanted.part}"
        msg = f"{path} holds another {noun} ({what}, not {mine}): {other}"
        raise StudyError(msg)
    return found


class PartFolder(Generic[PlanType]):
    """A folder with the parts of a plan; this process holds its lock."""

    def __init__(self, path: Path, plan: PlanType) -> None:
        self.path = path
        self.plan = plan
        self.damaged: list[str] = []
        """Names of files that were damaged and removed: their parts are made again."""

    def begin(self, folders: Iterable[Path]) -> Self:
        """Write the manifest, make folders for parts, and remove temporary files of killed processes."""
        with reporting_write_errors(f"to {self.path}"):
            for folder in folders:
                folder.mkdir(parents=True, exist_ok=True)
            if read_plan(self.path, self.plan) is None:
                self.write_file(self.path / self.plan.manifest, json_bytes(self.plan.to_json()))
            for folder in (self.path, *folders):
                for path in folder.iterdir():
                    if LEFT_BEHIND.fullmatch(path.name):
                        path.unlink(missing_ok=True)
        return self

    def stored(
        self, folder: Path, parts: Iterable[Part], read: Callable[[bytes, Part], Found | None]
    ) -> Iterator[tuple[Part, Found]]:
        """Yield those of `parts` that a folder has, each with what `read` finds in its file.

        Removes files that are damaged or, according to `read`, do not hold the part.
        """
        kept: dict[int, list[tuple[int, str]]] = {}
        for path in folder.iterdir():
            if named := NAME.fullmatch(path.name):
                kept.setdefault(int(named[1]), []).append((int(named[2]), path.name))
        for part in parts:
            found = None
            for rows, name in sorted(kept.get(part.number, ()), reverse=True):
                path = folder / name
                if found is None and rows >= part.deals:
                    found = self._read(path, part, read)
                    if found is not None:
                        continue
                    self.damaged.append(name)
                with suppress(OSError):
                    path.unlink()
            if found is not None:
                yield part, found

    def write_part(self, folder: Path, part: Part, content: bytes) -> Path:
        """Store the file of a part, and return its path."""
        path = folder / self.part_name(part, content)
        self.write_file(path, content)
        return path

    def part_name(self, part: Part, content: bytes) -> str:
        """Return the name of the file of a part."""
        return f"part-{part.number:06}-{part.deals}-{self._hash(content)}.parquet"

    def write_file(self, path: Path, content: bytes) -> None:
        """Write a file of the folder atomically."""
        with reporting_write_errors(f"to {self.path}"):
            write_atomically(path, content)

    def _read(self, path: Path, part: Part, read: Callable[[bytes, Part], Found | None]) -> Found | None:
        """Return what `read` finds in the file of a part, or None if it is damaged."""
        try:
            content = read_file(path, MOST_PART_BYTES)
        except (OSError, ValueError):
            return None
        if NAME.fullmatch(path.name)[3] != self._hash(content):  # type: ignore[index]  # it matched before
            return None
        return read(content, part)

    def _hash(self, content: bytes) -> str:
        return hashlib.sha256(json_bytes(self.plan.to_json()) + content).hexdigest()[:16]


def json_bytes(data: Any, indent: int | None = 2) -> bytes:
    """Return JSON as the content of a file, or as a line of one."""
    return json.dumps(data, indent=indent).encode() + b"\n"
