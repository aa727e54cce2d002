"""Measured facts about the shifting and the big board, from samples or exact counts."""
