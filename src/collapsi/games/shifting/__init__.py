"""The Shifting Board: states, notation, symmetry, and its solver."""
