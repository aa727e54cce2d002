"""The machine-checked proof of the census: `Rules.v` is the statement, `README.md` the guide."""
