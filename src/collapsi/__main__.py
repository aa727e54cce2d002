"""`python -m collapsi` is `collapsi`."""

from collapsi.cli import main

main()
