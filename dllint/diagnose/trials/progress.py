"""Events sent while repairs are tried: the records of ``trial-started``, ``trial-finished`` and ``verdict``."""

from __future__ import annotations

from dataclasses import dataclass

from dllint.observation import Trial


@dataclass(frozen=True, slots=True)
class TrialProgress:
    """A branch begins, or has ended. ``repair`` counts the repairs from 1, 0 is the program as it is; ``seed`` counts the seeds
    that each is tried with, from 1. ``branch`` of ``branches`` counts all that are planned so far. ``ended`` is empty while it
    runs, and ``failed`` if it left no result."""

    repair: int
    repairs: int
    seed: int
    branch: int
    branches: int
    kind: str
    message: str
    ended: str = ""
    steps: int = 0
    symptoms: tuple[str, ...] = ()
    measure: float | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of a repair of a symptom."""

    symptom: str
    kind: str
    message: str
    recommended: bool
    trial: Trial
