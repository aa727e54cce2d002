"""Datasets of solved positions as Parquet, for people who teach programs to play.

`plan` describes a dataset and divides it into parts, `games` plays the games from which the positions come,
`rows` makes a table of them, `folder` makes the parts and stores them, `result` sums them up, and `card`
describes them for their users.
"""
