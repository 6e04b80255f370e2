"""Calls that give no tensor: they are left out where the calls are counted whose result stayed unknown."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

#: Modules of the standard library that hand on what they are given, or call it.
_HANDING_ON: Final = frozenset(
    {
        "builtins",
        "collections",
        "concurrent",
        "contextlib",
        "copy",
        "dataclasses",
        "functools",
        "heapq",
        "importlib",
        "itertools",
    }
    | {"multiprocessing", "operator", "pickle", "queue", "random", "threading", "types", "typing", "weakref"}
)
_LINES: Final = (Path(__file__).parent / "no_tensors.txt").read_text(encoding="utf-8").splitlines()
#: Libraries that draw, log, configure or serve, and names of frameworks by which something is done to a file, a process, a
#: device or a run.
_NAMES: Final = frozenset(line for line in _LINES if not line.startswith("#"))


def library_without_tensors(callee: str) -> str | None:
    """The library, or the name of a framework, by which the result of a call is no tensor; None where it may be one.

    ``callee`` is the full name of what is called, or of what gave the object whose method is called.
    """
    parts = callee.split(".")
    if parts[0] in sys.stdlib_module_names and parts[0] not in _HANDING_ON:
        return parts[0]
    starts = (".".join(parts[:count]) for count in range(1, len(parts) + 1))
    return next((start for start in starts if start in _NAMES), None)
