"""A worker program in which every stage takes a few milliseconds; it solves nothing."""

from __future__ import annotations

import json
import sys
import time


def main() -> None:
    """Start, load, compute and write slowly; the answer is the request's mark."""
    time.sleep(0.01)
    for line in sys.stdin.buffer:
        request = json.loads(line)
        time.sleep(0.01)
        written = json.dumps({"began": request["number"]}) + "\n"
        written += json.dumps({"body": request["texts"].get("mark", "")}) + "\n"
        for part in (written[:5], written[5:20], written[20:]):
            sys.stdout.write(part)
            sys.stdout.flush()
            time.sleep(0.01)


if __name__ == "__main__":
    main()
