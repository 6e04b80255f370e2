"""What is held by the attributes of a class's objects, and by names that are bound once: told wherever they stand.

Operations and calls say what stands where they happen. A layer that a method makes for ``self.body``, or a list of blocks that
a loop goes through, is known of the object that holds it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import libcst

from dllint.analysis.modules import is_module
from dllint.ir.values import InstanceVal, unwrap
from dllint.source.walk import children

#: What has names of its own.
_SCOPES: Final = (libcst.FunctionDef, libcst.Lambda, libcst.ClassDef)
_COMPREHENSIONS: Final = (libcst.ListComp, libcst.SetComp, libcst.DictComp, libcst.GeneratorExp)
#: A name, with the statement that it stands in.
Standing = tuple[libcst.CSTNode, libcst.Name]


def modules_held(instance: InstanceVal) -> Iterator[tuple[str, InstanceVal]]:
    """The modules that are attributes of an object, by name."""
    for name, value in instance.attrs.items():
        value = unwrap(value)
        if isinstance(value, InstanceVal) and is_module(value):
            yield name, value


def attributes_of_self(cls: libcst.ClassDef) -> Iterator[libcst.Attribute]:
    """Every attribute that the methods of a class read of, or write to, their object."""
    for method in cls.body.body:
        if isinstance(method, libcst.FunctionDef) and method.params.params:
            own = method.params.params[0].name.value
            for node in _below(method.body):
                if isinstance(node, libcst.Attribute) and isinstance(node.value, libcst.Name) and node.value.value == own:
                    yield node


def names_of_self(cls: libcst.ClassDef) -> Iterator[tuple[libcst.FunctionDef, libcst.Name]]:
    """The parameters by which the methods of a class have their object."""
    for method in cls.body.body:
        if (
            isinstance(method, libcst.FunctionDef)
            and method.params.params
            and not any(map(_takes_no_object, method.decorators))
        ):
            yield method, method.params.params[0].name


def _takes_no_object(decorator: libcst.Decorator) -> bool:
    name = decorator.decorator
    return isinstance(name, libcst.Name) and name.value in ("staticmethod", "classmethod")


def kept_names(cls: libcst.ClassDef) -> Iterator[tuple[str, libcst.Name]]:
    """Each name that a method assigns to an attribute of its object, which is assigned to nowhere else in the class."""
    found: dict[str, list[libcst.BaseExpression]] = {}
    own = {id(node): node.attr.value for node in attributes_of_self(cls)}
    for node in _below(cls.body):
        if isinstance(node, libcst.Assign):
            for target in node.targets:
                if id(target.target) in own:
                    found.setdefault(own[id(target.target)], []).append(node.value)
    for attribute, values in found.items():
        if len(values) == 1 and isinstance(values[0], libcst.Name):
            yield attribute, values[0]


def scopes(body: Sequence[libcst.CSTNode]) -> Iterator[dict[str, list[Standing]]]:
    """By name, the places of what is bound once: at the top, in each function, in each loop."""
    yield _bound_once([], [(statement, statement) for statement in body])
    for statement in body:
        for node in _below(statement):
            if isinstance(node, libcst.FunctionDef):
                yield _bound_in(node)
            elif isinstance(node, libcst.For):
                yield _bound_by_loop(node)


def _bound_in(function: libcst.FunctionDef) -> dict[str, list[Standing]]:
    """The places of each name that a function binds at one place (a parameter, the target of an assignment or loop), and that
    nothing in it may bind as well."""
    params = (*function.params.posonly_params, *function.params.params, *function.params.kwonly_params)
    found = _bound_once([param.name.value for param in params], [(function, function.body)])
    for param in params:
        if param.name.value in found:
            found[param.name.value].append((function, param.name))
    return found


def _bound_by_loop(loop: libcst.For) -> dict[str, list[Standing]]:
    """The places of the names that a loop binds, and that nothing in it binds again."""
    own = set(_names(loop.target))
    return {name: places for name, places in _bound_once([], [(loop, loop)]).items() if name in own}


def _bound_once(given: Sequence[str], parts: Iterable[tuple[libcst.CSTNode, libcst.CSTNode]]) -> dict[str, list[Standing]]:
    places: dict[str, list[Standing]] = {}
    bound = Counter(given)
    for statement, part in parts:
        todo = [part]
        while todo:
            node = todo.pop()
            bound.update(_bound_by(node))
            if isinstance(node, (*_SCOPES, *_COMPREHENSIONS)):
                bound.update(2 * list(_bound_inside(node)))
            if isinstance(node, libcst.Name):
                places.setdefault(node.value, []).append((statement, node))
            elif isinstance(node, (libcst.Attribute, libcst.Arg)):
                todo.append(node.value)
            elif not isinstance(node, _SCOPES):
                todo += children(node)
    return {name: found for name, found in places.items() if bound[name] == 1}


def _below(node: libcst.CSTNode) -> Iterator[libcst.CSTNode]:
    todo = [node]
    while todo:
        current = todo.pop()
        yield current
        todo += children(current)


def _bound_inside(node: libcst.CSTNode) -> Iterator[str]:
    """The names of a scope that one in it binds: the name of a function or class, and what it declares to be outside of it; of
    a comprehension, whose parts are looked at, its own."""
    if isinstance(node, (libcst.FunctionDef, libcst.ClassDef)):
        yield node.name.value
    is_scope = isinstance(node, _SCOPES)
    for part in _below(node):
        if not is_scope or isinstance(part, (libcst.Global, libcst.Nonlocal)):
            yield from _bound_by(part)


def _bound_by(node: libcst.CSTNode) -> Iterator[str]:
    """The names that a node itself binds."""
    if isinstance(
        node, (libcst.AssignTarget, libcst.AnnAssign, libcst.AugAssign, libcst.For, libcst.CompFor, libcst.NamedExpr)
    ):
        yield from _names(node.target)
        if isinstance(node, libcst.AugAssign):
            yield from _names(node.target)  # it was bound before
    elif isinstance(node, libcst.WithItem) and node.asname is not None:
        yield from _names(node.asname.name)
    elif isinstance(node, libcst.ExceptHandler) and node.name is not None:
        yield from _names(node.name.name)
    elif isinstance(node, libcst.ImportAlias):
        yield node.evaluated_alias or node.evaluated_name.partition(".")[0]
    elif isinstance(node, (libcst.Global, libcst.Nonlocal)):
        yield from 2 * [item.name.value for item in node.names]


def _names(target: libcst.CSTNode) -> Iterator[str]:
    if isinstance(target, libcst.Name):
        yield target.value
    elif isinstance(target, (libcst.Tuple, libcst.List)):
        for element in target.elements:
            yield from _names(element.value)
    elif isinstance(target, libcst.StarredElement):
        yield from _names(target.value)
