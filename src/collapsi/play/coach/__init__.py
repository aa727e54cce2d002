"""The coach: why a move threw the win away, and why a move is best, in sentences that are always true."""

from collapsi.play.coach.find import why_best, why_thrown
from collapsi.play.coach.reasons import Why
from collapsi.play.enums import WhyKind

__all__ = ["Why", "WhyKind", "why_best", "why_thrown"]
