"""From a document to its traced programs."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Final

from dllint.ir.program import Program
from dllint.ir.values import ModuleVal, Value
from dllint.lower import confirming, entries, late, mro, toplevel, usual_ranks, usual_results
from dllint.lower import evaluators as _evaluators  # noqa: F401  (importing it fills the tables of the interpreter)
from dllint.lower.begun import Begun, Reason
from dllint.lower.branches import LEFT_OUT, ONE_WAY
from dllint.lower.failures import Failure, note
from dllint.lower.journal import Journal
from dllint.lower.last_instance import LastInstance, given_last
from dllint.lower.machine import Interpreter
from dllint.lower.options import Options, RestartError, StoppedError
from dllint.lower.scopes import Frame, Scope
from dllint.lower.state import Budget, Run
from dllint.lower.variants import runs
from dllint.lower.variants.variant import RefusedError
from dllint.source import memo
from dllint.source.document import Document
from dllint.source.workspace import Files

_RECURSION = 12_000
#: How often a run of an entry may begin anew because an assertion has fixed a size.
_RESTARTS = 4
#: How often it is run to its end.
_WHOLE = 2
#: Entries that most likely repeat what others have shown, and those that are run before the models and leave them the rest,
#: have the first part of the fuel of a document only, one in so many.
_SPARE_SHARE: Final = 3
#: The fuel of an entry is a multiple of this, so that it seldom depends on what others have spent.
_PORTION: Final = 256
#: The lines of a document count in multiples of this, so that few edits change the fuel that is left for all.
_LINES: Final = 100


@dataclass(slots=True)
class Lowered:
    """The traced programs of a document, in the order in which they were run: the module first. ``dependencies`` are
    ``(path, name)`` of definitions in other files that were used; ``failures`` what a bug of ours kept from being analysed;
    ``cut`` those that ran out of fuel, for which none was left, in which alternatives were passed over or branches followed
    one way; ``state`` differs if an object that several programs speak of has become another."""

    programs: list[Program]
    module: ModuleVal
    dependencies: set[tuple[Any, Any]] = field(default_factory=set)
    failures: list[Failure] = field(default_factory=list)
    #: Entries run again under settings that the defaults do not choose.
    settings: list[Program] = field(default_factory=list)
    cut: list[str] = field(default_factory=list)
    state: Hashable = None


def lower_document(document: Document, workspace: Files | None = None, options: Options | None = None) -> Lowered:
    """Execute a document abstractly: its top level, then what nothing called. Never raises on odd source."""
    m = Interpreter(document, workspace, options or Options())
    m.imports.library.shared.set_back()
    module = ModuleVal("__main__", document)
    lowered = Lowered([], module, m.imports.dependencies, m.trail.failures)
    with undisturbed():
        try:
            guarded(lowered, m.program.entry, lambda: _run_module(m, module))
            keep(m.budget, lowered, m.program)
            note_cut(m.budget, lowered, m.program.entry)
            _run_entries(m, lowered)
        except StoppedError:
            _keep_part(m.program, lowered)
        finally:
            toplevel.leave(m.imports, module)
            m.imports.library.tell_searched()
    return lowered


def _keep_part(program: Program, lowered: Lowered) -> None:
    """Keep the proved findings of an entry that was stopped early; its remaining effects are unknown."""
    if program not in lowered.programs and not program.setting:
        program.is_part = True
        lowered.programs.append(program)
    lowered.cut.append(program.entry)


@contextmanager
def undisturbed() -> Iterator[None]:
    """A context with a high recursion limit and without garbage collection, which would walk the syntax trees repeatedly.
    Cached facts about classes are dropped at its end."""
    limit, collecting = sys.getrecursionlimit(), gc.isenabled()
    sys.setrecursionlimit(max(limit, _RECURSION))
    gc.disable()
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)
        mro.forget()
        memo.analysed()
        if collecting:
            gc.enable()


class SharedFuel:
    """The fuel that the entries of a document share."""

    def __init__(self, m: Interpreter) -> None:
        self._options = m.options
        lines = -(-len(m.document.lines.starts) // _LINES) * _LINES
        #: That of the whole document.
        self.total = min(m.options.total_fuel, m.options.least_fuel + m.options.fuel_per_line * lines)
        self.spent = m.options.fuel - m.budget.fuel

    def left(self, entry: entries.Entry) -> int:
        """The fuel that the next entry may use."""
        share = _SPARE_SHARE if entry.is_spare else 1
        left = min(self._options.fuel, self.total // share - self.spent)
        return left - left % _PORTION if left > _PORTION else left

    def for_reruns(self) -> int:
        """The fuel that all runs under other settings may use together."""
        return max(self._options.least_rerun_fuel, self.spent // self._options.rerun_share)


def module_entry(m: Interpreter, subject: tuple[Any, ...] = ()) -> entries.Entry:
    """The top level as an entry: what it did to its namespace stays, so it is run again from an empty one."""

    def run() -> None:
        again = Interpreter(m.document, m.workspace, m.options)
        again.journal, again.program = m.journal, m.program
        again.run, again.budget.fuel = replace(m.run, last_instances={}, fixed={}), m.budget.fuel
        module = ModuleVal("__main__", m.document)
        try:
            _run_module(again, module)
        finally:
            toplevel.leave(m.imports, module)
        m.budget.fuel = again.budget.fuel

    return entries.Entry("<module>", run, subject)


def begin(m: Interpreter, module: ModuleVal) -> None:
    """Prepare for executing the top level."""
    module.attrs.update({"__name__": "__main__", "__file__": str(m.document.path), "__doc__": None})
    m.imports.modules[m.document.path] = module
    m.frame = Frame(Scope(module.attrs, None), m.document, None)


def _run_module(m: Interpreter, module: ModuleVal) -> None:
    begin(m, module)
    toplevel.run(m, module)


def _run_entries(m: Interpreter, lowered: Lowered) -> None:
    base, budget = m.frame, SharedFuel(m)
    waiting = runs.after(m.known, m.program, m.run, module_entry(m))
    m.trail.default_arguments.update(given_last(m.run.last_instances))
    for entry in entries.uncalled(m):
        given = m.budget.fuel = budget.left(entry)
        if given > 0:
            found, made = run_entry(m, lowered, entry, base)
            waiting += found
            keep(m.budget, lowered, m.program)
            if not m.run.likely:
                m.trail.default_arguments.update(given_last(made))
            budget.spent += given - m.budget.fuel
        if given > 0 or not entry.is_spare:
            note_cut(m.budget, lowered, entry.name)
    m.run = Run()
    waiting += runs.of_called(m, (program.entry for program in lowered.programs))
    m.budget.fuel = budget.for_reruns()
    for rerun in waiting:
        if m.budget.fuel > 0:
            program = run_again(m, lowered, rerun, base)
            lowered.settings += [program] if program is not None else []


def keep(budget: Budget, lowered: Lowered, program: Program) -> None:
    """Keep the program of an entry that has been run."""
    program.ran_out = budget.fuel <= 0
    lowered.programs.append(program)


def note_cut(budget: Budget, lowered: Lowered, entry: str) -> None:
    """Note an entry whose program is the last one, if it ran out of fuel, passed over alternatives or followed branches one
    way."""
    if budget.fuel <= 0 or any(gap[:2] in (LEFT_OUT, ONE_WAY) for gap in lowered.programs[-1].gaps):
        lowered.cut.append(entry)


def begin_half(
    m: Interpreter,
    lowered: Lowered,
    entry: entries.Entry,
    make: Callable[[], Value],
    base: Frame,
    rerun: runs.Rerun | None = None,
) -> Begun:
    """The first half of :func:`run_entry` or, with ``rerun``, of :func:`run_again`, which makes an object."""
    if rerun is None:
        m.begin(Run(trusted=True, restarts=True), entry.program(), base)
    else:
        runs.begin(m, rerun, confirming.opened(m, entry))
        m.program = entry.program()
        m.reset(base)
    made: list[Value] = []
    stopped: Reason | None = None
    try:
        guarded(lowered, entry.name, lambda: made.append(make()))
    except RestartError:
        stopped = RestartError
        _leave_branches(m.journal)
    except RefusedError:
        stopped = RefusedError
    return Begun.of(m.run, m.program, m.control, made, stopped)


def run_entry(
    m: Interpreter, lowered: Lowered, entry: entries.Entry, base: Frame, first: Begun | None = None
) -> tuple[list[runs.Rerun], dict[int, LastInstance]]:
    """Run an entry, from where its ``first`` half has come to; without the shapes that are written about its inputs, if it
    shows any fault with them. Gives the runs to make afterwards, and the last object of each class that it has made.

    It builds its objects itself: none is a copy of what another entry has made.
    """
    m.run = Run()
    _run_settled(m, lowered, entry, base, trusted=True, first=first)
    if m.run.relied and any(op.faults for op in m.program.ops):
        _run_settled(m, lowered, entry, base, trusted=False)
    confirming.confirm(m, entry, partial(_run_anew, m, lowered, entry, base))
    late.complete_all(m.journal, m.program)
    usual_results.settle(m, m.program)
    usual_ranks.settle(m, m.program)
    usual_results.settle(m, m.program)
    return runs.after(m.known, m.program, m.run, entry), m.run.last_instances


def _run_anew(m: Interpreter, lowered: Lowered, entry: entries.Entry, base: Frame) -> Program:
    """Run an entry as it is, without the shapes that are written about its inputs."""
    m.program = entry.program()
    m.reset(base)
    guarded(lowered, entry.name, entry.run)
    return m.program


def _leave_branches(journal: Journal) -> None:
    while journal.depth:
        journal.undo()


def _run_settled(
    m: Interpreter, lowered: Lowered, entry: entries.Entry, base: Frame, *, trusted: bool, first: Begun | None = None
) -> None:
    """Run an entry; once more, if its assertions have fixed sizes of its inputs. ``trusted``: with written shapes. A run that
    comes to such an assertion by the defaults goes no further."""
    fixed: dict[tuple[str, int, int], int] = {}
    restarts, whole = _RESTARTS, 0
    while whole < _WHOLE:
        if first is not None:
            m.begin(*first.state(base))
            run, first = first.other_half(entry), None
        else:
            last = m.run.last_instances
            settings = Run(trusted=trusted, fixed=dict(fixed), restarts=restarts > 0, last_instances=last)
            m.begin(settings, entry.program(), base)
            run = entry.run
        try:
            guarded(lowered, entry.name, run)
            whole += 1
            if m.run.fixed == fixed:
                break
        except RestartError:
            restarts -= 1
            _leave_branches(m.journal)
        fixed = m.run.fixed


def run_again(m: Interpreter, lowered: Lowered, rerun: runs.Rerun, base: Frame, first: Begun | None = None) -> Program | None:
    """Run an entry under another setting, from where its ``first`` half has come to; the program has the faults that are due
    to the setting."""
    if first is None:
        runs.begin(m, rerun, confirming.opened(m, rerun.entry))
        program = _once_more(m, lowered, rerun.entry, base)
    else:
        m.begin(*first.state(base))
        is_refused = _is_refused(lowered, rerun.entry.name, first.other_half(rerun.entry))
        program = None if is_refused else m.program
    usual = rerun.usual
    if program is not None and usual is None and any(op.faults for op in program.ops):
        runs.begin_usual(m)
        without = _once_more(m, lowered, rerun.entry, base)
        usual = runs.faults_of(without) if without is not None else frozenset()
    runs.end(m)
    if program is not None:
        program.setting, program.is_meant = rerun.text, rerun.is_meant
        runs.keep_own(program, usual or frozenset())
    return program


def _once_more(m: Interpreter, lowered: Lowered, entry: entries.Entry, base: Frame) -> Program | None:
    """The program of an entry under the present setting; ``None`` if the code rejects it."""
    m.program = entry.program()
    m.reset(base)
    return None if _is_refused(lowered, entry.name, entry.run) else m.program


def _is_refused(lowered: Lowered, name: str, run: Callable[[], None]) -> bool:
    """Whether the code rejects the setting that it is run under."""
    try:
        guarded(lowered, name, run)
    except RefusedError:
        return True
    return False


def guarded(lowered: Lowered, name: str, run: Callable[[], Any]) -> None:
    """Run one entry; an internal error, or source that is nested too deeply, ends this entry only."""
    try:
        run()
    except (RefusedError, RestartError):
        raise
    except Exception as error:
        note(lowered.failures, f"the analysis of {name} ended early", error)
