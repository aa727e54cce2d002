"""The program: `collapsi` and `python -m collapsi`."""

import _signal  # type: ignore[import-not-found]  # `signal` without its enums, which take long to load
import os


def main() -> None:
    """Run the command in `sys.argv`; Ctrl-C ends the program silently from the first moment.

    Loading the commands takes tenths of a second, and an exception raised there would end in a traceback.
    `collapsi.cli` replaces the handler while a command runs. If Ctrl-C is ignored, it stays ignored.
    """
    if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
        _signal.signal(_signal.SIGINT, lambda *_: os._exit(130))
    from collapsi.cli import main as run_command

    run_command()


if __name__ == "__main__":
    main()
