"""The reports that TorchFix expects on its fixtures, and which of them dllint makes at the same line."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchmarks.torchfix.codes import RULES

#: The check is for today's releases, of every rule, and tells hints.
CHECK: Final = (
    sys.executable, "-m", "dllint", "check", "--output-format", "json", "--isolated", "--no-cache", "--no-environment",
    "--exit-zero", "--show-hints", "--select", "ALL", "--target", "torch==2.13.0", "--target", "torchvision==0.25.0",
)  # fmt: skip
#: Fixture → why its reports are not made.
REASONS: Final[dict[str, str]] = {
    "scoped_library": "about the tests of PyTorch's own repository",
    "logsumexp": "the sums raise: they are over axis 1 of a vector, which DLT109 tells",
    "dataloader": "the data are a tensor in memory, which workers do not load faster",
    "load": "weights_only is the default since PyTorch 2.6; DLR106 tells of downloaded files only",
}


@dataclass(frozen=True, slots=True)
class Expected:
    """A report that TorchFix makes; ``file`` is relative to the fixtures."""

    file: str
    line: int
    code: str


def expected(fixtures: Path) -> list[Expected]:
    """All reports of the files of expectations."""
    found = []
    for path in sorted(fixtures.glob("*/checker/*.txt")):
        for text in path.read_text(encoding="utf-8").splitlines():
            place, code = text.split()[:2]
            found.append(Expected(str(path.with_suffix(".py").relative_to(fixtures)), int(place.split(":")[0]), code))
    return found


def told(fixtures: Path, files: Iterable[str]) -> dict[tuple[str, int], set[str]]:
    """What dllint tells of some files, by file and line."""
    command = [*CHECK, *(str(fixtures / file) for file in files)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    out: dict[tuple[str, int], set[str]] = {}
    for finding in json.loads(done.stdout):
        file = str(Path(finding["filename"]).resolve().relative_to(fixtures.resolve()))
        out.setdefault((file, finding["location"]["row"]), set()).add(finding["code"])
    return out


def missed(fixtures: Path) -> tuple[list[Expected], list[Expected]]:
    """All reports, and those that dllint does not make."""
    reports = expected(fixtures)
    found = told(fixtures, sorted({each.file for each in reports}))
    return reports, [each for each in reports if not found.get((each.file, each.line), set()) & {*RULES[each.code]}]
