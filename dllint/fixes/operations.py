"""Edits at the layers and operands of a traced operation."""

from __future__ import annotations

import libcst as cst

from dllint.domains.dim import Dim
from dllint.edit import Edit
from dllint.fixes.arguments import insert_argument, positional_arguments, remove_argument, replace_value, set_argument
from dllint.fixes.boundary import builder
from dllint.fixes.calls import append_call, replace_callee, replace_expression, unwrap
from dllint.fixes.imports import name_for
from dllint.fixes.places import inner, parent, replacing
from dllint.ir.program import Op, Site
from dllint.ir.values import InstanceVal, Value

Edits = tuple[Edit, ...]


def constructor(layer: Value) -> tuple[Site, cst.Call] | None:
    """Where a layer is built, if the source has that call."""
    site = layer.site if isinstance(layer, InstanceVal) else None
    if site is None or site.statement is None or not isinstance(site.node, cst.Call):
        return None
    return site, site.node


def constructor_argument(layer: Value, name: str) -> tuple[Site, cst.Arg] | None:
    """The argument of a layer's constructor that gave a canonical parameter its value."""
    found = constructor(layer)
    config = layer.layer if isinstance(layer, InstanceVal) else None
    node = config.nodes.get(name) if config is not None else None
    return (found[0], node) if found is not None and isinstance(node, cst.Arg) and node in found[1].args else None


@builder
def replace_constant(layer: Value, name: str, value: Value) -> Edits:
    """A literal constructor argument becomes another number; no edit if it is not written as one."""
    found = constructor_argument(layer, name)
    if found is None or not is_constant(found[1].value):
        return ()
    return replace_value(*found, str(value))


@builder
def increase(layer: Value, name: str, by: Dim) -> Edits:
    """A number is added to a constructor argument that is computed."""
    found = constructor_argument(layer, name)
    if found is None or not isinstance(by, int) or by <= 0:
        return ()
    site, arg = found
    start, end = inner(site, arg.value)
    text = site.document.text[start:end]
    return replace_expression(site, arg.value, f"{text} + {by}" if isinstance(arg.value, _TIGHT) else f"({text}) + {by}")


_TIGHT = (cst.Name, cst.Attribute, cst.Call, cst.Subscript)


def is_constant(node: cst.BaseExpression) -> bool:
    """Whether an expression consists of number literals and arithmetic only."""
    if isinstance(node, cst.BinaryOperation):
        return is_constant(node.left) and is_constant(node.right)
    if isinstance(node, (cst.Tuple, cst.List)):
        return all(is_constant(element.value) for element in node.elements)
    return isinstance(node, cst.Integer)


@builder
def set_option(layer: Value, name: str, value: str, position: int | None = None) -> Edits:
    """A parameter of a layer's constructor, by its name in the library, gets a value."""
    found = constructor(layer)
    return set_argument(*found, name, value, position) if found is not None else ()


@builder
def rename_option(layer: Value, old: str, new: str) -> Edits:
    """The name ``"old"`` among a layer's constructor arguments becomes ``"new"`` (``activation="softmax"``)."""
    found = constructor(layer)
    for arg in found[1].args if found is not None else ():
        if found is not None and isinstance(arg.value, cst.SimpleString) and arg.value.evaluated_value == old:
            return replace_value(found[0], arg, arg.value.value.replace(old, new))
    return ()


@builder
def rebuild(layer: Value, qualified: str, arguments: str = "") -> Edits:
    """A layer's whole construction becomes that of another library class."""
    found = constructor(layer)
    if found is None:
        return ()
    site, node = found
    if isinstance(node.func, cst.Attribute):
        start, end = inner(site, node.func.value)
        name = f"{site.document.text[start:end]}.{qualified.rpartition('.')[2]}"
        return replace_expression(site, node, f"{name}({arguments})")
    name, imports = name_for(site.document, qualified)
    return (*replace_expression(site, node, f"{name}({arguments})"), *imports)


