"""Thousands of games of the classic kind at the same time, as NumPy arrays.

`PositionBatch` holds positions, one per row; `Games` plays them, deals again, and tells who won. All random
numbers come from a `numpy.random.Generator`, so a seed determines every game.

>>> import numpy as np
>>> from collapsi import batch
>>> rng = np.random.default_rng(1)
>>> games = batch.Games(1000, rng, "joker")
>>> while not games.over.all():
...     games.step(batch.choose(games.legal, rng))
>>> games.won.sum(axis=0).tolist()  # by red and by blue, both at random
[504, 496]
>>> games.reset()
>>> games.positions.values().shape  # the exact value of every move
(1000, 16)

`collapsi.ecosystem.gymnasium` makes environments of this for programs that learn.
"""

from __future__ import annotations

from collapsi.batch.games import Games
from collapsi.batch.positions import PositionBatch, choose, deal, pick

__all__ = ["Games", "PositionBatch", "choose", "deal", "pick"]
