"""The report: the paper's tables and figures from our own census, and new results.

The frame:

- `findings`: the numbers, as tables.
- `figures`: the charts, as SVG and PNG.
- `style`: the style of charts, and the elements that they share.
- `pieces`: commands, figures and tables as HTML.
- `page`: one self-contained HTML page of all chapters, and its files.

The chapters, with tables and charts of their own where they have many:

- `deals`: all deals of the classic game, opening rules, the solo game, notes on the paper.
- `lab`, `lab_figures`: other decks.
- `strategy`, `strategy_tables`: rules that people can follow.
- `shifting`, `shifting_tables`, `shifting_figures`: the shifting board.
- `big`, `big_tables`, `big_figures`: the big board.
"""
