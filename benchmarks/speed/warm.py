"""The cache: CPU seconds of a first and of a second check of one package, in cache directories of their own.

python -m benchmarks.speed.warm --peers DIR [--package timm] [--rounds 3]
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
from pathlib import Path

from benchmarks import results
from benchmarks.measure import run
from benchmarks.speed.corpus import CHECK


def main() -> None:
    """Measure, print, write ``results/speed-warm.json``."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", type=Path, required=True)
    parser.add_argument("--package", default="timm")
    parser.add_argument("--rounds", type=int, default=3, help="warm runs, of which the median counts")
    options = parser.parse_args()
    root = options.peers / f"pypi+{options.package}"
    if not root.is_dir():
        raise SystemExit(f"{root.name} is not present")
    cached = [word for word in CHECK if word != "--no-cache"]
    with tempfile.TemporaryDirectory() as directory:
        command = [*cached, "--cache-dir", directory, str(root)]
        cold = run(command)
        warm = [run(command) for _ in range(options.rounds)]
    if any(again.stdout != cold.stdout for again in warm):
        raise SystemExit("a warm run reported something else than the cold one")
    cpu = statistics.median(again.cpu_s for again in warm)
    figures = {"package": options.package, "cold_cpu_s": round(cold.cpu_s, 2), "warm_cpu_s": round(cpu, 2)}
    print(figures)
    print(f"written: {results.write('speed-warm', figures).name}")


if __name__ == "__main__":
    main()
