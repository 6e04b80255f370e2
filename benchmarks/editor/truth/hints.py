"""Whether an inlay hint is true of what a name held: ``right``, ``partly`` (some of it is unknown), ``wrong``."""

from __future__ import annotations

import ast
import math
import re
from typing import Any

#: How hints write element types.
_TYPES = {
    "float16": "f16", "float32": "f32", "float64": "f64", "bfloat16": "bf16", "int8": "i8", "int16": "i16", "int32": "i32",
    "int64": "i64", "uint8": "u8", "uint16": "u16", "uint32": "u32", "uint64": "u64", "bool": "bool", "string": "string",
    "complex64": "c64", "complex128": "c128",
}  # fmt: skip
_TENSOR = re.compile(r"(\w+|\?)\[(.*)\]$")
_RANKS = {"right": 0, "partly": 1, "wrong": 2}


def verdict(hint: str, seen: list[Any]) -> str:
    """The worst verdict about a hint over the tensors and tuples of tensors that a name held, each by the best alternative."""
    worst = "right"
    for one in seen:
        found = min((_of(part.strip(), one) for part in hint.split(" | ")), key=lambda one: _RANKS[one])
        worst = found if _RANKS[found] > _RANKS[worst] else worst
    return worst


def broken_relations(frame: list[tuple[str, Any]]) -> list[str]:
    """Hints of one call of a function whose sizes contradict each other: ``2*C`` where ``C`` is 8 and the size is 10.

    A symbol that stands for different numbers in the hints of the call stands for "some size" and binds nothing.
    """
    pairs = [pair for hint, seen in frame for pair in _pairs(hint.strip(), seen)]
    bound: dict[str, set[int]] = {}
    for size, real in pairs:
        if size.isidentifier():
            bound.setdefault(size, set()).add(real)
    known = {name: next(iter(reals)) for name, reals in bound.items() if len(reals) == 1}
    return [f"{size} is {real} with {known}" for size, real in pairs if _value(size, known) not in (None, real)]


def sizes_in(hint: str) -> list[str]:
    """The sizes that a hint of one tensor names."""
    matched = _TENSOR.match(hint.strip())
    return _parts(matched.group(2)) if matched and " | " not in hint else []


def _of(hint: str, one: Any) -> str:
    kind = one[0]
    if kind in ("tuple", "list"):
        if hint[:1] != ("[" if kind == "list" else "("):
            return "wrong"
        return _of_items(_parts(hint[1:-1]), one[1])
    if kind not in ("tensor", "array"):
        return "wrong"
    matched = _TENSOR.match(hint)
    if matched is None:
        return "wrong"
    type_, sizes = matched.group(1), _parts(matched.group(2))
    if type_ not in ("?", _TYPES.get(str(one[2]).removeprefix("torch."), "?")):
        return "wrong"
    if sizes[:1] == ["..."]:
        return "partly"
    if len(sizes) != len(one[1]):
        return "wrong"
    if any(_value(size, {}) not in (None, real) for size, real in zip(sizes, one[1], strict=True) if real is not None):
        return "wrong"
    return "partly" if type_ == "?" or "?" in sizes else "right"


def _of_items(texts: list[str], items: list[Any]) -> str:
    is_cut = texts[-1:] == ["…"] and len(texts) != len(items)
    texts = texts[:-1] if is_cut else texts
    if len(texts) > len(items) or (len(texts) < len(items) and not is_cut):
        return "wrong"
    found = ["right" if text == "…" or item is None else _of(text, item) for text, item in zip(texts, items, strict=False)]
    return max(found, key=lambda one: _RANKS[one], default="right")


def _pairs(hint: str, one: Any) -> list[tuple[str, int]]:
    if one[0] in ("tensor", "array"):
        sizes = sizes_in(hint)
        return [(s, r) for s, r in zip(sizes, one[1], strict=True) if r is not None] if len(sizes) == len(one[1]) else []
    return []


def _parts(text: str) -> list[str]:
    """A list cut at its outermost commas."""
    parts, depth, start = [], 0, 0
    for at, letter in enumerate(text):
        depth += (letter in "([") - (letter in ")]")
        if letter == "," and depth == 0:
            parts.append(text[start:at].strip())
            start = at + 1
    return [*parts, text[start:].strip()] if text[start:].strip() else parts


def _value(size: str, known: dict[str, int]) -> int | None:
    """The number that a size is, with symbols replaced; None if that is not known."""
    try:
        tree = ast.parse(size, mode="eval")
        value = _evaluated(tree.body, known)
    except (SyntaxError, LookupError, ZeroDivisionError, TypeError, ValueError):
        return None
    return int(value) if math.isclose(value, int(value)) else None


def _evaluated(node: ast.expr, known: dict[str, int]) -> float:
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
        return node.value
    if isinstance(node, ast.Name):
        return known[node.id]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_evaluated(node.operand, known)
    if isinstance(node, ast.BinOp):
        left, right = _evaluated(node.left, known), _evaluated(node.right, known)
        operations = {ast.Add: lambda: left + right, ast.Sub: lambda: left - right, ast.Mult: lambda: left * right,
                      ast.FloorDiv: lambda: left // right, ast.Div: lambda: left / right, ast.Mod: lambda: left % right,
                      ast.Pow: lambda: left**right}  # fmt: skip
        return operations[type(node.op)]()
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("max", "min"):
        return {"max": max, "min": min}[node.func.id](*(_evaluated(one, known) for one in node.args))
    raise LookupError(ast.dump(node))
