"""What methods call the objects that they belong to: by custom, but only by custom, ``self``."""

from __future__ import annotations

import libcst as cst


def receiver_of(function: cst.CSTNode | None) -> str:
    """What a method calls its object: its first parameter; empty if it has none."""
    params = function.params if isinstance(function, cst.FunctionDef) else None
    first = next(iter((*params.posonly_params, *params.params)), None) if params is not None else None
    return first.name.value if first is not None else ""


def is_receiver(node: cst.CSTNode, function: cst.CSTNode | None) -> bool:
    """Whether an expression is the name that a method has for its object."""
    return isinstance(node, cst.Name) and node.value == receiver_of(function)


def is_static(function: cst.FunctionDef) -> bool:
    """Whether a function of a class is given neither an object nor the class."""
    decorators = (part.decorator for part in function.decorators)
    return any(isinstance(part, cst.Name) and part.value == "staticmethod" for part in decorators)
