"""Strategies that people can follow: rules as data, learned from solved positions.

- `budget`: the kinds of cards and their limits of lines, words and numbers.
- `vocabulary`: the words of rules: what a person can count on the table for a move.
- `rulecard`: a card of rules; formats itself as sentences, chooses moves, explains its choice.
- `players`: characters that follow a card, look ahead, and make random errors.
- `states`, `samples`: batches of positions for the kernels; solved positions from games of training,
  validation and fresh deals.
- `learn`, `measure`, `study`: the search for a card, its measurement, and both together.
- `ladder`: tournaments between players.
- `drills`: positions that train one line of a card.

The first four need only the standard library; the others load NumPy and Numba.
"""
