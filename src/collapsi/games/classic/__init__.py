"""The classic game: rules, positions, notation, symmetry, and its solver."""
