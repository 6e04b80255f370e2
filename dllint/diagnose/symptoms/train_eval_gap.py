"""DLX111: a model that does not do in evaluation mode what it does in training mode."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from dllint.diagnose.records import RunRecord
from dllint.diagnose.symptoms.symptom import Symptom, SymptomCheck, Threshold

_GAP: Final = Threshold(0.5, "TheDeepChecker: relative difference of the loss on the same batches")
_FELT: Final = Threshold(0.1, "own: share of the constant prediction's loss; dropout alone moves one batch by half of it")
_RECOVERED: Final = Threshold(0.5, "own: share of the gap that re-estimated statistics close")
_STEPS: Final = Threshold(50, "own: running statistics need some steps to settle at all")


class TrainEvalGap(SymptomCheck):
    """On the same training batches the loss in evaluation mode is far above that in training mode. If re-estimating the running
    statistics of batch normalisation closes the gap without touching a weight, they lag behind the weights."""

    code = "DLX111"
    name = "train-eval-inconsistency"
    symptom = "train/eval gap"

    def check(self, run: RunRecord) -> Iterator[Symptom]:
        """One report per model."""
        if max((track.steps for track in run.tracks), default=0) < _STEPS.value:
            return
        for experiment in run.experiments:
            if experiment.name == "modes" and _is_gap(experiment.values):
                yield self._found(run, experiment.model, experiment.values)

    def _found(self, run: RunRecord, model: str, values: Mapping[str, float]) -> Symptom:
        train, evaluated, recalibrated = values["train"], values["eval"], values.get("recalibrated")
        lags = recalibrated is not None and evaluated - recalibrated > _RECOVERED.value * (evaluated - train)
        message = (
            f"On the same batches the loss of {model} is {train:.4g} in training mode, but {evaluated:.4g} in evaluation mode"
        )
        kinds = ("BatchNorm",) if lags else ("BatchNorm", "Dropout")
        layer = next((layer for layer in run.layers if layer.model == model and layer.kind.startswith(kinds)), run.layer(model))
        if lags:
            message += f" ({recalibrated:.4g} with re-estimated statistics): the running statistics of batch normalisation lag"
        return self.found(
            message,
            layer.place if layer is not None else None,
            layer=layer.name if layer is not None else model,
            cause="running statistics lag" if lags else "modes differ",
            train=train,
            evaluation=evaluated,
            recalibrated=recalibrated,
        )


def _is_gap(values: Mapping[str, float]) -> bool:
    train, evaluated = values["train"], values["eval"]
    return evaluated - train > max(_GAP.value * max(abs(train), 1e-3), _FELT.value * values.get("constant", 0.0))
