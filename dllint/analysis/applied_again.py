"""Parts of a module that one run of a method applies twice, whatever the calls look like: by the object that is called."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, Final

import libcst as cst

from dllint.analysis.class_reads import Access, Method, class_reads
from dllint.analysis.modules import elements, is_module, library_of, tree, user_classes
from dllint.domains.lattice import Unknown
from dllint.ir.events import ModuleCall
from dllint.ir.program import Program, Site, TensorVal
from dllint.ir.values import ClassVal, InstanceVal, Value
from dllint.ops.kinds import having
from dllint.ops.traits import Trait
from dllint.source.memo import of_node
from dllint.source.walk import children, walk

_DRAWS: Final = having(Trait.DRAWS) | having(Trait.DROPS)
_DISPLAYS: Final = (cst.List, cst.Tuple, cst.Dict, cst.Set)


@dataclass(frozen=True, slots=True)
class Again:
    """A second call of a part in one run of a method of its module. ``site`` is where the method applies the part, or hands it
    to what applies it; ``node`` is the expression there that names the part, ``self.alpha``; ``method`` is the method's name.
    ``same``: it gets the very tensors of the first call, which gives the same result unless random numbers are drawn."""

    site: Site
    node: cst.BaseExpression | None
    method: str
    same: bool


def applied_again(instance: InstanceVal, program: Program) -> dict[str, Again]:
    """By attribute of a module object: the second call of what it holds, one with the same tensors if there is any.

    Counted are calls at two places of the methods of its class, directly or through helpers, the second of which runs whenever
    the first does; and calls at one place of a loop over a display that names the part twice. Calls of the module itself are
    none: towers that share all their weights."""
    if not isinstance(instance.cls, ClassVal):
        return {}
    names = _own_parts(instance)
    places: dict[int, Method] = {}
    for base in user_classes(instance.cls):
        places |= _places(base.node) if base.node is not None else {}
    runs: list[tuple[int, ...]] = []
    calls: list[tuple[str, _Call]] = []
    for event in program.events:
        if not isinstance(event, ModuleCall):
            continue
        if event.callee is instance:
            runs.append(_chain(event.site))
        elif (name := names.get(id(event.callee))) is not None:
            calls.append((name, _Call(event, _chain(event.site))))
    found: dict[str, Again] = {}
    earlier: dict[str, list[_Call]] = {}
    for name, call in calls:
        for first in earlier.setdefault(name, []):
            again = _second(instance, name, first, call, places, runs)
            if again is not None and (name not in found or (again.same and not found[name].same)):
                found[name] = again
        earlier[name].append(call)
    return found


@dataclass(frozen=True, slots=True)
class _Call:
    """A call of a part; ``chain``: the ``id`` of each call node that leads to it, the outermost first."""

    event: ModuleCall
    chain: tuple[int, ...]

    def place(self, depth: int) -> Site:
        """The site of one of the calls that lead to it, the outermost being 0."""
        return self.event.site.stack()[len(self.chain) - 1 - depth]


def _chain(site: Site) -> tuple[int, ...]:
    return tuple(id(one.node) for one in reversed(site.stack()))


def _own_parts(instance: InstanceVal) -> dict[int, str]:
    """The attribute of each module that exactly one attribute holds."""
    held = {name: value for name, value in instance.attrs.items() if is_module(value)}
    count = Counter(map(id, held.values()))
    return {id(value): name for name, value in held.items() if count[id(value)] == 1}


def _second(
    instance: InstanceVal, name: str, first: _Call, call: _Call, places: dict[int, Method], runs: list[tuple[int, ...]]
) -> Again | None:
    """What a later call of the same part is, if it is a second one of the same run of a method."""
    if not set(first.event.path) <= set(call.event.path):
        return None
    same = is_same(first.event, call.event)
    if first.chain == call.chain:
        return _in_display(instance, name, call) if same else None
    parted = next(i for i, (a, b) in enumerate(zip_longest(first.chain, call.chain)) if a != b)
    if not _applies(first, parted, name, places) or not _applies(call, parted, name, places):
        return None
    if any(len(run) > parted and call.chain[: len(run)] == run for run in runs):
        return None  # the module itself is called at these places
    site, method = call.place(parted), places[call.chain[parted]]
    reads = _reads(site.node, method, name)
    return Again(site, reads[0] if len(reads) == 1 else None, method.node.name.value, same)


def _applies(call: _Call, parted: int, name: str, places: dict[int, Method]) -> bool:
    """Whether one of two places where chains of calls part is in a method of the class, and applies the part or hands it on;
    a method that names the part itself, and is called twice, shares it."""
    if parted >= len(call.chain) or (method := places.get(call.chain[parted])) is None:
        return False
    if _reads(call.place(parted).node, method, name):
        return True
    return parted == len(call.chain) - 1 and len(method.read.get(name, ())) > 1


def _in_display(instance: InstanceVal, name: str, call: _Call) -> Again | None:
    """A call in a loop, if a method of the class has a display that names the part twice; the call itself does not name it."""
    assert isinstance(instance.cls, ClassVal)
    for base in user_classes(instance.cls):
        for method in class_reads(base.node).methods.values():
            reads = method.read.get(name, [])
            if len(reads) > 1 and (read := _second_in_display(method.node, reads)) is not None:
                if _reads(call.event.site.node, method, name):
                    return None
                return Again(Site(base.document, read.statement, read.node), read.node, method.node.name.value, True)
    return None


def _second_in_display(method: cst.FunctionDef, reads: list[Access]) -> Access | None:
    by_node = {id(read.node): read for read in reads}
    for node in walk(method):
        if isinstance(node, _DISPLAYS):
            inside = [by_node[id(part)] for part in _without_calls(node) if id(part) in by_node]
            if len(inside) > 1:
                return inside[1]
    return None


def _reads(call: cst.CSTNode, method: Method, name: str) -> list[cst.BaseExpression]:
    """The expressions by which a call names a part of ``self``, as its function or in its arguments."""
    known = {id(read.node) for read in method.read.get(name, ())}
    if not isinstance(call, cst.Call):
        return []
    roots = (call.func, *(argument.value for argument in call.args))
    return [part for root in roots for part in _without_calls(root) if id(part) in known]


def _without_calls(node: cst.CSTNode) -> Iterator[Any]:
    """A node and what is below it, without what stands in calls, which give other values than the parts they name."""
    todo = [node]
    while todo:
        yield (current := todo.pop())
        if not isinstance(current, cst.Call):
            todo += reversed(children(current))


@of_node
def _places(node: cst.ClassDef) -> dict[int, Method]:
    """The ``id`` of each call in a class body, with the method it stands in."""
    return {
        id(part): method
        for method in class_reads(node).methods.values()
        for part in walk(method.node)
        if isinstance(part, cst.Call)
    }


def is_same(one: ModuleCall, other: ModuleCall) -> bool:
    """Whether two calls of a module give the same result: they get the same tensors, at least one, and equal plain values
    besides, and nothing in the module draws random numbers."""
    ones, others = list(_given(one)), list(_given(other))
    if len(ones) != len(others) or not any(isinstance(value, TensorVal) for value in ones):
        return False
    drawn = any(part.layer is not None and part.layer.row.op in _DRAWS for part in tree(one.callee))
    return not drawn and all(map(_is_equal, ones, others))


def _given(call: ModuleCall) -> Iterator[Value]:
    for value in (*call.args, *call.keywords.values()):
        yield from elements(value)


def _is_equal(one: Value, other: Value) -> bool:
    if isinstance(one, TensorVal) and isinstance(other, TensorVal):
        return one.id == other.id
    return one is other or (is_plain(one) and is_plain(other) and type(one) is type(other) and one == other)


def is_plain(value: Value) -> bool:
    """Whether a value is a number, a text or None: equal values of that kind are interchangeable."""
    return value is None or isinstance(value, (bool, int, float, str))


def is_twin(one: Value, other: Value) -> bool:
    """Whether two parts are built alike: of the same classes with the same, known arguments and settings."""
    ones, others = list(tree(one)), list(tree(other))
    return len(ones) == len(others) and all(map(_is_alike, ones, others))


def _is_alike(one: InstanceVal, other: InstanceVal) -> bool:
    if one.cls is not other.cls and not (isinstance(one.cls, type(other.cls)) and one.cls == other.cls):
        return False
    if one.layer is None or other.layer is None:
        return (
            one.layer is other.layer
            and one.attrs.keys() == other.attrs.keys()
            and all(_is_alike_setting(value, other.attrs[name]) for name, value in one.attrs.items())
        )
    known = not any(isinstance(value, Unknown) for value in one.layer.args.values())
    return known and one.layer.args == other.layer.args


def _is_alike_setting(one: Value, other: Value) -> bool:
    """Whether what two modules of a class have under a name may be the same; modules in it are compared by themselves."""
    if isinstance(one, InstanceVal) and isinstance(other, InstanceVal):
        return True if library_of(one.cls) and library_of(other.cls) else one is other
    if isinstance(one, TensorVal) and isinstance(other, TensorVal):
        return one.type == other.type
    ones, others = elements(one), elements(other)
    if len(ones) == len(others) and (len(ones) != 1 or ones[0] is not one):
        return all(map(_is_alike_setting, ones, others))
    return one is other or (is_plain(one) and is_plain(other) and one == other)
