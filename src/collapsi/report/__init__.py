"""The report: the paper's tables and figures printed again from our own census, and what is new beside them.

- `findings`: the numbers, as tables.
- `figures`: the charts, as SVG and PNG.
- `page`: one self-contained HTML page with all of it.
"""
