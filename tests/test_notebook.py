"""The notebook of the manual runs; in notebooks our objects are pictures or one short line."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

import collapsi
from collapsi.draw.film import draw_game, draw_review
from collapsi.games.big.endgame import analyse_endgame
from collapsi.games.big.notation import parse_big, parse_big_game
from collapsi.games.big.rules import BIG3
from collapsi.games.shifting.rules import SHIFT
from collapsi.games.solo.analysis import analyse_solo
from collapsi.games.solo.deals import OFFICIAL
from collapsi.games.solo.notation import parse_solo_game
from collapsi.play.strategy.players import character
from collapsi.play.strategy.rulecard import bundled_card
from tests.playthrough import BIG_GAMES, GAMES, SOLO_GAMES
from tests.small_atlas import plain_rows, write_rows

NOTEBOOK = Path(__file__).parent.parent / "docs" / "notebook.ipynb"
LIMIT = 900
"""Seconds, only to end what hangs."""

SVG = "{http://www.w3.org/2000/svg}"
RUN = """
import sys
import nbformat
from nbclient import NotebookClient

notebook = nbformat.read(sys.argv[1], as_version=4)
NotebookClient(notebook, timeout=900, kernel_name="python3").execute()
nbformat.write(notebook, sys.argv[2])
"""


def test_the_notebook_runs(tmp_path: Path) -> None:
    done = tmp_path / "done.ipynb"
    command = [sys.executable, "-c", RUN, str(NOTEBOOK), str(done)]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, check=False)
    assert ran.returncode == 0, ran.stderr
    shown = {}
    for cell in json.loads(done.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            last = "".join(cell["source"]).splitlines()[-1]
            shown[last] = {kind for output in cell["outputs"] for kind in output.get("data", {"text": 0})}
            assert cell["outputs"], last
    pictures = ("deal", "board", "analysis", "review", "puzzle.position", "shifting.play(shifting.moves[0])")
    for picture in pictures:
        assert "image/svg+xml" in shown[picture]
    assert shown["deal.text"] == {"text/plain"}


def test_the_notebook_is_kept_without_what_it_printed() -> None:
    notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        assert not cell.get("outputs")
        assert cell.get("execution_count") is None
    assert set(notebook["metadata"]) == {"kernelspec", "language_info"}


def every_game() -> dict[str, Any]:
    return {
        **{name: collapsi.parse_game(text) for name, text in GAMES.items()},
        **{name: parse_big_game(text) for name, text in BIG_GAMES.items()},
        **{name: parse_solo_game(text) for name, text in SOLO_GAMES.items()},
    }


def frames_of(picture: str) -> list[list[str]]:
    """What stands in each frame of a film strip."""
    whole = ET.fromstring(picture)
    return [
        [text.text or "" for text in frame.iter(f"{SVG}text")]
        for frame in whole.findall(f"{SVG}g")
        if "scale" in frame.get("transform", "")
    ]


@pytest.mark.parametrize("name", [*GAMES, *BIG_GAMES, *SOLO_GAMES])
def test_a_film_has_a_frame_for_each_position(name: str) -> None:
    game = every_game()[name]
    frames = frames_of(game._repr_svg_())
    assert game._repr_svg_() == draw_game(game)
    assert len(frames) == len(game.positions)
    for number, (position, move) in enumerate(zip(game.positions, game.squares, strict=False), start=1):
        captions = [text for text in frames[number - 1] if text.startswith(f"{number}. ")]
        assert len(captions) == 1
        assert captions[0].startswith(f"{number}. {position.to_move} {move}")
    assert game.position.turn in frames[-1]


@pytest.mark.parametrize("name", ["blunders", "joker", "choice"])
def test_a_film_shows_what_the_review_says(name: str) -> None:
    review = collapsi.review(collapsi.parse_game(GAMES[name]))
    picture = draw_review(review)
    assert picture == review._repr_svg_() == review.game._repr_svg_()
    frames = frames_of(picture)
    assert len(frames) == len(review.analyses)
    for analysis, texts in zip(review.analyses, frames, strict=True):
        assert texts[-1] == str(analysis.outcome)
        values = [move.value.replace("-", "−") for move in analysis.moves]
        assert sorted(text for text in texts if text[0] in "+−") == sorted(values)
    for move, texts in zip(review.moves, frames, strict=False):
        assert f"{move.number}. {move.player} {move.name}, {move.verdict}" in texts


def test_a_film_is_wide_enough_for_its_frames() -> None:
    for name in ("shift", "perfect", "big4"):
        whole = ET.fromstring(every_game()[name]._repr_svg_())
        width, height = float(whole.get("width", 0)), float(whole.get("height", 0))
        for frame in whole.findall(f"{SVG}g"):
            place, scale = frame.get("transform", "").removesuffix(")").split(") scale(")
            x, y = map(float, place.removeprefix("translate(").split())
            board = frame.find(f"{SVG}rect")
            assert board is not None
            assert 0 < x < x + float(board.get("width", 0)) * float(scale) < width
            assert 0 < y < y + float(board.get("height", 0)) * float(scale) < height


def test_what_is_shown_without_a_picture_is_one_short_line(tmp_path: Path) -> None:
    game = collapsi.parse_game(GAMES["blunders"])
    review, analysis = collapsi.review(game), collapsi.analyse(game.positions[0])
    rng = random.Random(1)
    shifting = collapsi.deal(rng, SHIFT)
    big_state = parse_big("....../.2r.3../.AA.../.3b4g.../..3.../...... r big3")
    things = [
        *(game, game.position, analysis, *analysis.moves, analysis.outcome, review, *review.moves),
        *(
            collapsi.STANDARD,
            BIG3,
            shifting,
            shifting.board,
            collapsi.deal(rng, BIG3),
            analyse_endgame(big_state),
        ),
        *(OFFICIAL, analyse_solo("A2X/3Jr2/A2A"), character("card"), bundled_card()),
    ]
    for thing in things:
        assert repr(thing).startswith(f"{type(thing).__name__}(")
        assert "\n" not in repr(thing)
        assert len(repr(thing)) < 120, repr(thing)
    assert repr(game.positions[0]) == "Position('A223/4A2Jr/3A23/Jb3A4 r')"
    assert repr(analysis.moves[0]) == "MoveValue('a2': red wins in 13 plies)"
    assert repr(collapsi.STANDARD) == "Rules('standard')"
    atlas = write_rows(tmp_path / "small", plain_rows(1))
    assert repr(atlas) == f"Atlas({str(tmp_path / 'small')!r}, 5,000 deals)"
