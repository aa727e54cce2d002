"""Adapters for other libraries: Gymnasium, notebooks, OpenSpiel and PettingZoo."""
