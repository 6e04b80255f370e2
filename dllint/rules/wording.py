"""Common wording of findings for layers, operations, operands and shapes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import libcst as cst

from dllint.domains.dim import show
from dllint.domains.dtype import DType
from dllint.domains.shape import Shape, show_shape
from dllint.ir.program import Op, Site, TensorVal
from dllint.ir.values import InstanceVal, LibSymbol, Value
from dllint.ops.sizes import is_dim, is_shape
from dllint.rules.context import Context
from dllint.rules.shortening import shortened
from dllint.source.notebook import line_in_cell
from dllint.source.notebook_names import SUFFIX as NOTEBOOK
from dllint.source.walk import small_statements

_LONGEST = 44

#: What a reader calls the size that a constructor parameter declares.
DECLARED = {
    "in_features": "input features",
    "in_channels": "input channels",
    "num_features": "channels",
    "num_channels": "channels",
    "num_parameters": "channels",
    "normalized_shape": "trailing sizes",
    "input_size": "input features",
    "hidden_size": "hidden features",
    "embed_dim": "features",
    "d_model": "features",
    "kdim": "key features",
    "vdim": "value features",
    "axis_size": "features",
}


def quoted(text: str) -> str:
    """The text as inline code on one line; of a long expression, ``...`` stands for parts."""
    return f"`{shortened(text, _LONGEST)}`"


def assigned_name(site: Site, context: Context) -> str | None:
    """The target of the statement that builds a layer (``self.fc``), if the layer is the whole right-hand side."""
    statement = getattr(site, "statement", None)
    for part in small_statements(statement) if statement is not None else ():
        if isinstance(part, cst.Assign) and part.value is site.node and len(part.targets) == 1:
            target = part.targets[0].target
            return context.text(target) if isinstance(target, (cst.Name, cst.Attribute)) else None
    return None


def received_name(site: Site, context: Context) -> str | None:
    """The name that a value is bound to where it is made, or where a caller takes it out of what a function returns: alone, or
    as one of several (``train, valid = make_loaders()``)."""
    number: int | None = None
    for frame in site.stack():
        part = _binding_or_return(frame)
        if part is None or part.value is None:
            return None
        if part.value is not frame.node:
            nested, number = number is not None, _number_in(part.value, frame.node)
            if nested or number is None:
                return None
        if isinstance(part, cst.Assign):
            return _target(part, number, context)
    return None


def _binding_or_return(site: Site) -> cst.Assign | cst.Return | None:
    """The one small statement of a line, if it binds or returns something."""
    parts = small_statements(site.statement) if site.statement is not None else ()
    return parts[0] if len(parts) == 1 and isinstance(parts[0], (cst.Assign, cst.Return)) else None


def _number_in(value: cst.BaseExpression, node: object) -> int | None:
    """The place of an expression in a tuple or list."""
    elements = value.elements if isinstance(value, (cst.Tuple, cst.List)) else ()
    if any(isinstance(element, cst.StarredElement) for element in elements):
        return None
    return next((number for number, element in enumerate(elements) if element.value is node), None)


def _target(assignment: cst.Assign, number: int | None, context: Context) -> str | None:
    """The name on the left of an assignment, or the one for the element of that number."""
    target: cst.CSTNode = assignment.targets[0].target
    if len(assignment.targets) > 1:
        return None
    if number is not None:
        elements = target.elements if isinstance(target, (cst.Tuple, cst.List)) else ()
        if number >= len(elements) or any(isinstance(element, cst.StarredElement) for element in elements):
            return None
        target = elements[number].value
    return context.text(target) if isinstance(target, (cst.Name, cst.Attribute)) else None


def layer_name(layer: Value, context: Context) -> str | None:
    """How the reader knows a layer: the name it is bound to, else the constructor call."""
    site = getattr(layer, "site", None)
    if site is None or site.node is None:
        return None
    name = assigned_name(site, context)
    return quoted(name or context.text(site.node))


def class_name(value: Value) -> str:
    """The short name of an instance's class (``Linear``)."""
    cls = value.cls if isinstance(value, InstanceVal) else value
    return cls.name.rpartition(".")[2] if isinstance(cls, LibSymbol) else getattr(cls, "name", "object")


def operation(op: Op, context: Context) -> str:
    """How the reader knows an operation: its layer, the function that is called, or the expression."""
    if op.layer is not None and (name := layer_name(op.layer, context)):
        return name
    node = op.site.node
    if isinstance(node, cst.Call):
        return quoted(called_function(op, node, context))
    text = context.text(node) if node is not None else ""
    return quoted(text or op.spelled or op.kind)


def called_function(op: Op, node: cst.Call, context: Context) -> str:
    """What a call names; where that is a variable which holds a library's function, the function."""
    library = op.spelled if "." in op.spelled and not op.spelled.startswith("operator.") else ""
    if isinstance(node.func, cst.Name) and library and node.func.value != library.rpartition(".")[2]:
        return library
    return str(context.text(node.func))


def distinguished(ops: Sequence[Op], context: Context) -> list[str]:
    """How the reader knows several operations; those of one name are followed by their lines."""
    names = [operation(op, context) for op in ops]
    if len(set(names)) == len(names):
        return names
    built = [_line(op.layer.site) if op.layer is not None and layer_name(op.layer, context) else _line(op.site) for op in ops]
    lines = built if len(set(built)) == len(built) else [_line(op.site) for op in ops]
    return [f"{name} ({line})" if names.count(name) > 1 and line else name for name, line in zip(names, lines, strict=True)]


def _line(site: Site | None) -> str:
    """``line 5``, in a notebook ``cell 3, line 5``; empty if the site has no place."""
    if site is None or site.document is None or site.statement is None:
        return ""
    start = site.document.span(site.statement, site.node).start
    cell = line_in_cell(site.document.text, start) if site.document.path.suffix == NOTEBOOK else None
    if cell is not None:
        return f"cell {cell[0]}, line {cell[1]}"
    return f"line {site.document.position(start).line}"


def size(value: Value) -> str:
    """A size, tuple of sizes, rank list or type as text."""
    if isinstance(value, DType):
        return value.name
    if is_shape(value):
        return show_shape(value)
    return show(value) if is_dim(value) else str(value)


def ranks(expected: Value) -> str:
    """``3``, ``3 or 4``, ``2, 3 or 4`` axes."""
    many = [value for value in expected if isinstance(value, int)] if isinstance(expected, tuple) else []
    values = [size(value) for value in sorted(many)] if isinstance(expected, tuple) else [size(expected)]
    return values[0] if len(values) == 1 else f"{', '.join(values[:-1])} or {values[-1]}"


def listed(shapes: Iterable[Shape]) -> str:
    """Shapes joined by ``and``: ``(B, 3) and (B, 4)``."""
    texts = [show_shape(s) for s in shapes]
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} and {texts[-1]}"


def operand(op: Op, name: str) -> TensorVal | None:
    """The tensor an operand's name stands for; a sequence gives its first tensor, a missing name the first input."""
    value = op.args.get(name)
    if isinstance(value, tuple):
        value = next((v for v in value if isinstance(v, TensorVal)), None)
    if isinstance(value, TensorVal):
        return value
    return op.inputs[0] if op.inputs else None
