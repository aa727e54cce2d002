"""Enumerations that reviews of the big board and their JSON types share."""

from __future__ import annotations

from enum import StrEnum


class BigVerdict(StrEnum):
    """How good a move was, where that is known."""

    ONLY = "only move"
    BEST = "best"
    KEPT_WIN = "kept the win"
    SLOWER_WIN = "slower win"
    STILL_LOST = "was lost"
    FASTER_LOSS = "faster loss"
    FEWER_POINTS = "fewer points"
    THREW_AWAY = "threw the win away"


class Sureness(StrEnum):
    """What a word on a move rests on."""

    EXACT = "exact"
    TIES = "exact under the rule for ties"
    ESTIMATE = "estimate"
    UNKNOWN = "not known"
