"""Three ways to the same answer.

- `definition`: minimax straight from the rules; slow, obvious, the judge of the others.
- `search`: one position, or many one by one. `kernel` is its source, run as it is or compiled (`compiled`,
  `jit`).
- `layers`: every position of every deal at once.

`answers` chooses: whoever wants a position solved asks there.
"""
