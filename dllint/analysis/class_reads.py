"""Which attributes of ``self`` a class assigns, reads and calls, by looking at the text of its methods.

A purely syntactic fact: it holds whatever the interpreter could follow. A class is *open* if its text reaches
attributes under names that are not written out (``getattr``, ``children()``, ``__dict__`` …).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, NamedTuple

import libcst as cst

from dllint.source.memo import of_node
from dllint.source.walk import walk_placed

#: Methods and attributes through which any attribute may be reached.
REFLECTION: Final = frozenset({
    "children", "named_children", "modules", "named_modules", "_modules", "__dict__", "__getattr__", "__getattribute__",
    "apply", "get_submodule", "_parameters", "_buffers",
})  # fmt: skip
#: Lists of all parts in some libraries; where the class assigns an attribute of this name itself, it is what it assigns.
_LISTS: Final = frozenset({"layers", "submodules", "_layers"})
_REFLECTIVE_CALLS: Final = frozenset({"getattr", "vars", "hasattr", "setattr", "locals", "eval", "exec"})


class Access(NamedTuple):
    """One access to an attribute of ``self``: the node (for an assignment the assigned value) and its statement."""

    node: Any
    statement: Any


Accesses = dict[str, list[Access]]


@dataclass(slots=True)
class Method:
    """The accesses to ``self`` in one method, by attribute; ``read`` leaves out the targets of assignments, ``lists`` are names
    under which a library may list all parts."""

    node: cst.FunctionDef
    assigned: Accesses = field(default_factory=dict)
    read: Accesses = field(default_factory=dict)
    called: Accesses = field(default_factory=dict)
    reflective: bool = False
    lists: set[str] = field(default_factory=set)


@dataclass
class ClassReads:
    """All methods of one class body."""

    methods: dict[str, Method] = field(default_factory=dict)

    @cached_property
    def open(self) -> bool:
        """Whether attributes may be reached under names that are not written out."""
        methods = self.methods.values()
        if any(method.reflective for method in methods):
            return True
        return any(all(name not in other.assigned for other in methods) for method in methods for name in method.lists)

    def reads(self, name: str) -> bool:
        """Whether any method reads ``self.name``."""
        return name in self._read

    @cached_property
    def _read(self) -> frozenset[str]:
        return frozenset(name for method in self.methods.values() for name in method.read)

    def assignment(self, name: str) -> Access | None:
        """The first assignment to ``self.name``."""
        return next((m.assigned[name][0] for m in self.methods.values() if name in m.assigned), None)


def class_reads(node: cst.ClassDef | None) -> ClassReads:
    """The accesses to ``self`` in a class body; nested functions belong to the method they stand in. A class that has no
    body in the source (a named tuple) has none."""
    return _class_reads(node) if node is not None else ClassReads()


@of_node
def _class_reads(node: cst.ClassDef) -> ClassReads:
    out = ClassReads()
    for statement in node.body.body if isinstance(node.body, cst.IndentedBlock) else ():
        if isinstance(statement, cst.FunctionDef):
            out.methods[statement.name.value] = _method(statement)
    return out


@of_node
def function_reads(node: cst.FunctionDef) -> ClassReads:
    """The accesses of a function to attributes of its first parameter, as of a class that has it for its only method."""
    return ClassReads({node.name.value: _function(node)})


@of_node
def _function(node: cst.FunctionDef) -> Method:
    return _method(node)


def _method(node: cst.FunctionDef) -> Method:
    method = Method(node)
    receiver = node.params.params[0].name.value if node.params.params else "self"
    targets: set[int] = set()
    part: Any
    for part, statement in walk_placed(node):
        cls = part.__class__  # libcst's classes are abstract base classes: an instance check costs more than the walk
        if cls is cst.Attribute:
            if is_self(part, receiver):
                if id(part) not in targets:
                    _add(method.read, part.attr.value, part, statement)
                method.reflective |= part.attr.value in REFLECTION
                if part.attr.value in _LISTS:
                    method.lists.add(part.attr.value)
        elif cls is cst.Call:
            _call(part, statement, receiver, method)
        elif cls is cst.Assign or cls is cst.AnnAssign:
            targets.update(_assignment(part, statement, receiver, method))
    return method


def _assignment(part: cst.Assign | cst.AnnAssign, statement: cst.CSTNode, receiver: str, method: Method) -> Iterator[int]:
    if part.value is None:
        return
    for target in [t.target for t in part.targets] if isinstance(part, cst.Assign) else [part.target]:
        for single in _singles(target):
            if isinstance(single, cst.Attribute) and is_self(single, receiver):
                _add(method.assigned, single.attr.value, part.value, statement)
                yield id(single)


def _add(accesses: Accesses, name: str, node: cst.CSTNode, statement: cst.CSTNode) -> None:
    accesses.setdefault(name, []).append(Access(node, statement))


def _singles(target: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    if isinstance(target, (cst.Tuple, cst.List)):
        for element in target.elements:
            yield from _singles(element.value)
    else:
        yield target


def _call(part: cst.Call, statement: cst.CSTNode, receiver: str, method: Method) -> None:
    func = part.func
    if func.__class__ is cst.Attribute:
        if is_self(func, receiver):
            _add(method.called, func.attr.value, part, statement)
    elif (name := _got(part, receiver)) is not None:
        _add(method.read, name, part, statement)
    elif func.__class__ is cst.Name and func.value in _REFLECTIVE_CALLS:
        on_self = any(isinstance(a.value, cst.Name) and a.value.value == receiver for a in part.args)
        method.reflective |= on_self or not part.args


def _got(call: cst.Call, receiver: str) -> str | None:
    """The name of the attribute that ``getattr(self, "name")`` reads, if it is written out."""
    if not isinstance(call.func, cst.Name) or call.func.value != "getattr" or len(call.args) < 2:
        return None
    subject, name = call.args[0].value, call.args[1].value
    if not isinstance(subject, cst.Name) or subject.value != receiver or not isinstance(name, cst.SimpleString):
        return None
    text = name.evaluated_value
    return text if isinstance(text, str) else None


def is_self(node: cst.Attribute, receiver: str = "self") -> bool:
    """Whether an attribute access is one on the method's receiver."""
    value = node.value
    return value.__class__ is cst.Name and value.value == receiver
