"""Rows of a run that are kept in a file of JSON lines, so that a run that was cut can go on."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any


class Kept:
    """Rows by kind, program and seed; without a file nothing is kept."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._rows: dict[tuple[str, str, int], dict[str, Any]] = {}
        if path is not None and path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                entry = json.loads(line)
                self._rows[entry["kind"], entry["program"], entry["seed"]] = entry["row"]

    def get(self, kind: str, program: str, seed: int) -> dict[str, Any] | None:
        """The row of a program that has been run before."""
        return self._rows.get((kind, program, seed))

    def add(self, kind: str, program: str, seed: int, row: Mapping[str, Any]) -> None:
        """Keep a row; a row that is there already stays."""
        if (kind, program, seed) in self._rows:
            return
        self._rows[kind, program, seed] = dict(row)
        if self._path is not None:
            with self._path.open("a", encoding="utf-8") as stream:
                stream.write(json.dumps({"kind": kind, "program": program, "seed": seed, "row": dict(row)}) + "\n")
