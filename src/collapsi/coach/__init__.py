"""The coach: why a move threw the win away, and why a move is the best, in true sentences only."""

from collapsi.coach.find import why_best, why_thrown
from collapsi.coach.reasons import Why, WhyKind

__all__ = ["Why", "WhyKind", "why_best", "why_thrown"]
