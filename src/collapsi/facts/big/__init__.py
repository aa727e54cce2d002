"""Facts about the big board and its levels, each measured by sampling, with a confidence interval.

- `rounds`: rounds between levels, and the ladder: one level with another at all other seats.
- `two`: exact winners of deals for two, and length and turning points of games between strong players.
- `seats`: the value of each seat with strong players, three and four at the table.
- `calibration`: estimates of the engine compared with exact values.
- `facts`: all of it together, for the command line and the report.
"""

DEALS = 48
"""Deals for two that are solved; the other samples scale with it: about four minutes of CPU in all."""

SEED = 7

STRONG_NODES = 20_000
"""Search nodes per move of strong players in games between equals."""

LADDER_NODES = 50_000
"""Search nodes per move of the strongest level on the ladder: about 1/80 second."""
