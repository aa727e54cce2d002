"""The published behaviour of the program as text files: commands, API answers and links of the page.

`entry` holds the only imports of the program; `commands`, `requests` and `links` list what is asked;
`running` asks it, `substitutions` removes what differs from run to run, and `record` writes the files again.
`atlas/` is a small atlas that the commands read. It freezes the file format, and lacks columns that are newer
than it; `record` writes it again only with --atlas, after a change of the format.
"""
