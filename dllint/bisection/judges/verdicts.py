"""Judges that say good or bad and nothing else: a command by its exit code, a person by answering."""

from __future__ import annotations

import hashlib
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeAlias

import numpy as np

from dllint.bisection.errors import BisectionError
from dllint.bisection.judges.judge import Outcome, Outputs, Targets, joined_outputs, laid_end_to_end
from dllint.bisection.statistics.contrast import Contrast

#: ``asked(outputs, targets)`` is True for good.
Asked: TypeAlias = Callable[[Outputs, Targets], bool]


class VerdictJudge:
    """Good is 1, bad is 0; no chance is involved, so every difference counts."""

    bound: float | None = None
    higher_is_better = True

    def __init__(self, asked: Asked) -> None:
        self._asked = asked
        self._answers: dict[str, bool] = {}

    def measure(self, outputs: Outputs, targets: Targets) -> Outcome:
        """Nobody is asked before all samples are together (:meth:`join`)."""
        return Outcome(float("nan"), outputs=outputs, targets=targets)

    def join(self, outcomes: Sequence[Outcome]) -> Outcome:
        """Ask about all samples together, once about the same outputs."""
        outputs = joined_outputs([outcome.outputs or () for outcome in outcomes])
        targets = laid_end_to_end([outcome.targets if outcome.targets is not None else () for outcome in outcomes])
        key = hashlib.sha256(b"".join(np.ascontiguousarray(array).tobytes() for array in outputs)).hexdigest()
        if key not in self._answers:
            self._answers[key] = self._asked(outputs, targets)
        return Outcome(float(self._answers[key]), outputs=outputs, targets=targets)

    def contrast(self, before: Outcome, after: Outcome, level: float) -> Contrast:
        """The difference itself."""
        difference = after.value - before.value
        samples = len(after.targets) if after.targets is not None else 0
        return Contrast(difference, difference, difference, level, float(difference >= 0), float(difference <= 0), samples)


def by_command(command: Sequence[str], seconds: float | None = None) -> Asked:
    """Runs a command on a folder with ``output_0.npy`` … and ``targets.npy``, given as its last argument; exit code 0 is good.

    The answer raises :class:`BisectionError` if the command cannot be started or runs longer than ``seconds``. Exit code
    125 means *cannot be tested*, as with ``git bisect run``, and stops the search.
    """

    def asked(outputs: Outputs, targets: Targets) -> bool:
        with tempfile.TemporaryDirectory(prefix="dllint-bisect-") as folder:
            for i, array in enumerate(outputs):
                np.save(Path(folder) / f"output_{i}.npy", array)
            np.save(Path(folder) / "targets.npy", np.asarray(targets))
            return _exit_code([*command, folder], seconds) == 0

    return asked


def _exit_code(command: Sequence[str], seconds: float | None) -> int:
    try:
        done = subprocess.run(command, timeout=seconds, check=False, capture_output=True, text=True)
    except OSError as error:
        raise BisectionError(f"the check command cannot be started: {error}", "name a program that can be run") from error
    except subprocess.TimeoutExpired as error:
        raise BisectionError(f"the check command ran longer than {seconds:g} s", "allow it more time") from error
    if done.returncode == 125:
        raise BisectionError(f"the check command cannot judge these outputs: {done.stderr.strip()[-500:]}")
    return done.returncode
