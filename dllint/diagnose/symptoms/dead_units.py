"""DLX102: rectifiers that never fire."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from dllint.diagnose.records import RunRecord, UnitStats
from dllint.diagnose.symptoms.symptom import Symptom, SymptomCheck, Threshold
from dllint.finding import Severity

_POSITIONS: Final = Threshold(2048, "survey of tools: never above zero over at least 2048 samples or positions")
_SAMPLES: Final = Threshold(5, "survey of tools: and over at least 5 sampled steps")
_WARNED: Final = Threshold(0.3, "survey of tools: warn when more than 30 % of the units are dead")
_CERTAIN: Final = Threshold(0.9, "survey of tools: an error when more than 90 % are")


class DeadUnits(SymptomCheck):
    """Units of a rectifier that were never above zero in any sample: they pass on nothing and get no gradient. The share of
    zeros alone says nothing, sparse activations are healthy; and dead units in a layer that still fires are only a hint where
    the model does far better than a constant."""

    code = "DLX102"
    name = "dead-units"
    symptom = "dead node"
    is_mild = True

    def check(self, run: RunRecord) -> Iterator[Symptom]:
        """One report per layer."""
        for name, (step, units) in _latest(run).items():
            share = units.never_positive / max(units.units, 1)
            if units.seen < _POSITIONS.value or units.samples < _SAMPLES.value or share <= _WARNED.value:
                continue
            layer = run.layer(name)
            yield self.found(
                f"{units.never_positive} of {units.units} units of {name} have never been above zero "
                f"(over {units.seen} samples and positions)",
                layer.place if layer is not None else None,
                layer=name,
                step=step,
                severity=Severity.ERROR if share > _CERTAIN.value else None,
                dead=units.never_positive,
                units=units.units,
                share=share,
            )


def _latest(run: RunRecord) -> dict[str, tuple[int, UnitStats]]:
    """The newest statistics of every layer's units."""
    return {
        name: (step.step, sample.units)
        for step in run.steps
        for name, sample in step.layers.items()
        if sample.units is not None
    }
