"""The census: every deal of Collapsi, solved, weighted and tallied.

Deals are counted with red's jack on a1, because shifting the wrapping board maps any deal to one of those.
Blue's jack is then on one of 15 cells, and the other cells have 14!/(4! 4! 4! 2!) = 3,153,150 numberings:
47,297,250 deals. Up to the symmetries of the board only the distance of the jacks matters (1 to 4, with 4, 6,
4 and 1 cells). Deals that a symmetry maps to each other are one *truly different* deal; its weight is the
number of deals that it represents.

- `deals`: converts numberings to deals and counts them.
- `burnside`: counts deals and different deals of any rule set by a formula.
- `different`: finds and counts the truly different deals.
- `lengths`: the census itself, the number of deals of each length.
- `games`: the number of possible games.
- `tempo`: who wins if red starts, and who if blue starts.
- `rotate_census`: the census of `shift-rotate`, which has fewer deals and symmetries.

Names are loaded on first use, so that commands that only describe a census do not import NumPy.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collapsi.census.deals import PAPER_PLACES, cards_of, count_deals, count_numberings, deal_at
    from collapsi.census.different import class_of, count_by_burnside, count_different, representatives
    from collapsi.census.games import GameCount, count_all_games
    from collapsi.census.lengths import Census, take_census, take_census_by_search
    from collapsi.census.rotate_census import RotateCensus, take_rotate_census

_MODULES = {
    "deals": "PAPER_PLACES cards_of count_deals count_numberings deal_at",
    "different": "class_of count_by_burnside count_different representatives",
    "games": "GameCount count_all_games",
    "lengths": "Census take_census take_census_by_search",
    "rotate_census": "RotateCensus take_rotate_census",
}
"""Public names by the module that defines them."""

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        """Load a name from its module on first use."""
        for module, names in _MODULES.items():
            if name in names.split():
                from importlib import import_module

                globals()[name] = found = getattr(import_module(f"collapsi.census.{module}"), name)
                return found
        msg = f"module 'collapsi.census' has no attribute {name!r}"
        raise AttributeError(msg)


__all__ = [
    "PAPER_PLACES",
    "Census",
    "GameCount",
    "RotateCensus",
    "cards_of",
    "class_of",
    "count_all_games",
    "count_by_burnside",
    "count_deals",
    "count_different",
    "count_numberings",
    "deal_at",
    "representatives",
    "take_census",
    "take_census_by_search",
    "take_rotate_census",
]
