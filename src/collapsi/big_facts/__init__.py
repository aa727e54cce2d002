"""What is known of the big board as a game, and of those who play it: measured, each with its interval.

- `rounds`: computers at a table; the ladder of levels, one level against others at all other seats.
- `two`: who wins the game for two from the deal, exactly; how long strong games last, when they are decided.
- `seats`: what a seat is worth to strong players, three and four at the table.
- `calibration`: what the engine expects beside what is exact.
- `facts`: all of it together, as `collapsi big` and the report show it.
"""

DEALS = 48
"""Deals for two that are solved; the other samples go by it: about four minutes of CPU in all."""

SEED = 7

STRONG_NODES = 20_000
"""Positions that strong players look at for a move in games between equals."""

LADDER_NODES = 50_000
"""Positions that the strongest looks at for a move on the ladder: an eightieth of what a second allows."""
