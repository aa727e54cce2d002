"""Studies of random deals of any rule set, with 95 % intervals, on a laptop or on a cluster.

`plan` describes a study and divides it into parts, `solving` solves a part, `engines` runs that on threads or
on the workers of a Dask cluster, `folder` stores parts on disk, `result` aggregates them, `run` executes a
whole study, `estimate` extrapolates the cost to all deals, and `picture` draws the result.

>>> from collapsi.study import sample
>>> found = sample("standard", deals=200, seed=1)
>>> rate = found.wins[0]
>>> rate.found, rate.cases, [round(share, 2) for share in rate.interval]
(151, 200, [0.69, 0.81])
"""

from collapsi.study.run import sample

__all__ = ["sample"]
