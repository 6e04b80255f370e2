"""What a slip is: one change of a class that a person could make by mistake, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final

import libcst as cst


class Family(Enum):
    """What comes of a slip: the model does not run, or it runs and computes, or learns, something else."""

    SHAPE = "shape"
    STRUCTURE = "structure"
    LOSS = "loss"


@dataclass(frozen=True, slots=True)
class Change:
    """A node of a class and what stands in its place; ``None``: the statement is gone."""

    old: cst.CSTNode
    new: cst.CSTNode | None


@dataclass(slots=True)
class Model:
    """A class of a file, with what the kinds of slips look for in it."""

    node: cst.ClassDef
    forward: cst.FunctionDef
    init: cst.FunctionDef | None
    #: The text of the file, for what a loss is of.
    text: str
    calls: list[cst.Call] = field(default_factory=list)
    built: list[cst.Call] = field(default_factory=list)
    performed: list[cst.Call] = field(default_factory=list)


Find = Callable[[Model], Iterator[Change]]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of slips: its name, its family, and where in a class it can be made."""

    name: str
    family: Family
    find: Find


KINDS: Final[list[Kind]] = []


def kind(name: str, family: Family = Family.SHAPE) -> Callable[[Find], Find]:
    """Make a function a kind of slips."""

    def known(find: Find) -> Find:
        KINDS.append(Kind(name, family, find))
        return find

    return known


def models(module: cst.Module) -> Iterator[Model]:
    """The classes of a file that have a ``forward``."""
    for node in module.body:
        if not isinstance(node, cst.ClassDef):
            continue
        methods = {part.name.value: part for part in node.body.body if isinstance(part, cst.FunctionDef)}
        if "forward" in methods:
            found = Model(node, methods["forward"], methods.get("__init__"), module.code)
            found.calls = [one for method in methods.values() for one in walk(method) if isinstance(one, cst.Call)]
            found.performed = [one for one in walk(found.forward) if isinstance(one, cst.Call)]
            found.built = [one for one in walk(found.init) if isinstance(one, cst.Call)] if found.init else []
            yield found


def walk(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """A node and all below it, in the order of the text."""
    yield node
    for child in node.children:
        yield from walk(child)


def last_name(call: cst.Call) -> str:
    """``Linear`` of ``nn.Linear(…)``."""
    function = call.func
    if isinstance(function, cst.Attribute):
        return function.attr.value
    return function.value if isinstance(function, cst.Name) else ""


def written(node: cst.CSTNode) -> str:
    """The text of a node."""
    return cst.Module([]).code_for_node(node)


def positional(call: cst.Call) -> list[cst.Arg]:
    """The leading arguments without a keyword."""
    out: list[cst.Arg] = []
    for argument in call.args:
        if argument.keyword is not None or argument.star:
            break
        out.append(argument)
    return out


def argument(call: cst.Call, position: int, *names: str) -> cst.Arg | None:
    """An argument, by its place or one of its names."""
    given = positional(call)
    named = (arg for arg in call.args if arg.keyword is not None and arg.keyword.value in names)
    return given[position] if position < len(given) else next(named, None)


def expression(text: str) -> cst.BaseExpression:
    """An expression from its text."""
    return cst.parse_expression(text)


def scaled(node: cst.BaseExpression) -> cst.BaseExpression:
    """Twice an expression."""
    if isinstance(node, cst.Integer):
        return cst.Integer(str(2 * int(node.value.replace("_", ""), 0)))
    text = written(node)
    return expression(
        f"{text} * 2" if isinstance(node, (cst.Name, cst.Attribute, cst.Call, cst.Subscript)) else f"({text}) * 2"
    )


def revalued(arg: cst.Arg, value: cst.BaseExpression) -> Change:
    """An argument with another value."""
    return Change(arg, arg.with_changes(value=value))


def is_member_call(node: cst.CSTNode) -> bool:
    """Whether a call is of an attribute of ``self``."""
    function = node.func if isinstance(node, cst.Call) else None
    return isinstance(function, cst.Attribute) and isinstance(function.value, cst.Name) and function.value.value == "self"


def receiver(call: cst.Call) -> cst.BaseExpression | None:
    """The tensor whose method a call is of, as far as the text tells."""
    function = call.func
    if not isinstance(function, cst.Attribute) or written(function.value) in ("torch", "self", "F", "nn", "np", "functional"):
        return None
    return function.value


def operand(call: cst.Call) -> cst.BaseExpression | None:
    """What an operation works on, as a method or a function of torch."""
    given = positional(call)
    own = receiver(call)
    if own is not None and not is_member_call(call):
        return own
    return given[0].value if given else None


def integer(arg: cst.Arg | None) -> int | None:
    """The number that an argument is written as."""
    if arg is None:
        return None
    text = written(arg.value).replace(" ", "")
    return int(text) if text.lstrip("-").isdigit() else None


def assigned(statement: cst.CSTNode) -> tuple[Any, cst.BaseExpression] | None:
    """Target and value of an assignment to one target."""
    if isinstance(statement, cst.Assign) and len(statement.targets) == 1:
        return statement.targets[0].target, statement.value
    return None
