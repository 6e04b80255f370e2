"""Puts dllint and what `dllint server` imports into bundled/libs, for the platform this runs on.

The parsers of Python and of YAML are native modules, built for one Python version and platform each; their wheels for several
Python versions differ only in that module's file name, so that one folder can hold them all. numpy is left out: only the
parts of dllint that look into a running training import it. Usage: python scripts/bundle.py [PYTHON...], with versions such
as 3.12; without one, for all that the extension is published for.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

CLIENT = Path(__file__).parents[1]
LIBS = CLIENT / "bundled" / "libs"
REQUIREMENTS = CLIENT / "bundled" / "requirements.txt"
PARSER = "libcst"
#: What has wheels for each version of Python.
NATIVE = (PARSER, "pyyaml")
#: The Python versions that the bundled server runs with where it is published.
PYTHONS = ("3.11", "3.12", "3.13", "3.14")


def pip(*arguments: str) -> None:
    """Run pip without its scripts and compiled files."""
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", *arguments]
    subprocess.run(command, check=True)


def bundle(pythons: Sequence[str]) -> None:
    """Fill the folder anew, for these versions of Python."""
    shutil.rmtree(LIBS, ignore_errors=True)
    lines = [line for line in REQUIREMENTS.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    install = ("install", "--no-deps", "--no-compile", "--upgrade", "--target")
    with tempfile.TemporaryDirectory() as wheels:
        pip("wheel", "--no-deps", "--wheel-dir", wheels, str(CLIENT.parent))
        pure = [line for line in lines if not line.startswith(NATIVE)]
        pip(*install, str(LIBS), *pure, *map(str, Path(wheels).glob("*.whl")))
    for python in pythons:
        native = ("--only-binary=:all:", "--implementation", "cp", "--python-version", python)
        with tempfile.TemporaryDirectory() as folder:
            pip(*install, folder, *native, *(line for line in lines if line.startswith(NATIVE)))
            shutil.copytree(folder, LIBS, dirs_exist_ok=True)
    for surplus in (LIBS / "bin", LIBS / PARSER / "tests", LIBS / PARSER / "codemod"):
        shutil.rmtree(surplus, ignore_errors=True)


if __name__ == "__main__":
    bundle(sys.argv[1:] or PYTHONS)
