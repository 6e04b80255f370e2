"""What a fuzzer has found: counts, and each failure as a case that can be repeated."""

from __future__ import annotations

import re
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from benchmarks.results import commit, write

_ROOT: Final = Path(__file__).parents[2]
#: Where failures are written; not kept in the repository.
BUILD: Final = _ROOT / "build" / "fuzz"
_SHOWN: Final = 400
_TOLD_EVERY_S: Final = 60


@dataclass(frozen=True, slots=True)
class Trouble:
    """One thing that must not happen. ``seed`` says how its input was made, ``data`` is the input."""

    kind: str
    seed: str
    detail: str
    data: bytes = b""
    suffix: str = ".py"

    @property
    def cause(self) -> str:
        """What troubles of one cause have in common: the detail without numbers, names of files and quoted parts."""
        last = [line for line in self.detail.strip().splitlines() if line.strip()] or [""]
        text = last[-1] if self.kind in ("exception", "memory") else last[0]
        return f"{self.kind}: " + re.sub(r"\d+|'[^']*'|\"[^\"]*\"|\S+\.py", "_", text)[:160]


@dataclass(slots=True)
class Report:
    """The outcome of one subject. ``target`` is what must be reached for the figures to mean anything."""

    subject: str
    seed: int
    counts: Counter[str] = field(default_factory=Counter)
    absent: list[str] = field(default_factory=list)
    more: dict[str, Any] = field(default_factory=dict)
    troubles: list[Trouble] = field(default_factory=list)
    #: Of the code that was loaded when the run began.
    commit: str = field(default_factory=commit)
    _told: float = field(default_factory=time.monotonic)

    def add(self, trouble: Trouble) -> None:
        """Note a failure, show it and write its case."""
        self.troubles.append(trouble)
        folder = BUILD / self.subject
        folder.mkdir(parents=True, exist_ok=True)
        name = f"{len(self.troubles):04}"
        (folder / f"{name}{trouble.suffix}").write_bytes(trouble.data)
        (folder / f"{name}.txt").write_text(f"{trouble.kind}\nseed: {trouble.seed}\n{trouble.detail}\n", encoding="utf-8")
        print(f"{folder / name}{trouble.suffix}: {trouble.kind}: {trouble.seed}: {trouble.detail[-_SHOWN:]}", flush=True)

    def progress(self) -> None:
        """Say now and then how far it has come."""
        if time.monotonic() - self._told > _TOLD_EVERY_S:
            self._told = time.monotonic()
            print(f"{self.subject}: {dict(self.counts)}, {len(self.troubles)} failures", file=sys.stderr, flush=True)

    @property
    def figures(self) -> dict[str, Any]:
        """What the result file holds."""
        kinds = Counter(trouble.kind for trouble in self.troubles)
        causes = Counter(trouble.cause for trouble in self.troubles)
        return {
            "commit": self.commit,
            "seed": self.seed,
            **dict(sorted(self.counts.items())),
            **self.more,
            "failures": len(self.troubles),
            "failures by kind": dict(kinds.most_common()),
            "causes": dict(causes.most_common(20)),
            "not present": self.absent,
        }

    def finish(self, *, keep: bool) -> int:
        """Print the figures, write the result file; the exit status."""
        print({"subject": self.subject, **self.figures})
        if keep:
            print(f"written: {write(f'fuzz-{self.subject}', self.figures).name}")
        return int(bool(self.troubles))
