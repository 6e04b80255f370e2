"""The parameters of a function as its source declares them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final

import libcst as cst

from dllint.source.memo import of_node
from dllint.source.walk import children

if TYPE_CHECKING:
    from dllint.lower.state import Identities


#: What has a body of its own, by class: ``isinstance`` is slow on the abstract base classes of libcst.
_INNER: Final = frozenset({cst.FunctionDef, cst.ClassDef, cst.Lambda})


class Signature:
    """The parameters of a function node: ``positional`` names (the first ``only_positional`` cannot be keywords),
    ``keyword`` names, the names of ``*args`` and ``**kwargs``, and the nodes of defaults and annotations by name. The body is
    looked at when a call needs it."""

    def __init__(self, params: cst.Parameters, body: cst.CSTNode) -> None:
        plain = [*params.posonly_params, *params.params]
        self.positional = [p.name.value for p in plain]
        self.keyword = [p.name.value for p in params.kwonly_params]
        self.star = params.star_arg.name.value if isinstance(params.star_arg, cst.Param) else None
        self.double_star = params.star_kwarg.name.value if params.star_kwarg is not None else None
        every = [*plain, *params.kwonly_params]
        self.defaults = {p.name.value: p.default for p in every if p.default is not None}
        self.annotations = {p.name.value: p.annotation.annotation for p in every if p.annotation is not None}
        self.names = frozenset([*self.positional, *self.keyword])
        self._body = body

    @cached_property
    def yields(self) -> bool:
        """Whether a call gives a generator."""
        return _yields(self._body)

    @cached_property
    def needed(self) -> frozenset[str]:
        """The names of ``*args`` and ``**kwargs`` of which the body takes out an element without asking whether it is there,
        as in ``kwargs["dim"]``."""
        stars = {name for name in (self.star, self.double_star) if name is not None}
        return frozenset(_taken_out(list(_own_parts(self._body))) & stars) if stars else frozenset()


@of_node
def _yields(body: cst.CSTNode) -> bool:
    return any(part.__class__ is cst.Yield for part in _own_parts(body))


def _own_parts(body: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The nodes of a function's body, without those of functions and classes inside it."""
    todo = children(body)[::-1]
    while todo:
        part = todo.pop()
        if part.__class__ not in _INNER:
            yield part
            below = children(part)
            below.reverse()
            todo += below


def _taken_out(parts: Sequence[cst.CSTNode]) -> set[str]:
    """The names of containers that elements are read from (``x["key"]``, ``x[0]``, ``x.pop("key")``), except where code sets
    the element or tests whether it is present."""
    found: set[str] = set()
    asked: set[str] = set()
    places = {id(part.target) for part in parts if isinstance(part, (cst.AssignTarget, cst.AugAssign))}
    for part in parts:
        if isinstance(part, cst.Subscript) and id(part) not in places and _is_one_key(part):
            found |= _named(part.value)
        elif isinstance(part, cst.Call) and isinstance(part.func, cst.Attribute) and len(part.args) == 1:
            found |= _named(part.func.value) if part.func.attr.value == "pop" else set()
        elif isinstance(part, cst.ComparisonTarget) and isinstance(part.operator, (cst.In, cst.NotIn)):
            asked |= _named(part.comparator)
    return found - asked


def _named(node: cst.BaseExpression) -> set[str]:
    return {node.value} if isinstance(node, cst.Name) else set()


def _is_one_key(node: cst.Subscript) -> bool:
    index = node.slice[0].slice if len(node.slice) == 1 else None
    return isinstance(index, cst.Index) and isinstance(index.value, (cst.SimpleString, cst.Integer))


def signature(known: Identities, node: cst.FunctionDef | cst.Lambda) -> Signature:
    """The signature of a function node, made once."""
    kept = known.signatures.get(node)
    return known.signatures.note(node, Signature(node.params, node.body)) if kept is None else kept
