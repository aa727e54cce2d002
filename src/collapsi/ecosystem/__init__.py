"""Adapters for other libraries: OpenSpiel and PettingZoo."""
