"""How sure a share is that was found in a sample."""

from __future__ import annotations

from math import sqrt


def wilson(found: int, looked_at: int) -> tuple[float, float]:
    """Wilson's interval: where a share lies with 95 % confidence if so many of so many were found.

    >>> [round(share, 3) for share in wilson(30, 100)]
    [0.219, 0.396]
    """
    if not looked_at:
        return 0.0, 1.0
    z = 1.959964
    share = found / looked_at
    scale = 1 + z * z / looked_at
    middle = (share + z * z / (2 * looked_at)) / scale
    reach = z * sqrt(share * (1 - share) / looked_at + (z / (2 * looked_at)) ** 2) / scale
    return max(0.0, middle - reach), min(1.0, middle + reach)
