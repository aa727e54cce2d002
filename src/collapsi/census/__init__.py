"""The census: every deal of Collapsi, solved, weighted and tallied.

A deal is counted with red's jack on a1, as turning the board makes any deal one of those; blue's jack is then
on one of 15 cells, and 14!/(4! 4! 4! 2!) = 3,153,150 numberings are left: 47,297,250 deals. By the symmetries
of the board only the distance of the jacks matters (1 to 4, with 4, 6, 4 and 1 cells), and among the deals of
one distance those that a symmetry turns into each other are one *truly different* deal, whose weight is the
number of deals it stands for.

- `deals`: numberings as deals, and how many there are.
- `different`: the truly different ones, found and counted.
- `lengths`: the census itself, how many deals there are of each length.
- `games`: how many games are possible.
- `turning`: the census of the shifting board where lines turn, which has fewer deals and fewer symmetries.
"""

from collapsi.census.deals import PAPER_PLACES, cards_of, count_deals, count_numberings, deal_at
from collapsi.census.different import class_of, count_by_burnside, count_different, representatives
from collapsi.census.games import GameCount, count_all_games
from collapsi.census.lengths import Census, take_census, take_census_by_search
from collapsi.census.turning import TurningCensus, take_turning_census

__all__ = [
    "PAPER_PLACES",
    "Census",
    "GameCount",
    "TurningCensus",
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
    "take_turning_census",
]
