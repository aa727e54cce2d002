"""A worker program that solves nothing. It blocks for ever at the stage that a test names.

A file with the name of a stage, in the folder `FAKE_WORKER`, makes it block there: it writes its process id
into the file and renames it to `held`.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

STAGES = ["starting", "loading", "computing", "writing", "waiting"]


def reach(stage: str) -> None:
    """Block if the test has named this stage."""
    folder = Path(os.environ["FAKE_WORKER"])
    if (folder / stage).exists():
        (folder / stage).write_text(str(os.getpid()), encoding="ascii")
        (folder / stage).rename(folder / "held")
        while True:
            time.sleep(60)


def write(text: str) -> None:
    """Write a line, or a part of it."""
    sys.stdout.write(text)
    sys.stdout.flush()


def main() -> None:
    """Answer each request with its mark."""
    reach("starting")
    for line in sys.stdin.buffer:
        request = json.loads(line)
        reach("loading")
        write(json.dumps({"began": request["number"]}) + "\n")
        reach("computing")
        body = json.dumps({"body": request["texts"].get("mark", "")}) + "\n"
        write(body[:5])
        reach("writing")
        write(body[5:])
        reach("waiting")


if __name__ == "__main__":
    main()
