"""The gate: nothing is searched before it is known that the reference is right and that the candidate is worse."""

from __future__ import annotations

import numpy as np

from dllint.bisection.errors import BisectionError
from dllint.bisection.judges.verdicts import VerdictJudge
from dllint.bisection.result import Bisection, Verdict
from dllint.bisection.search.settings import Certainty
from dllint.bisection.statistics.visible import smallest_visible_drop
from dllint.bisection.steps import Profile
from dllint.bisection.trials import NOTHING, Injection, Part, Trials


def gate(trials: Trials, profile: Profile, candidate: Injection, certainty: Certainty) -> Bisection:
    """The two metrics, their contrast and a first verdict: :attr:`Verdict.CULPRITS` if there is something to look for.

    ``candidate`` stands for the candidate as it is deployed. Raises :class:`BisectionError` if the reference misses the figure
    that the user expects, or the metric is constant.
    """
    reference, deployed = (trials.outcome(injection) for injection in (NOTHING, candidate))
    _judged_good(trials, reference.value)
    _expected(reference.value, certainty)
    _not_constant(trials)
    contrast = trials.contrast(NOTHING, candidate, Part.ALL, 1 - certainty.alpha)
    half = min(trials.size(Part.SEARCH), trials.size(Part.CONFIRM))
    visible = smallest_visible_drop(contrast, half, certainty.per_test(len(profile.steps)) / 2, certainty.power)
    if contrast.non_inferior(certainty.margin) and certainty.margin > 0:
        verdict = Verdict.EQUALLY_VALID
    else:
        verdict = Verdict.CULPRITS if contrast.drops(certainty.alpha) else Verdict.NO_DROP_SEEN
    return Bisection(verdict, reference.value, deployed.value, contrast, visible, linear_sweep=len(profile.steps) + 1)


def _judged_good(trials: Trials, value: float) -> None:
    if isinstance(trials.judge, VerdictJudge) and not value:
        raise BisectionError("the reference itself is judged as bad", "judge so that the reference's outputs are good")


def _expected(value: float, certainty: Certainty) -> None:
    if certainty.expected is not None and abs(value - certainty.expected) > certainty.slack:
        text = f"the reference reaches {value:g}, not the {certainty.expected:g} that the spec expects"
        raise BisectionError(text, "check its weights, its preparation of samples and that it is in evaluation mode")


def _not_constant(trials: Trials) -> None:
    """A metric that gives the same for every sample and for foreign targets judges nothing."""
    contributions = trials.outcome(NOTHING).contributions
    if contributions is not None and np.ptp(contributions) > 0:
        return
    if trials.constant():
        text = f"the metric is {trials.outcome(NOTHING).value:g} whatever the outputs are"
        raise BisectionError(text, "a metric has to depend on the outputs and the targets")
