"""Facts about the shifting board: exact where they can be counted, otherwise from a sample.

- `readings`: winners and lengths of the same deals under every reading of the rules.
- `worth`: the value of a shift for the player who makes it.
- `first_move`: the deals that red wins with the first move, counted by placement of the jacks.
- `different`: the symmetries of each reading, and the number of deals up to symmetry.
- `facts`: all of it together, for the command line and the report.
"""

DEALS = 300
"""Deals under `shift`; the other samples scale with it: about two minutes of CPU in all."""

SEED = 7
