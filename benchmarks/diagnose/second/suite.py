"""The programs of the second suite, in the form that the runner takes."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

from benchmarks.diagnose.labels import Program, read

HOME = Path(__file__).parent
DIGEST = HOME.with_name("second.sha256")


@dataclass(frozen=True, slots=True)
class Entry:
    """What is known of a faulty program; the outputs are the last lines of a run with seed 0 on one processor core."""

    name: str
    source: str
    lines: tuple[int, ...]
    symptom: str
    repair: str
    faulty_output: str
    repaired_output: str

    @property
    def faulty(self) -> Path:
        return HOME / "faulty" / f"{self.name}.py"

    @property
    def repaired(self) -> Path:
        return HOME / "repaired" / f"{self.name}.py"


def entries() -> list[Entry]:
    """The faulty programs by name."""
    table = json.loads((HOME / "entries.json").read_text(encoding="utf-8"))
    return [Entry(name, **{**fields, "lines": tuple(fields["lines"])}) for name, fields in sorted(table.items())]


def programs(kind: str, only: str | None = None) -> list[Program]:
    """The ``faulty``, ``repaired`` or ``healthy`` programs. Lines of faulty ones carry no codes: any finding there counts."""
    lines = {entry.name: dict.fromkeys(entry.lines, ()) for entry in entries()} if kind == "faulty" else {}
    found = [read(path) for path in sorted((HOME / kind).glob("*.py")) if only is None or only in path.stem]
    return [Program(one.path, one.backend, one.uses_keras, lines.get(one.name, {}), ()) for one in found]


def digest() -> str:
    """A digest of all programs and of the table, by which a later change of the suite is told."""
    whole = hashlib.sha256()
    for path in [*sorted(HOME.rglob("*.py")), HOME / "entries.json"]:
        if path.parent != HOME or path.suffix == ".json":
            whole.update(path.relative_to(HOME).as_posix().encode() + b"\0" + path.read_bytes())
    return whole.hexdigest()
