"""DLX111: a measure of evaluation is taken the wrong way round."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from dllint.diagnose.records import DecisionRecord, RunRecord
from dllint.diagnose.symptoms.symptom import Symptom, SymptomCheck, Threshold
from dllint.finding import Confidence

_TIMES: Final = Threshold(3, "own: decisions after which a training is no mere trial of the program")
#: Words in names of measures that are the better the larger, or the smaller, they are.
_RISING: Final = frozenset(
    {
        "acc",
        "accs",
        "accuracy",
        "accuracies",
        "auc",
        "auroc",
        "auprc",
        "precision",
        "recall",
        "f1",
        "iou",
        "miou",
        "jaccard",
        "dice",
        "r2",
        "bleu",
        "psnr",
        "ssim",
        "map",
        "mrr",
        "ndcg",
    }
)
_FALLING: Final = frozenset(
    {
        "loss",
        "losses",
        "error",
        "errors",
        "err",
        "mse",
        "mae",
        "rmse",
        "mape",
        "nll",
        "perplexity",
        "ppl",
        "wer",
        "cer",
        "bce",
        "crossentropy",
        "logloss",
    }
)
#: Words by which a name may mean the contrary, or something that is to be large for another reason.
_CONTRARY: Final = frozenset({"neg", "negative", "minus", "inverse", "not", "no", "one"})


class WrongDirection(SymptomCheck):
    """An early stop, a checkpoint or a schedule takes the smallest accuracy, or the largest loss, for the best. Silent where
    the name of the measure does not say which way is better, or its values contradict it (below zero)."""

    code = "DLX111"
    name = "train-eval-inconsistency"
    symptom = "measure taken the wrong way"
    confidence = Confidence.HIGH

    def check(self, run: RunRecord) -> Iterator[Symptom]:
        """One report for each object that decides."""
        for record in run.decisions:
            wanted = direction(record.measure)
            if wanted is None or wanted == record.mode or len(record.values) < _TIMES.value or not _is_plain(record):
                continue
            largest, better = ("largest", "smaller") if record.mode == "max" else ("smallest", "larger")
            yield self.found(
                f"`{record.kind}` takes the {largest} `{record.measure}` for the best, which is the better the {better} it is "
                f"(it went from {record.values[0]:.4g} to {record.values[-1]:.4g})",
                record.place,
                decider=record.kind,
                measure=record.measure,
                mode=record.mode,
                wanted=wanted,
                times=len(record.values),
            )


def direction(measure: str) -> str | None:
    """``min`` or ``max``, as far as a name says which way a measure is better."""
    spaced = re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", measure)
    words = {word for text in (measure, spaced) for word in re.split(r"[^a-z0-9]+", text.lower())}
    rises, falls = bool(words & _RISING), bool(words & _FALLING)
    if rises == falls or words & _CONTRARY:
        return None
    return "max" if rises else "min"


def _is_plain(record: DecisionRecord) -> bool:
    return min(record.values) >= 0 and max(record.values) > min(record.values)
