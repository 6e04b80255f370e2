"""Signatures of functions that exist only in C: read from type stubs and from docstrings.

Overloads are merged into one signature that binds every one of them: the longest overload, in which a parameter that
another overload lacks is optional (``None``). A keyword of it that another overload takes at the next position
(``dim`` of ``torch.sort``) stands there. The keywords of the others follow as ``also``. A function whose overloads disagree
on what stands at a position (``torch.max``) needs a handler of its own anyway.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from pathlib import Path
from typing import Any

#: ``[name, kind]`` of a required parameter, ``[name, kind, default]`` of an optional one.
Parameter = list[Any]
Signature = list[Parameter]


def literal(node: ast.expr) -> Any:
    """A default as JSON: a literal itself, anything else as ``{"?": source}``."""
    try:
        value = ast.literal_eval(node)
    except ValueError:
        return {"?": ast.unparse(node)}
    return {"?": "..."} if value is ... else json_literal(value)


def json_literal(value: Any) -> Any:
    """A Python value as JSON: numbers, strings, ``None`` and sequences of these; anything else as ``{"?": repr}``."""
    if value is None or type(value) in (bool, int, float, str):
        return value
    if type(value) in (tuple, list):
        return [json_literal(v) for v in value]
    return {"?": getattr(value, "__name__", None) or repr(value).split(" at 0x")[0]}


def of_arguments(arguments: ast.arguments) -> Signature:
    """The signature of a function definition's argument list."""
    positional = [*arguments.posonlyargs, *arguments.args]
    required = len(positional) - len(arguments.defaults)
    out: Signature = [[a.arg, "pos"] for a in positional[:required]]
    out += [[a.arg, "pos", literal(d)] for a, d in zip(positional[required:], arguments.defaults, strict=True)]
    if arguments.vararg:
        out.append([arguments.vararg.arg, "args"])
    for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        out.append([argument.arg, "only"] if default is None else [argument.arg, "only", literal(default)])
    if arguments.kwarg:
        out.append([arguments.kwarg.arg, "kwargs"])
    return out


def of_text(text: str) -> Signature | None:
    """The signature in a docstring's first line (``linalg.inv(A, *, out=None) -> Tensor``), if it parses."""
    head = text.strip().split("\n", 1)[0].split("->")[0].strip()
    opening = head.find("(")
    if opening < 0 or not head.endswith(")"):
        return None
    try:
        tree = ast.parse(f"def f{head[opening:]}: ...")
    except SyntaxError:
        return None
    definition = tree.body[0]
    return of_arguments(definition.args) if isinstance(definition, ast.FunctionDef) else None


def merge(overloads: list[Signature]) -> Signature:
    """One signature that binds every overload."""
    base = max(overloads, key=lambda s: (any(p[1] == "args" for p in s), len(s)))
    common = set.intersection(*({p[0] for p in s} for s in overloads))
    merged = [p if len(p) == 3 or p[0] in common or p[1] in ("args", "kwargs") else [*p, None] for p in base]
    return _positioned(merged + _also(merged, overloads), overloads)


def _positioned(merged: Signature, overloads: list[Signature]) -> Signature:
    """What an overload takes by its position behind all those of the merged signature is taken there."""
    if any(kind == "args" for _, kind, *_ in merged):
        return merged
    leading = _positions(merged)
    others = [names for names in map(_positions, overloads) if names[: len(leading)] == leading]
    more = max(others, key=len, default=leading)[len(leading) :]
    known = {parameter[0]: parameter for parameter in merged}
    placed = [[name, "pos", *(known[name][2:] or [None])] for name in more]
    return merged[: len(leading)] + placed + [p for p in merged[len(leading) :] if p[0] not in more]


def _positions(signature: Signature) -> list[str]:
    return [name for name, kind, *_ in signature if kind == "pos"]


def _also(merged: Signature, overloads: list[Signature]) -> Signature:
    """The keywords of other overloads that the merged signature lacks."""
    known = {name for name, *_ in merged} | {"self"}
    others = (p for signature in overloads for p in signature if p[0] not in known and p[1] in ("pos", "only"))
    return [[name, "also"] for name in dict.fromkeys(p[0] for p in others)]


def of_stub(path: Path, class_name: str | None = None) -> dict[str, Signature]:
    """The merged signatures of a stub's functions, or of one of its classes' methods."""
    body: Iterable[ast.stmt] = ast.parse(path.read_text(encoding="utf-8")).body
    if class_name is not None:
        body = next(n.body for n in body if isinstance(n, ast.ClassDef) and n.name == class_name)
    overloads: dict[str, list[Signature]] = {}
    for node in body:
        if isinstance(node, ast.FunctionDef):
            overloads.setdefault(node.name, []).append(of_arguments(node.args))
    return {name: merge(found) for name, found in overloads.items()}
