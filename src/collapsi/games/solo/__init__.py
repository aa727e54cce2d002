"""The game for one: states, notation, layouts, and its solver."""
