"""Reading files: damaged or irregular files give one clear error and never block."""

from __future__ import annotations

import json
import math
import os
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collapsi.census.lab.storage import FactsStore
from collapsi.cli.facts import read_census_file
from collapsi.core.errors import CollapsiError
from collapsi.games.classic.rules import STANDARD
from collapsi.play.strategy.drills import read_drills
from collapsi.play.strategy.rulecard import read_card
from collapsi.system.files import append, parse_json_text, read_file, read_json_file
from tests.typed import refused

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

DEEP = b"[" * 200_000
NOT_JSON = [
    b"",
    b"{",
    DEEP,
    b"NaN",
    b"[-Infinity]",
    b"1e999",
    b"[-1e999]",
    b"9" * 400,
    b"9" * 9999,
    b"\xff\xfe{",
]

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


def put(path: Path, kind: str) -> Path:
    """Make something at a path that is no regular file."""
    if kind == "fifo":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    else:
        path.symlink_to("/dev/zero")
    return path


SAID = {"fifo": "not a regular file", "device": "not a regular file", "folder": "Is a directory"}
irregular = pytest.mark.parametrize("kind", ["fifo", "folder", "device"])


@pytest.mark.parametrize("content", NOT_JSON)
def test_what_is_not_json_is_a_value_error(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "file").write_bytes(content)
    with pytest.raises(ValueError):  # noqa: PT011 - in whatever words
        read_json_file(tmp_path / "file")


@given(json_values)
def test_what_json_writes_is_read_again_if_it_is_finite(value: Any) -> None:
    text = json.dumps(value)
    try:
        expected = json.loads(json.dumps(value, allow_nan=False))
    except ValueError:
        with pytest.raises(ValueError, match="is not a number"):
            parse_json_text(text)
    else:
        assert parse_json_text(text) == expected


@given(st.binary() | st.text(alphabet='[]{}",:0123456789.eE-+ NaInfitynul').map(str.encode))
def test_any_bytes_are_read_or_refused(content: bytes) -> None:
    try:
        found = parse_json_text(content)
    except ValueError:
        return
    if isinstance(found, int | float):
        assert math.isfinite(float(found))


def test_a_file_has_a_size_limit(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"12345")
    assert read_file(path, 5) == b"12345"
    with pytest.raises(ValueError, match="larger than 4 bytes"):
        read_file(path, 4)


@irregular
def test_only_regular_files_are_read_and_appended_to(tmp_path: Path, kind: str) -> None:
    path = put(tmp_path / "file", kind)
    with pytest.raises(OSError) as refusal:  # noqa: PT011 - the system's words
        read_file(path)
    assert refusal.value.strerror == SAID[kind]
    with pytest.raises(OSError):  # noqa: PT011 - the system's words
        append(path, b"x")


def test_a_link_to_a_regular_file_is_one(tmp_path: Path) -> None:
    append(tmp_path / "file", b"1")
    append(tmp_path / "file", b"2")
    (tmp_path / "link").symlink_to("file")
    assert read_json_file(tmp_path / "link") == 12


# Those who read


READERS: list[Callable[[Path], object]] = [read_card, read_drills, read_census_file]


@irregular
@pytest.mark.parametrize("reader", READERS)
def test_files_that_a_user_names_must_be_regular(
    tmp_path: Path, reader: Callable[[Path], object], kind: str
) -> None:
    with pytest.raises(CollapsiError, match=f"cannot read .*: {SAID[kind]}"):
        reader(put(tmp_path / "file", kind))


@pytest.mark.parametrize("content", NOT_JSON)
@pytest.mark.parametrize("reader", READERS)
def test_files_that_a_user_names_are_refused_in_one_line(
    tmp_path: Path, reader: Callable[[Path], object], content: bytes
) -> None:
    (tmp_path / "file").write_bytes(content)
    with pytest.raises(CollapsiError) as refusal:
        reader(tmp_path / "file")
    assert "\n" not in str(refusal.value)


FIELDS = ["card", "name", "lines", "rules", "lengths", "format", "drills", "failure", "plies", "deals"]


@given(
    st.recursive(
        json_values,
        lambda inner: st.dictionaries(st.sampled_from(FIELDS), inner) | st.lists(inner, max_size=3),
        max_leaves=15,
    )
)
def test_any_json_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, value: Any) -> None:
    path = tmp_path_factory.getbasetemp() / "any.json"
    path.write_text(json.dumps(value))
    for reader in READERS:
        with pytest.raises(CollapsiError):
            reader(path)


@irregular
def test_an_atlas_of_what_is_no_file(tmp_path: Path, kind: str) -> None:
    put(tmp_path / "manifest.json", kind)
    assert f"manifest.json cannot be read: {SAID[kind]}" in refused(
        "atlas", "verify", "--atlas", str(tmp_path)
    )


@irregular
def test_facts_about_decks_that_are_no_file_are_as_good_as_none(tmp_path: Path, kind: str) -> None:
    put(tmp_path / "standard.json", kind)
    assert FactsStore(tmp_path).find(STANDARD) is None


@pytest.mark.parametrize("content", [*NOT_JSON, b'{"format": 1}'])
def test_damaged_facts_about_decks_are_as_good_as_none(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "standard.json").write_bytes(content)
    assert FactsStore(tmp_path).find(STANDARD) is None
