"""DLX101: a number that is not finite."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

from dllint.diagnose.places import SourcePlace
from dllint.diagnose.records import NumericFault, RunRecord, TensorStats
from dllint.diagnose.symptoms.symptom import Symptom, SymptomCheck
from dllint.finding import Severity

_NAMES: Final = {"nan": "NaN", "inf": "infinite"}


class NumericalError(SymptomCheck):
    """NaN or infinity in a loss, a gradient or a weight. A value of 0 is none, and neither are masks or steps that a loss
    scaler leaves out (probes do not report these as faults)."""

    code = "DLX101"
    name = "nan-or-inf-at-runtime"
    symptom = "numerical error"
    severity = Severity.ERROR
    explains: ClassVar = ("exploding", "loss not decreasing")

    def check(self, run: RunRecord) -> Iterator[Symptom]:
        """The first fault of each track: those after it are its consequences."""
        seen = set()
        for fault in run.faults:
            if fault.track not in seen:
                seen.add(fault.track)
                yield self.found(
                    _message(fault),
                    _place(fault, run),
                    layer=fault.layer,
                    step=fault.step,
                    where=fault.where,
                    subject=fault.subject,
                    operation=fault.operation,
                    phase=fault.phase,
                    inputs_finite=fault.inputs_finite,
                    rank=fault.rank,
                )


def _place(fault: NumericFault, run: RunRecord) -> SourcePlace | None:
    track = run.track(fault.track)
    return fault.place or (track.optimizer.place if track is not None else None)


def _message(fault: NumericFault) -> str:
    value = _NAMES[fault.value]
    process = f" in rank {fault.rank}" if fault.rank is not None else ""
    if fault.where == "input":
        return f"The {fault.subject} of step {fault.step}{process} hold {value} values: every result of them is {value}, too"
    if fault.where == "weight":
        when = f"step {fault.step}{process}"
        return f"The weight {fault.subject} is no longer finite at {when}: the step before it was far too large"
    subject = "loss" if fault.where == "loss" else f"gradient of {fault.subject}"
    if fault.operation is None:
        return f"The {subject} is {value} at step {fault.step}{process}"
    given = _given(fault)
    begin = f"The {subject} is {value} at step {fault.step}{process}"
    if fault.phase == "backward":
        return f"{begin}: the derivative of this operation (`{fault.operation}`) is not finite{given}"
    return f"{begin}: `{fault.operation}` gives {value} here{given}"


def _given(fault: NumericFault) -> str:
    """The operands of the operation."""
    if not fault.inputs:
        return ""
    return f", applied to {' and '.join(_range(stats) for stats in fault.inputs[:2])}"


def _range(stats: TensorStats) -> str:
    if stats.count == 1:
        return f"{stats.minimum:g}"
    shown = f"numbers from {stats.minimum:g} to {stats.maximum:g}"
    return shown if stats.finite_share == 1 else f"{shown} and others that are not finite"
