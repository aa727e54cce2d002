"""Building blocks of all kinds of games: boards, cards, players, states, games, notation, errors."""
