"""Names, and attributes of a name, that code binds and uses for nothing but to read what they tell."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

import libcst as cst

from dllint.analysis.own_statements import enclosing
from dllint.ir.program import Site
from dllint.source.memo import of_node
from dllint.source.walk import children, walk


def is_never_used(name: str, site: Site, read: Collection[str]) -> bool:
    """Whether a name that a place binds is only bound, asked for being there, and read from by the attributes in ``read``: in
    the function around the place, or everywhere in the file if the name is not the function's own."""
    functions = [part for part in enclosing(site) if isinstance(part, cst.FunctionDef)]
    own = functions[-1] if functions and name in _locals(functions[-1]) else None
    body: Sequence[cst.CSTNode] = site.document.body if own is None else (own.body,)
    uses = 0
    for part in (part for statement in body for part in _visible(statement, name)):
        if isinstance(part, cst.Name) and part.value == name:
            uses += 1
        elif isinstance(part, cst.Attribute):
            uses -= _is_name(part.attr, name) + (_is_name(part.value, name) and part.attr.value in read)
        elif isinstance(part, cst.Arg):
            uses -= part.keyword is not None and _is_name(part.keyword, name)
        elif isinstance(part, cst.AssignTarget):
            uses -= _is_name(part.target, name)
        elif isinstance(part, cst.Comparison):
            uses -= _is_name(part.left, name) and all(_is_none(each.comparator) for each in part.comparisons)
        elif isinstance(part, (cst.If, cst.IfExp)):
            uses -= _is_name(part.test, name)
        elif isinstance(part, cst.SimpleString) and part.evaluated_value == name:
            return False
    return uses == 0


def is_attribute_never_used(name: str, body: Sequence[cst.CSTNode], read: Collection[str]) -> bool:
    """Whether attributes of a name, whatever they are of, are only assigned to and read from in a file, and nothing else is
    called so but a module, whose classes are read from it."""
    uses = 0
    for part in (part for statement in body for part in walk(statement)):
        if isinstance(part, cst.Name) and part.value == name:
            uses += 1
        elif isinstance(part, cst.AssignTarget) and last_name(part.target) == name:
            uses -= 1
        elif isinstance(part, cst.Attribute) and last_name(part.value) == name:
            uses -= part.attr.value in read or part.attr.value[0].isupper()
        elif isinstance(part, cst.ImportFrom):
            uses -= part.module is not None and last_name(part.module) == name
        elif isinstance(part, cst.ImportAlias):
            uses -= last_name(part.name) == name
        elif isinstance(part, cst.SimpleString) and name in part.value:
            return False
    return uses == 0


def last_name(node: cst.CSTNode) -> str:
    """``b`` of ``b`` and of ``a.b``."""
    if isinstance(node, cst.Attribute):
        return node.attr.value
    return node.value if isinstance(node, cst.Name) else ""


def _visible(node: cst.CSTNode, name: str) -> Iterator[cst.CSTNode]:
    """The parts of a node, but for those of functions in it that have a variable of that name for themselves."""
    todo = [node]
    while todo:
        part = todo.pop()
        yield part
        if not isinstance(part, cst.FunctionDef) or name not in _locals(part):
            todo += children(part)


@of_node
def _locals(function: cst.FunctionDef) -> frozenset[str]:
    """The names that a function has for itself: its parameters, and what it binds by an assignment without ``global``."""
    bound, elsewhere = {parameter.name.value for parameter in walk(function.params) if isinstance(parameter, cst.Param)}, set()
    for part in _parts(function.body):
        if isinstance(part, cst.AssignTarget):
            bound |= {each.value for each in walk(part.target) if isinstance(each, cst.Name)} if _binds(part.target) else set()
        elif isinstance(part, (cst.Global, cst.Nonlocal)):
            elsewhere |= {item.name.value for item in part.names}
    return frozenset(bound - elsewhere)


def _parts(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The parts of a function's body, without those of functions and classes in it."""
    todo = list(children(node))
    while todo:
        part = todo.pop()
        yield part
        if not isinstance(part, (cst.FunctionDef, cst.Lambda, cst.ClassDef)):
            todo += children(part)


def _binds(target: cst.BaseExpression) -> bool:
    if isinstance(target, (cst.Tuple, cst.List)):
        return all(_binds(element.value) for element in target.elements)
    return isinstance(target, cst.Name)


def _is_name(node: cst.CSTNode, name: str) -> bool:
    return isinstance(node, cst.Name) and node.value == name


def _is_none(node: cst.CSTNode) -> bool:
    return isinstance(node, cst.Name) and node.value == "None"
