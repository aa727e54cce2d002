"""No module of the package imports itself by a detour, type-only imports included."""

from __future__ import annotations

import grimp


def test_there_are_no_import_cycles() -> None:
    graph = grimp.build_graph("collapsi", exclude_type_checking_imports=False, cache_dir=None)
    left = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    assert len(left) > 200
    while free := {module for module, imported in left.items() if not imported & left.keys()}:
        left = {module: imported for module, imported in left.items() if module not in free}
    assert not left, "these modules import each other, or modules that do"
