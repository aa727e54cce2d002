"""The rule laboratory: the effect of other decks on the game, counted over all deals of each deck.

- `decks`: the decks near a deck, and how many are solved together.
- `facts`: exact numbers about a deck, from the layers and from `chance`.
- `chance`: averages over random play, computed without sampling.
- `storage`: the facts in the user's cache, one file per deck.
- `orders`: decks by fairness, length of games or weight of the first move.
- `tables`: the facts as rows of a table.
"""
