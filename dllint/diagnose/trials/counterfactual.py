"""Counterfactual trials: the run with each candidate, against the run as it was.

Every branch is the program itself with the very edits that are offered, run from its start for a bounded number of steps with
the same seeds, so on the same batches. Branches are judged by whether they show the symptom, and by a measure that does not
depend on their loss. Candidates that fail with the program's own seeds are not tried with others.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import monotonic
from typing import Final

from dllint.diagnose.causes.hypothesis import Candidate
from dllint.diagnose.launch import Program
from dllint.diagnose.monitor import Listener
from dllint.diagnose.records import RunRecord
from dllint.diagnose.symptoms.symptom import Symptom
from dllint.diagnose.termination import termination_interrupts
from dllint.diagnose.trials.branch import Branch, BranchResult, read_result
from dllint.diagnose.trials.pairs import pairs_for
from dllint.diagnose.trials.pool import Pool
from dllint.diagnose.trials.progress import TrialProgress, Verdict
from dllint.diagnose.trials.verdict import is_removed, judge
from dllint.edit import Edit, apply_edits
from dllint.finding import Severity
from dllint.observation import ALIKE, Trial

SEEDS: Final = (0, 1000, 2000)
_MOST_CANDIDATES: Final = 8
#: Steps of a branch: no fewer than these, and about these for a symptom that shows later.
_FEWEST_STEPS: Final = 80
_USUAL_STEPS: Final = 150
_AFTER: Final = 20
#: A program of no more steps than this is run to its end, where some symptoms are judged.
_WHOLE: Final = 300
#: A branch may take so many times as long as the steps took in the program itself, and some time to start.
_SLOWNESS: Final = 6.0
_START: Final = 20.0
#: Candidates for one symptom that are tried with the other seeds, too.
_MOST_SURVIVORS: Final = 3
#: The share of the time in which candidates are begun; the rest is for trying the best ones again with other seeds.
_FIRST_SHARE: Final = 0.6

AS_IS: Final = Candidate("as-is", "", (), 0.0)


@dataclass(frozen=True, slots=True)
class Setting:
    """What all branches share. ``folder`` is the one that the program was started in."""

    program: Program
    folder: str
    device: str
    read: Callable[[Path], str]


@dataclass(slots=True)
class Trials:
    """The results of trials: one for each pair of a symptom (by number) and a tried candidate, and what could not be tried.
    ``paired`` are pairs of candidates for symptoms that no single one removed. ``broken`` are candidates with which the program
    fails."""

    steps: int = 0
    paired: dict[int, list[Candidate]] = field(default_factory=dict)
    tried: dict[tuple[int, Candidate], Trial] = field(default_factory=dict)
    broken: list[Candidate] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def of(self, number: int, proposed: Sequence[Candidate]) -> list[Candidate]:
        """What a symptom may be repaired by: the candidates with which the program runs, and the pairs that were tried."""
        pairs = [pair for pair in self.paired.get(number, ()) if (number, pair) in self.tried]
        return [candidate for candidate in (*proposed, *pairs) if candidate not in self.broken]


def try_candidates(
    proposals: Sequence[tuple[Symptom, Sequence[Candidate]]],
    run: RunRecord,
    setting: Setting,
    seconds: float,
    listener: Listener,
) -> Trials:
    """Try the candidates of all symptoms, the best supported first, for at most so many seconds. An interruption (Ctrl-C,
    SIGTERM) ends the trials; what was tried by then is judged."""
    scratch = tempfile.mkdtemp(prefix="dllint-trials-")
    symptoms = [symptom for symptom, _ in proposals]
    steps = (steps_to_show(symptoms, run), steps_at_most(symptoms, run))
    experiment = _Experiment(run, setting, steps, scratch, seconds, listener)
    try:
        return experiment.run(proposals)
    finally:
        experiment.close()
        shutil.rmtree(scratch, ignore_errors=True)


def run_as_it_is(setting: Setting, steps: int, seconds: float) -> BranchResult | None:
    """How the program goes as its files are now, run apart from the user's files; ``None`` if it does not end in time."""
    scratch = tempfile.mkdtemp(prefix="dllint-trials-")
    pool = Pool(monotonic() + seconds)
    branch = _branch(setting, AS_IS, SEEDS[0], steps, seconds, scratch)
    try:
        pool.run([branch], _unheard, _unheard)
        return read_result(branch)
    finally:
        pool.close()
        shutil.rmtree(scratch, ignore_errors=True)


