"""The weights of modules that a program keeps to use them later: ``state_dict()`` gives the tensors themselves, not copies."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import libcst as cst

from dllint.analysis.own_statements import enclosing
from dllint.analysis.training import Loop, Training, certainly_different
from dllint.domains.lattice import Unknown
from dllint.ir import events
from dllint.ir.program import Program
from dllint.ir.values import DictVal, Value, unwrap
from dllint.lower.lazy import ChoiceVal
from dllint.source.document import Document
from dllint.source.walk import small_statements, walk

_TAKEN: Final = "torch.nn.Module.state_dict"
_LOADED: Final = "torch.nn.Module.load_state_dict"
#: What is written to what keeps weights besides them.
_EMPTY: Final = (cst.Name, cst.Dict)
_DEEPEST: Final = 3


@dataclass(frozen=True, slots=True)
class KeptState:
    """The weights of ``module`` that ``taken`` gives and that ``loaded`` gives back after the module was trained further."""

    taken: events.LibraryCall
    loaded: events.LibraryCall


def aliased(program: Program, training: Training) -> Iterator[KeptState]:
    """The weights that are kept without a copy while the optimizer goes on to change them, and loaded into their own module."""
    calls = [(number, item) for number, item in enumerate(program.trace) if isinstance(item, events.LibraryCall)]
    taken = [(number, call) for number, call in calls if call.name == _TAKEN and isinstance(call.result, DictVal)]
    steps = [number for number, item in enumerate(program.trace) if isinstance(item, events.Step)]
    found: set[tuple[int, int]] = set()
    for end, loaded in calls if taken and steps else ():
        if loaded.name != _LOADED:
            continue
        for start, kept in taken:
            place = (id(kept.site.node), id(loaded.site.node))
            if place in found or start > end or not _is_same(kept, loaded) or not _arrives(kept, loaded):
                continue
            if _is_outdated(program, start, end, steps, training.loops) and not _leaves(kept):
                found.add(place)
                yield KeptState(kept, loaded)


def _is_same(kept: events.LibraryCall, loaded: events.LibraryCall) -> bool:
    """Whether weights go back to the module that they come from."""
    giver, taker = unwrap(kept.bound.get("self")), unwrap(loaded.bound.get("self"))
    return giver is taker and not certainly_different(giver, taker)


def _arrives(kept: events.LibraryCall, loaded: events.LibraryCall) -> bool:
    """Whether what is loaded may be the dict that was kept."""
    value = unwrap(loaded.bound.get("state_dict"))
    return any(option is kept.result for option in _options(value)) or (
        isinstance(value, Unknown) and _is_kept_under(kept, loaded)
    )


def _options(value: Value, depth: int = _DEEPEST) -> Iterator[Value]:
    """What a value may be."""
    yield value
    parts = value.options if isinstance(value, ChoiceVal) else value.alternatives if isinstance(value, DictVal) else ()
    for part in parts if depth else ():
        yield from _options(unwrap(part), depth - 1)


def _is_kept_under(kept: events.LibraryCall, loaded: events.LibraryCall) -> bool:
    """Whether weights are assigned to the name or attribute from which they are loaded, and nothing but weights ever is."""
    node = loaded.site.node
    argument = node.args[0].value if isinstance(node, cst.Call) and node.args else None
    target = _target(kept)
    if argument is None or target is None or _last(argument) != _last(target) or type(argument) is not type(target):
        return False
    document: Document = kept.site.document
    if isinstance(target, cst.Name) and _function(kept) is not _function(loaded):
        return False
    values = list(_assigned(document, _last(target)))
    return bool(values) and all(value is kept.site.node or isinstance(value, _EMPTY) or _is_taking(value) for value in values)


def _is_taking(value: cst.BaseExpression) -> bool:
    """Whether an expression is ``x.state_dict()``."""
    called = value.func if isinstance(value, cst.Call) and not value.args else None
    return isinstance(called, cst.Attribute) and called.attr.value == _TAKEN.rpartition(".")[2]


def _target(kept: events.LibraryCall) -> cst.BaseExpression | None:
    """To what weights are assigned, as the whole value."""
    for small in small_statements(kept.site.statement):
        if isinstance(small, cst.Assign) and small.value is kept.site.node and len(small.targets) == 1:
            return small.targets[0].target
    return None


def _last(node: cst.BaseExpression) -> str:
    """The name of a name or attribute; empty for anything else."""
    if isinstance(node, cst.Attribute):
        return node.attr.value
    return node.value if isinstance(node, cst.Name) else ""


def _assigned(document: Document, name: str) -> Iterator[cst.BaseExpression]:
    """All that a file assigns to a name, or to an attribute of that name."""
    for top in document.body:
        for node in walk(top) if name and re.search(rf"\b{name}\b", document.text) else ():
            if isinstance(node, cst.Assign) and any(_last(target.target) == name for target in node.targets):
                yield node.value


def _function(event: events.LibraryCall) -> cst.CSTNode | None:
    functions = [part for part in enclosing(event.site) if isinstance(part, cst.FunctionDef)]
    return functions[-1] if functions else None


def _is_outdated(program: Program, start: int, end: int, steps: list[int], loops: list[Loop]) -> bool:
    """Whether the module is trained on between the place where its weights are taken and that where they are loaded. In a loop
    that trains and is left between, that is so if they are not taken in every pass."""
    around = [loop for loop in loops if loop.start <= start < loop.end <= end]
    training = [loop for loop in around if any(loop.start <= step < loop.end for step in steps)]
    if not training:
        return any(start < step < end for step in steps)
    entered, taken = program.trace[min(loop.start for loop in training) - 1], program.trace[start]
    return len(taken.path) > len(entered.path)


def _leaves(kept: events.LibraryCall) -> bool:
    """Whether the loop or function is left where the weights were taken, so that they are the last ones."""
    around = enclosing(kept.site)
    if not around:
        return False
    block = getattr(around[-1].body, "body", ())
    return any(isinstance(small, (cst.Break, cst.Return)) for line in block for small in small_statements(line))
