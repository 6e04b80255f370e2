"""DLX103: sigmoids and hyperbolic tangents at their limits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from dllint.diagnose.records import LayerSample, RunRecord
from dllint.diagnose.symptoms.symptom import Symptom, SymptomCheck, Threshold

_SHARE: Final = Threshold(0.5, "survey of tools: more than half of the units have a mean derivative below a hundredth")
_SAMPLES: Final = Threshold(3, "survey of tools: in 3 sampled steps")


class SaturatedUnits(SymptomCheck):
    """Most units of a sigmoid or a hyperbolic tangent inside the model are so far at their limits that hardly any gradient
    passes. Silent on gates, whose output is multiplied rather than given to a layer, and on the model's output."""

    code = "DLX103"
    name = "saturated-units"
    symptom = "saturated activation"

    def check(self, run: RunRecord) -> Iterator[Symptom]:
        """One report per layer: the last sampled steps decide."""
        courses: dict[str, list[tuple[int, LayerSample]]] = {}
        for step in run.steps:
            for name, sample in step.layers.items():
                if sample.units is not None and sample.units.feeds_layer:
                    courses.setdefault(name, []).append((step.step, sample))
        for name, samples in courses.items():
            last = samples[-int(_SAMPLES.value) :]
            shares = [_saturated_share(sample) for _, sample in last]
            if len(last) < _SAMPLES.value or min(shares) <= _SHARE.value:
                continue
            at, sample = last[-1]
            layer = run.layer(name)
            yield self.found(
                f"{shares[-1]:.0%} of the units of {name} are saturated: their outputs lie between "
                f"{sample.output.minimum:.3g} and {sample.output.maximum:.3g}, and hardly any gradient passes",
                layer.place if layer is not None else None,
                layer=name,
                step=at,
                share=shares[-1],
                units=sample.units.units if sample.units is not None else 0,
            )


def _saturated_share(sample: LayerSample) -> float:
    return sample.units.saturated / max(sample.units.units, 1) if sample.units is not None else 0.0
