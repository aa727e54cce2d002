"""The transcripts in `golden/`, replayed line by line."""

from __future__ import annotations

import pytest

from tests.playthrough import GOLDEN, TRANSCRIPTS


@pytest.mark.parametrize("name", TRANSCRIPTS)
def test_playthrough(name: str) -> None:
    expected = (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")
    assert TRANSCRIPTS[name]().splitlines() == expected.splitlines()


def test_no_transcript_is_left_over() -> None:
    assert {path.stem for path in GOLDEN.iterdir()} == {
        *TRANSCRIPTS,
        "daily",
        "openspiel",
        "openspiel-big3",
        "shifting",
    }