def _unheard(number: int, cut: bool = False) -> None:
    """A listener that ignores all events."""


def steps_to_show(symptoms: Iterable[Symptom], run: RunRecord) -> int:
    """How many steps a branch needs, so that the program as it is shows its symptoms again: short programs are run to their
    end, where much is judged; of long ones the beginning is tried first."""
    total = max((track.steps for track in run.tracks), default=0)
    wanted = _FEWEST_STEPS
    for symptom in symptoms:
        if symptom.symptom == "numerical error":
            wanted = max(wanted, (symptom.step or 0) + _AFTER)
        else:
            wanted = max(wanted, total if total <= _WHOLE else _USUAL_STEPS)
    return wanted


def steps_at_most(symptoms: Iterable[Symptom], run: RunRecord) -> int:
    """The step by which all symptoms had shown."""
    total = max((track.steps for track in run.tracks), default=0)
    return max((min((symptom.step or total) + _AFTER, total) for symptom in symptoms), default=total)


class _Experiment:
    """The branches of one run, and their results."""

    def __init__(
        self, run: RunRecord, setting: Setting, steps: tuple[int, int], scratch: str, seconds: float, listener: Listener
    ) -> None:
        self._setting = setting
        #: Steps of a branch, and how many they become if the program shows nothing in so few.
        self._steps, self._most = steps
        self._scratch = scratch
        self._listener = listener
        self._deadline = monotonic() + seconds
        self._first_until = monotonic() + _FIRST_SHARE * seconds
        done = max((track.steps for track in run.tracks), default=0)
        self._pace = _SLOWNESS * run.seconds / max(done, 1)
        self._results: dict[tuple[Candidate, int], BranchResult] = {}
        self._pool = Pool(self._deadline)
        self._count = 0
        self._planned = 0
        self._tried: list[Candidate] = []
        #: With what the program hung, as often as it did.
        self._cut: list[Candidate] = []

    def close(self) -> None:
        """End what still runs."""
        self._pool.close()

    def run(self, proposals: Sequence[tuple[Symptom, Sequence[Candidate]]]) -> Trials:
        """All rounds."""
        trials = Trials()
        self._tried = tried = _chosen(proposals)
        try:
            with termination_interrupts():
                self._run_rounds(proposals)
                trials.steps = self._steps
                self._run_pairs(proposals, trials)
        except KeyboardInterrupt:
            trials.notes.append("the trials of repairs were interrupted")
        as_is = self._as_is()
        trials.notes += self._hung()
        note = _unrepeatable(as_is, [symptom for symptom, _ in proposals])
        if note is not None:
            trials.notes.append(note)
            return trials
        for number, (symptom, proposed) in enumerate(proposals):
            self._judge(number, symptom, (*proposed, *trials.paired.get(number, ())), trials)
        untried = sum(1 for candidate in tried if (candidate, SEEDS[0]) not in self._results and candidate not in self._cut)
        if untried:
            trials.notes.append(f"there was no time to try {untried} of {len(tried)} repairs")
        return trials

    def _hung(self) -> list[str]:
        """A remark that trials had to be ended."""
        times = len(self._cut)
        return [f"{times} {'trial' if times == 1 else 'trials'} did not come to an end, and had to be ended"] if times else []

    def _run_rounds(self, proposals: Sequence[tuple[Symptom, Sequence[Candidate]]]) -> None:
        symptoms = [symptom for symptom, _ in proposals]
        self._try_all()
        as_is = self._as_is()
        if self._steps < self._most and as_is and as_is[0].ended != "error" and _unrepeatable(as_is, symptoms):
            self._steps = self._most
            self._results.clear()
            self._try_all()
        if _unrepeatable(self._as_is(), symptoms) is None:
            self._round([(AS_IS, seed) for seed in SEEDS[1:]])
            survivors = self._survivors(self._tried, proposals, self._as_is())
            self._round([(candidate, seed) for candidate in survivors for seed in SEEDS[1:]])

    def _try_all(self) -> None:
        """The program as it is and all candidates, with the program's own seeds."""
        self._round([(AS_IS, SEEDS[0]), *((candidate, SEEDS[0]) for candidate in self._tried)], self._first_until)

    def _run_pairs(self, proposals: Sequence[tuple[Symptom, Sequence[Candidate]]], trials: Trials) -> None:
        """Two repairs at once for each symptom that none has removed."""
        as_is = self._as_is()
        values = {candidate: _value(result) for candidate in self._tried if (result := self._first(candidate)) is not None}
        for number, (symptom, proposed) in enumerate(proposals):
            if symptom.severity.rank <= Severity.WARNING.rank and not self._is_solved(symptom, proposed, as_is):
                trials.paired[number] = pairs_for(proposed, values)
        paired = [(proposals[number][0], pairs) for number, pairs in trials.paired.items()]
        both = list(dict.fromkeys(pair for _, pairs in paired for pair in pairs))
        self._tried = [*self._tried, *both]
        self._round([(pair, SEEDS[0]) for pair in both])
        self._round([(pair, seed) for pair in self._survivors(both, paired, as_is) for seed in SEEDS[1:]])

    def _first(self, candidate: Candidate) -> BranchResult | None:
        """How a candidate fared with the program's own seeds; ``None`` if the program failed, or did not run."""
        result = self._results.get((candidate, SEEDS[0]))
        return result if result is not None and result.ended != "error" else None

    def _is_solved(self, symptom: Symptom, proposed: Sequence[Candidate], as_is: Sequence[BranchResult]) -> bool:
        """Whether a candidate can be recommended for a symptom, or the program as it is no longer shows it."""
        if not any(result.count(symptom.symptom) for result in as_is):
            return True
        trials = [judge(symptom, as_is, self._of(candidate), len(SEEDS)) for candidate in proposed]
        return any(trial is not None and trial.recommended for trial in trials)

    def _of(self, candidate: Candidate) -> list[BranchResult]:
        return [self._results[candidate, seed] for seed in SEEDS if (candidate, seed) in self._results]

    def _as_is(self) -> list[BranchResult]:
        return self._of(AS_IS)

    def _round(self, wanted: Sequence[tuple[Candidate, int]], until: float | None = None) -> None:
        branches = [self._branch(candidate, seed) for candidate, seed in wanted]
        first, self._planned = self._planned, self._planned + len(branches)

        def progress(number: int) -> TrialProgress:
            candidate, seed = wanted[number]
            repair = self._tried.index(candidate) + 1 if candidate is not AS_IS else 0
            place = first + number + 1
            return TrialProgress(
                repair, len(self._tried), SEEDS.index(seed) + 1, place, self._planned, candidate.kind, candidate.message
            )

        def ended(number: int, cut: bool) -> None:
            result = read_result(branches[number])
            if cut and result is None:
                self._cut.append(wanted[number][0])
            if result is not None:
                self._results[wanted[number]] = result
            self._listener("trial-finished", _finished(progress(number), result))

        self._pool.run(branches, lambda number: self._listener("trial-started", progress(number)), ended, until)

    def _branch(self, candidate: Candidate, seed: int) -> Branch:
        self._count += 1
        seconds = max(min(_START + self._pace * self._steps, self._deadline - monotonic()), 1.0)
        return _branch(self._setting, candidate, seed, self._steps, seconds, str(Path(self._scratch, str(self._count))))

    def _survivors(
        self,
        tried: Sequence[Candidate],
        proposals: Sequence[tuple[Symptom, Sequence[Candidate]]],
        as_is: Sequence[BranchResult],
    ) -> list[Candidate]:
        """The candidates to try with further seeds: for each symptom, the best of those that removed it with the program's own
        seeds."""
        kept: dict[Candidate, None] = {}
        for symptom, proposed in proposals:
            removing = [
                (candidate, value)
                for candidate in tried
                if candidate in proposed and (value := self._value_if_removed(candidate, symptom, as_is)) is not None
            ]
            best = max((value for _, value in removing), default=0.0)
            removing.sort(key=lambda entry: (entry[1] < best - ALIKE, -entry[0].score))
            kept |= dict.fromkeys(candidate for candidate, _ in removing[:_MOST_SURVIVORS])
        return list(kept)

    def _value_if_removed(self, candidate: Candidate, symptom: Symptom, as_is: Sequence[BranchResult]) -> float | None:
        """The measure that a candidate reaches; ``None`` if a symptom stays with it, or it could not be tried."""
        result = self._results.get((candidate, SEEDS[0]))
        if result is None or not is_removed(symptom, as_is, [result]):
            return None
        return _value(result)

    def _judge(self, number: int, symptom: Symptom, proposed: Sequence[Candidate], trials: Trials) -> None:
        for candidate in proposed:
            results = self._of(candidate)
            if any(result.ended == "error" for result in results):
                trials.broken.append(candidate)
                continue
            trial = judge(symptom, self._as_is(), results, len(SEEDS))
            if trial is not None:
                trials.tried[number, candidate] = trial
                self._listener("verdict", Verdict(symptom.symptom, candidate.kind, candidate.message, trial.recommended, trial))


