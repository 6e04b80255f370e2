"""What a program does after its migration, beside what it did before."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from benchmarks.migrate.names import missing
from dllint.migrate.files import Migrated

_ROOT: Final = Path(__file__).parents[3]
_SECONDS: Final = 200
#: What says that a library does not have, or take, what the program uses.
COMPLAINT: Final = re.compile(
    r"module '(?:tensorflow|keras|tf_keras|torch(?!\._C)|torchvision)[\w.]*' has no attribute|unexpected keyword"
    r"|cannot import name '\w+' from '(?:tensorflow|keras|tf_keras|torch)"
    r"|No module named '(?:tensorflow|keras|torch)|Unrecognized keyword|[Kk]eras ?3|KerasTensor|no longer supported"
    r"|removed|not supported (?:in|by|when)|type object '\w+' has no attribute"
)
#: What the files, the network and the arguments of the machine bring about, and names that a part lacks which has failed.
ELSEWHERE: Final = frozenset({
    "FileNotFoundError", "NotFoundError", "ConnectionError", "URLError", "HTTPError", "OSError", "PermissionError",
    "SystemExit", "NameError", "UnboundLocalError", "EOFError", "NotADirectoryError", "ModuleNotFoundError",
})  # fmt: skip
_TOLERANCE: Final = 1e-4


@dataclass
class Outcome:
    """``verdict``: ``runs``, ``stops where announced``, ``fails``, or ``nothing to run``. ``outputs``: ``same``, ``differ``,
    or empty where there are none of both."""

    verdict: str
    why: list[str] = field(default_factory=list)
    outputs: str = ""
    evidence: dict[str, int] = field(default_factory=dict)


def run(program: Path, folder: Path, goal: str, mode: str, packages: Path) -> dict[str, Any]:
    """The record of a program; ``folder`` is the root of its project."""
    target = folder / f"record-{goal}-{mode}.json"
    legacy = goal == "tf2" or mode == "old"
    environment = {
        **os.environ, "KERAS_BACKEND": "tensorflow", "TF_CPP_MIN_LOG_LEVEL": "3", "MPLBACKEND": "agg", "OMP_NUM_THREADS": "1",
        "PYTHONPATH": ":".join(map(str, (_ROOT, *([packages] if legacy else []), program.parent, folder))),
        "TF_USE_LEGACY_KERAS": str(int(legacy)), "CUDA_VISIBLE_DEVICES": "",
    }  # fmt: skip
    command = [sys.executable, "-m", "benchmarks.migrate.programs.execution", str(program), str(target), goal, mode]
    try:
        subprocess.run(
            command, env=environment, cwd=folder, capture_output=True, timeout=_SECONDS, check=False, stdin=subprocess.DEVNULL
        )
    except subprocess.TimeoutExpired:
        return {"late": True, "parts": {}, "failures": [], "evidence": {}, "outputs": {}}
    if not target.exists():
        return {"died": True, "parts": {}, "failures": [], "evidence": {}, "outputs": {}}
    record: dict[str, Any] = json.loads(target.read_text(encoding="utf-8"))
    return record


def judged(goal: str, done: dict[Path, Migrated], old: dict[str, Any], new: dict[str, Any]) -> Outcome:
    """The outcome of a program by its two records."""
    told: list[str] = []
    silent: list[str] = []
    for failure in new["failures"]:
        if not counts(failure, old) or (told and failure["kind"] == "statement"):
            continue  # a program that has stopped where it was announced goes no further
        (told if is_announced(failure, goal, done) else silent).append(describe(failure))
    evidence = {name: number for name, number in new["evidence"].items() if number and name != "statements"}
    outputs = compared(old["outputs"], new["outputs"])
    if new.get("late") or new.get("died"):
        return Outcome("fails" if old["evidence"] else "nothing to run", ["no answer in time"], "", {})
    if silent or outputs == "differ":
        return Outcome("fails", silent or ["outputs differ"], outputs, evidence)
    if told:
        return Outcome("stops where announced", told, outputs, evidence)
    return Outcome("runs" if evidence else "nothing to run", [], outputs, evidence)


def counts(failure: dict[str, Any], old: dict[str, Any]) -> bool:
    """Whether a failure is one of the migration: the part ran before, or a library complains of its use."""
    if failure["type"] in ELSEWHERE and not COMPLAINT.search(failure["message"]):
        return False
    if COMPLAINT.search(failure["message"]) and failure["line"]:
        return True
    same = (failure["type"], failure["message"][:60])
    if any((each["type"], each["message"][:60]) == same for each in old["failures"]):
        return False
    return bool(old["parts"].get(failure["part"]) == "runs")


def describe(failure: dict[str, Any]) -> str:
    """A failure in one line."""
    return f"{failure['part']}, line {failure['line']}: {failure['type']}: {failure['message'][:160]}"


def is_announced(failure: dict[str, Any], goal: str, migrations: dict[Path, Migrated]) -> bool:
    """Whether the statement that fails, of whichever file of the project, has something that was listed as left."""
    program = Path(failure["file"])
    done = migrations.get(program)
    if done is None:
        return False
    text = program.read_text(encoding="utf-8")
    first, last = extent(text, failure["line"])
    if any(first <= finding.location.span.first.line <= last for finding in done.left):
        return True
    lacking = [(line, name) for line, name in missing(program, text, goal) if first <= line <= last]
    about = [words[1] for finding in done.left if len(words := finding.message.split("`")) > 1]
    return any(f"{name}.".startswith(f"{each}.") for _, name in lacking for each in about)


def extent(text: str, line: int) -> tuple[int, int]:
    """The lines of the innermost statement around a line."""
    found = (line, line)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.stmt) and not hasattr(node, "body") and node.lineno <= line <= (node.end_lineno or line):
            found = (node.lineno, node.end_lineno or line)
    return found


def compared(old: dict[str, Any], new: dict[str, Any]) -> str:
    """Whether the outputs of models are the same, of those that there are before."""
    if not old:
        return ""
    for name, values in old.items():
        other = new.get(name)
        if other is None or len(other) != len(values):
            return "differ"
        if any(abs(a - b) > _TOLERANCE * (1 + abs(a)) for a, b in zip(values, other, strict=True) if a == a):
            return "differ"
    return "same"
