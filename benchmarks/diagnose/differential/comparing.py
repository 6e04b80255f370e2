"""In what two runs of a script differ, and what of that differs without dllint, too."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from difflib import unified_diff
from typing import Final

from benchmarks.diagnose.differential.running import Seen

_NUMBERS: Final = re.compile(r"0x[0-9a-f]+|\d+(\.\d+)?")
_MOST: Final = 5
_UNSEEN: Final = "no training step was seen; the program finished"


def differences(plain: Seen, diagnosed: Seen, *, launched: bool) -> dict[str, list[str]]:
    """What differs, by kind: ``status``, ``output``, ``errors`` (lines that are missing) and ``files``."""
    found = {
        "status": _status(plain, diagnosed, launched=launched),
        "output": _changed(plain.output.splitlines(), diagnosed.output.splitlines()),
        "errors": [f"missing: {line}" for line in _missing(plain.errors, diagnosed.errors)],
        "files": sorted(_changed_files(plain.files, diagnosed.files)),
    }
    return {kind: lines for kind, lines in found.items() if lines}


def unexplained(plain: Seen, again: Seen, diagnosed: Seen, *, launched: bool) -> dict[str, list[str]]:
    """The differences that two runs without dllint do not have: lines and files that are the same in both, and not here."""
    varying = _changed_files(plain.files, again.files)
    found = differences(plain, diagnosed, launched=launched)
    own = differences(plain, again, launched=True)
    if "files" in found:
        found["files"] = [line for line in found["files"] if line not in varying]
    for kind in ("output", "errors"):
        if kind in found and kind in own:
            # What varies by itself is compared without its numbers.
            pair = (
                (plain.output, diagnosed.output) if kind == "output" else ("\n".join(plain.errors), "\n".join(diagnosed.errors))
            )
            lines = [[_NUMBERS.sub("N", line) for line in text.splitlines()] for text in pair]
            found[kind] = _changed(*lines) if kind == "output" else list(_missing(*lines))
    return {kind: lines for kind, lines in found.items() if lines}


def _status(plain: Seen, diagnosed: Seen, *, launched: bool) -> list[str]:
    # dllint's own status: 0 and 1 for programs that end well, 2 for those that fail, whatever their own status is, and for
    # those of which it has seen no step.
    unseen = any(_UNSEEN in line for line in diagnosed.errors)
    expected = (2,) if plain.status or unseen else (0, 1)
    is_same = plain.status == diagnosed.status if launched else diagnosed.status in expected
    return [] if is_same else [f"{plain.status} by itself, {diagnosed.status} diagnosed"]


def _changed(plain: list[str], diagnosed: list[str]) -> list[str]:
    lines = [line for line in unified_diff(plain, diagnosed, "by itself", "diagnosed", lineterm="", n=0) if line[:2] != "@@"]
    return lines[2 : 2 + 2 * _MOST]


def _missing(plain: Iterable[str], diagnosed: Iterable[str]) -> list[str]:
    """Lines that are there by itself and not diagnosed, without numbers and frames of tracebacks, which may have hooks."""
    wanted, there = (Counter(_NUMBERS.sub("N", line) for line in lines if line[:1] != " ") for lines in (plain, diagnosed))
    return list((wanted - there).elements())[:_MOST]


def _changed_files(plain: dict[str, str], diagnosed: dict[str, str]) -> set[str]:
    return {
        f"{name}: {'added' if name not in plain else 'missing' if name not in diagnosed else 'other contents'}"
        for name in plain.keys() | diagnosed.keys()
        if plain.get(name) != diagnosed.get(name)
    }
