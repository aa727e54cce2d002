"""Pictures of positions and games: SVG, film strips, and the terminal."""
