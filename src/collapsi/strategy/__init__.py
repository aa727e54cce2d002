"""Strategies that people can follow: rules as data, learned from solved positions.

- `vocabulary`: what a person can count on the table for a move, each word with a plain reading.
- `rulecard`: a card of rules; says itself in sentences, chooses moves, explains itself.
- `players`: characters that follow a card, look ahead, and err.
- `states`, `samples`: many positions at once, compiled; solved choices from games of training, validation and
  fresh deals.
- `learn`, `measure`, `study`: the search for a card, what it is worth, and all that the command prints.
- `ladder`: everybody plays everybody.

The first three need nothing heavy; the others load NumPy and Numba.
"""
