"""Idioms that a reader has to translate do not return to the source.

The list has only phrases that are wrong almost everywhere. Where one is right, such as in a text for players,
`ALLOWED` names the file and the words around it.
"""

from __future__ import annotations

import re
import tokenize
from pathlib import Path

import pytest

import collapsi

PACKAGE = Path(collapsi.__file__).parent

PHRASES = {
    r"whoever|whomever": "the caller, the user, another process …",
    r"nobody|somebody|anybody|everybody": "no other process, the user, every player …",
    r"(is|are|was|be) told|tells? (how|what|who|whether)|telling": "reports, returns, shows",
    r"hears? of|to hear": "is called with, receives",
    r"so many|so much|so long": "`count`, this many, at most",
    r"to be had|can be had": "is available, is supported",
    r"(is|are|was|were|be) asked|asks? for": "is requested, is called, needs",
    r"forget it|never kept|as (it|they) stands?": "is not stored, unchanged, interpreted",
    r"anew": "again",
    r"if need be": "if needed",
    r"looks? back on|looked back on": "reviews",
}
"""Patterns, without regard to case, and what to write instead."""

PENDING: tuple[str, ...] = ()
"""Files and folders that have not been read for this yet: the list only becomes shorter."""

ALLOWED: dict[str, tuple[str, ...]] = {
    "census/json_types.py": ("whoever starts",),
    "games/big/endgame.py": ("nobody's points depend on a rule for ties",),  # for players
    "games/big/levels.py": ("nobody knows perfect play of three or four players",),  # for players
    "play/tempo.py": ("whoever starts loses",),
    "report/deals.py": ("whoever starts loses",),
}
"""By file, the lines in which a phrase is right."""


def sources() -> list[Path]:
    pending = [PACKAGE / name for name in PENDING]
    return [path for path in sorted(PACKAGE.rglob("*.py")) if not {path, *path.parents} & set(pending)]


def words_of(path: Path) -> list[tuple[int, str]]:
    """Comments and strings of a file, docstrings included, by the line where each starts."""
    kinds = {tokenize.COMMENT, tokenize.STRING, getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING)}
    with tokenize.open(path) as file:
        tokens = list(tokenize.generate_tokens(file.readline))
    return [(token.start[0], token.string) for token in tokens if token.type in kinds]


def idioms_in(path: Path) -> list[str]:
    allowed = ALLOWED.get(path.relative_to(PACKAGE).as_posix(), ())
    found = []
    for start, text in words_of(path):
        for number, line in enumerate(text.splitlines(), start):
            if any(words in line for words in allowed):
                continue
            for pattern, better in PHRASES.items():
                if match := re.search(rf"\b({pattern})\b", line, re.IGNORECASE):
                    found.append(f"{path.relative_to(PACKAGE)}:{number}: {match[0]!r}: write {better}")
    return found


def test_no_idiom_comes_back() -> None:
    found = [idiom for path in sources() for idiom in idioms_in(path)]
    assert not found, "\n".join(found)


def test_every_exception_is_needed() -> None:
    for name, lines in ALLOWED.items():
        text = (PACKAGE / name).read_text(encoding="utf-8")
        for line in lines:
            assert line in text, f"{name}: {line}"
            assert any(re.search(pattern, line, re.IGNORECASE) for pattern in PHRASES), f"{name}: {line}"


@pytest.mark.parametrize("text", ["# Whoever asks", "'''It is told how far it is.'''", "x = 'so many deals'"])
def test_idioms_are_found(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "module.py").write_text(f"{text}\n", encoding="utf-8")
    monkeypatch.setattr("tests.test_language.PACKAGE", tmp_path)
    assert len(idioms_in(tmp_path / "module.py")) >= 1
