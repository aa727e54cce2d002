"""Parts that the solvers of all kinds share: reference minimax, compilation and its cache."""
