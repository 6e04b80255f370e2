"""Models of installed libraries: the shape that dllint tells of their outputs, against the libraries themselves.

    python -m benchmarks.installed --peers DIR [--only timm] [--show]

``DIR`` is a directory of installed packages, as ``pip install --no-deps --target DIR timm segmentation_models_pytorch …`` makes
it. From each library's own list, models are drawn with a committed seed (``DRAWS``); a program of three lines makes one and
applies it to random input. The truth is the library on torch's meta device, in a process of its own; dllint reads the same
files as the packages of an environment, and nothing else. ``exact``: the same shape; ``unknown``: some size is not known;
``WRONG``: another one (status 1). ``told``: errors and warnings about these programs, all of which run.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from benchmarks import results
from dllint.config.discovery import Configuration
from dllint.config.environments import Environments
from dllint.engine.coverage import coverage_of
from dllint.engine.session import Session
from dllint.finding import Severity
from dllint.ir.program import TensorVal
from dllint.lower.document import lower_document
from dllint.lower.options import Options
from dllint.source.document import Document
from dllint.source.workspace import Workspace

SEED: Final = 16
#: How many models are drawn of each library.
DRAWS: Final = {
    "timm": 40,
    "transformers": 25,
    "segmentation_models_pytorch": 10,
    "torchvision": 15,
    "torchvision.segmentation": 6,
    "diffusers": 10,
}


@dataclass
class Measured:
    """The verdicts on the drawn models of one library."""

    skipped: int
    rows: list[dict[str, Any]] = field(default_factory=list)

    def to_data(self) -> dict[str, Any]:
        """The figures, with what is not exact by name."""
        verdicts = Counter(row["verdict"] for row in self.rows)
        seconds = sorted(row["seconds"] for row in self.rows)
        return {
            "drawn": len(self.rows),
            "passed over": self.skipped,
            **verdicts,
            "told": sum(row["told"] for row in self.rows),
            "median CPU seconds": seconds[len(seconds) // 2] if seconds else 0,
            "most CPU seconds": seconds[-1] if seconds else 0,
            "not exact": {row["name"]: row["inferred"] for row in self.rows if row["verdict"] != "exact"},
        }


def main() -> None:
    """Measure the libraries that are installed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", type=Path, required=True, help="directory of installed packages")
    parser.add_argument("--only", choices=DRAWS, action="append", help="a library (repeatable)")
    parser.add_argument("--count", type=int, help="draw so many of each instead")
    parser.add_argument("--seed", type=int, default=SEED, help="draw with another seed")
    parser.add_argument("--truth", type=Path, help="directory where what the libraries have answered is kept")
    parser.add_argument("--match", default="", help="only models whose name contains this")
    parser.add_argument("--show", action="store_true", help="why shapes are not known")
    parser.add_argument("--write", action="store_true", help="write the result file")
    options = parser.parse_args()
    figures: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        environment = _environment(Path(folder), options.peers.absolute())
        for library in options.only or DRAWS:
            count = options.count or DRAWS[library]
            drawn = _kept(options.truth, library, count, options.seed, options.peers)
            if drawn is None:
                print(f"{library}: not present")
                continue
            skipped, *models = drawn
            measured = Measured(skipped)
            for model in (model for model in models if options.match in model["name"]):
                measured.rows.append(_verdict(model, Path(folder), environment, show=options.show))
            figures[library] = measured.to_data()
            print(f"{library}: {json.dumps({key: value for key, value in figures[library].items() if key != 'not exact'})}\n")
    if options.write:
        name = "installed" if options.seed == SEED else f"installed-{options.seed}"
        print("written:", results.write(name, {"seed": options.seed, **figures}))
    sys.exit(any(figure.get("WRONG") or figure["told"] for figure in figures.values()))


def _environment(folder: Path, packages: Path) -> Path:
    """A virtual environment whose packages are those of a directory."""
    environment = folder / "environment"
    library = environment / "lib" / f"python3.{sys.version_info.minor}"
    library.mkdir(parents=True)
    (environment / "pyvenv.cfg").write_text("home = /nowhere\n")
    (library / "site-packages").symlink_to(packages)
    return environment


def _kept(folder: Path | None, library: str, count: int, seed: int, packages: Path) -> list[Any] | None:
    """What was drawn, from a file of an earlier measurement if there is one."""
    path = folder / f"{library}-{count}-{seed}.json" if folder is not None else None
    if path is not None and path.exists():
        kept: list[Any] = json.loads(path.read_text())
        return kept
    drawn = _drawn(library, count, seed, packages)
    if path is not None and drawn is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(drawn, indent=1) + "\n")
    return drawn


def _drawn(library: str, count: int, seed: int, packages: Path) -> list[Any] | None:
    """How many models were passed over, and those that were drawn; ``None`` if the library is not installed."""
    command = [sys.executable, "-m", "benchmarks.installed.truth", library, str(count), str(seed)]
    done = subprocess.run(
        command, env={**os.environ, "PYTHONPATH": str(packages.absolute())}, capture_output=True, text=True, check=False
    )
    if done.returncode:
        print(done.stderr.splitlines()[-1] if done.stderr else "")
        return None
    found: list[Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def _verdict(model: dict[str, Any], folder: Path, environment: Path, *, show: bool) -> dict[str, Any]:
    path = folder / "program.py"
    path.write_text(model["program"])
    started = time.process_time()
    inferred, reasons = _inferred(path, environment)
    seconds = round(time.process_time() - started, 2)
    session = Session(Configuration(isolated=True, environments=Environments(str(environment)), root=folder))
    told = [f for f in session.check_file(path).findings if f.severity in (Severity.ERROR, Severity.WARNING)]
    known = isinstance(inferred, list) and all(isinstance(size, int) for size in inferred)
    verdict = ("exact" if inferred == model["shape"] else "WRONG") if known else "unknown"
    print(f"{model['name']:40} {verdict:8} {inferred} {model['shape']} {seconds} s", flush=True)
    for finding in told:
        print(f"    told: {finding.code} line {finding.location.span.first.line}: {finding.message}")
    if show and verdict != "exact":
        print("   ", reasons)
    return {"name": model["name"], "verdict": verdict, "inferred": inferred, "told": len(told), "seconds": seconds}


def _inferred(path: Path, environment: Path) -> tuple[Any, Any]:
    """The shape of ``output``, and why shapes are not known."""
    found = Environments(str(environment)).of(path.parent, Configuration(isolated=True, root=path.parent).for_file(path))
    workspace = Workspace([path.parent], installed=found.roots if found is not None else ())
    lowered = lower_document(Document.from_text(path, path.read_text()), workspace, Options())
    value = lowered.module.attrs.get("output")
    reasons = coverage_of(lowered.programs[:1]).reasons.most_common(6)
    if isinstance(value, TensorVal) and isinstance(value.shape, tuple):
        return [size if isinstance(size, int) else str(size) for size in value.shape], reasons
    return repr(value), reasons


if __name__ == "__main__":
    main()
