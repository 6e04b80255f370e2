"""From a document to its traced programs."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from dllint.ir.program import Program
from dllint.ir.values import ModuleVal
from dllint.lower import classes, confirming, entries, toplevel
from dllint.lower.boundary import Failure, note
from dllint.lower.machine import Interpreter
from dllint.lower.options import Options, StoppedError
from dllint.lower.scopes import Frame, Scope
from dllint.lower.variants import runs, settings
from dllint.source.document import Document
from dllint.source.workspace import Files

_RECURSION = 12_000


@dataclass(slots=True)
class Lowered:
    """The traced programs of a document, in the order in which they were run: the module first. ``dependencies`` are
    ``(path, name)`` of definitions in other files that were used; ``failures`` what a bug of ours kept from being analysed;
    ``cut`` those that ran out of fuel, or for which none was left; ``state`` differs if an object that several programs
    speak of has become another."""

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
    module = ModuleVal("__main__", document)
    lowered = Lowered([], module, m.dependencies, m.failures)
    with undisturbed():
        try:
            guarded(lowered, m.program.entry, lambda: _run_module(m, module))
            lowered.programs.append(m.program)
            note_cut(m, lowered, m.program.entry)
            _run_entries(m, lowered)
        except StoppedError:
            _keep_part(m, lowered)
        finally:
            toplevel.leave(m, module)
    return lowered


def _keep_part(m: Interpreter, lowered: Lowered) -> None:
    """Keep what is proved about an entry that was stopped; what it would have done later is not known."""
    if m.program not in lowered.programs and not m.program.setting:
        m.program.is_part = True
        lowered.programs.append(m.program)
    lowered.cut.append(m.program.entry)


@contextmanager
def undisturbed() -> Iterator[None]:
    """Inside, recursion goes deep and no collection walks the syntax trees again and again."""
    limit, collecting = sys.getrecursionlimit(), gc.isenabled()
    sys.setrecursionlimit(max(limit, _RECURSION))
    gc.disable()
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)
        classes.forget()
        if collecting:
            gc.enable()


class Budget:
    """The fuel that the entries of a document share."""

    def __init__(self, m: Interpreter) -> None:
        self._options = m.options
        self._total = min(m.options.total_fuel, m.options.least_fuel + m.options.fuel_per_line * len(m.document.lines.starts))
        self.spent = m.options.fuel - m.fuel

    def left(self, entry: entries.Entry) -> int:
        """What an entry may burn."""
        return min(self._options.fuel, self._total // (8 if entry.minor else 1) - self.spent)

    def for_reruns(self) -> int:
        """What runs under other settings may burn, all together."""
        return max(self._options.least_rerun_fuel, self.spent // self._options.rerun_share)


def module_entry(m: Interpreter, subject: tuple[Any, ...] = ()) -> entries.Entry:
    """The top level as an entry: what it did to its namespace stays, so it is run again from an empty one."""

    def run() -> None:
        again = Interpreter(m.document, m.workspace, m.options)
        again.journal, again.variants, again.program, again.fuel = m.journal, m.variants, m.program, m.fuel
        module = ModuleVal("__main__", m.document)
        try:
            _run_module(again, module)
        finally:
            toplevel.leave(m, module)
        m.fuel = again.fuel

    return entries.Entry("<module>", run, subject)


def begin(m: Interpreter, module: ModuleVal) -> None:
    """Be ready to execute the top level."""
    module.attrs.update({"__name__": "__main__", "__file__": str(m.document.path), "__doc__": None})
    m.modules[m.document.path] = module
    m.frame = Frame(Scope(module.attrs, None), m.document, None)


def _run_module(m: Interpreter, module: ModuleVal) -> None:
    begin(m, module)
    toplevel.run(m, module)


def _run_entries(m: Interpreter, lowered: Lowered) -> None:
    base, budget = m.frame, Budget(m)
    waiting = runs.after(m, module_entry(m))
    m.default_instances.update(m.last_instances)
    for entry in entries.uncalled(m):
        given = m.fuel = budget.left(entry)
        if given > 0:
            waiting += run_entry(m, lowered, entry, base)
            lowered.programs.append(m.program)
            m.default_instances.update(m.last_instances)
            budget.spent += given - m.fuel
        note_cut(m, lowered, entry.name)
    m.last_instances = dict(m.default_instances)
    waiting += runs.of_called(m, (program.entry for program in lowered.programs))
    m.fuel = budget.for_reruns()
    for rerun in waiting:
        if m.fuel > 0:
            program = run_again(m, lowered, rerun, base)
            lowered.settings += [program] if program is not None else []


def note_cut(m: Interpreter, lowered: Lowered, entry: str) -> None:
    """Note an entry that has just been run, if it ran out of fuel."""
    if m.fuel <= 0:
        lowered.cut.append(entry)


def run_entry(m: Interpreter, lowered: Lowered, entry: entries.Entry, base: Frame) -> list[runs.Rerun]:
    """Run an entry; without the shapes that are written about its inputs, if it shows any fault with them. Gives the runs to
    make afterwards.

    It builds its objects itself: none is a copy of what another entry has made.
    """
    m.last_instances = {}
    _run_settled(m, lowered, entry, base, trusted=True)
    if m.documented.used and any(op.faults for op in m.program.ops):
        _run_settled(m, lowered, entry, base, trusted=False)
    confirming.confirm(m, entry, partial(_run_anew, m, lowered, entry, base))
    return runs.after(m, entry)


def _run_anew(m: Interpreter, lowered: Lowered, entry: entries.Entry, base: Frame) -> Program:
    """Run an entry as it is, without the shapes that are written about its inputs."""
    m.documented.begin(trusted=False)
    m.program = entry.program()
    m.reset(base)
    guarded(lowered, entry.name, entry.run)
    return m.program


def _run_settled(m: Interpreter, lowered: Lowered, entry: entries.Entry, base: Frame, *, trusted: bool) -> None:
    """Run an entry; once more, if its assertions have fixed sizes of its inputs. ``trusted``: with written shapes."""
    m.fixed.clear()
    for _ in range(2):
        m.variants.clear()
        m.documented.begin(trusted)
        before = dict(m.fixed)
        m.program = entry.program()
        m.reset(base)
        guarded(lowered, entry.name, entry.run)
        if m.fixed == before:
            break


def run_again(m: Interpreter, lowered: Lowered, rerun: runs.Rerun, base: Frame) -> Program | None:
    """Run an entry under another setting; the program has the faults that are due to it."""
    runs.begin(m, rerun)
    m.documented.begin(trusted=False)
    m.variants.opened = confirming.opened(m, rerun.entry)
    program = _once_more(m, lowered, rerun.entry, base)
    usual = rerun.usual
    if program is not None and usual is None and any(op.faults for op in program.ops):
        runs.begin_usual(m)
        without = _once_more(m, lowered, rerun.entry, base)
        usual = runs.faults_of(without) if without is not None else frozenset()
    m.variants.clear()
    if program is not None:
        program.setting = rerun.text
        runs.keep_own(program, usual or frozenset())
    return program


def _once_more(m: Interpreter, lowered: Lowered, entry: entries.Entry, base: Frame) -> Program | None:
    """The program of an entry under the present setting; ``None`` if the code rejects it."""
    m.program = entry.program()
    m.reset(base)
    try:
        guarded(lowered, entry.name, entry.run)
    except settings.RefusedError:
        return None
    return m.program


def guarded(lowered: Lowered, name: str, run: Callable[[], Any]) -> None:
    """Run one entry; a bug of ours, or source nested too deep, ends this entry and not the analysis."""
    try:
        run()
    except settings.RefusedError:
        raise
    except Exception as error:
        note(lowered.failures, f"the analysis of {name} ended early", error)
