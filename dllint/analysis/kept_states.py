"""The weights of modules that a program keeps to use them later: ``state_dict()`` gives the tensors themselves, not copies."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import libcst as cst

from dllint.analysis.own_statements import enclosing
from dllint.analysis.training import Loop, Training
from dllint.domains.lattice import Unknown
from dllint.ir import events
from dllint.ir.program import Program, Site
from dllint.ir.values import DictVal, InstanceVal, Value, unwrap
from dllint.lower.lazy import ChoiceVal, Widened
from dllint.source.document import Document
from dllint.source.walk import small_statements, walk

_TAKEN: Final = "torch.nn.Module.state_dict"
#: What gives pairs of names and weights, of which ``dict`` makes such a dict.
_PAIRS: Final = "torch.nn.Module.named_parameters"
#: What takes weights back or writes them to a file → the parameter that they are given as.
_TAKING: Final = {"torch.nn.Module.load_state_dict": "state_dict", "torch.save": "obj"}
#: What makes another dict of the same tensors.
_SHALLOW: Final = ("copy", "dict", "OrderedDict")
_DEEPEST: Final = 3


@dataclass(frozen=True, slots=True)
class KeptState:
    """Weights that ``taken`` gives and that ``used`` loads or saves after the module was trained further."""

    taken: events.LibraryCall
    used: events.LibraryCall


def aliased(program: Program, training: Training) -> Iterator[KeptState]:
    """The weights that are kept without a copy while the optimizer goes on to change them, and that are loaded into their own
    module then, or saved."""
    calls = [(number, item) for number, item in enumerate(program.trace) if isinstance(item, events.LibraryCall)]
    taken = [(number, call) for number, call in calls if _gives_weights(call, training)]
    steps = [number for number, item in enumerate(program.trace) if isinstance(item, events.Step)]
    found: set[tuple[int, int]] = set()
    for end, used in calls if taken and steps else ():
        if used.name not in _TAKING:
            continue
        last = {id(kept.site.node): (start, kept) for start, kept in taken if start < end}
        for start, kept in last.values():
            place = (id(kept.site.node), id(used.site.node))
            if place in found or not _is_same(kept, used) or not _arrives(kept, used):
                continue
            if _is_outdated(program, start, end, steps, training.loops) and not _leaves(kept):
                found.add(place)
                yield KeptState(kept, used)


def _gives_weights(call: events.LibraryCall, training: Training) -> bool:
    """Whether a call gives the weights of a module by name, or the pairs of which its statement makes such a dict, anew in a
    loop: one that is made before may be meant to follow the weights."""
    if call.name == _PAIRS:
        return bool(training.around(call)) and any(
            isinstance(small, cst.Assign) and _is_dict_of(small.value, call) for small in small_statements(call.site.statement)
        )
    return call.name == _TAKEN and isinstance(call.result, DictVal)


def _is_dict_of(value: cst.BaseExpression, call: events.LibraryCall) -> bool:
    return value is not call.site.node and _whole(value) is call.site.node


def _is_same(kept: events.LibraryCall, used: events.LibraryCall) -> bool:
    """Whether weights go back to the module that they come from, or to a file."""
    giver, taker = unwrap(kept.bound.get("self")), unwrap(used.bound.get("self"))
    if "self" not in used.bound:
        return True
    if giver is not taker:
        return False
    # a copy of an object of which nothing is known is the same unknown value
    return isinstance(giver, InstanceVal) or _last(_receiver(kept)) == _last(_receiver(used)) != ""


def _receiver(call: events.LibraryCall) -> cst.BaseExpression | None:
    """The expression whose method is called."""
    node = call.site.node
    return node.func.value if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) else None


def _arrives(kept: events.LibraryCall, used: events.LibraryCall) -> bool:
    """Whether what is loaded may be the dict that was kept, or a dict of the same tensors."""
    value = unwrap(used.bound.get(_TAKING[used.name]))
    if any(option is kept.result or _is_made_at(option, kept) for option in _options(value)):
        return True
    return isinstance(value, (Unknown, DictVal, ChoiceVal)) and _is_kept_under(kept, used)


def _is_made_at(option: Value, kept: events.LibraryCall) -> bool:
    """Whether a value is the weights that the same call gives in another pass of a loop."""
    return isinstance(option, DictVal) and option.site is not None and option.site.node is kept.site.node


def _options(value: Value, depth: int = _DEEPEST) -> Iterator[Value]:
    """What a value may be."""
    yield value
    parts: tuple[Value, ...] = value.alternatives if isinstance(value, DictVal) else ()
    if isinstance(value, (ChoiceVal, Widened)):
        parts = value.options if isinstance(value, ChoiceVal) else value.values
    for part in parts if depth else ():
        yield from _options(unwrap(part), depth - 1)


def _is_kept_under(kept: events.LibraryCall, used: events.LibraryCall) -> bool:
    """Whether weights are assigned to the name or attribute from which they are used, and nothing but weights ever is."""
    node = used.site.node
    argument = node.args[0].value if isinstance(node, cst.Call) and node.args else None
    target = _target(kept)
    if argument is None or target is None or _last(argument) != _last(target) or type(argument) is not type(target):
        return False
    if isinstance(target, cst.Name) and _function(kept) is not _function(used):
        return False
    return all(_is_nothing(value) or _is_taking(value) for value in _assigned(kept.site.document, _last(target)))


def _is_nothing(value: cst.BaseExpression) -> bool:
    """Whether an expression is ``None`` or an empty dict."""
    return (isinstance(value, cst.Name) and value.value == "None") or (isinstance(value, cst.Dict) and not value.elements)


def _is_taking(value: cst.BaseExpression) -> bool:
    """Whether an expression is ``x.state_dict()``, or another dict of its tensors."""
    called = _whole(value)
    method = called.func if isinstance(called, cst.Call) and not called.args else None
    return isinstance(method, cst.Attribute) and method.attr.value in (_TAKEN.rpartition(".")[2], _PAIRS.rpartition(".")[2])


def _whole(value: cst.BaseExpression) -> cst.BaseExpression:
    """What a shallow copy is made of: ``x`` of ``x.copy()``, ``dict(x)`` and ``copy.copy(x)``; of anything else, itself."""
    if not isinstance(value, cst.Call) or _last(value.func) not in _SHALLOW:
        return value
    if len(value.args) == 1:
        return value.args[0].value
    return value.func.value if isinstance(value.func, cst.Attribute) and not value.args else value


def _target(kept: events.LibraryCall) -> cst.BaseExpression | None:
    """To what weights are assigned, as the whole value."""
    for small in small_statements(kept.site.statement):
        if isinstance(small, cst.Assign) and _whole(small.value) is kept.site.node and len(small.targets) == 1:
            return small.targets[0].target
    return None


def _last(node: cst.BaseExpression | None) -> str:
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
    """Whether the loop or function is left where the weights were taken, so that they are the last ones. A function that does
    nothing but give them is left by each call."""
    site = kept.site
    while site.caller is not None and is_returned(site):
        site = site.caller
    around = enclosing(site)
    if not around:
        return False
    block = getattr(around[-1].body, "body", ())
    ends = [small for line in block for small in small_statements(line) if isinstance(small, (cst.Break, cst.Return))]
    return any(not (isinstance(end, cst.Return) and site.caller is not None and _goes_on(end, site.caller)) for end in ends)


def _goes_on(end: cst.Return, caller: Site) -> bool:
    """Whether a function tells its caller by what it gives, ``False`` or nothing, that there is nothing to stop for. Who asks
    for the opposite stops then."""
    if end.value is not None and not (isinstance(end.value, cst.Name) and end.value.value in ("False", "None")):
        return False
    functions = [part for part in enclosing(caller) if isinstance(part, cst.FunctionDef)]
    block: Sequence[cst.CSTNode] = (functions[-1].body,) if functions else caller.document.body
    bound = [
        target.target
        for small in small_statements(caller.statement)
        if isinstance(small, cst.Assign) and small.value is caller.node
        for target in small.targets
    ]
    opposites = (
        part.expression
        for top in block
        for part in walk(top)
        if isinstance(part, cst.UnaryOperation) and isinstance(part.operator, cst.Not)
    )
    return not any(one is caller.node or any(one.deep_equals(name) for name in bound) for one in opposites)


def is_returned(site: Site) -> bool:
    """Whether the value of an expression is given to the caller: by its statement, or as the name that this binds."""
    own = list(small_statements(site.statement))
    if any(isinstance(small, cst.Return) and small.value is site.node for small in own):
        return True
    around = enclosing(site)
    function = around[-1] if around and isinstance(around[-1], cst.FunctionDef) else None
    last = list(small_statements(function.body.body[-1])) if function is not None else []
    name = last[-1].value if last and isinstance(last[-1], cst.Return) else None
    assigned = (small for small in own if isinstance(small, cst.Assign) and small.value is site.node)
    targets = (target.target for small in assigned for target in small.targets)
    return isinstance(name, cst.Name) and any(target.deep_equals(name) for target in targets)
