"""Check the page's own files for what a linter cannot know; `make lint` runs Biome on them."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase

import pytest

import collapsi
from collapsi.api.about import VERDICTS
from collapsi.core.players import Player
from collapsi.games.levels import Level
from collapsi.service.app import PAGE
from tests.rule_sets import FOR_TWO

MODULES = {path.name: path.read_text(encoding="utf-8") for path in sorted((PAGE / "js").glob("*.js"))}
CODE = re.sub(r"/\*.*?\*/|(?<![:\w])//[^\n]*", "", "".join(MODULES.values()), flags=re.DOTALL)
HTML = (PAGE / "index.html").read_text(encoding="utf-8")
STYLE = re.sub(r"/\*.*?\*/", "", (PAGE / "style.css").read_text(encoding="utf-8"), flags=re.DOTALL)
RULES = re.findall(r"([^{}]+)\{([^{}]*)\}", STYLE)
"""Selectors and declarations; the first selector of an @-rule begins with its condition."""
COLOUR = re.compile(
    r"#[0-9a-f]{3}|\b(?:rgb|hsl|hwb|lab|lch|oklab|oklch|color|color-mix)a?\("
    r"|\b(?:black|white|gr[ae]y|red|green|blue|yellow|orange|purple|pink|brown)\b",
    re.IGNORECASE,
)


def test_every_element_that_is_looked_up_is_in_the_page() -> None:
    ids = re.findall(r'\bid="(.*?)"', HTML)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'(?:\$|setText|showCopies)\("([\w-]+)"', CODE)) <= set(ids)


def test_the_content_security_policy_needs_no_exception() -> None:
    """No inline script, style or event handler."""
    assert re.findall(r"<script(?! type=\"module\" src=)|<style|\s(?:style|on\w+)=", HTML) == []
    assert re.findall(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(", CODE) == []


def test_every_name_in_the_style_sheet_is_used() -> None:
    """Selectors name classes and ids of the page; custom properties are defined and used."""
    texts = re.findall(r'"([^"\n]*)"', CODE) + re.findall(r"`([^`]*)`", CODE)
    given = {word for text in texts for word in re.sub(r"\$\{.*?\}", "*", text).split()} - {"*"}
    given |= {name for names in re.findall(r'\bclass="(.*?)"', HTML) for name in names.split()}
    given |= {*map(str, Player), *(mood for _, mood in VERDICTS.values())}
    selectors = " ".join(selector for selector, _ in RULES)
    for name in re.findall(r"\.([a-z][\w-]*)", selectors):
        assert any(fnmatchcase(name, one) for one in given), name
    for name in re.findall(r"#([a-z][\w-]*)", selectors):
        assert f'id="{name}"' in HTML or f'id: "{name}"' in CODE, name
    assert set(re.findall(r"(--[\w-]+):", STYLE)) == set(re.findall(r"var\((--[\w-]+)", STYLE))


def test_colours_have_names() -> None:
    """Colours stand in :root only."""
    for selector, body in RULES:
        if selector.split()[-1] != ":root":
            assert not COLOUR.search(re.sub(r"var\(.*?\)", "", body)), selector


@pytest.mark.parametrize("name", MODULES)
def test_the_page_has_no_notation_and_no_lists_of_its_own(name: str) -> None:
    """Rules, levels, verdicts and squares come from the service."""
    text = re.sub(r"/\*.*?\*/|(?<![:\w])//[^\n]*", "", MODULES[name], flags=re.DOTALL)
    for written in re.findall(r'"[^"\n]*"|`[^`]*`|/\^.*?/', text):
        bare = written.strip('"`')
        assert bare not in FOR_TWO, written
        assert bare not in list(collapsi.Verdict), written
        assert bare != Level.RANDOM, written
        assert not re.fullmatch(r"[a-d][1-4]", bare), written
        assert not re.search(r"[A234J.]{2,}/|\[A234J|\[a-?[a-d]+\]\[1", written), written
        assert not re.match(r"M-?\d", bare), "the library draws outlines"
