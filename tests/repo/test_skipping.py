"""With ``--all-installed``, as ``make test`` runs, a skipped test fails, unless it needs a GPU."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GPU = "for want of a gpu"
WAYS = {
    "in a test": "def test_x():\n    pytest.importorskip('no_such_package')\n",
    "in a fixture": "@pytest.fixture\ndef package():\n    pytest.skip('needs a package')\n\ndef test_x(package):\n    pass\n",
    "by a mark": "@pytest.mark.skipif(True, reason='needs a package')\ndef test_x():\n    pass\n",
    GPU: "@pytest.mark.gpu\n@pytest.mark.skipif(True, reason='needs a GPU')\ndef test_x():\n    pass\n",
    "as a module": "pytest.importorskip('no_such_package')\n\ndef test_x():\n    pass\n",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A test module for each way of skipping."""
    folder = tmp_path_factory.mktemp("skipping")
    (folder / "pytest.ini").write_text("[pytest]\nmarkers = gpu\n", encoding="utf-8")
    for name, text in WAYS.items():
        (folder / f"test_{name.replace(' ', '_')}.py").write_text(f"import pytest\n\n{text}", encoding="utf-8")
    return folder


def run(folder: Path, *options: str) -> list[str]:
    """The lines of a run's summary with the project's ``conftest``, one for each test that did not pass."""
    command = [sys.executable, "-m", "pytest", "-q", "-rsfE", "-p", "tests.conftest", "-p", "no:cacheprovider"]
    command += ["--rootdir", str(folder), "-c", str(folder / "pytest.ini"), str(folder), *options]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    return [line for line in done.stdout.splitlines() if line.startswith(("SKIPPED", "FAILED", "ERROR"))]


def test_what_lacks_a_package_fails_where_all_are_installed(folder: Path) -> None:
    lines = run(folder, "--all-installed", "--continue-on-collection-errors")
    for name in WAYS:
        told = [line for line in lines if f"test_{name.replace(' ', '_')}" in line]
        assert len(told) == 1, lines
        assert told[0].startswith("SKIPPED" if name == GPU else ("FAILED", "ERROR"))


def test_it_is_skipped_elsewhere(folder: Path) -> None:
    lines = run(folder)
    assert len(lines) == len(WAYS)
    assert all(line.startswith("SKIPPED") for line in lines)
