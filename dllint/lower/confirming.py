"""Confirmation of faults: an entry with faults is run again with some of its defaults unknown.

An entry that nothing calls is first run with the defaults of its parameters. A fault may be due to a default that no caller
uses: the number in place of a tensor in ``forward(x, energy=0)``, or the two-dimensional layer class that is the default of a
block which every caller builds with three-dimensional ones. The second run leaves these unknown: defaults of the method or
function that are numbers, texts or classes, and parameters of the constructor that every construction in reach passes,
including what may be passed on through ``**options``. Only faults that both runs have are kept, conditional ones included. A
fault that the second run has only without an optional input (``mask=None``) is reported under that condition.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from dllint.ir.program import Condition, Program
from dllint.ir.values import ClassVal, FuncVal, InstanceVal, unwrap
from dllint.lower import entries, mro
from dllint.lower.repetitions import only_counts
from dllint.lower.signatures import signature
from dllint.lower.state import Run
from dllint.source.constructions import Passed, passed_within

if TYPE_CHECKING:
    from dllint.lower.entries import Entry
    from dllint.lower.machine import Interpreter
    from dllint.lower.state import Identities
    from dllint.source.workspace import Files


def opened(m: Interpreter, entry: Entry, *, optional: bool = False) -> dict[int, frozenset[str]]:
    """The parameters with a default that a confirming run leaves open, by ``id`` of the function: those of the method or
    function that is run, if it takes others besides, and those of the constructor, or of a function that takes no others,
    that every call passes. Flags and numbers of repetitions stay, and None where somebody may leave it out, unless it is
    an ``optional`` input of a method or function: code is meant to work with these. Further arguments of a constructor
    (``**options``) are among them, unless it is known of calls that none passes any."""
    out: dict[int, frozenset[str]] = {}
    for value in entry.subject:
        if isinstance(value, FuncVal):
            needed = value.owner is not None or not _needs_nothing(m.known, value)
            choices = frozenset(_chosen(value) if needed else _always_passed(m.known, m.workspace, value, [value.name]))
            out[id(value.origin_node)] = choices | _optional(value) if optional and needed else choices
    made = any(isinstance(value, InstanceVal) and not entries.is_invented(value) for value in entry.subject)
    cls = entry.subject[0] if entry.subject else None
    init = mro.lookup(cls, "__init__") if isinstance(cls, ClassVal) and not made else None
    if isinstance(cls, ClassVal) and isinstance(init, FuncVal):
        heirs = [c.name for c in m.trail.classes if c is not cls and cls in c.mro and mro.lookup(c, "__init__") is init]
        names = [cls.name, *heirs]
        out[id(init.origin_node)] = frozenset(_always_passed(m.known, m.workspace, init, names)) | _further(
            m.known, m.workspace, init, names
        )
    return {node: names for node, names in out.items() if names}


def _chosen(func: FuncVal) -> Iterator[str]:
    """The parameters whose defaults are one choice of many."""
    for name, default in func.defaults.items():
        if unwrap(default) is not None and not isinstance(unwrap(default), bool):
            yield name


def _optional(func: FuncVal) -> frozenset[str]:
    return frozenset(name for name, default in func.defaults.items() if unwrap(default) is None)


def _needs_nothing(known: Identities, func: FuncVal) -> bool:
    """Whether a function can be called without arguments; then its defaults are taken as intended."""
    return signature(known, func.node).names <= set(func.defaults)


def _always_passed(known: Identities, workspace: Files | None, func: FuncVal, names: Iterable[str]) -> Iterator[str]:
    """The parameters that every known call of a function or class passes."""
    defaults = ((name, unwrap(default)) for name, default in func.defaults.items())
    choices = [name for name, value in defaults if not isinstance(value, bool) and not _is_count(func, name, value)]
    calls = [call for name in names for call in _calls(workspace, func, name)] if choices else []
    places = {name: place for place, name in enumerate(_places(known, func))}
    for name in choices if calls else ():
        if all(call.passes(name, places.get(name, len(places))) for call in calls):
            yield name


def _is_count(func: FuncVal, name: str, default: object) -> bool:
    """Whether a default is a number of repetitions: what it repeats at all has the faults that it has for others."""
    return isinstance(default, int) and default > 0 and only_counts(func, name)


def _places(known: Identities, func: FuncVal) -> tuple[str, ...]:
    """The parameters that a call's positional arguments are bound to."""
    return tuple(signature(known, func.node).positional[func.name == "__init__" :])


def _further(known: Identities, workspace: Files | None, func: FuncVal, names: Iterable[str]) -> frozenset[str]:
    """``*args`` and ``**kwargs`` of a function, unless calls of it are known, of which none passes more than it names."""
    sig = signature(known, func.node)
    stars = frozenset(name for name in (sig.star, sig.double_star) if name is not None)
    calls = [call for name in names for call in _calls(workspace, func, name)] if stars else []
    if calls and not any(call.passes_more(len(_places(known, func)), sig.names) for call in calls):
        return frozenset()
    return stars


def _calls(workspace: Files | None, func: FuncVal, name: str) -> Iterator[Passed]:
    if func.document is not None:
        yield from func.document.answer(passed_within, name)
        if workspace is not None:
            yield from workspace.constructions_pass(func.document.path, name)


def confirm(m: Interpreter, entry: Entry, run: Callable[[], Program]) -> None:
    """Drop the faults of the program that an entry has just left which a run without open defaults does not have, and tell
    those that only show without an optional input under that condition. ``run`` runs the entry anew."""
    program = m.program
    if not any(op.faults for op in program.ops):
        return
    leave_open = opened(m, entry)
    if leave_open:
        other = _run_open(m, run, leave_open)
        if m.budget.fuel > 0:
            _keep(program, _places_of_faults(other))
    wider = opened(m, entry, optional=True)
    inputs = sorted({name for node, names in wider.items() for name in names - leave_open.get(node, frozenset())})
    if not inputs or not any(op.faults for op in program.ops):
        return
    other = _run_open(m, run, wider)
    if m.budget.fuel > 0:
        text = f"{' and '.join(inputs)} {'is' if len(inputs) == 1 else 'are'} not given"
        _tell_condition(program, _places_of_faults(other), Condition(m.budget.next_fork(), 0, text))


def _run_open(m: Interpreter, run: Callable[[], Program], leave_open: dict[int, frozenset[str]]) -> Program:
    """The program of a run with some parameters open. What it leaves behind in the interpreter's records is taken back."""
    program, usual, before = m.program, m.run, m.trail.mark()
    m.run = Run(opened=leave_open, fixed=dict(usual.fixed))
    other = run()
    m.trail.take_back(before)
    m.program, m.run = program, usual
    return other


def _places_of_faults(program: Program) -> set[tuple[int, str]]:
    return {(id(op.site.node), fault.kind) for op in program.ops for fault in op.faults}


def _keep(program: Program, confirmed: set[tuple[int, str]]) -> None:
    for op in program.ops:
        if op.faults:
            op.faults = tuple(fault for fault in op.faults if (id(op.site.node), fault.kind) in confirmed)


def _tell_condition(program: Program, confirmed: set[tuple[int, str]], condition: Condition) -> None:
    for op in program.ops:
        if any((id(op.site.node), fault.kind) not in confirmed for fault in op.faults):
            op.path = (*op.path, condition)
