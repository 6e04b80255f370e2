"""DLX103: sigmoids and hyperbolic tangents at their limits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from dllint.diagnose.learning import courses, is_beaten_by
from dllint.diagnose.records import LayerSample, RunRecord
from dllint.diagnose.symptoms.symptom import Symptom, SymptomCheck, Threshold

_SHARE: Final = Threshold(0.5, "survey of tools: more than half of the units have a mean derivative below a hundredth")
_SAMPLES: Final = Threshold(3, "survey of tools: in 3 sampled steps")
_SLOPE: Final = Threshold(
    0.1, "own: the mean derivative of a layer as a share of the largest one; TheDeepChecker's outputs above 0.85 have 0.28"
)


class SaturatedUnits(SymptomCheck):
    """Most units of a sigmoid or a hyperbolic tangent inside the model are so far at their limits that hardly any gradient
    passes. Of a model that learns less than a simple one, it is enough that a layer passes on little from the first step to the
    last. Silent on gates, whose output is multiplied rather than given to a layer, and on the model's output."""

    code = "DLX103"
    name = "saturated-units"
    symptom = "saturated activation"

    def check(self, run: RunRecord) -> Iterator[Symptom]:
        """One report per layer: the last sampled steps decide."""
        samples: dict[str, list[tuple[int, LayerSample]]] = {}
        for step in run.steps:
            for name, sample in step.layers.items():
                if sample.units is not None and sample.units.feeds_layer:
                    samples.setdefault(name, []).append((step.step, sample))
        fails = any(map(is_beaten_by, run.baselines)) or any(course.is_stuck for course in courses(run))
        for name, seen in samples.items():
            what = _what([sample for _, sample in seen], fails=fails)
            if what is None:
                continue
            at, sample = seen[-1]
            layer = run.layer(name)
            yield self.found(
                f"{what.format(name)}: outputs lie between {sample.output.minimum:.3g} and {sample.output.maximum:.3g}, and "
                "hardly any gradient passes",
                layer.place if layer is not None else None,
                layer=name,
                step=at,
                share=_saturated_share(sample),
                slope=_slope(sample),
                units=sample.units.units if sample.units is not None else 0,
            )


def _what(samples: Sequence[LayerSample], *, fails: bool) -> str | None:
    """The message about a layer, with a gap for its name."""
    last = samples[-int(_SAMPLES.value) :]
    if len(last) < _SAMPLES.value:
        return None
    if min(map(_saturated_share, last)) > _SHARE.value:
        return f"{_saturated_share(last[-1]):.0%} of the units of {{}} are saturated"
    if fails and all(_slope(sample) < _SLOPE.value for sample in (samples[0], *last)):
        return f"The units of {{}} are near their limits from the start: their slope is {_slope(last[-1]):.1%} of the largest"
    return None


def _saturated_share(sample: LayerSample) -> float:
    return sample.units.saturated / max(sample.units.units, 1) if sample.units is not None else 0.0


def _slope(sample: LayerSample) -> float:
    known = sample.units.slope if sample.units is not None else None
    return known if known is not None else 1.0
