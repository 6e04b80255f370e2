"""CPU time of the server from an edit of a file of 1,000 lines to its diagnostics.

python -m benchmarks.editor.edits [--lines 1000] [--rounds 8]

The file is edited as people edit: a word in a comment, a size in a constructor, a line added to a ``forward`` and taken away,
a letter of a name, a bracket left open and closed. Counted is the CPU time of the server and of its analysis process between
the edit and the answer to the editor's request for diagnostics; the pause in which the server waits for more edits is idle.
Linux only (the clocks of other processes).
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.editor.command import run
from benchmarks.editor.hover import large_text
from tests.server.strict_client import COMMAND, Client


def measure(directory: Path, lines: int, rounds: int) -> dict[str, Any]:
    """CPU milliseconds per kind of edit, and over all."""
    client = Client(COMMAND, cwd=directory)
    client.start(directory)
    text = large_text(lines)
    uri = client.open(directory / "model.py", text)
    taken: dict[str, list[float]] = {}
    settle(client, uri)
    processes = [client.process.pid, *children(client.process.pid)]
    for version, (kind, edited) in enumerate(edits(text, rounds), 2):
        before = cpu_seconds(processes)
        client.replace(uri, version, edited)
        client.pull(uri)
        taken.setdefault(kind, []).append(1000 * (cpu_seconds(processes) - before))
        settle(client, uri)
    client.stop()
    return {
        "lines": text.count("\n"),
        "edits": sum(map(len, taken.values())),
        "all": summary([wall for walls in taken.values() for wall in walls]),
        "by_kind": {kind: summary(walls) for kind, walls in taken.items()},
    }


def edits(text: str, rounds: int) -> Iterator[tuple[str, str]]:
    """Kinds of edits with the text after each."""
    blocks = text.count("class Block")
    for number in range(rounds):
        block = text.index(f"class Block{number * blocks // rounds}(")
        yield "comment", (text := insert(text, block, "# a note\n"))
        block += len("# a note\n")
        yield "size", (text := exchange(text, block, "padding=1)", "padding=2)"))
        line = "        x = F.relu(x) * 2\n"
        yield "line added", (text := insert(text, text.index("        return self.head(x)", block), line))
        yield "line removed", (text := exchange(text, block, line, ""))
        yield "name", (text := exchange(text, block, "self.norm2(self", "self.norm1(self"))
        yield "name", (text := exchange(text, block, "F.relu(self.norm1(self.conv2", "F.relu(self.norm2(self.conv2"))
        yield "bracket left open", (text := exchange(text, block, "return self.head(x)", "return self.head(x"))
        yield "bracket closed", (text := exchange(text, block, "return self.head(x", "return self.head(x)"))
        yield "size", (text := exchange(text, block, "padding=2)", "padding=1)"))


def insert(text: str, at: int, new: str) -> str:
    """A text with something added."""
    return text[:at] + new + text[at:]


def exchange(text: str, at: int, old: str, new: str) -> str:
    """A text with the first ``old`` behind a place exchanged."""
    place = text.index(old, at)
    return text[:place] + new + text[place + len(old) :]


def settle(client: Client, uri: str) -> None:
    """Wait until the analysis process has nothing left to do."""
    client.pull(uri)
    client.request("workspace/executeCommand", {"command": "dllint.printProgram", "arguments": [uri]})


def cpu_seconds(processes: list[int]) -> float:
    """User and system time that processes have used so far."""
    return sum(time.clock_gettime((~process << 3) | 2) for process in processes)


def children(process: int) -> list[int]:
    """The processes that a process has started."""
    return [int(number) for number in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


def summary(walls: list[float]) -> dict[str, float]:
    """Median, 95th percentile and worst of some milliseconds."""
    ordered = sorted(walls)
    return {
        "p50_ms": round(statistics.median(ordered), 1),
        "p95_ms": round(ordered[min(int(len(ordered) * 0.95), len(ordered) - 1)], 1),
        "worst_ms": round(ordered[-1], 1),
    }


if __name__ == "__main__":
    run("edits", __doc__, measure, lines=1_000, rounds=8)
