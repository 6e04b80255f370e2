"""Programs are run before and after their fixes."""

from __future__ import annotations

import contextlib
import io
import warnings
from pathlib import Path
from random import Random
from typing import Any, Final

from benchmarks.fuzz.cases import Finding, Looked, run_cases
from benchmarks.fuzz.options import Options
from benchmarks.fuzz.report import Report
from benchmarks.fuzz.runnable import program
from dllint.config.discovery import Configuration
from dllint.engine.session import Session

_CLOSE: Final = {"rtol": 1e-3, "atol": 1e-3, "equal_nan": True}


def run(options: Options) -> Report:
    """Fix and run ``count`` programs: a safe fix keeps every value, and none makes a program raise."""
    return run_cases("fixes", options, look, "programs", prepare=_load)


def _load() -> None:
    import torch

    torch.set_num_threads(1)


def look(seed: str) -> Looked:
    """What a program's fixes change."""
    made = program(Random(f"fix {seed}"))
    session = Session(Configuration(isolated=True, overrides={"unsafe_fixes": made.unsafe, "target": ("torch==2.13.0",)}))
    result = session.check_bytes(Path("program.py").absolute(), made.text.encode(), fix=True)
    kind = "unsafe" if made.unsafe else "safe"
    if result.after == made.text:
        return Looked({f"{kind}: nothing fixed": 1})
    before, after = _ran(made.text), _ran(result.after)
    counts = {
        f"{kind}: fixed": 1,
        f"{kind}: fixes": result.fixed.total(),
        f"{kind}: raised before": int(isinstance(before, Exception)),
    }
    detail = _wrong(before, after, made.unsafe)
    both = f"{made.text}\n# --- fixed ---\n{result.after}".encode()
    return Looked(counts, (Finding("fix", f"{result.fixed}: {detail}", both),) if detail else ())


def _ran(text: str) -> Any:
    """What a program leaves as its result, or what it raises."""
    scope: dict[str, Any] = {"__name__": "__main__"}
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        try:
            exec(compile(text, "program.py", "exec"), scope)
        except Exception as error:
            return error
    return scope["result"]


def _wrong(before: Any, after: Any, unsafe: bool) -> str:
    """What is wrong with the result after a fix."""
    if isinstance(after, Exception):
        now = f"{type(after).__name__}: {after}"
        return f"raises {now}" if not isinstance(before, Exception) or not unsafe else ""
    if isinstance(before, Exception) or unsafe:
        return ""
    return "" if _same(before, after) else f"{before} became {after}"


def _same(before: Any, after: Any) -> bool:
    import torch

    if not isinstance(before, torch.Tensor):
        return bool(before == after)
    finite = before.detach().isfinite()
    if before.shape != after.shape or before.dtype != after.dtype:
        return False
    return bool(torch.allclose(before.detach()[finite], after.detach()[finite], **_CLOSE))
