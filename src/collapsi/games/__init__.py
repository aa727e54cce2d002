"""The kinds of games: a folder for each, their contract (`kind`) and their registry."""
