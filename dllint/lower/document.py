"""From a document to its traced programs."""

from __future__ import annotations

import gc
import sys
from dataclasses import dataclass, field
from typing import Any

from dllint.ir.program import Program
from dllint.ir.values import ModuleVal
from dllint.lower import classes, entries, reruns, toplevel, turning
from dllint.lower.machine import Interpreter
from dllint.lower.options import Options
from dllint.lower.scopes import Frame, Scope

_RECURSION = 12_000


@dataclass(slots=True)
class Lowered:
    """The traced programs of a document, in the order in which they were run: the module first. ``dependencies`` are
    ``(path, name)`` of definitions in other files that were used; ``failures`` entries that a bug of ours ended early."""

    programs: list[Program]
    module: ModuleVal
    dependencies: set[tuple[Any, Any]] = field(default_factory=set)
    failures: list[tuple[str, str]] = field(default_factory=list)
    #: Entries run again under settings that the defaults do not choose.
    settings: list[Program] = field(default_factory=list)


def lower_document(document: Any, workspace: Any = None, options: Options | None = None) -> Lowered:
    """Execute a document abstractly: its top level, then what nothing called. Never raises on odd source."""
    m = Interpreter(document, workspace, options or Options())
    module = ModuleVal("__main__", document)
    lowered = Lowered([], module, m.dependencies)
    limit, collecting = sys.getrecursionlimit(), gc.isenabled()
    sys.setrecursionlimit(max(limit, _RECURSION))
    gc.disable()  # a collection would walk the syntax trees again and again
    try:
        _guarded(lowered, m.program.entry, lambda: _run_module(m, module))
        lowered.programs.append(m.program)
        _run_entries(m, lowered)
    finally:
        sys.setrecursionlimit(limit)
        classes.forget()
        toplevel.leave(m, module)
        if collecting:
            gc.enable()
    return lowered


def _module_entry(m: Interpreter) -> entries.Entry:
    """The top level as an entry: what it did to its namespace stays, so it is run again from an empty one."""

    def run() -> None:
        again = Interpreter(m.document, m.workspace, m.options)
        again.turns, again.program, again.fuel = m.turns, m.program, m.fuel
        module = ModuleVal("__main__", m.document)
        try:
            _run_module(again, module)
        finally:
            toplevel.leave(m, module)
        m.fuel = again.fuel

    return entries.Entry(m.program.entry, run)


def _run_module(m: Interpreter, module: ModuleVal) -> None:
    module.attrs.update({"__name__": "__main__", "__file__": str(m.document.path), "__doc__": None})
    m.modules[m.document.path] = module
    m.frame = Frame(Scope(module.attrs, None), m.document, None)
    toplevel.run(m, module)


def _run_entries(m: Interpreter, lowered: Lowered) -> None:
    base, total = (
        m.frame,
        min(m.options.total_fuel, m.options.least_fuel + m.options.fuel_per_line * len(m.document.lines.starts)),
    )
    spent = m.options.fuel - m.fuel
    waiting = reruns.after(m, _module_entry(m))
    for entry in entries.uncalled(m):
        left = total // (8 if entry.minor else 1) - spent
        if left <= 0:
            continue
        m.fuel = min(m.options.fuel, left)
        _run_entry(m, lowered, entry, base)
        spent += min(m.options.fuel, left) - m.fuel
        lowered.programs.append(m.program)
        waiting += reruns.after(m, entry)
    m.usual = dict(m.made)
    waiting += reruns.of_called(m, (program.entry for program in lowered.programs))
    _rerun(m, lowered, waiting, base, max(m.options.least_rerun_fuel, spent // m.options.rerun_share))


def _rerun(m: Interpreter, lowered: Lowered, waiting: list[reruns.Rerun], base: Frame, fuel: int) -> None:
    """Run entries again under other settings while the fuel for it lasts."""
    for rerun in waiting:
        if fuel <= 0:
            return
        m.fuel = fuel
        reruns.begin(m, rerun)
        program = _once_more(m, lowered, rerun.entry, base)
        usual = rerun.usual
        if program is not None and usual is None and any(op.faults for op in program.ops):
            reruns.begin_usual(m)
            without = _once_more(m, lowered, rerun.entry, base)
            usual = reruns.faults_of(without) if without is not None else frozenset()
        fuel = m.fuel
        if program is not None:
            program.setting = rerun.text
            reruns.keep_own(program, usual or frozenset())
            lowered.settings.append(program)
    m.turns.clear()


def _once_more(m: Interpreter, lowered: Lowered, entry: entries.Entry, base: Frame) -> Program | None:
    """The program of an entry under the present setting; ``None`` if the code rejects it."""
    m.program = Program(entry.name)
    m.reset(base)
    try:
        _guarded(lowered, entry.name, entry.run)
    except turning.RefusedError:
        return None
    return m.program


def _run_entry(m: Interpreter, lowered: Lowered, entry: entries.Entry, base: Frame) -> None:
    """Run an entry; without the shapes that are written about its inputs, if it shows any fault with them."""
    _run_settled(m, lowered, entry, base, trusted=True)
    if m.written.used and any(op.faults for op in m.program.ops):
        _run_settled(m, lowered, entry, base, trusted=False)


def _run_settled(m: Interpreter, lowered: Lowered, entry: entries.Entry, base: Frame, *, trusted: bool) -> None:
    """Run an entry; once more, if its assertions have fixed sizes of its inputs. ``trusted``: with written shapes."""
    m.fixed.clear()
    for _ in range(2):
        m.turns.clear()
        m.written.begin(trusted)
        before = dict(m.fixed)
        m.program = Program(entry.name)
        m.reset(base)
        _guarded(lowered, entry.name, entry.run)
        if m.fixed == before:
            break


def _guarded(lowered: Lowered, name: str, run: Any) -> None:
    """Run one entry; a bug of ours, or source nested too deep, ends this entry and not the analysis."""
    try:
        run()
    except (RecursionError, TypeError, ValueError, AttributeError, LookupError, AssertionError, ArithmeticError) as error:
        lowered.failures.append((name, f"{type(error).__name__}: {str(error)[:200]}"))
