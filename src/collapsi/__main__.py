"""`python -m collapsi` is `collapsi`."""

from collapsi.cli import main

if __name__ == "__main__":
    main()
