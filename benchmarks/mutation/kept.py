"""Trials on disk, so that a run which was ended goes on where it was."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path

from benchmarks.mutation.sampling import Drawn
from benchmarks.mutation.trials import Outcome, Verdict


class Kept:
    """Trials on disk, by file, place and change."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self, drawn: Iterable[Drawn]) -> dict[Drawn, Outcome]:
        """The last trial of each of the mutants that has been tried."""
        if not self._path.exists():
            return {}
        rows = [json.loads(line) for line in self._path.read_text(encoding="utf-8").splitlines()]
        by_key = {row["mutant"]: row["outcome"] for row in rows}
        known = {one: by_key[self._key(one)] for one in drawn if self._key(one) in by_key}
        return {one: Outcome(**{**outcome, "verdict": Verdict(outcome["verdict"])}) for one, outcome in known.items()}

    def add(self, drawn: Drawn, outcome: Outcome) -> None:
        """Write a trial behind the others."""
        row = {"mutant": self._key(drawn), "outcome": asdict(outcome)}
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")

    @staticmethod
    def _key(drawn: Drawn) -> str:
        return f"{drawn.file}:{drawn.mutant.start}:{drawn.mutant.end}:{drawn.mutant.after}"
