"""The extension in a real workbench and browser, as often as asked: ``python -m benchmarks.editor.e2e --times 10``.

Every run starts from nothing: a fresh profile, the built ``.vsix`` installed into it, a program opened. ``repair`` sees a
finding, applies its fix and saves, ``notebook`` does so in a notebook; ``graph`` and ``summary`` show a model, fold it and go
to its lines; ``interpreter`` follows the Python extension and uses the commands; ``workspace`` checks all files, asks why,
diagnoses a script, opens the walkthrough; ``folders`` has two folders with interpreters of their own; ``crash`` kills the
server; ``untrusted`` runs the bundled server in a workspace that is not trusted. ``make e2e`` installs what that needs.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from benchmarks.results import write

ROOT = Path(__file__).parents[2]
CLIENT = ROOT / "vscode-client"
DRIVER = CLIENT / "e2e"
#: One run takes ten seconds on an idle machine; its steps wait up to 90 seconds each on a busy one.
PATIENCE_S = 300
#: The scenarios, and how the extension is built for each.
SCENARIOS: Final[dict[str, tuple[str, ...]]] = {
    "repair": (),
    "graph": (),
    "summary": (),
    "notebook": (),
    "interpreter": (),
    "workspace": (),
    "folders": (),
    "crash": (),
    "untrusted": ("--bundle",),
}


def environment() -> dict[str, str]:
    """This process's environment in which Node is found, too, if it came from the package index, and the server is the
    dllint of this working tree."""
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", "")))
    return {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT)}


def missing() -> list[str]:
    """What has to be installed before a run, in words; empty if nothing."""
    lacks = []
    if shutil.which("node", path=environment()["PATH"]) is None:
        lacks.append("Node 20")
    if not (CLIENT / "node_modules" / ".set-up").exists():
        lacks.append("the packages of vscode-client")
    if not (DRIVER / "node_modules" / ".set-up").exists():
        lacks.append("the workbench and the browser")
    return lacks


def npm(*arguments: str) -> str:
    """Run one of the client's scripts and return what it printed.

    Raises:
        RuntimeError: it failed.
    """
    command = ["npm", "run", "--silent", *arguments]
    done = subprocess.run(command, cwd=CLIENT, env=environment(), capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def build(target: Path, *options: str) -> Path:
    """Build the extension into the folder and return the ``.vsix``."""
    vsix = target.absolute() / "dllint.vsix"
    npm("package", "--", "--out", str(vsix), *options)
    return vsix


def drive(scenario: str, vsix: Path, *options: str) -> dict[str, Any]:
    """Run one of the driver's scenarios. In its report, ``steps`` has the seconds after which each was done; ``error`` is
    ``None`` if all were."""
    with tempfile.TemporaryDirectory() as directory:
        report = Path(directory) / "report.json"
        given = ("--vsix", str(vsix), "--interpreter", sys.executable, "--report", str(report))
        command = ["node", str(DRIVER / f"{scenario}.mjs"), *given, *options]
        done = subprocess.run(command, env=environment(), capture_output=True, text=True, timeout=PATIENCE_S, check=False)
        if not report.exists():
            return {"steps": {}, "error": f"the driver ended with {done.returncode}: {done.stdout}{done.stderr}"}
        value: dict[str, Any] = json.loads(report.read_text(encoding="utf-8"))
        return value


def summary(reports: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The figures of the runs of a scenario: how many were green, and how long the steps of those took (medians)."""
    green = [report for report in reports if report["error"] is None]
    failed = [index for index, report in enumerate(reports) if report["error"] is not None]
    steps = green[0]["steps"] if green else {}
    return {
        "runs": len(reports),
        "green": len(green),
        "green_in_a_row_from_the_first": failed[0] if failed else len(reports),
        "seconds": [list(report["steps"].values())[-1] for report in green],
        "median_s_after_start": {
            step: round(statistics.median(report["steps"][step] for report in green), 1) for step in steps
        },
        "errors": [reports[index]["error"] for index in failed],
    }


def machine() -> dict[str, Any]:
    """What the seconds depend on."""
    packages = json.loads((DRIVER / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    return {
        "cores": os.cpu_count(),
        "load_at_the_end": round(os.getloadavg()[0], 1),
        "code_server": packages["node_modules/code-server"]["version"],
        "playwright": packages["node_modules/playwright-core"]["version"],
    }


def main() -> int:
    """Run and record."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=10)
    parser.add_argument("--scenarios", nargs="+", choices=SCENARIOS, default=list(SCENARIOS))
    parser.add_argument("--pictures", type=Path, help="keep the pictures of the last run here and write no result")
    options = parser.parse_args()
    if lacks := missing():
        sys.exit(f"not installed: {', '.join(lacks)}; `make e2e` installs it")
    shown = ("--pictures", str(options.pictures.absolute())) if options.pictures else ()
    extensions = {name: build(CLIENT / "dist" / name, *SCENARIOS[name]) for name in options.scenarios}
    reports: dict[str, list[dict[str, Any]]] = {name: [] for name in extensions}
    for number in range(1, options.times + 1):
        for name, vsix in extensions.items():
            reports[name].append(drive(name, vsix, *shown))
            print(f"{number} {name}: {reports[name][-1]['error'] or 'green'}", flush=True)
    figures = {**machine(), "scenarios": {name: summary(runs) for name, runs in reports.items()}}
    if options.pictures is None:
        print(f"wrote {write('e2e', figures)}")
    return int(any(report["error"] for runs in reports.values() for report in runs))


if __name__ == "__main__":
    sys.exit(main())
