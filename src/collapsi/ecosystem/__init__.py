"""Adapters for other libraries: Gymnasium, OpenSpiel and PettingZoo."""
