"""Wall time of a hover asked while the server analyses a file of 5,000 lines.

python -m benchmarks.editor.hover [--lines 5000] [--rounds 10]

A small file is open and analysed. Then the large file is opened, and edited again and again; whenever its diagnostics are
being worked out, a hover in the small file is asked every few milliseconds. Only hovers that were asked and answered before
the diagnostics came are counted. Wall time says little on a machine that has other work to do; the result names the load and
the niceness the measurement ran under.
"""

from __future__ import annotations

import os
import statistics
import time
from pathlib import Path
from typing import Any

from benchmarks.editor.command import run
from tests.server.strict_client import COMMAND, Client

HEAD = "import torch\nfrom torch import nn\nimport torch.nn.functional as F\n"
BLOCK = """

class Block{n}(nn.Module):
    def __init__(self, channels={width}):
        super().__init__()
        self.conv1 = nn.Conv2d(channels, channels, 3, padding=1)
        self.norm1 = nn.BatchNorm2d(channels)
        self.conv2 = nn.Conv2d(channels, channels * 2, 3, stride=2, padding=1)
        self.norm2 = nn.BatchNorm2d(channels * 2)
        self.head = nn.Linear(channels * 2, 10)

    def forward(self, x):
        x = F.relu(self.norm1(self.conv1(x)))
        x = F.relu(self.norm2(self.conv2(x)))
        x = F.adaptive_avg_pool2d(x, 1).flatten(1)
        return self.head(x)


scores{n} = Block{n}()(torch.randn(4, {width}, 32, 32))
"""
SMALL = HEAD + BLOCK.format(n=0, width=8)
#: ``x`` in ``return self.head(x)`` of the small file.
PLACE = {"line": SMALL[: SMALL.index("self.head(x)")].count("\n"), "character": 25}
_PAUSE_SECONDS = 0.01


def large_text(lines: int) -> str:
    """A file of at least so many lines; every block is a class of its own with its own width."""
    blocks = lines // BLOCK.count("\n") + 1
    return HEAD + "".join(BLOCK.format(n=n, width=8 + n % 16) for n in range(blocks))


def measure(directory: Path, lines: int, rounds: int) -> dict[str, Any]:
    """The waiting times for hovers during the analyses of the large file: after opening it, and after each edit."""
    client = Client(COMMAND, cwd=directory)
    client.start(directory)
    small = client.open(directory / "small.py", SMALL)
    client.pull(small)
    client.request("workspace/executeCommand", {"command": "dllint.printProgram", "arguments": [small]})
    text = large_text(lines)
    large = client.open(directory / "large.py", text)
    opened = during_analysis(client, small, large)
    edited: list[list[float]] = []
    for number in range(rounds):
        width = text.index("channels=8") + len("channels=")
        line = text[:width].count("\n")
        column = width - text.rindex("\n", 0, width) - 1
        client.edit(large, 2 + number, (line, column), (line, column + 1), "89"[number % 2])
        edited.append(during_analysis(client, small, large))
    client.stop()
    return {
        "lines": text.count("\n"),
        "load_average": round(os.getloadavg()[0], 1),
        "niceness": os.nice(0),
        "opening": summary([opened]),
        "edits": summary(edited),
    }


def during_analysis(client: Client, small: str, large: str) -> list[float]:
    """Seconds that each hover took while the large file was being analysed."""
    pulled = client.ask("textDocument/diagnostic", {"textDocument": {"uri": large}})
    taken: list[float] = []
    while True:
        start = time.perf_counter()
        answer = client.request("textDocument/hover", {"textDocument": {"uri": small}, "position": PLACE})
        wall = time.perf_counter() - start
        assert "x: f32[4, 16]" in answer["contents"]["value"]
        if any(message.get("id") == pulled and "method" not in message for message in client.messages):
            return taken
        taken.append(wall)
        time.sleep(_PAUSE_SECONDS)


def summary(rounds: list[list[float]]) -> dict[str, Any]:
    """Milliseconds over all rounds, and how long the analyses took in which they were counted."""
    walls = sorted(1000 * wall for taken in rounds for wall in taken)
    if not walls:
        return {"hovers": 0}
    return {
        "hovers": len(walls),
        "p50_ms": round(statistics.median(walls), 1),
        "p95_ms": round(walls[int(len(walls) * 0.95) - 1], 1),
        "worst_ms": round(walls[-1], 1),
    }


if __name__ == "__main__":
    run("hover", __doc__, measure, lines=5_000, rounds=10)
