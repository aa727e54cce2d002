"""The exam: fixed positions that measure how well any program plays, by the exact values of its moves.

`questions` has the positions, `drawing` has drawn them, `marking` sums up the answers, `programs` asks a
program, and `asked` is the program around a Python function.
"""