def _value(result: BranchResult) -> float:
    return result.measure.value if result.measure is not None else 0.0


def _finished(progress: TrialProgress, result: BranchResult | None) -> TrialProgress:
    if result is None:
        return replace(progress, ended="failed")
    measure = result.measure.value if result.measure is not None else None
    symptoms = tuple(dict.fromkeys(shown.symptom for shown in result.symptoms))
    return replace(progress, ended=result.ended, steps=result.steps, symptoms=symptoms, measure=measure)


def _chosen(proposals: Sequence[tuple[Symptom, Sequence[Candidate]]]) -> list[Candidate]:
    """The candidates to try: the best supported over all symptoms."""
    scores: dict[Candidate, float] = {}
    for _, proposed in proposals:
        for candidate in proposed:
            scores[candidate] = max(scores.get(candidate, 0.0), candidate.score)
    return sorted(scores, key=lambda candidate: -scores[candidate])[:_MOST_CANDIDATES]


def _unrepeatable(as_is: Sequence[BranchResult], symptoms: Sequence[Symptom]) -> str | None:
    """Why trials say nothing: the unchanged program does not repeat its behaviour."""
    if not as_is:
        return "repairs were not tried: the program could not be run again in time"
    failed = next((result for result in as_is if result.ended == "error" and not result.symptoms), None)
    if failed is not None:
        return f"repairs were not tried: run again, the program fails ({failed.message})"
    if not any(result.count(symptom.symptom) for result in as_is for symptom in symptoms):
        return "repairs were not tried: run again for a few steps, the program does not show its symptoms"
    return None


def _branch(setting: Setting, candidate: Candidate, seed: int, steps: int, seconds: float, scratch: str) -> Branch:
    return Branch(
        setting.program.target,
        setting.program.arguments,
        setting.program.is_module,
        setting.folder,
        edited_texts(candidate.edits, setting.read, setting.folder),
        seed,
        steps,
        seconds,
        setting.device,
        scratch,
    )


def edited_texts(edits: Iterable[Edit], read: Callable[[Path], str], folder: str) -> dict[str, str]:
    """The texts of files after edits, by absolute path."""
    by_path: dict[str, list[Edit]] = {}
    for edit in edits:
        by_path.setdefault(os.path.join(folder, edit.path), []).append(edit)
    return {path: apply_edits(read(Path(path)), own) for path, own in by_path.items()}
