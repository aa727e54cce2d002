"""What people do with a game: analyse, review, play against the computer, solve puzzles."""
