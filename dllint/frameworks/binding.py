"""Argument binding by Python's rules, over abstract values.

In a call with unknown ``*args`` or ``**options``, a parameter that is not named may have been given: its value is unknown, not
its default (``Bound.perhaps``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

import libcst as cst

from dllint.domains.lattice import Unknown
from dllint.ir.values import AbstractVal, Arguments, Value


@dataclass(frozen=True, slots=True)
class Param:
    """A parameter: ``kind`` is ``pos`` (positional or keyword), ``only`` (keyword-only), ``args`` or ``kwargs``; ``also``, a
    keyword of another overload, and ``open``, keywords that the library takes beyond its signature, are not bound.
    ``default`` is a literal, or :data:`REQUIRED`."""

    name: str
    kind: str
    default: Value


class _Required(AbstractVal):
    """The marker in place of a default where there is none."""

    __slots__ = ()


REQUIRED: Final = _Required()


@dataclass(slots=True)
class Bound:
    """The result of binding. ``values`` holds given arguments only; ``perhaps`` what an unknown ``*args`` or ``**kwargs`` may
    give, as Unknown; ``missing`` the required ones not given (empty if one of these may supply them); ``unbound`` keywords the
    signature lacks; ``twice`` those given by place and by name; ``surplus`` how many positional arguments it has no place
    for."""

    values: dict[str, Value] = field(default_factory=dict)
    nodes: dict[str, cst.CSTNode] = field(default_factory=dict)
    perhaps: dict[str, Value] = field(default_factory=dict)
    missing: list[str] = field(default_factory=list)
    unbound: dict[str, Value] = field(default_factory=dict)
    twice: list[str] = field(default_factory=list)
    surplus: int = 0


def bind(params: tuple[Param, ...], arguments: Arguments) -> Bound:
    """Bind arguments to parameters. Never raises: what does not fit is listed."""
    out = Bound()
    _bind_places(params, arguments, out)
    rest = next((p.name for p in params if p.kind == "kwargs"), None)
    names = {p.name for p in params if p.kind in ("pos", "only")} if arguments.kwargs else ()
    extra: dict[str, Value] = {}
    for name, value in arguments.kwargs.items():
        if name in names:
            out.twice += [name] * (name in out.values)
            out.values[name] = value
            if name in arguments.nodes:
                out.nodes[name] = arguments.nodes[name]
        elif rest is not None:
            extra[name] = value
        else:
            out.unbound[name] = value
    if rest is not None:
        out.values[rest] = extra
    out.perhaps = _maybe_given(params, out.values, arguments)
    if arguments.star is None and arguments.double_star is None:
        needed = (p.name for p in params if p.kind in ("pos", "only") and p.default is REQUIRED)
        out.missing = [name for name in needed if name not in out.values]
    return out


def _bind_places(params: tuple[Param, ...], arguments: Arguments, out: Bound) -> None:
    """Bind the positional arguments."""
    args, nodes = arguments.args, arguments.nodes
    count, position = len(args), 0
    for param in params:
        if param.kind == "pos":
            if position < count:
                out.values[param.name] = args[position]
                if position in nodes:
                    out.nodes[param.name] = nodes[position]
                position += 1
        elif param.kind == "args":
            out.values[param.name] = args[position:] if arguments.star is None else arguments.star
            position = count
    out.surplus = count - position


def defaults(params: tuple[Param, ...], bound: Bound) -> dict[str, Value]:
    """The literal defaults of the parameters that were not given, Unknown for those that may be; a default that is no literal
    (the signature data's ``{"?": text}``) is left to the operation."""
    literal = {
        p.name: p.default
        for p in params
        if p.name not in bound.values
        and p.default is not REQUIRED
        and p.kind in ("pos", "only")
        and not isinstance(p.default, dict)
    }
    return {**literal, **bound.perhaps}


def _maybe_given(params: tuple[Param, ...], given: Mapping[str, Value], arguments: Arguments) -> dict[str, Value]:
    """The parameters that were not seen to be given, but may be by an unknown ``*args`` or ``**kwargs``: each a value of its
    own, of which nothing is known."""
    by_place, by_name = arguments.star is not None, arguments.double_star is not None
    if not by_place and not by_name:
        return {}
    return {
        param.name: Unknown("maybe-given", param.name)
        for param in params
        if param.name not in given and ((by_name and param.kind in ("pos", "only")) or (by_place and param.kind == "pos"))
    }
