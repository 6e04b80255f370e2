"""The fix gate: an edit is offered only if analysing the edited text proves that it repairs its finding and harms nothing.

The conditions are:

1. the file parses, as it did before;
2. the finding's condition is *proved false*, not merely unknown: the operation is performed again at its place, its operands
   are known to the extent they were, and the fault is gone (where the edit rewrites the operation itself, the program still
   runs through its entry);
3. no finding has appeared that was not there before;
4. no fewer shapes and types are known than before.

Each trial analyses the whole file. Up to three fixes of a file are tried one by one. More are tried together; if that fails,
those that did not repair their finding are set apart and the rest is halved. The number of trials is limited by the length of
the text and the number of its findings and operations; fixes that are not tried within it are not offered. Where one trial is
too much work, none is made, and a notice says so.

An editor shows findings before their fixes are proved: ``Session.analyser(path).analyse(document)`` gives an ``Analysis`` whose
findings carry candidates, and ``Session.fixes_for(analysis, finding)`` those of one finding that pass the gate, when a code
action is asked for. The result is remembered on the analysis. It must be asked for before the next text of the file is
analysed; a trial leaves the memo of the file unchanged.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final

from dllint.edit import Applicability, Fix, apply_edits
from dllint.engine.analysis import Analysis
from dllint.engine.dispatch import Raw
from dllint.engine.edits import Places, Taken, edits_by_path
from dllint.engine.failing import crash
from dllint.engine.results import Notice
from dllint.engine.trial import Shown, Trial
from dllint.source.document import Document

Analyse = Callable[[Document], Analysis]
Candidate = tuple[Raw, Fix]
#: Up to this many fixes of a file are each tried alone; more are tried together and split where that fails.
_TRIED_ALONE: Final = 3
#: Characters that are analysed to try the fixes of one text, and the least number of trials. A finding in the text is as much
#: work as so many characters, and so is an operation of its programs.
_MOST_CHARACTERS: Final = 1_500_000
_LEAST_TRIALS: Final = 2
_FINDING: Final = 100
_OPERATION: Final = 100
#: A text that is more work is analysed only once.
_LARGEST: Final = 1_000_000


@dataclass(slots=True)
class Outcome:
    """The result of a trial: the fixes that repaired their findings, those that did not, and whether the conditions hold."""

    repaired: list[Candidate] = field(default_factory=list)
    failed: list[Candidate] = field(default_factory=list)
    passes: bool = False
    #: What the edited text shows; ``None`` if it was not analysed.
    after: Analysis | None = None


@dataclass
class Gate:
    """Tries the fixes of one analysed file; ``analyse`` analyses an edited document from its text. ``failures`` tell of
    fixes that could not be tried: such a fix does not pass, and keeps no other from it."""

    before: Analysis
    analyse: Analyse
    failures: list[Notice] = field(default_factory=list)
    _tried: int = 0

    def approve(self, raws: Sequence[Raw]) -> list[Raw]:
        """The findings with those of their fixes that pass; sketches (``DISPLAY``) are never applied and need no proof."""
        candidates = [(raw, fix) for raw in raws for fix in raw.finding.fixes if fix.applicability is not Applicability.DISPLAY]
        if candidates and self._work > _LARGEST:
            message = "its fixes were not tried, so none is offered: that is too much work for a text of this size"
            self.failures.append(Notice("incomplete", self.before.document.path, message))
            approved = set[int]()
        elif len(candidates) <= _TRIED_ALONE:
            approved = {id(fix) for raw, fix in candidates if self.passes([(raw, fix)])}
        else:
            approved = {id(fix) for _, fix in self._approve_together(candidates)}
        return [_keep_fixes(raw, approved) for raw in raws]

    def passes(self, pairs: Sequence[Candidate]) -> bool:
        """Whether some fixes, applied together, repair their findings and harm nothing."""
        return self._outcome(pairs).passes

    def after(self, raw: Raw, fix: Fix, others: Sequence[Raw] = ()) -> Analysis | None:
        """What the text shows after a fix that passes and repairs some other findings, too; ``None`` if it does not."""
        outcome = self._outcome([(raw, fix), *((other, fix) for other in others)])
        return outcome.after if outcome.passes else None

    @property
    def is_spent(self) -> bool:
        """Whether no more trials may be made, or one would be too much work."""
        return self._work > _LARGEST or self._tried >= self._most_trials

    def _approve_together(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        """The fixes among some that pass the gate together."""
        approved: list[Candidate] = []
        waiting = [list(candidates)]
        while waiting and self._tried < self._most_trials:
            group = waiting.pop()
            first, others = _first_fixes(group)
            outcome = self._outcome(first)
            if outcome.passes:
                approved += first
                waiting += [others] if others else []
            elif len(group) > 1:
                waiting += reversed(_parts(group, outcome))
        return approved

    def _outcome(self, pairs: Sequence[Candidate]) -> Outcome:
        self._tried += 1
        try:
            return self._tried_together(pairs)
        except Exception as error:
            if len(pairs) == 1:
                finding = pairs[0][0].finding
                what = f"the fix of {finding.code} in line {finding.location.span.first.line} could not be tried"
                self.failures.append(crash(self.before.document.path, what, error))
            return Outcome()

    def _tried_together(self, pairs: Sequence[Candidate]) -> Outcome:
        document = self.before.document
        edits = edits_by_path(list({id(fix): fix for _, fix in pairs}.values()))
        if list(edits) != [document.path]:
            return Outcome()
        own = edits[document.path]
        edited = document.edit(apply_edits(document.text, own))
        if document.problem or edited.problem:
            return Outcome()
        after = self.analyse(edited)
        trial = Trial(self._shown, Shown(after), Places(document.path, own))
        outcome = Outcome(after=after)
        for pair in pairs:
            (outcome.repaired if trial.repairs(pair[0]) else outcome.failed).append(pair)
        sound = len(after.notices) <= len(self.before.notices) and len(after.cut) <= len(self.before.cut)
        outcome.passes = sound and not outcome.failed and trial.is_harmless
        return outcome

    @cached_property
    def _shown(self) -> Shown:
        return Shown(self.before)

    @property
    def _most_trials(self) -> int:
        return max(_LEAST_TRIALS, _MOST_CHARACTERS // (self._work + 1))

    @cached_property
    def _work(self) -> int:
        """What one trial costs, in characters."""
        operations = sum(len(program.ops) for program in self.before.programs)
        return len(self.before.document.text) + _FINDING * len(self.before.raws) + _OPERATION * operations


def _first_fixes(candidates: Sequence[Candidate]) -> tuple[list[Candidate], list[Candidate]]:
    """One fix per finding, none of whose edits overlap, and the others."""
    chosen: list[Candidate] = []
    others: list[Candidate] = []
    taken, raws = Taken(), set[int]()
    for raw, fix in candidates:
        if id(raw) not in raws and taken.have_room_for(fix.edits):
            chosen.append((raw, fix))
            taken.add(fix.edits)
            raws.add(id(raw))
        else:
            others.append((raw, fix))
    return chosen, others


def _parts(group: list[Candidate], outcome: Outcome) -> list[list[Candidate]]:
    """A group that did not pass in two: without those that repaired nothing, if that makes a difference."""
    failed = {id(fix) for _, fix in outcome.failed}
    if outcome.repaired and failed:
        return [[pair for pair in group if id(pair[1]) not in failed], outcome.failed]
    middle = len(group) // 2
    return [group[:middle], group[middle:]]


def _keep_fixes(raw: Raw, approved: set[int]) -> Raw:
    fixes = tuple(fix for fix in raw.finding.fixes if fix.applicability is Applicability.DISPLAY or id(fix) in approved)
    return replace(raw, finding=replace(raw.finding, fixes=fixes))
