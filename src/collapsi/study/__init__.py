"""Studies: what random deals of any rule set tell, with 95 % intervals, from a laptop to a cluster.

`plan` says what is studied and cuts it into parts, `solving` solves a part, `engines` are who does that (the
threads of this machine, or the workers of a Dask cluster), `folder` keeps parts on disk, `result` sums them
up, `run` does a whole study, `estimate` says what all deals would cost, and `picture` draws.

>>> from collapsi.study import sample
>>> found = sample("standard", deals=200, seed=1)
>>> rate = found.wins[0]
>>> rate.found, rate.cases, [round(share, 2) for share in rate.interval]
(151, 200, [0.69, 0.81])
"""

from collapsi.study.run import sample

__all__ = ["sample"]
