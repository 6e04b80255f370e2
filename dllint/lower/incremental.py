"""Incremental analysis of an edited document: steps that an edit does not affect are replayed, not executed.

The analysis is a sequence of steps that share one interpreter: one per top-level chunk, in order, then one per entry, then the
runs of variants. After an edit the shared state is set back and the sequence is run again. A step is replayed (what it wrote is
written again) if its chunk, or the subject of its entry, is the same object and it would read equal values; otherwise it is
executed. The result equals that of a fresh start.

- **Dependencies.** The policy of each field of the interpreter's records is declared with the field (``lower/state.py``).
  ``lower/recording.py`` notes reads and writes: of tables by key (``Recorded``), of logs what is looked at and added
  (``RecordedLog``). Changes of objects that earlier steps have left are noted by the journal (``RecordingJournal``), including
  permanent ones (``note_lasting``); a step also depends on which earlier steps have made such changes (``history``). A step may
  ask about the whole text (``Document.answer``); it holds as long as the answers are the same.
- **If no step is concerned**, as by an edit of a comment, nothing is set back (``lower/last_text.py``).
- **After an edit** the entries are determined anew from what the steps have called and built. A constant with an equal value
  stops the propagation of a change; a class or function of a changed chunk is a new object, so steps that use its name are
  executed.
- **Bodies** of functions and methods are exchanged (``Tree.code``) where nothing else of a definition has changed: the objects
  stay, and steps are executed that have looked at the code of one that has changed (``ir/watched.py``).
- **Halves**: an entry that makes an object and runs a method of it is two steps, as is a run of it under another setting, so
  that an edit of the method leaves the object as it is (``lower/begun.py``). Its changes of that object count for those steps
  only that have come upon it.
- **Conditions** at the top level, and checks that raise, count for what follows.
- **Modules** that are loaded are kept. Of those that rest on the text (imports in a circle) ``lower/loads.py`` tells; if
  a step that has used them cannot be replayed, they are loaded anew, and all steps that have used them are executed.
- **Each time** are executed: a step that has looked at the whole text, and one that has failed, as that is told with a place.
- **A fresh start** takes place after a change of a definition used from another file, if a limit of the whole analysis has cut
  an import short and what was loaded is not what the present text loads, and if a module to be loaded anew has changed others.
- **Places** are not part of an answer. Programs refer to a ``LiveDocument`` (``source/live.py``, ``Analysis.home``), which
  shows one version of the text after the other; unchanged chunks keep their trees.
- **Comments** and empty lines that say nothing to us are no change of a chunk (``Tree.origin``). Of a part of the text that
  does not parse, the last good tree is executed; of one that never did, the names that it may rebind are unknown.
- **Rules** are asked about new programs. For a replayed program, only rules are asked again that had a finding (it names
  places) or looked at the whole text (``Answer.again``), and those that look at code, if that has changed.
- **Interrupted work** (``checkpoint``) leaves its finished steps for the next text; what no step needs is dropped at times.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from pathlib import Path
from typing import Any, Final

from dllint.domains.lattice import Unknown
from dllint.ir.program import Program
from dllint.ir.values import ModuleVal, Value
from dllint.ir.watched import is_as_seen, listening
from dllint.lower import entries, held, last_text, modules, toplevel
from dllint.lower.begun import Begun
from dllint.lower.document import (
    Lowered,
    SharedFuel,
    begin,
    begin_half,
    guarded,
    keep,
    module_entry,
    note_cut,
    run_again,
    run_entry,
    undisturbed,
)
from dllint.lower.journal import Entry
from dllint.lower.last_instance import given_last
from dllint.lower.last_text import Between, LastText
from dllint.lower.loads import RecordedLoads
from dllint.lower.machine import Interpreter
from dllint.lower.options import Options
from dllint.lower.pending import ImportVal
from dllint.lower.recording import Recorded, RecordedFacts, RecordedLog, RecordingJournal, recorded, redo, same, undo
from dllint.lower.scopes import MISSING, NORMAL, RAISE
from dllint.lower.state import RECORDS, Budget, Policy, Run, names_of
from dllint.lower.steps import Step, Work, joined, takes, tell_needed
from dllint.lower.variants import runs
from dllint.source.chunk import Chunk, Tree
from dllint.source.document import Document
from dllint.source.in_parts import rebound
from dllint.source.live import LiveDocument
from dllint.source.workspace import Files

#: With less fuel than this left, a step (or a decorator, which gets a small part) may have been cut short.
_MARGIN: Final = 64
#: How much may be kept before what no step needs is forgotten: in multiples of what the last look has left, and at least.
_GROWTH: Final = 1.25
_LEAST_KEPT: Final = 1_000
#: Whether making an object and running its method are two steps; the answers are the same if they are one.
BY_HALVES = True
_SPENT: Final = names_of(Budget, Policy.SPENT)


class _EntangledError(Exception):
    """Modules that rest on the text have to be loaded anew."""


class IncrementalLowering:
    """A document and its programs over its edits. ``live`` is the document that the programs' places belong to."""

    def __init__(self, document: Document, workspace: Files | None, options: Options) -> None:
        self.live = LiveDocument(document)
        self._m = m = Interpreter(self.live, workspace, options)
        self._names = Recorded()
        #: The top level is one run, which is the same for all texts.
        self._top_run = m.run
        shared = [self._names, *(part for name in RECORDS for part in recorded(getattr(m, name)))]
        self._tables = [part for part in shared if isinstance(part, Recorded)]
        self._logs = [part for part in shared if isinstance(part, RecordedLog)]
        self._facts = [part for part in shared if isinstance(part, RecordedFacts)]
        state = [table for table in self._tables if table is m.trail.state]
        m.imports.library.loads = self._loads = RecordedLoads(document.path, (self._names, *state))
        m.journal = self._journal = RecordingJournal(self._facts, self._loads)
        self._module = ModuleVal("__main__", self.live, self._names)
        begin(m, self._module)
        self._base = m.frame
        self._at_first = self._held()
        self._initial = dict(dict.items(self._names))
        self._known: dict[Hashable, Step] = {}
        self._steps: dict[Hashable, Step] = {}
        self._history: tuple[int, ...] = ()
        #: By the mark of a second half that has changed what the first half had made: what others can find of that.
        self._altered: dict[int, frozenset[int]] = {}
        #: Whether what has been loaded is what a fresh start would have loaded, and in the same order.
        self._is_exact = True
        #: The modules that rest on the text; those that nothing executed may use; the steps that have used them, to come.
        self._resting: frozenset[Path] = frozenset()
        self._tied: frozenset[Path] = frozenset()
        self._row, self._executed = list[int](), 0
        #: The steps of the last text, as long as those of the present one are the same.
        self._former: list[Step] = []
        #: Whether the last text was gone through to its end; what it was then; what is looked at beside the steps.
        self._is_finished = True
        self._last: LastText | None = None
        self._between = Between()
        self._top: tuple[list[Program], Program] = ([], m.program)
        #: How much was kept when that was last looked through.
        self._size = _LEAST_KEPT

    @property
    def work(self) -> Work:
        """What the last text has cost."""
        return Work(self._executed, len(self._steps))

    @property
    def dependencies(self) -> set[tuple[Any, Any]]:
        """``(path, name)`` of the definitions that have been used."""
        return self._m.imports.dependencies

    def lower(self, document: Document) -> Lowered | None:
        """The programs of the present text; those of the last one that still hold are the same objects. ``None`` if a fresh
        start is needed, with another object. If the work is stopped from outside, what has been done until then counts the next
        time."""
        self.live.show(document)
        self._executed = 0
        with undisturbed():
            if self._last is not None and self._last.still_holds(SharedFuel(self._m).total, self.live):
                tell_needed(self.live.chunks, self._last.steps)
                return self._last.lowered
        self._last = None
        is_first, limits, before = not self._steps, self._loads.limits, self._steps
        self._former = list(before.values())
        self._is_exact &= self._is_finished
        self._resting, self._tied = self._loads.resting(), self._loads.tied()
        self._row = [step.mark for step in self._steps.values() if not self._tied.isdisjoint(step.touched)]
        with undisturbed():
            self._set_back()
            is_row_known, self._is_finished = self._is_finished, False
            lowered = self._lower_with_loaded() if is_row_known or not self._tied else None
            if lowered is None:
                self._set_back()
                if not self._load_anew():
                    return None
                lowered = self._lower()
        self._is_finished = True
        self._is_exact &= is_first or self._loads_as(before)
        self._known = {}
        self._forget_the_rest()
        lowered.state = self._history
        is_exact = self._is_exact and (is_first or self._loads.limits == limits)
        if not is_exact and self._loads.limits > 0:
            return None
        self._last = LastText.of(SharedFuel(self._m).total, self.live, lowered, self._steps.values(), self._between)
        tell_needed(self.live.chunks, self._last.steps)
        return lowered

    def _lower_with_loaded(self) -> Lowered | None:
        """The programs with all modules as they are; ``None`` if those that rest on the text have to be loaded anew."""
        try:
            return self._lower()
        except _EntangledError:
            return None

    def _lower(self) -> Lowered:
        lowered = Lowered([], self._module, self.dependencies, self._m.trail.failures)
        top: list[Step] = []
        self.live.listen()
        with listening() as (seen, _):
            self._between = Between(seen)
            self._run_module(lowered, top)
            keep(self._m.budget, lowered, self._module_program(top))
            note_cut(self._m.budget, lowered, lowered.programs[0].entry)
            self._run_entries(lowered)
        return lowered

    # --- what has been loaded from other files -----------------------------------------------------------------------

    def _ensure_loaded_so(self, step: Step, *, is_repeated: bool) -> None:
        """Behind a step: whether it would find the modules that it has used as they are if they were loaded anew.

        Raises:
            _EntangledError: they have to be loaded anew.
        """
        if self._resting.isdisjoint(step.touched):
            return
        if not self._tied.isdisjoint(step.touched) and not (is_repeated and self._row and self._row.pop(0) == step.mark):
            raise _EntangledError
        before = {
            id(table): (reads, writes) for table, reads, writes in zip(self._tables, step.reads, step.writes, strict=True)
        }
        for table, key, seen in self._loads.seen_by(self._resting.intersection(step.touched)):
            reads, writes = before[id(table)]
            if not self._reads_same(table, key, seen) or (key in writes and not same(seen, reads[key])):
                raise _EntangledError

    def _load_anew(self) -> bool:
        """Forget the modules that rest on the text, and the steps that have used them, if that can be done."""
        resting = self._loads.resting()  # with what has been loaded since the text was shown
        if not self._loads.can_forget(resting):
            return False
        self._loads.forget(resting, self._m.imports, self._m.budget)
        self._known = {key: step for key, step in self._known.items() if resting.isdisjoint(step.touched)}
        self._resting, self._tied, self._is_exact = frozenset(), frozenset(), False
        return True

    def _loads_as(self, before: dict[Hashable, Step]) -> bool:
        """Whether the steps have loaded what those of the last text had loaded, at the same time."""
        loaders = [step for step in self._steps.values() if step.has_loaded]
        return loaders == [step for step in before.values() if step.has_loaded]

    def _forget_the_rest(self) -> None:
        """Keep nothing alive but for the steps that are left, and for imported modules, as soon as that is worth the work."""
        size = len(self._m.known) + len(self._journal.shared)
        if size <= _GROWTH * self._size:
            return
        steps = self._steps.values()
        for number, facts in enumerate(self._facts):
            facts.keep_only(facts.loaded.union(*(step.noted[number] for step in steps)))
        loaded = self._m.imports.modules.values()
        self._journal.keep_only(value for module in loaded if module is not self._module for value in module.attrs.values())
        for step in steps:
            self._share(step)
        self._size = max(len(self._m.known) + len(self._journal.shared), _LEAST_KEPT)

    # --- the row of steps -------------------------------------------------------------------------------------------

    def _set_back(self) -> None:
        """Restore the shared state from before the first step."""
        for step in reversed(self._steps.values()):
            undo(step.changes)
        self._known, self._steps, self._history, self._altered = {**self._known, **self._steps}, {}, (), {}
        for table in self._tables:
            dict.clear(table)
        for log in self._logs:
            log.cut(0)
        self._names.restore(self._initial)
        self._m.reset(self._base)
        self._m.budget.star_imports = self._loads.stars
        self._hold(self._at_first)
        self._base.returns.clear()

    def _run_module(self, lowered: Lowered, top: list[Step]) -> None:
        m = self._m
        m.budget.fuel, m.budget.installed_fuel = m.options.fuel, m.options.installed_fuel
        m.run, m.program = self._top_run, Program("<module>")
        for number, chunk in enumerate(self.live.chunks):
            m.control = m.control.next()
            m.run = self._top_run
            tree, key = chunk.tree.origin if chunk.tree is not None else None, last_text.key(number, chunk)
            top.append(self._step(key, (key,), partial(self._run_chunk, lowered, chunk), tree))
            if top[-1].outcome:
                return

    def _run_chunk(self, lowered: Lowered, chunk: Chunk) -> int:
        """Execute a chunk; returns the flow with which it ends. Of one that never parsed nothing is known but which names may
        mean something else behind it."""
        if chunk.tree is None:
            for name in sorted(rebound(chunk.text)) if chunk.problem is not None else ():
                self._m.store(name, Unknown("syntax-error", name))
            return NORMAL
        flows: list[int] = []
        guarded(lowered, "<module>", lambda: flows.append(toplevel.execute(self._m, chunk.statements)))
        return flows[0] if flows else RAISE

    def _module_program(self, top: list[Step]) -> Program:
        """The program of the top level, put together from its steps."""
        parts = [step.program for step in top if step.program.trace or step.program.gaps]
        if parts != self._top[0]:
            self._top = parts, joined("<module>", parts)
        return self._top[1]

    def _run_entries(self, lowered: Lowered) -> None:
        m, budget = self._m, SharedFuel(self._m)
        m.program = lowered.programs[0]
        statements = last_text.statements_of(self.live.chunks)
        waiting = runs.after(m.known, m.program, m.run, module_entry(m, statements))
        self._between.statements = statements if waiting else None
        usual = m.trail.default_arguments
        usual.update(given_last(dict.copy(m.run.last_instances)))
        for entry in entries.uncalled(m):
            m.reset(self._base)
            given = m.budget.fuel = budget.left(entry)
            if m.budget.fuel > 0:
                step = self._run_by_halves(lowered, entry)
                keep(m.budget, lowered, step.program)
                waiting += step.outcome[0]
                usual.update(given_last(step.outcome[1]))
                budget.spent += given - m.budget.fuel
            if given > 0 or not entry.is_spare:
                note_cut(m.budget, lowered, entry.name)
        m.run = Run()
        waiting += runs.of_called(m, (program.entry for program in lowered.programs))
        m.budget.fuel = budget.for_reruns()
        self._run_again(lowered, waiting)

    def _run_by_halves(self, lowered: Lowered, entry: entries.Entry) -> Step:
        """The step of an entry."""
        run = partial(run_entry, self._m, lowered, entry, self._base)
        return self._halves(lowered, entry, entry.key, run, makes_object=entry.makes_object)

    def _run_again(self, lowered: Lowered, waiting: list[runs.Rerun]) -> None:
        m = self._m
        for rerun in waiting:
            m.reset(self._base)
            if m.budget.fuel > 0:
                entry = rerun.entry
                key = (entry.key, repr([(t.source, t.value) for t in rerun.variants]), rerun.arms, rerun.usual)
                run = partial(run_again, m, lowered, rerun, self._base)
                step = self._halves(lowered, entry, key, run, makes_object=True, rerun=rerun)
                lowered.settings += [step.outcome] if step.outcome is not None else []

    def _halves(
        self,
        lowered: Lowered,
        entry: entries.Entry,
        key: Hashable,
        run: Callable[[Begun | None], Any],
        *,
        makes_object: bool,
        rerun: runs.Rerun | None = None,
    ) -> Step:
        """The step of a run. If it makes an object first, that is a step of its own, on which it goes on."""
        subject, first = entry.subject if rerun is None else (rerun, *entry.subject), None
        if entry.halves is not None and makes_object and BY_HALVES:
            begin = partial(begin_half, self._m, lowered, entry, entry.halves.make, self._base, rerun)
            first = self._step((key, "object"), subject, begin)
            key = (key, first.mark)
        return self._step(key, subject, lambda: run(first.outcome if first is not None else None), first=first)

    # --- one step -----------------------------------------------------------------------------------------------------

    def _step(
        self,
        key: Hashable,
        subject: tuple[Any, ...],
        run: Callable[[], Any],
        tree: Tree | None = None,
        first: Step | None = None,
    ) -> Step:
        step = self._known.get(key)
        if step is not None and tree is not None and not takes(step, tree):
            step = None
        is_former = step is not None and len(self._steps) < len(self._former) and self._former[len(self._steps)] is step
        if not is_former:
            self._former = []
        if step is not None and self._still_holds(step, is_former=is_former):
            self._repeat(step)
            is_repeated = True
        elif step is not None and not self._tied.isdisjoint(step.touched):
            raise _EntangledError
        else:
            step = Step(subject, self._left(), self._history, held=self._held(), tree=tree, altered=self._altered)
            self._former = []
            self._execute(step, run, first)
            is_repeated = False
        self._steps[key] = step
        self._ensure_loaded_so(step, is_repeated=is_repeated)
        if step.is_visible:
            self._history = (*self._history, step.mark)
        if step.alters and first is not None:
            self._altered = {**self._altered, step.mark: first.left_behind()}
        return step

    def _still_holds(self, step: Step, *, is_former: bool) -> bool:
        """Whether executing a step anew would do what it did. ``is_former``: all steps before it were repeated, and it followed
        them in the last text, so that it finds what it found then."""
        if step.is_transient or step.history != self._history or not self.live.answers_same(step.asked):
            return False
        if step.held != self._held() or not is_as_seen(step.code) or step.is_concerned(self._altered):
            return False
        for given, used, left in zip(step.given, step.used, self._left(), strict=True):
            if given != left and used + _MARGIN > min(given, left):
                return False
        return is_former or self._finds_the_same(step)

    def _finds_the_same(self, step: Step) -> bool:
        """Whether a step would read what it has read."""
        pairs = zip(self._tables, step.reads, strict=True)
        if not all(self._reads_same(table, key, seen) for table, reads in pairs for key, seen in reads.items()):
            return False
        wholes = zip(self._tables, step.wholes, strict=True)
        if not all(whole is None or table.is_whole(whole) for table, whole in wholes):
            return False
        return all(log.reads_same(reads) for log, reads in zip(self._logs, step.looks, strict=True))

    def _left(self) -> tuple[int, ...]:
        """The remaining amount of each budget."""
        return tuple(getattr(self._m.budget, name) for name in _SPENT)

    def _reads_same(self, table: Recorded, key: Hashable, seen: Value) -> bool:
        now = table.peek(key)
        if type(now) is ImportVal and type(seen) is not ImportVal:
            now = modules.evaluated(self._m.imports, now)
            return now is not MISSING and same(seen, now)
        return same(seen, now)

    def _held(self) -> tuple[Any, ...]:
        """What goes on from one statement of the top level to the next."""
        return held.held(self._m.control, self._base, self._top_run)

    def _hold(self, former: tuple[Any, ...]) -> None:
        """Be again where a step has left off."""
        held.hold(self._m.control, self._base, self._top_run, former)

    def _repeat(self, step: Step) -> None:
        """Leave what a step has left."""
        for table, writes in zip(self._tables, step.writes, strict=True):
            table.restore(writes)
        for log, added in zip(self._logs, step.added, strict=True):
            log.extend(added)
        redo(step.results)
        self._hold(step.left_held)
        self._m.budget.star_imports += step.stars
        for name, left, used in zip(_SPENT, self._left(), step.used, strict=True):
            setattr(self._m.budget, name, left - used)

    def _execute(self, step: Step, run: Callable[[], Any], first: Step | None) -> None:
        """Execute a step, which may go on from a ``first`` half, and record what it reads and writes."""
        m = self._m
        self._executed += 1
        self._between.note(self.live)
        self._begin_recording(step.changes, first)
        m.program = step.program
        stars, failures = m.budget.star_imports - self._loads.stars, list.__len__(m.trail.failures)
        try:
            with listening() as (seen, made):
                step.outcome = run()
        except BaseException:
            undo(step.changes)
            raise
        step.program = m.program
        step.code = {key: noted for key, noted in seen.items() if noted[0].document is self.live}
        step.definitions = made if step.tree is not None else []
        step.used = tuple(given - left for given, left in zip(step.given, self._left(), strict=True))
        step.reads = [table.reads for table in self._tables]
        step.writes = [table.writes() for table in self._tables]
        step.looks = [log.reads() for log in self._logs]
        step.added = [log.added() for log in self._logs]
        step.noted = [facts.noted for facts in self._facts]
        step.asked = self.live.asked
        step.wholes = [table.whole for table in self._tables]
        step.is_transient = self.live.read or list.__len__(m.trail.failures) > failures
        step.left_held, step.stars = self._held(), m.budget.star_imports - self._loads.stars - stars
        step.touched, step.has_loaded = self._loads.touched, self._loads.has_loaded
        read = (value.document for value in self._names.reads.values() if isinstance(value, ModuleVal))
        step.touched.update(document.path for document in read if document is not None)
        step.results = self._journal.results()
        is_changed = not self._journal.is_as_before()
        step.is_visible, step.alters = self._journal.visible and is_changed, self._journal.alters and is_changed
        step.left = self._journal.left(partial(self._share, step))
        self._begin_recording([])

    def _begin_recording(self, changes: list[Entry], first: Step | None = None) -> None:
        """``first``: the half that a step goes on from. What that may have given to earlier objects counts as theirs."""
        self._journal.begin(changes, first.left if first is not None and not first.is_visible else None)
        self.live.listen()
        self._loads.begin()
        for table in self._tables:
            table.begin()
        for log in self._logs:
            log.begin()
        for facts in self._facts:
            facts.begin()

    def _share(self, step: Step) -> None:
        """Mark the step's objects as made by an earlier step, for the steps that follow."""
        for writes in step.writes:
            self._journal.share(writes.values())
        for added in step.added:
            self._journal.share(added)
        self._journal.share(value for _, _, value in step.results)
        if isinstance(step.outcome, Begun):
            self._journal.share(step.outcome.values())
