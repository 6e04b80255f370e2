"""Which attributes of ``self`` a class assigns, reads and calls, by looking at the text of its methods.

A purely syntactic fact: it holds whatever the interpreter could follow. A class is *open* if its text reaches
attributes under names that are not written out (``getattr``, ``children()``, ``__dict__`` …).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

import libcst as cst

from dllint.analysis.walk import walk

#: Methods and attributes through which any attribute may be reached.
REFLECTION: Final = frozenset({
    "children", "named_children", "modules", "named_modules", "_modules", "__dict__", "__getattr__", "__getattribute__", "apply",
    "get_submodule", "_parameters", "_buffers", "layers", "submodules", "_layers",
})  # fmt: skip
_REFLECTIVE_CALLS: Final = frozenset({"getattr", "vars", "hasattr", "setattr", "locals", "eval", "exec"})


@dataclass(slots=True)
class Method:
    """The accesses to ``self`` in one method: attribute name → nodes."""

    node: cst.FunctionDef
    assigned: dict[str, list[cst.BaseExpression]] = field(default_factory=dict)
    read: dict[str, list[cst.Attribute]] = field(default_factory=dict)
    called: dict[str, list[cst.Call]] = field(default_factory=dict)
    reflective: bool = False


@dataclass(slots=True)
class ClassReads:
    """All methods of one class body."""

    methods: dict[str, Method] = field(default_factory=dict)

    @property
    def open(self) -> bool:
        """Whether attributes may be reached under names that are not written out."""
        return any(method.reflective for method in self.methods.values())

    def reads(self, name: str) -> bool:
        """Whether any method reads ``self.name``."""
        return any(name in method.read for method in self.methods.values())


@lru_cache(maxsize=512)
def class_reads(node: cst.ClassDef) -> ClassReads:
    """The accesses to ``self`` in a class body; nested classes and functions belong to the method they stand in."""
    out = ClassReads()
    for statement in node.body.body if isinstance(node.body, cst.IndentedBlock) else ():
        if isinstance(statement, cst.FunctionDef):
            out.methods[statement.name.value] = _method(statement)
    return out


def _method(node: cst.FunctionDef) -> Method:
    method = Method(node)
    receiver = node.params.params[0].name.value if node.params.params else "self"
    for part in walk(node.body):
        if isinstance(part, cst.Assign | cst.AnnAssign | cst.AugAssign):
            _assignment(part, receiver, method)
        elif isinstance(part, cst.Attribute) and is_self(part, receiver):
            method.read.setdefault(part.attr.value, []).append(part)
            method.reflective |= part.attr.value in REFLECTION
        elif isinstance(part, cst.Call):
            _call(part, receiver, method)
    for name, values in method.assigned.items():
        plain = len(method.read.get(name, ())) - len(values)
        if plain <= 0 and name in method.read:
            del method.read[name]
    return method


def _assignment(part: cst.Assign | cst.AnnAssign | cst.AugAssign, receiver: str, method: Method) -> None:
    if part.value is None or isinstance(part, cst.AugAssign):
        return
    targets = [t.target for t in part.targets] if isinstance(part, cst.Assign) else [part.target]
    for target in targets:
        for single in _singles(target):
            if isinstance(single, cst.Attribute) and is_self(single, receiver):
                method.assigned.setdefault(single.attr.value, []).append(part.value)


def _singles(target: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    if isinstance(target, cst.Tuple | cst.List):
        for element in target.elements:
            yield from _singles(element.value)
    else:
        yield target


def _call(part: cst.Call, receiver: str, method: Method) -> None:
    func = part.func
    if isinstance(func, cst.Attribute) and is_self(func, receiver):
        method.called.setdefault(func.attr.value, []).append(part)
    elif isinstance(func, cst.Name) and func.value in _REFLECTIVE_CALLS:
        method.reflective |= (
            any(isinstance(a.value, cst.Name) and a.value.value == receiver for a in part.args) or not part.args
        )


def is_self(node: cst.Attribute, receiver: str = "self") -> bool:
    """Whether an attribute access is one on the method's receiver."""
    return isinstance(node.value, cst.Name) and node.value.value == receiver
