"""A run whose results all come from the cache imports nothing of the analysis."""

from __future__ import annotations

import json
import subprocess
import sys

from tests.cli.test_cache import NET

#: Runs in a process of its own: this one has imported everything.
PROGRAM = """\
import json, sys
from dllint.cli.main import run

for given in json.loads(sys.argv[1]):
    run(given)
print(json.dumps(sorted(sys.modules)))
"""
RUNS = (
    ("check",),
    ("check", "--output-format", "concise"),
    ("check", "--output-format", "json", "--statistics"),
    ("check", "--output-format", "github", "--min-coverage", "50"),
)
#: The rooms that a cached run may use, and the only packages that are neither ours nor Python's.
ROOMS = {"cli", "config", "domains", "edit", "engine", "finding", "observation", "report", "source", "span"}
PACKAGES = {"click", "dllint"}


def test_a_cached_run_imports_nothing_of_the_analysis(dllint, project):
    (project / "net.py").write_text(NET)
    (project / "sizes.py").write_text("WIDTH = 16\n")
    expected = [dllint(*given).out for given in RUNS]
    command = [sys.executable, "-I", "-c", PROGRAM, json.dumps(RUNS)]
    bare = subprocess.run(
        [sys.executable, "-I", "-c", "import json, sys; print(json.dumps(sorted(sys.modules)))"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    assert "\n".join(printed[:-1]) + "\n" == "".join(expected)
    modules = set(json.loads(printed[-1])) - set(json.loads(bare))
    packages = {name.partition(".")[0] for name in modules} - sys.stdlib_module_names - {"__mp_main__"}
    assert packages <= PACKAGES
    ours = {name for name in modules if name.startswith("dllint.")}
    # How a graph file is told by its suffix stands beside the importers of graphs.
    assert {name for name in ours if name.startswith("dllint.lower")} <= {
        "dllint.lower", "dllint.lower.graphs", "dllint.lower.graphs.errors", "dllint.lower.graphs.formats"
    }  # fmt: skip
    assert {name.split(".")[1] for name in ours} <= {*ROOMS, "lower"}
