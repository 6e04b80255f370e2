"""The whole search: gate, splitting, acquittal, confirmation on other samples, isolation, repair, on to the next culprit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from dllint.bisection.bench import Bench
from dllint.bisection.protocols import HasOptimisers, RunsSegments
from dllint.bisection.result import Acquitted, Bisection, Culprit, Cut, Verdict
from dllint.bisection.search import isolation
from dllint.bisection.search.acquittal import acquitted
from dllint.bisection.search.errors import Errors, errors_of, wrong_pairs
from dllint.bisection.search.gate import gate
from dllint.bisection.search.groups import shares
from dllint.bisection.search.optimisers import Optimisers
from dllint.bisection.search.probable import looked_into, probable, samples_needed
from dllint.bisection.search.repair import repaired
from dllint.bisection.search.settings import Certainty
from dllint.bisection.search.splitting import Fall, Splitting
from dllint.bisection.search.watching import UNTAPPED, WATCHED, Look, Watcher
from dllint.bisection.steps import POSTPROCESS, PREPROCESS, Profile, Step
from dllint.bisection.trials import DEPLOYED, NOTHING, Part, Put, Trials

#: So often culprits are repaired and others looked for behind them.
_ROUNDS: Final = 6
#: Where single operators explain less of the drop, groups of operators are tested.
_EXPLAINED: Final = 0.5
#: Where every operator rounds, a smaller share of the drop is put down to that.
_ROUNDING: Final = 0.15
#: Runs of each injection of a candidate that is not deterministic.
_REPEATS: Final = 4

Progress = Callable[[str], None]


class Search:
    """One bisection; ``progress`` is told in a few words what is being done."""

    def __init__(self, bench: Bench, trials: Trials, steps: Sequence[Step], certainty: Certainty, progress: Progress) -> None:
        self._bench = bench
        self._trials = trials
        self._steps = list(steps)
        self._certainty = certainty
        self._progress = progress
        self._alpha = certainty.per_test(len(steps))
        self._watcher = Watcher(bench, steps, trials.size(Part.ALL))
        bench.add(isolation.ORIGIN, partial(isolation.isolated, bench))
        self._errors = Errors()

    def run(self) -> Bisection:
        """The result; raises :class:`~dllint.bisection.errors.BisectionError` where there is nothing to judge by."""
        self._progress("comparing the two metrics")
        profile = Profile(self._steps)
        look = self._watcher.look()
        if self._trials.agreed(look.random):
            self._trials.repeat(_REPEATS)
        changed = self._trials.agreed(look.unwatched_differs)
        deployed = self._watcher.outputs(UNTAPPED) if changed else profile.whole
        found = gate(self._trials, profile, deployed, self._certainty)
        self._tell(found, look)
        if found.verdict is Verdict.CULPRITS and not (changed and self._vanishes(found)):
            self._culprits(found, profile)
        if looked_into(found) and found.verdict is not Verdict.VANISHES_WHEN_OBSERVED:
            self._probable(found)
        guilty = {step for culprit in found.culprits for step in culprit.steps}
        found.harmless = [] if look.random else [step for step in look.differing if step not in guilty]
        found.cuts = self._cuts(profile)
        found.evaluations = self._trials.evaluations
        return found

    def _probable(self, found: Bisection) -> None:
        """What could be at fault, and how many samples would tell."""
        self._progress("ranking what may be at fault")
        errors = self._errors
        if not errors.by_step:
            errors = errors_of(self._bench, self._steps, self._trials.size(Part.ALL))
        found.probable = probable(self._trials, self._steps, errors, 1 - self._certainty.alpha)
        found.samples_needed = samples_needed(found, self._certainty, len(self._steps))

    def _tell(self, found: Bisection, look: Look) -> None:
        if look.not_finite is not None:
            found.notes.append(f"`{look.not_finite.name}` is the first with values that are not finite; the reference's are")
        if look.random:
            found.notes.append(f"the candidate is not deterministic: each run was made {_REPEATS} times and its mean judged")

    def _vanishes(self, found: Bisection) -> bool:
        """Whether the metric recovers once intermediate values are observed; optimisers of the graph are tried then."""
        watched, plain = self._watcher.outputs(WATCHED), self._watcher.outputs(UNTAPPED)
        recovery = self._trials.contrast(plain, watched, Part.ALL)
        if not recovery.rises(self._certainty.alpha) or recovery.difference < -0.5 * found.contrast.difference:
            found.notes.append("watching values changes the outputs a little, the metric hardly")
            return False
        found.verdict = Verdict.VANISHES_WHEN_OBSERVED
        candidate = self._bench.candidate
        if isinstance(candidate, HasOptimisers):
            self._progress("switching optimisers off")
            found.notes += Optimisers(self._bench, self._trials, candidate, self._certainty.alpha).blame()
        return True

    def _culprits(self, found: Bisection, profile: Profile) -> None:
        self._progress("running the operators one by one")
        size = self._trials.size(Part.ALL)
        self._errors = errors_of(self._bench, self._steps, size)
        wrong = wrong_pairs(self._bench, self._steps, self._errors, size)
        if wrong:
            names = ", ".join(f"`{step.name}`" for step in wrong)
            found.notes.append(
                f"the two sides keep {names} in another way; operators behind are compared from further in front"
            )
        self._steps = [step for step in self._steps if step not in wrong]
        profile = profile.without(wrong)
        for _ in range(_ROUNDS):
            fresh = self._round(found, profile)
            found.culprits += fresh
            if not fresh or not self._can_repair([step for culprit in found.culprits for step in culprit.steps]):
                break
            steps = [step for culprit in found.culprits for step in culprit.steps]
            self._progress(f"repairing {', '.join(step.name for step in steps)}")
            profile = repaired(self._bench, self._steps, steps)
            rest = self._trials.contrast(NOTHING, profile.whole, Part.ALL)
            if not rest.drops(self._certainty.alpha, max(self._certainty.margin, self._tolerated(found))):
                found.culprits = [replace(culprit, necessary=True) for culprit in found.culprits]
                break
        self._conclude(found)

    def _round(self, found: Bisection, profile: Profile) -> list[Culprit]:
        """The culprits of one observation, in the order of the graph."""
        known = {step for culprit in found.culprits for step in culprit.steps}
        profile = profile.without([fall.step for fall in found.acquitted])
        while True:
            guides, tolerance = self._errors.guides(profile.steps), self._tolerated(found)
            splitting = Splitting(self._trials, profile, self._alpha, found.smallest_visible_drop, guides, tolerance)
            falls = splitting.falls(0, len(profile.steps))
            undone = self._acquitted(profile, falls)
            found.acquitted += undone
            if not undone:
                break
            profile = profile.without([fall.step for fall in undone])
        fresh = [fall for fall in falls if not known.issuperset(profile.steps[fall.left : fall.right])]
        culprits = [self._confirmed(profile, fall, found, len(fresh)) for fall in fresh]
        return self._singled_out([culprit for culprit in culprits if culprit is not None], found)

    def _tolerated(self, found: Bisection) -> float:
        """Where every operator rounds, what a row of them may cost without being looked into."""
        return -_ROUNDING * found.contrast.difference if self._errors.rounded else 0.0

    def _singled_out(self, culprits: list[Culprit], found: Bisection) -> list[Culprit]:
        """Without those that round as all operators do and cost little, and rows beside operators that explain the drop."""
        kept = [culprit for culprit in culprits if len(culprit.steps) > 1 or self._guilty(culprit)]
        single = [culprit for culprit in (*found.culprits, *kept) if len(culprit.steps) == 1]
        if self._errors.rounded or sum(culprit.share for culprit in single) >= _EXPLAINED:
            kept = [culprit for culprit in kept if len(culprit.steps) == 1]
        for culprit in culprits:
            if culprit not in kept:
                name, drop = culprit.steps[-1].name, -culprit.contrast.difference
                found.notes.append(
                    f"up to `{name}` another {drop:.4g} is lost, without an operator that differs more than others"
                )
        return kept

    def _guilty(self, culprit: Culprit) -> bool:
        """Whether an operator is wrong by itself, or costs much though it only rounds as the others do."""
        step = culprit.steps[-1]
        return not self._errors.rounded or self._errors.stands_out(step) or culprit.share >= _EXPLAINED

    def _acquitted(self, profile: Profile, falls: Sequence[Fall]) -> list[Acquitted]:
        found = [acquitted(self._trials, self._bench.graph, profile, fall, self._alpha) for fall in falls]
        return [acquittal for acquittal in found if acquittal is not None]

    def _confirmed(self, profile: Profile, fall: Fall, found: Bisection, tests: int) -> Culprit | None:
        """The culprit of a fall, measured on samples that it was not found with."""
        before, after = profile.at(fall.left), profile.at(fall.right)
        contrast = self._trials.contrast(before, after, Part.CONFIRM, 1 - self._certainty.alpha)
        if not contrast.drops(self._certainty.alpha / tests):
            name = profile.steps[fall.right - 1].name
            found.notes.append(f"`{name}` lowers the metric on one half of the samples only; more samples would tell")
            return None
        steps = tuple(profile.steps[fall.left : fall.right])
        share = contrast.difference / found.contrast.difference if found.contrast.difference else 0.0
        return Culprit(steps, contrast, share, self._sufficient(steps))

    def _sufficient(self, steps: Sequence[Step]) -> bool | None:
        """Whether the operator alone makes the reference worse; None if it cannot be run alone."""
        if len(steps) > 1 or steps[0].name == POSTPROCESS:
            return None
        nodes = steps[0].nodes
        if steps[0].name != PREPROCESS and not isinstance(self._bench.candidate, RunsSegments):
            return None
        origin = DEPLOYED if steps[0].name == PREPROCESS else isolation.ORIGIN
        self._progress(f"running {steps[0].name} alone")
        alone = frozenset(Put(node, origin) for node in nodes)
        return self._trials.contrast(NOTHING, alone, Part.CONFIRM).drops(self._certainty.alpha)

    def _can_repair(self, steps: Sequence[Step]) -> bool:
        outside = all(step.name in (PREPROCESS, POSTPROCESS) for step in steps)
        return outside or isinstance(self._bench.candidate, RunsSegments)

    def _conclude(self, found: Bisection) -> None:
        single = [culprit for culprit in found.culprits if len(culprit.steps) == 1]
        located = len(found.culprits) == 1 and len(found.culprits[0].steps) < len(self._steps) / 4
        if not single and not located:
            found.verdict = Verdict.DIFFUSE
        explained = sum(culprit.share for culprit in single)
        if explained < _EXPLAINED and isinstance(self._bench.candidate, RunsSegments):
            self._progress("testing groups of operators")
            drop, level = found.contrast.difference, 1 - self._certainty.alpha
            found.shares = shares(self._bench, self._trials, self._steps, drop, level)
        if any(culprit.necessary is None for culprit in found.culprits):
            found.notes.append("that the metric recovers without these operators was not shown; others may hide behind them")

    def _cuts(self, profile: Profile) -> list[Cut]:
        """The known points of the profile of plain cuts, for the chart."""
        tried = set(self._trials.tried)
        cuts = [(cut, profile.at(cut)) for cut in range(len(profile.steps) + 1)]
        alive = [(cut, self._bench.alive(injection)) for cut, injection in cuts]
        return [Cut(cut, self._trials.seen(injection)) for cut, injection in alive if injection in tried]
