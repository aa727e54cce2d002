"""The coach: why a move threw the win away or is best, and which other move tempts, in true sentences."""

from collapsi.play.coach.find import most_tempting, why_best, why_thrown
from collapsi.play.coach.reasons import Tempting, Why
from collapsi.play.enums import WhyKind

__all__ = ["Tempting", "Why", "WhyKind", "most_tempting", "why_best", "why_thrown"]
