"""Learning rates that were in effect."""

from __future__ import annotations

from typing import Final

from dllint.diagnose.records import RunRecord, TrackRecord

#: A rate below this share of its largest value no longer trains, and a schedule is meant to reach it at the end only.
_FADED: Final = 0.02
#: The share of the run before which it does so too early.
_EARLY: Final = 0.5


def faded_at(run: RunRecord, track: TrackRecord) -> tuple[int, float] | None:
    """The first sampled step from which on the rate stays a small share of what it was, and the rate there; ``None`` if that is
    late in the run, or never."""
    rates = [
        (step.step, rate) for step in run.steps if step.track == track.key for rate in (_rate(step.groups),) if rate is not None
    ]
    most = max((rate for _, rate in rates), default=0.0)
    faded: tuple[int, float] | None = None
    for step, rate in rates:
        if rate >= _FADED * most:
            faded = None
        elif faded is None:
            faded = step, rate
    return faded if faded is not None and faded[0] < _EARLY * track.steps else None


def _rate(groups: tuple[object, ...]) -> float | None:
    rates = [group.get("lr") for group in groups if hasattr(group, "get")]
    known = [float(rate) for rate in rates if isinstance(rate, int | float)]
    return max(known, default=None)
