"""What examples pass to the objects they make: ``net = Net(4)`` and later ``net(torch.randn(1, 3, 224, 224))``, in texts.

Only sizes that are written as numbers, or as names of numbers, are told. Nothing is executed.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from dllint.source.expressions import abstract_expression

#: The sizes of a tensor that is passed; None for anything else.
Sizes = tuple[int, ...] | None

#: Functions that make a tensor of sizes: of sizes alone, or behind the bounds of numbers.
_MAKER: Final = re.compile(r"randn?|zeros|ones|empty|normal|uniform")
_BOUNDED: Final = re.compile(r"randint")
_SHAPES: Final = ("size", "shape")


@dataclass(frozen=True, slots=True)
class Example:
    """The sizes of the tensors that a call passes by position and by name."""

    args: tuple[Sizes, ...] = ()
    kwargs: Mapping[str, Sizes] = field(default_factory=dict)

    @property
    def known(self) -> int:
        """How many tensors are told of."""
        return sum(sizes is not None for sizes in (*self.args, *self.kwargs.values()))


def example_in(text: str, name: str, call_at: Callable[[str, int], ast.Call | None]) -> Example | None:
    """The call of an object of the class ``name`` with the most known tensors in a text; ``call_at`` reads a call."""
    found: Example | None = None
    for made in re.finditer(rf"^[ \t]*(\w+)\s*=\s*(?:[\w.]+\.)?{re.escape(name)}\(", text, re.MULTILINE):
        variable = re.escape(made[1])
        end = re.compile(rf"^[ \t]*{variable}\s*=", re.MULTILINE).search(text, made.end())
        for used in re.compile(rf"(?<![\w.\"']){variable}(?=\()").finditer(text, made.end(), end.start() if end else len(text)):
            call = call_at(text, used.start())
            example = _example(call, text[: used.start()], call_at) if call is not None else None
            if example is not None and example.known > (found.known if found is not None else 0):
                found = example
    return found


def _example(call: ast.Call, before: str, call_at: Callable[[str, int], ast.Call | None]) -> Example | None:
    if any(isinstance(arg, ast.Starred) for arg in call.args):
        return None
    args = tuple(_sizes(arg, before, call_at) for arg in call.args)
    return Example(args, {k.arg: _sizes(k.value, before, call_at) for k in call.keywords if k.arg is not None})


def _sizes(node: ast.expr, before: str, call_at: Callable[[str, int], ast.Call | None]) -> Sizes:
    """The sizes of a tensor made in place, or bound to a name last above."""
    if isinstance(node, ast.Name):
        lines = list(re.finditer(rf"^[ \t]*{re.escape(node.id)}\s*=(?!=)\s*((?:[\w.]+\.)?\w+)\(", before, re.MULTILINE))
        made = call_at(before, lines[-1].start(1)) if lines else None
        return _made(made, before) if made is not None else None
    while isinstance(node, ast.Call):
        if (found := _made(node, before)) is not None:
            return found
        node = node.func.value if isinstance(node.func, ast.Attribute) else node.func  # ``torch.randn(2, 3).cuda()``
    return None


def _made(call: ast.Call, before: str) -> Sizes:
    maker = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    named = next((keyword.value for keyword in call.keywords if keyword.arg in _SHAPES), None)
    parts: Sequence[ast.expr] = call.args
    if _BOUNDED.fullmatch(maker):
        parts = [arg for arg in parts if isinstance(arg, (ast.Tuple, ast.List))][-1:]
    elif not _MAKER.fullmatch(maker):
        return None
    if named is not None:
        parts = [named]
    if len(parts) == 1 and isinstance(parts[0], (ast.Tuple, ast.List)):
        parts = parts[0].elts
    sizes = [_number(part, before) for part in parts]
    known = tuple(size for size in sizes if size is not None)
    return known if known and len(known) == len(sizes) else None


def _number(node: ast.expr, before: str) -> int | None:
    if isinstance(node, ast.Name):
        bound = list(re.finditer(rf"^[ \t]*{re.escape(node.id)}\s*=(?!=)\s*([^\n#]+)", before, re.MULTILINE))
        tree = abstract_expression(bound[-1][1].strip()) if bound else None
        return tree.value if isinstance(tree, ast.Constant) and type(tree.value) is int else None
    return node.value if isinstance(node, ast.Constant) and type(node.value) is int and node.value > 0 else None
