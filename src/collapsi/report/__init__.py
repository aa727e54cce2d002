"""The report: the paper's tables and figures printed again from our own census, and what is new beside them.

- `findings`: the numbers, as tables.
- `figures`: the charts, as SVG and PNG.
- `strategy`: the numbers of the chapter on rules that people can follow; `article`: that chapter.
- `shifting`: the chapter on the shifting board with its tables; `shifting_figures`: its charts.
- `big`: the chapter on the big board with its tables; `big_figures`: its charts.
- `style`: what charts look like.
- `pieces`: commands, figures and tables as HTML.
- `page`: one self-contained HTML page with all of it.
"""