@builder
def insert_member(first: Value, second: Value, text: str) -> Edits:
    """A further layer between two that stand next to each other in a container's construction."""
    found, follower = constructor(first), constructor(second)
    arg = parent(found[0].statement, found[1]) if found is not None else None
    around = parent(found[0].statement, arg) if found is not None and isinstance(arg, cst.Arg) else None
    if found is None or follower is None or not isinstance(around, cst.Call):
        return ()
    place = next((n for n, other in enumerate(around.args) if other is arg), len(around.args))
    if place + 1 >= len(around.args) or around.args[place + 1].value is not follower[1]:
        return ()
    return insert_argument(found[0], around, around.args[place], text)


def argument_of(op: Op, position: int) -> cst.BaseExpression | None:
    """The expression at a position of the call that performs an operation."""
    if not isinstance(op.site.node, cst.Call):
        return None
    given = positional_arguments(op.site.node)
    return given[position].value if position < len(given) else None


@builder
def convert_argument(op: Op, position: int, method: str, arguments: str = "") -> Edits:
    """``f(x)`` becomes ``f(x.method(arguments))``."""
    node = argument_of(op, position)
    return append_call(op.site, node, method, arguments) if node is not None else ()


@builder
def rename_attribute(site: Site, node: cst.CSTNode, new: str) -> Edits:
    """``a.b.old`` becomes ``a.b.new``; no edit for anything but an attribute."""
    return (replacing(site, *inner(site, node.attr), new),) if isinstance(node, cst.Attribute) else ()


@builder
def replace_class(layer: Value, qualified: str) -> Edits:
    """A layer is built from another class."""
    found = constructor(layer)
    if found is None:
        return ()
    site, call = found
    return replace_function(site, call, qualified)


@builder
def replace_function(site: Site, call: cst.Call, qualified: str) -> Edits:
    """A call calls another library object, under the name by which the file reaches it."""
    short = qualified.rpartition(".")[2]
    if isinstance(call.func, cst.Attribute):
        return rename_attribute(site, call.func, short)
    name, edits = name_for(site.document, qualified)
    return (*replace_callee(site, call, name), *edits)


@builder
def remove_operation(op: Op) -> Edits:
    """``f(x, …)`` or ``x.f(…)`` becomes ``x``; a layer inside a container's call is taken out of it."""
    if op.layer is not None:
        return _remove_member(op.layer)
    node = op.site.node
    if not isinstance(node, cst.Call):
        return ()
    if isinstance(node.func, cst.Attribute) and op.spelled.startswith(("torch.Tensor.",)):
        return unwrap(op.site, node, node.func.value)
    given = positional_arguments(node)
    return unwrap(op.site, node, given[0].value) if given else ()


def _remove_member(layer: Value) -> Edits:
    found = constructor(layer)
    if found is None:
        return ()
    site, call = found
    arg = parent(site.statement, call)
    around = parent(site.statement, arg) if isinstance(arg, cst.Arg) else None
    if not isinstance(around, cst.Call) or len(around.args) < 2:
        return ()
    return remove_argument(site, around, arg)


def overwrites(op: Op) -> bool:
    """Whether an operation writes its result over its first operand or to ``out=``; one in its place would not."""
    call = op.site.node
    if not isinstance(call, cst.Call):
        return isinstance(call, cst.AugAssign)
    if any(argument.keyword is not None and argument.keyword.value in ("out", "inplace") for argument in call.args):
        return True
    last = op.spelled.rpartition(".")[2]
    if not last.endswith("_") or last.endswith("__"):
        return False
    given = [argument.value for argument in call.args[:1]]
    if op.spelled.startswith("torch.Tensor.") and isinstance(call.func, cst.Attribute):
        given = [call.func.value]
    return any(isinstance(operand, (cst.Name, cst.Attribute, cst.Subscript)) for operand in given)
