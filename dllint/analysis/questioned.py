"""Conditions on the way to an operation that the ranges do not understand, and that ask for the numbers it is written with.

A condition may name a local variable that was computed from those numbers (``empty = (total == 0).nonzero()``); how many
elements such a selection has (``len(empty)``) is a question about the numbers, while the shape of a tensor is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final

import libcst as cst

from dllint.analysis.facts import Facts
from dllint.analysis.own_statements import enclosing
from dllint.ir.program import Op, Site
from dllint.source import memo
from dllint.source.expressions import concrete_expression
from dllint.source.walk import children, walk_for

#: The expressions that are assigned to local names.
Given = Mapping[str, tuple[cst.BaseExpression, ...]]
#: Attributes, methods and functions that ask for what has nothing to do with the numbers in a tensor.
_ATTRIBUTES: Final = frozenset({"shape", "ndim", "training", "dtype", "device"})
_METHODS: Final = frozenset({"size", "dim"})
_FUNCTIONS: Final = frozenset({"len", "isinstance"})
_WORD: Final = re.compile(r"\w+")
#: So many assignments lead from a name in a condition to another one.
_DEEPEST: Final = 3


def is_questioned(op: Op, facts: Facts) -> bool:
    """Whether a condition that is not one on tensors, and so is not known to the ranges, speaks of what an operation is written
    with (``if s.item() > 0``): numbers that it has excluded are not known."""
    texts = [condition.text for condition in op.path]
    texts += [text for identity in op.tested if (text := facts.program.questions.get(identity)) is not None]
    if not texts or _are_of_tensors(op, facts):
        return False
    names, given = _names(op.site.node), assigned_around(op.site)
    return any(not names.isdisjoint(_asked(text, given)) for text in dict.fromkeys(texts))


def _are_of_tensors(op: Op, facts: Facts) -> bool:
    """Whether all that was tested on the way are tensors of the program."""
    made = facts.results
    return all(identity in made for identity in op.tested)


def _names(node: cst.CSTNode | None) -> frozenset[str]:
    """The names in an expression."""
    return frozenset(part.value for part in walk_for(node, cst.Name)) if node is not None else frozenset()


def assigned_around(site: Site) -> Given:
    """What the function around a place assigns to its names; outside of functions, what the module's own statements do."""
    functions = [part for part in enclosing(site) if isinstance(part, cst.FunctionDef)]
    if functions:
        return _assigned_in(functions[-1])
    found: dict[str, tuple[cst.BaseExpression, ...]] = {}
    for statement in site.document.body:
        if isinstance(statement, cst.SimpleStatementLine):
            collect_assigned(statement, found)
    return found


@memo.of_node
def _assigned_in(function: cst.FunctionDef) -> Given:
    found: dict[str, tuple[cst.BaseExpression, ...]] = {}
    collect_assigned(function, found)
    return found


def collect_assigned(node: cst.CSTNode, found: dict[str, tuple[cst.BaseExpression, ...]]) -> None:
    """Add what a piece of code assigns to its names."""
    for part in walk_for(node, cst.Assign):
        for target in part.targets:
            for name in _names(target.target):
                found[name] = (*found.get(name, ()), part.value)


def _asked(text: str, given: Given) -> set[str]:
    """The names for whose numbers a condition asks."""
    tree = _tree(text)
    return set(_WORD.findall(text)) if tree is None else set(_numbers(tree, given, _DEEPEST))


@lru_cache(maxsize=512)
def _tree(text: str) -> cst.BaseExpression | None:
    return concrete_expression(text)


def _numbers(node: cst.CSTNode, given: Given, deepest: int) -> Iterator[str]:
    """The names for whose numbers an expression asks, by way of so many assignments at most."""
    if (subject := _aside(node)) is not None:
        yield from _counted(subject, given, deepest)
    elif isinstance(node, cst.Name):
        yield node.value
        for source in given.get(node.value, ()) if deepest else ():
            yield from _numbers(source, given, deepest - 1)
    elif isinstance(node, cst.Attribute):
        yield node.attr.value
        yield from _numbers(node.value, given, deepest)
    else:
        for child in children(node):
            yield from _numbers(child, given, deepest)


def _aside(node: cst.CSTNode) -> cst.BaseExpression | None:
    """What an expression asks for something else than its numbers: ``x`` in ``x.shape``, ``len(x)`` and ``x is None``."""
    if isinstance(node, cst.Attribute):
        return node.value if node.attr.value in _ATTRIBUTES else None
    if isinstance(node, cst.Comparison):
        return node.left if isinstance(node.comparisons[0].operator, (cst.Is, cst.IsNot)) else None
    if not isinstance(node, cst.Call):
        return None
    func = node.func
    if isinstance(func, cst.Attribute) and func.attr.value in _METHODS:
        return func.value
    return node.args[0].value if isinstance(func, cst.Name) and func.value in _FUNCTIONS and node.args else None


def _counted(subject: cst.BaseExpression, given: Given, deepest: int) -> Iterator[str]:
    """The names for whose numbers one asks by the number of elements of what was selected by a comparison."""
    sources = given.get(subject.value, ()) if isinstance(subject, cst.Name) else (subject,)
    for source in sources if deepest else ():
        if _compares(source, given, deepest - 1):
            yield from _numbers(source, given, deepest - 1)


def _compares(source: cst.CSTNode, given: Given, deepest: int) -> bool:
    """Whether an expression compares anything, or names what was computed so."""
    if next(walk_for(source, cst.Comparison), None) is not None:
        return True
    named = (one for name in _names(source) for one in given.get(name, ())) if deepest else ()
    return any(_compares(one, given, deepest - 1) for one in named)
