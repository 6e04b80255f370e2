"""``python -m benchmarks.diagnose.overhead [--device cuda:0] [--pairs N]``: writes
``benchmarks/results/diagnose-overhead.json`` (``diagnose-overhead-cuda.json`` for a GPU).

On a CPU the time is that of the processor, with one thread, so that a busy machine does not matter; on a GPU that of the clock.
"""

from __future__ import annotations

import argparse
import platform
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.diagnose.overhead.duel import duel
from benchmarks.diagnose.overhead.programs import LOADS
from benchmarks.results import write

GOAL = 0.03


def main() -> None:
    """Measure all programs and print a line for each."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.diagnose.overhead")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--pairs", type=int, default=15, help="chunks of steps with and without")
    parser.add_argument("--only", default="", help="programs whose names begin like this")
    arguments = parser.parse_args()
    figures = {}
    for load in LOADS:
        if not load.name.startswith(arguments.only):
            continue
        with tempfile.TemporaryDirectory() as folder:
            found = figures[load.name] = duel(load, Path(folder) / "train.py", arguments.device, arguments.pairs)
        print(f"{load.name}: {_line(found)}", flush=True)
    if not arguments.only:
        name = "diagnose-overhead" if arguments.device == "cpu" else "diagnose-overhead-cuda"
        machine = {"device": _device(arguments.device), "clock": "processor" if arguments.device == "cpu" else "wall"}
        print(write(name, {**machine, "goal": GOAL, "pairs": arguments.pairs, "programs": figures}))


def _line(found: dict[str, Any]) -> str:
    low, high = found["interval"]
    same = "same weights" if found["same_weights"] else "OTHER WEIGHTS"
    grown = found["memory_growth_mib"]
    return (
        f"{found['milliseconds_per_step']:.2f} ms per step, overhead {found['overhead']:+.1%} ({low:+.1%} to {high:+.1%}), "
        f"{same}, memory grew by {grown['diagnosed']} MiB ({grown['plain']} without)"
    )


def _device(name: str) -> str:
    if name == "cpu":
        return f"{platform.machine()}, 1 thread"
    import torch

    return torch.cuda.get_device_name(name)


if __name__ == "__main__":
    main()
