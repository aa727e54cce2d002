"""What is known of the shifting board as a game: exact where it can be counted, a sample where not.

- `readings`: who wins and in how many plies, the same deals under every reading.
- `worth`: what the shift is worth to the player who makes it.
- `first_move`: the deals that red wins with the very first move, counted by where the jacks lie.
- `different`: the symmetries of each reading, and how many deals there are up to them.
- `facts`: all of it together, as `collapsi shifting` and the report show it.
"""

DEALS = 300
"""Deals under `shift`, which the other samples go by: about two minutes of CPU in all."""

SEED = 7
