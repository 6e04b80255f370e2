"""Models of a Keras file before its migration under ``tf_keras`` and after it under Keras 3: the same outputs?"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

_DRIVER = Path(__file__).with_name("driver.py")
_SECONDS = 150
_TOLERANCE = 1e-4


def compared(path: Path, before: str, after: str, packages: Path) -> tuple[str, str]:
    """``same``, ``differs``, ``new fails``, ``no model``, or ``old fails`` (which compares nothing); and why."""
    with tempfile.TemporaryDirectory() as folder:
        old, why = _outputs(Path(folder), path, before, "old", packages)
        if old is None:
            return "old fails", why
        if not old:
            return "no model", ""
        new, why = _outputs(Path(folder), path, after, "new", packages)
    if new is None or len(new) < len(old):
        return "new fails", why
    for one, other in zip(old, new, strict=False):
        if one.shape != other.shape or not np.allclose(one, other, rtol=_TOLERANCE, atol=_TOLERANCE, equal_nan=True):
            return "differs", f"{one.shape} {other.shape}"
    return "same", f"{len(old)} models"


def _outputs(folder: Path, path: Path, text: str, mode: str, packages: Path) -> tuple[list[np.ndarray] | None, str]:
    program, target = folder / f"{mode}_{path.name}", folder / f"{mode}.npz"
    program.write_text(text, encoding="utf-8")
    environment = {
        **os.environ, "KERAS_BACKEND": "tensorflow", "TF_CPP_MIN_LOG_LEVEL": "3", "PYTHONPATH": f"{packages}:{path.parent}",
        "TF_USE_LEGACY_KERAS": str(int(mode == "old")), "MPLBACKEND": "agg",
    }  # fmt: skip
    command = [sys.executable, str(_DRIVER), str(program), str(target), mode]
    try:
        done = subprocess.run(
            command, env=environment, cwd=folder, capture_output=True, text=True, timeout=_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return None, "timeout"
    if not target.exists():
        return None, (done.stderr.strip().splitlines() or [""])[-1][:200]
    with np.load(target) as data:
        said = done.stderr.strip().splitlines()
        return [data[str(number)] for number in range(len(data.files))], said[-1][:200] if said else ""
