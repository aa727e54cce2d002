"""The WebAssembly kernels in Node: the module and the JavaScript of the page, without a browser."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import collapsi.site

if TYPE_CHECKING:
    from types import TracebackType

SCRIPT = """
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { load } from "./kernels.mjs";
const room = await load(readFileSync("kernels.wasm"));
for await (const line of createInterface({ input: process.stdin })) {
  const [method, ...given] = JSON.parse(line);
  console.log(JSON.stringify(room[method](...given) ?? null));
}
"""


class NodeModule:
    """What `kernels.js` offers, in a process of Node."""

    def __init__(self, folder: Path, module: bytes) -> None:
        page = Path(collapsi.site.__file__).parent / "page"
        shutil.copy(page / "kernels.js", folder / "kernels.mjs")
        (folder / "kernels.wasm").write_bytes(module)
        (folder / "main.mjs").write_text(SCRIPT, encoding="utf-8")
        pipe = subprocess.PIPE
        self._node = subprocess.Popen(["node", "main.mjs"], cwd=folder, stdin=pipe, stdout=pipe, text=True)

    def _ask(self, *asked: object) -> Any:
        assert self._node.stdin
        assert self._node.stdout
        self._node.stdin.write(json.dumps(asked) + "\n")
        self._node.stdin.flush()
        return json.loads(self._node.stdout.readline())

    def put(self, name: str, text: str) -> None:
        """Write numbers to the beginning of a table."""
        self._ask("put", name, text)

    def mark(self, name: str, text: str) -> None:
        """Set bits in a table."""
        self._ask("mark", name, text)

    def get(self, name: str, count: int) -> str:
        """The first numbers of a table."""
        return str(self._ask("get", name, count))

    def clear(self, name: str) -> None:
        """All zero."""
        self._ask("clear", name)

    def more(self, words: int) -> int:
        """The address of so much more memory."""
        return int(self._ask("more", words))

    def write(self, address: int, text: str) -> None:
        """Write numbers from an address on."""
        self._ask("write", address, text)

    def read(self, address: int, count: int) -> str:
        """Numbers from an address on."""
        return str(self._ask("read", address, count))

    def blank(self, address: int, count: int) -> None:
        """All zero from an address on."""
        self._ask("blank", address, count)

    def call(self, name: str, *numbers: float) -> float:
        """Call a function."""
        return float(self._ask("call", name, *numbers) or 0)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._node.stdin
        assert self._node.stdout
        self._node.stdin.close()
        self._node.wait()
        self._node.stdout.close()
