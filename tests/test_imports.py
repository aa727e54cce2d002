"""No module of the package imports itself by a detour, and no kind of game another; types included."""

from __future__ import annotations

import tomllib
from pathlib import Path

import grimp

from collapsi.games.registry import NAMES


def test_there_are_no_import_cycles() -> None:
    graph = grimp.build_graph("collapsi", exclude_type_checking_imports=False, cache_dir=None)
    left = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    assert len(left) > 200
    while free := {module for module, imported in left.items() if not imported & left.keys()}:
        left = {module: imported for module, imported in left.items() if module not in free}
    assert not left, "these modules import each other, or modules that do"


def test_import_linter_keeps_all_kinds_of_game_apart() -> None:
    project = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = project["tool"]["importlinter"]["contracts"]
    (apart,) = (contract["modules"] for contract in contracts if contract["type"] == "independence")
    assert sorted(apart) == sorted(f"collapsi.games.{name}" for name in NAMES), "in pyproject.toml"
