"""Incremental analysis of a document that is edited: steps that an edit does not affect are not executed again.

The analysis is a row of steps: one per top-level chunk, then one per entry. A step reads and writes what the steps share:
names, tables, objects that earlier steps have left. After an edit the shared state is set back, and the steps are gone
through again. One whose chunk is the same and that would read what it has read leaves what it left the last time; any
other is executed. The result is that of a fresh start.

Inside a document that is edited, answers are kept per step (``lower/incremental.py``). The analysis is a sequence of
steps: one per top-level chunk, in order, then one per entry, then the runs under other settings.

- **What a step depends on.** Steps share one interpreter. ``lower/recording.py`` notes what a step reads and writes
  of the shared tables: the module's names, values derived from unknown ones, counts of explored branches
  (``Recorded``, by key). Objects that earlier steps have left may be changed by later ones: such changes are noted by
  the journal (``RecordingJournal``), and a step also depends on which steps before it have made some (``history``).
- **After an edit** the tables and the changed objects are set back, and the sequence is run again. A step whose chunk
  (or subject of the entry) is the same object and that would read equal values is not executed: what it wrote is
  written again. Which entries there are is found out anew each time, from what the steps have called and built. A
  changed chunk is executed; constants that come out equal stop the change there, and a class or function is new, so
  that whoever used its name is executed, too.
- **What is not recorded** turns the reuse off: limits that cut something short, star imports of libraries, imports in
  a circle, a top level that goes on under a condition, code without its imports. The next text is then traced from
  the start; so it is when a definition in another file that was used has changed.
- **Places** are not part of an answer. Programs name a ``LiveDocument`` (``source/live.py``), which shows one version
  of the text after the other; chunks that did not change keep their trees, so that their statements are found where
  they now stand. ``Analysis.home`` is that document, ``Analysis.is_present`` tells whether it still shows the text of
  the analysis.
- **Rules** are asked about new programs. About a kept one only those questions are asked again that had a finding (it
  names places) or looked at the text as a whole (``Answer.again``).
- **Work that is stopped** (``checkpoint``) leaves its finished steps for the next text.

``tests/engine/test_incremental.py`` holds that after any edits, also across files and after stopped work, the
remembered answer is that of a fresh start; ``tests/engine/test_tracing.py`` holds it for the memo.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from typing import Any, Final

from dllint.ir.program import Program
from dllint.ir.values import ModuleVal, Value
from dllint.lower import duck, entries, modules, statements
from dllint.lower.document import Budget, Lowered, begin, guarded, module_entry, note_cut, run_again, run_entry, undisturbed
from dllint.lower.journal import Entry
from dllint.lower.machine import Interpreter
from dllint.lower.modules import ImportVal
from dllint.lower.options import Options
from dllint.lower.recording import Recorded, RecordingJournal, redo, same, undo
from dllint.lower.scopes import RAISE
from dllint.lower.variants import runs
from dllint.lower.variants.settings import Branch
from dllint.source.chunk import Chunk
from dllint.source.document import Document
from dllint.source.fragment import is_keras_fragment
from dllint.source.live import LiveDocument
from dllint.source.workspace import Files

#: With less fuel than this left, a step (or a decorator, which gets a small part) may have been cut short.
_MARGIN: Final = 64
#: How much larger than after the first run the kept state may become.
_GROWTH: Final = 4
_LEAST_KEPT: Final = 50_000
_marks = count(1)


@dataclass(slots=True, eq=False)
class Step:
    """One step. ``subject`` is what it executes, ``given`` and ``used`` are fuel, ``history`` tells which steps before it
    have changed objects that others made (by their marks). The rest is what it has read and left behind."""

    subject: tuple[Any, ...]
    given: int
    history: tuple[int, ...]
    mark: int = field(default_factory=lambda: next(_marks))
    used: int = 0
    #: What running it has returned.
    outcome: Any = None
    program: Program = field(default_factory=lambda: Program("<module>"))
    #: By table: what was read before it was written, what was left. ``is_wide``: a table was looked at as a whole.
    reads: list[dict[Any, Value]] = field(default_factory=list)
    writes: list[dict[Any, Value]] = field(default_factory=list)
    is_wide: bool = False
    called: set[int] = field(default_factory=set)
    built: set[int] = field(default_factory=set)
    parts: set[int] = field(default_factory=set)
    #: What was appended to each list of the interpreter.
    appended: list[list[Any]] = field(default_factory=list)
    #: Changes of objects of earlier steps, to be undone, what they have come to, and whether they count for others.
    changes: list[Entry] = field(default_factory=list)
    results: list[Entry] = field(default_factory=list)
    is_visible: bool = False


def _key(entry: entries.Entry) -> Hashable:
    return entry.name, *map(id, entry.subject)


class IncrementalLowering:
    """A document and its programs over its edits. ``live`` is the document that the programs' places belong to."""

    def __init__(self, document: Document, workspace: Files | None, options: Options) -> None:
        self.live = LiveDocument(document)
        #: Whether the next text can build on this one; else it needs a new object.
        self.usable = True
        self._m = m = Interpreter(self.live, workspace, options)
        self._names, self._made, self._late, self._defaults, self._found, self._usual = (Recorded() for _ in range(6))
        m.explored, m.branched, m.derived, m.state, m.default_instances = (
            Recorded(),
            Recorded(),
            Recorded(),
            Recorded(),
            self._usual,
        )
        tables = m.explored, m.branched, m.derived, m.state, m.default_instances
        self._tables = (self._names, self._made, self._late, self._defaults, self._found, *tables)
        m.journal = self._journal = RecordingJournal()
        self._module = ModuleVal("__main__", self.live, self._names)
        begin(m, self._module)
        self._base = m.frame
        self._initial = dict(dict.items(self._names))
        self._known: dict[Hashable, Step] = {}
        self._steps: dict[Hashable, Step] = {}
        self._history: tuple[int, ...] = ()
        self._top: tuple[list[Program], Program] = ([], m.program)
        self._first_size = 0
        self._trains = False

    @property
    def dependencies(self) -> set[tuple[Any, Any]]:
        """``(path, name)`` of the definitions that have been used."""
        return self._m.dependencies

    def lower(self, document: Document) -> Lowered:
        """The programs of the present text; those of the last one that still hold are the same objects. If the work is
        stopped from outside, what has been done until then counts the next time."""
        self.live.show(document)
        self._m.failures = []
        lowered = Lowered([], self._module, self.dependencies, self._m.failures)
        with undisturbed():
            self._set_back()
            top: list[Step] = []
            self._run_module(lowered, top)
            lowered.programs.append(self._module_program(top))
            note_cut(self._m, lowered, lowered.programs[0].entry)
            entangled = self._is_entangled()
            self._run_entries(lowered, top)
        self._known = {}
        lowered.state = self._history
        self.usable = not (lowered.failures or entangled or self._is_limited() or is_keras_fragment(document.text))
        return lowered

    def _is_entangled(self) -> bool:
        """Whether the top level has effects that are not recorded: it goes on under a condition, or has star imports."""
        m = self._m
        return bool(m.path or m.assumptions or self._base.guarded or id(self._names) in m.stars)

    def _is_limited(self) -> bool:
        """Whether a limit may have cut something short, imports go in a circle, or the kept state has grown large."""
        m = self._m
        size = len(m.kept) + len(self._journal.shared)
        self._first_size = self._first_size or max(size, _LEAST_KEPT)
        return (
            m.import_fuel < m.options.import_fuel
            or len(m.modules) > m.options.imported_modules
            or m.star_imports >= m.options.star_imports
            or any(path == self.live.path for path, _ in m.dependencies)
            or size > _GROWTH * self._first_size
        )

    # --- the row of steps -------------------------------------------------------------------------------------------

    def _set_back(self) -> None:
        """Restore the shared state from before the first step."""
        for step in reversed(self._steps.values()):
            undo(step.changes)
        self._known, self._steps, self._history = {**self._known, **self._steps}, {}, ()
        for table in self._tables:
            dict.clear(table)
        self._names.restore(self._initial)
        m = self._m
        m.reset(self._base)
        m.signs.clear()
        trains, self._trains = self._trains, duck.is_training_code(m)
        if trains is not self._trains:  # every step may ask that of the text as a whole
            self._known.clear()
        m.called, m.built, m.parts = set(), set(), set()
        m.instances, m.vague, m.classes, m.definitions = [], [], [], []

    def _run_module(self, lowered: Lowered, top: list[Step]) -> None:
        m = self._m
        m.fuel, m.last_instances, m.program = m.options.fuel, self._made, Program("<module>")
        m.variants.clear()
        m.variants.defaults, m.variants.found = self._defaults, self._found
        for chunk in self.live.chunks:
            top.append(self._step(chunk.tree, (chunk.tree,), partial(self._run_chunk, lowered, chunk)))
            if top[-1].outcome[0]:
                return

    def _run_chunk(self, lowered: Lowered, chunk: Chunk) -> tuple[int, dict[int, Branch]]:
        """Execute a chunk; returns how it ends and the branches in it."""
        self._m.variants.branches = {}
        flows: list[int] = []
        guarded(lowered, "<module>", lambda: flows.append(statements.run(self._m, chunk.statements)))
        return flows[0] if flows else RAISE, self._m.variants.branches

    def _module_program(self, top: list[Step]) -> Program:
        """The program of the top level, put together from its steps."""
        parts = [step.program for step in top if step.program.trace or step.program.gaps]
        if parts != self._top[0]:
            program = Program("<module>")
            for part in parts:
                program.trace += part.trace
                program.inputs += part.inputs
                program.gaps += part.gaps
                program.carried.update(part.carried)
                program.later.update(part.later)
            self._top = parts, program
        return self._top[1]

    def _run_entries(self, lowered: Lowered, top: list[Step]) -> None:
        m, budget = self._m, Budget(self._m)
        m.program = lowered.programs[0]
        m.variants.branches = {key: branch for step in top for key, branch in step.outcome[1].items()}
        waiting = runs.after(m, module_entry(m, tuple(m.document.body)))
        self._usual.restore(dict(dict.items(self._made)))
        for entry in entries.uncalled(m):
            m.fuel = budget.left(entry)
            if m.fuel > 0:
                step = self._step(_key(entry), entry.subject, partial(self._run_entry, lowered, entry))
                lowered.programs.append(step.program)
                waiting += step.outcome[0]
                self._usual.restore(step.outcome[1])
                budget.spent += step.used
            note_cut(m, lowered, entry.name)
        self._late.restore(dict(dict.items(self._usual)))
        m.last_instances = self._late
        waiting += runs.of_called(m, (program.entry for program in lowered.programs))
        m.fuel = budget.for_reruns()
        self._run_again(lowered, waiting)

    def _run_entry(self, lowered: Lowered, entry: entries.Entry) -> tuple[list[runs.Rerun], dict[int, Any]]:
        """Execute an entry; returns the further runs to make and its programs."""
        return run_entry(self._m, lowered, entry, self._base), self._m.last_instances

    def _run_again(self, lowered: Lowered, waiting: list[runs.Rerun]) -> None:
        m = self._m
        for rerun in waiting:
            if m.fuel > 0:
                key = (_key(rerun.entry), repr([(t.source, t.value) for t in rerun.variants]), rerun.arms, rerun.usual)
                step = self._step(key, (rerun, *rerun.entry.subject), partial(run_again, m, lowered, rerun, self._base))
                lowered.settings += [step.outcome] if step.outcome is not None else []

    # --- one step -----------------------------------------------------------------------------------------------------

    def _step(self, key: Hashable, subject: tuple[Any, ...], run: Callable[[], Any]) -> Step:
        step = self._known.get(key)
        if step is not None and self._still_holds(step):
            self._repeat(step)
        else:
            step = Step(subject, self._m.fuel, self._history)
            self._execute(step, run)
        if step.is_visible:
            self._history = (*self._history, step.mark)
        self._steps[key] = step
        return step

    def _still_holds(self, step: Step) -> bool:
        """Whether a stored step is still valid: executing it again would read equal values."""
        fuel = self._m.fuel
        if step.is_wide or step.history != self._history:
            return False
        if step.given != fuel and step.used + _MARGIN > min(step.given, fuel):
            return False
        pairs = zip(self._tables, step.reads, strict=True)
        return all(self._reads_same(table, key, seen) for table, reads in pairs for key, seen in reads.items())

    def _reads_same(self, table: Recorded, key: Hashable, seen: Value) -> bool:
        now = table.peek(key)
        if type(now) is ImportVal and type(seen) is not ImportVal:
            now = modules.force(self._m, now)
        return same(seen, now)

    def _repeat(self, step: Step) -> None:
        """Replay a step: write again what it has written."""
        m = self._m
        for table, writes in zip(self._tables, step.writes, strict=True):
            table.restore(writes)
        redo(step.results)
        m.called |= step.called
        m.built |= step.built
        m.parts |= step.parts
        for values, more in zip(self._lists(), step.appended, strict=True):
            values.extend(more)
        m.fuel -= step.used

    def _execute(self, step: Step, run: Callable[[], Any]) -> None:
        """Execute a step and record what it reads and writes."""
        m = self._m
        self._begin_recording(step.changes)
        lengths = [len(values) for values in self._lists()]
        called, built, parts = m.called, m.built, set(m.parts)
        m.called, m.built, m.program = step.called, step.built, step.program
        try:
            step.outcome = run()
        except BaseException:
            undo(step.changes)
            raise
        step.program = m.program
        m.called, m.built = called | step.called, built | step.built
        step.parts = m.parts - parts
        step.used = step.given - m.fuel
        step.appended = [values[length:] for values, length in zip(self._lists(), lengths, strict=True)]
        step.reads = [table.reads for table in self._tables]
        step.writes = [table.writes() for table in self._tables]
        step.is_wide = any(table.wide for table in self._tables)
        step.results, step.is_visible = self._journal.results(), self._journal.visible
        self._begin_recording([])
        self._share(step)

    def _begin_recording(self, changes: list[Entry]) -> None:
        self._journal.begin(changes)
        for table in self._tables:
            table.begin()

    def _lists(self) -> tuple[list[Any], ...]:
        """The lists of the interpreter that steps append to; the first two hold what later steps may change."""
        m = self._m
        return m.instances, m.vague, m.classes, m.definitions

    def _share(self, step: Step) -> None:
        """Mark the step's objects as made by an earlier step, for the steps that follow."""
        for writes in step.writes:
            self._journal.share(writes.values())
        self._journal.share(step.appended[0])
        for _, arguments in step.appended[1]:
            self._journal.share((*arguments.args, *arguments.kwargs.values()))
