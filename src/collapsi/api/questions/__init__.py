"""The questions of the API by subject; importing this package declares them all."""

from collapsi.api.question import QUESTIONS
from collapsi.api.questions import big, census, games, learning, positions, rooms, solo

__all__ = ["QUESTIONS", "SUBJECTS"]

SUBJECTS = (games, positions, learning, solo, big, census, rooms)
"""The modules in the order of the manual."""
