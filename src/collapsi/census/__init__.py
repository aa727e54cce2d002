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
- `similar`, `similar_table`: deals with the same distance and surroundings of the jacks.
- `rotate_census`: the census of `shift-rotate`, which has fewer deals and symmetries.
"""
