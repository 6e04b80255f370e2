"""On which modules a file registers hooks, by looking at its text; a forward method that is called by name passes them over."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

import libcst as cst

from dllint.source.document import Document
from dllint.source.memo import of_node
from dllint.source.walk import children

#: The attributes that lead from ``self`` to a module; ``[]`` stands for any element. ``None``: it may be any module.
Path = tuple[str, ...] | None

_REGISTERS: Final = re.compile(r"register_(?:module_)?(?:forward|full_backward|backward)\w*_hook")
_FORWARD: Final = frozenset({"forward", "call"})
_SELF: Final = "self"
_ELEMENT: Final = "[]"
#: A name may stand for another one this often.
_DEEPEST: Final = 4


@dataclass(slots=True)
class _Scope:
    """What the names of a function are bound to: an expression and whether it is an element of it; ``None`` if that is not
    known."""

    names: dict[str, tuple[cst.BaseExpression, bool] | None] = field(default_factory=dict)

    def bind(self, target: cst.BaseExpression, value: cst.BaseExpression, of_element: bool) -> None:
        if isinstance(target, cst.Name):
            self.names[target.value] = None if target.value in self.names else (value, of_element)
        elif isinstance(target, (cst.Tuple, cst.List)):
            for part in target.elements:
                name = part.value
                if isinstance(name, cst.Name):
                    self.names[name.value] = None


def is_passed_over(method: cst.CSTNode, document: Document) -> bool:
    """Whether a hook is or may be registered on the module whose ``forward`` or ``call`` a node of this file names: not where
    all hooks are on other attributes of objects, or on parts of the module, which it calls itself."""
    if not document.answer(_registers):
        return False
    answers = [_modules(statement) for statement in document.body]
    own = next((path for found in answers for node, path in found.called if node is method), None)
    hooked = [path for found in answers for path in found.hooked]
    return any(path is None or own is None or path == own[max(len(own) - len(path), 0) :] for path in hooked)


def _registers(text: str) -> bool:
    return _REGISTERS.search(text) is not None


@dataclass(slots=True)
class _Modules:
    """The paths of the modules on which a statement registers hooks; of those whose forward method it names, with the node."""

    hooked: list[Path] = field(default_factory=list)
    called: list[tuple[cst.CSTNode, Path]] = field(default_factory=list)


@of_node
def _modules(statement: cst.CSTNode) -> _Modules:
    out = _Modules()
    for node, scopes in _placed(statement, ()):
        if isinstance(node, cst.Attribute) and node.attr.value in _FORWARD:
            out.called.append((node, _path(node.value, scopes)))
        elif isinstance(node, cst.Attribute) and _REGISTERS.fullmatch(node.attr.value):
            out.hooked.append(_path(node.value, scopes))
    return out


def _placed(node: cst.CSTNode, scopes: tuple[_Scope, ...]) -> Iterator[tuple[cst.CSTNode, tuple[_Scope, ...]]]:
    """A node and all below it, each with the functions around it, the innermost last."""
    if isinstance(node, (cst.FunctionDef, cst.Lambda)):
        scopes = (*scopes, _scope(node))
    yield node, scopes
    for child in children(node):
        yield from _placed(child, scopes)


def _scope(function: cst.FunctionDef | cst.Lambda) -> _Scope:
    """The names that a function binds; a parameter may be anything, but for ``self``."""
    scope = _Scope()
    for parameter in (*function.params.posonly_params, *function.params.params, *function.params.kwonly_params):
        scope.names[parameter.name.value] = None
    todo: list[cst.CSTNode] = [function.body]
    while todo:
        node = todo.pop()
        if isinstance(node, cst.Assign):
            for target in node.targets:
                scope.bind(target.target, node.value, of_element=False)
        elif isinstance(node, (cst.For, cst.CompFor)):
            scope.bind(node.target, node.iter, of_element=True)
        elif isinstance(node, (cst.NamedExpr, cst.AnnAssign)) and node.value is not None:
            scope.bind(node.target, node.value, of_element=False)
        if not isinstance(node, (cst.FunctionDef, cst.Lambda)):
            todo += children(node)
    return scope


def _path(value: cst.BaseExpression, scopes: tuple[_Scope, ...], depth: int = _DEEPEST) -> Path:
    """The attributes that lead from ``self`` to what an expression gives."""
    if isinstance(value, cst.Name):
        if value.value == _SELF:
            return ()
        scope = next((scope for scope in reversed(scopes) if value.value in scope.names), None)
        bound = scope.names[value.value] if scope is not None else None
        if bound is None or depth == 0:
            return None
        before = _path(bound[0], scopes, depth - 1)
        return (*before, _ELEMENT) if bound[1] and before is not None else before
    if isinstance(value, cst.Attribute):
        before = _path(value.value, scopes, depth)
        return None if before is None else (*before, value.attr.value)
    if isinstance(value, cst.Subscript):
        before = _path(value.value, scopes, depth)
        return None if before is None else (*before, _ELEMENT)
    return None
