"""Signatures written as text in rows: ``"input, dim=None, *, dtype=None"``, ``"self, *shape"``."""

from __future__ import annotations

import ast

from dllint.frameworks.binding import REQUIRED, Param
from dllint.ir.values import Value


def parse_signature(text: str) -> tuple[Param, ...]:
    """The parameters of a signature; defaults are literals, anything else is a programming error (``ValueError``)."""
    arguments = _arguments(text)
    plain = [*arguments.posonlyargs, *arguments.args]
    first = len(plain) - len(arguments.defaults)
    out = [Param(a.arg, "pos", _default(arguments.defaults[i - first] if i >= first else None)) for i, a in enumerate(plain)]
    if arguments.vararg is not None:
        out.append(Param(arguments.vararg.arg, "args", REQUIRED))
    out += [Param(a.arg, "only", _default(d)) for a, d in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)]
    if arguments.kwarg is not None:
        out.append(Param(arguments.kwarg.arg, "kwargs", REQUIRED))
    return tuple(out)


def _arguments(text: str) -> ast.arguments:
    function = ast.parse(f"lambda {text}: 0", mode="eval").body
    assert isinstance(function, ast.Lambda)
    return function.args


def _default(node: ast.expr | None) -> Value:
    value: Value = REQUIRED if node is None else ast.literal_eval(node)
    return value
