"""The user's own function as judge: with contributions of samples, or on the outputs as a whole."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import NormalDist
from typing import Any, Final, TypeAlias

import numpy as np

from dllint.bisection.arrays import as_array
from dllint.bisection.errors import BisectionError
from dllint.bisection.judges.judge import Outcome, Outputs, Targets, chosen, joined_outputs, laid_end_to_end
from dllint.bisection.statistics.contrast import Contrast
from dllint.bisection.statistics.paired import paired_contrast

#: ``metric(outputs, targets)``: outputs are one array, or a tuple of arrays if the model has several.
Metric: TypeAlias = Callable[[Any, Any], Any]

#: Samples drawn anew from stored outputs for a metric without contributions.
_RESAMPLES: Final = 999
#: Draws on the other side of 0 that are enough to count them.
_COUNTED: Final = 20


class PerSampleJudge:
    """The metric is the mean of what each sample contributes, such as right or wrong."""

    def __init__(self, per_sample: Metric, higher_is_better: bool = True, bound: float | None = None) -> None:
        self._per_sample = per_sample
        self.higher_is_better = higher_is_better
        self.bound = bound

    def measure(self, outputs: Outputs, targets: Targets) -> Outcome:
        """Raises :class:`BisectionError` if the contributions are not one finite number per sample."""
        given = as_array(called(self._per_sample, "per_sample", outputs, targets))
        if given.dtype == bool:
            self.bound = 1.0
        contributions = given.astype(np.float64).reshape(-1)
        if contributions.size != len(targets):
            text = f"`per_sample` gave {contributions.size} numbers for {len(targets)} samples"
            raise BisectionError(text, "return one number per sample, in their order")
        if not np.isfinite(contributions).all():
            first = int(np.flatnonzero(~np.isfinite(contributions))[0])
            raise BisectionError(f"`per_sample` is {contributions[first]} for a sample", "count such a sample as wrong instead")
        return self._outcome(contributions)

    def join(self, outcomes: Sequence[Outcome]) -> Outcome:
        """The mean over all samples."""
        return self._outcome(np.concatenate([_contributions(outcome) * self._sign for outcome in outcomes]))

    def contrast(self, before: Outcome, after: Outcome, level: float) -> Contrast:
        """The paired contrast of the contributions."""
        return paired_contrast(_contributions(before), _contributions(after), level)

    @property
    def _sign(self) -> float:
        return 1.0 if self.higher_is_better else -1.0

    def _outcome(self, contributions: np.ndarray) -> Outcome:
        return Outcome(float(contributions.mean()), contributions * self._sign)


class CorpusJudge:
    """A metric of all samples together (mAP, BLEU, AUC): chance is estimated from the stored outputs, without new runs."""

    bound: float | None = None

    def __init__(self, metric: Metric, higher_is_better: bool = True, seed: int = 0) -> None:
        self._metric = metric
        self._seed = seed
        self.higher_is_better = higher_is_better

    def measure(self, outputs: Outputs, targets: Targets) -> Outcome:
        """Raises :class:`BisectionError` if the metric raises or is not a finite number."""
        return Outcome(self._value(outputs, targets), outputs=outputs, targets=targets)

    def join(self, outcomes: Sequence[Outcome]) -> Outcome:
        """The metric of all samples together."""
        kept = [(outcome.outputs or (), outcome.targets if outcome.targets is not None else ()) for outcome in outcomes]
        return self.measure(joined_outputs([outputs for outputs, _ in kept]), laid_end_to_end([t for _, t in kept]))

    def contrast(self, before: Outcome, after: Outcome, level: float) -> Contrast:
        """Both outcomes over the same samples drawn with replacement, many times."""
        first, second, targets = before.outputs or (), after.outputs or (), after.targets
        assert targets is not None, "a corpus outcome keeps its targets"
        sign = 1.0 if self.higher_is_better else -1.0
        drawn = np.array([d * sign for d in self._drawn(first, second, targets)])
        difference = (after.value - before.value) * sign
        if not drawn.size:
            return Contrast(difference, difference, difference, level, *_exact(difference), len(targets))
        tail = (1 - level) / 2
        low, high = (float(q) for q in np.quantile(drawn, [tail, 1 - tail]))
        p_drop, p_rise = _tail(drawn), _tail(-drawn)
        return Contrast(difference, low, high, level, p_drop, p_rise, len(targets))

    def _drawn(self, first: Outputs, second: Outputs, targets: Targets) -> Sequence[float]:
        if all(np.array_equal(a, b, equal_nan=True) for a, b in zip(first, second, strict=True)):
            return [0.0]
        generator = np.random.default_rng(self._seed)
        found = []
        for _ in range(_RESAMPLES):
            rows = generator.integers(len(targets), size=len(targets))
            some = chosen(targets, rows)
            try:
                after, before = (self._value(tuple(a[rows] for a in outputs), some) for outputs in (second, first))
            except BisectionError:
                continue  # a draw in which a class is missing, say, has no such metric
            found.append(after - before)
        return found

    def _value(self, outputs: Outputs, targets: Targets) -> float:
        value = float(as_array(called(self._metric, "metric", outputs, targets)))
        if not np.isfinite(value):
            raise BisectionError(f"`metric` is {value}", "make it a finite number, also for outputs that are not")
        return value


def called(function: Metric, name: str, outputs: Outputs, targets: Targets) -> Any:
    """The user's function on outputs and targets; what it raises is told as the user's own error."""
    try:
        return function(outputs[0] if len(outputs) == 1 else outputs, targets)
    except Exception as error:
        shapes = ", ".join(str(array.shape) for array in outputs)
        text = f"`{name}` raised {type(error).__name__}: {error} (outputs of shape {shapes})"
        raise BisectionError(text, f"try `{name}` on the reference's outputs first") from error


def _contributions(outcome: Outcome) -> np.ndarray:
    assert outcome.contributions is not None, "an outcome of this judge has contributions"
    return outcome.contributions


def _tail(drawn: np.ndarray) -> float:
    """The share of differences, drawn like these, that are 0 or more: by counting, or by a normal tail where that is rare."""
    counted = float((drawn >= 0).mean())
    spread = float(drawn.std())
    if counted * drawn.size >= _COUNTED or not spread:
        return counted
    return max(NormalDist().cdf(float(drawn.mean()) / spread), counted)


def _exact(difference: float) -> tuple[float, float]:
    return float(difference >= 0), float(difference <= 0)
