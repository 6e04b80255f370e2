"""Result files: what was measured, on which commit."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parent / "results"


def commit() -> str:
    """The commit the working tree stands on, with ``+`` if tracked files of the package differ from it."""
    here = Path(__file__).parent.parent

    def git(*args: str) -> str:
        return subprocess.run(["git", *args], cwd=here, capture_output=True, text=True, check=False).stdout.strip()

    return git("rev-parse", "--short=12", "HEAD") + ("+" if git("status", "--porcelain", "--", "dllint") else "")


def write(name: str, figures: dict[str, Any]) -> Path:
    """Write ``benchmarks/results/<name>.json`` with the commit the figures were measured on."""
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{name}.json"
    path.write_text(json.dumps({"commit": commit(), **figures}, indent=1, sort_keys=False) + "\n", encoding="utf-8")
    return path
