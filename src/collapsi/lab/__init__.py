"""The rule laboratory: what another deck does to the game, counted over all deals of many decks.

- `decks`: which decks, and how many are solved together.
- `facts`: what is found out about a deck, from the layers and from `chance`.
- `chance`: how many moves players have to choose from if both play at random, without a sample.
- `kept`: what was found stays in the user's cache, a file a deck.
- `orders`: which deck is the fairest, has the longest games, is decided first; and where a deck stands.
"""
