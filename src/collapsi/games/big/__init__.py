"""The big board for two to four players: states, notation, solver, engine, levels."""
