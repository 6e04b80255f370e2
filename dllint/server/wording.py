"""How hovers word what is known: types, operations, layers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from dllint.analysis.architecture.shapes import inputs_of, outputs_of, types_given
from dllint.analysis.architecture.tree import Call
from dllint.analysis.architecture.wording import arguments_text
from dllint.domains.dim import DimExpr
from dllint.domains.lattice import Unknown, UnknownFloat
from dllint.domains.shape import TensorType, show_type
from dllint.ir.program import TensorVal
from dllint.ir.values import ClassVal, InstanceVal, LibSymbol, ListVal, Value, unwrap
from dllint.lower.lazy import ChoiceVal

_LONGEST_SOURCE: Final = 60
#: So many different calls of a module are told.
_MOST_CALLS: Final = 2
#: Of a sequence of tensors, so many elements are shown.
MOST_ELEMENTS: Final = 4
#: What a name may hold is listed if it is no more than this.
_MOST_ALTERNATIVES: Final = 3
#: How a tensor is told of which neither the shape nor the type is known, and what stands for it in code.
_UNKNOWN_TENSOR: Final = "a tensor of unknown shape and type"
_UNKNOWN: Final = "?[...]"
#: How values that are no tensors are called beside some that are.
_NAMES: Final[dict[type, str]] = {
    bool: "bool", int: "int", DimExpr: "int", float: "float", UnknownFloat: "float", type(None): "None",
}  # fmt: skip


def type_text(value: Value) -> str:
    """``f32[B, 10]``, ``(f32[2], f32[3])``, ``f32[] | float``; empty for what is no tensor and holds none."""
    value = unwrap(value)
    if isinstance(value, TensorVal):
        return show_type(value.type)
    if isinstance(value, ChoiceVal):
        return _alternatives(value)
    items = value.items if isinstance(value, ListVal) else value
    if not isinstance(items, (tuple, list)) or not items or not isinstance(unwrap(items[0]), TensorVal):
        return ""
    texts = [type_text(item) or "…" for item in items[:MOST_ELEMENTS]]
    return in_brackets(texts, len(items), is_list=isinstance(value, ListVal))


def _alternatives(value: ChoiceVal) -> str:
    """The types that branches have left, tensors first; empty if there are many or not all are known."""
    tensors = [option for option in value.options if isinstance(option, TensorVal)]
    others = [_NAMES.get(type(option), "") for option in value.options if not isinstance(option, TensorVal)]
    if not tensors or not all(others) or any(why_unknown(tensor.type) for tensor in tensors):
        return ""
    texts = list(dict.fromkeys([*map(type_text, tensors), *others]))
    return " | ".join(texts) if len(texts) <= _MOST_ALTERNATIVES else ""


def in_brackets(texts: Sequence[str], number: int, *, is_list: bool) -> str:
    """The texts of the first elements of a list or tuple that has a ``number`` of them."""
    inside = ", ".join([*texts, "…"] if number > len(texts) else texts)
    return f"[{inside}]" if is_list else f"({inside})"


def why_unknown(type_: TensorType) -> str:
    """Why a shape is not known; empty if it is."""
    shape = type_.shape
    return f"shape unknown: {shape.reason} {shape.detail}".rstrip() if isinstance(shape, Unknown) else ""


def layer_text(instance: InstanceVal) -> str:
    """``torch.nn.Linear(in_features=4, out_features=2)``: with what is given, in its library's words; or the name of a class
    of the user's own."""
    layer = instance.layer
    name = instance.cls.name if isinstance(instance.cls, (ClassVal, LibSymbol)) else ""
    if layer is None or isinstance(instance.cls, ClassVal):
        return name
    return f"{name}({arguments_text(instance)})"


def call_text(calls: Sequence[Call]) -> str:
    """``Called with `f32[B, 3]`, gives `f32[B, 10]` ``: what calls have in common, those of which something is known; empty if
    there are none."""
    known = [call for call in calls if _given(call) != _UNKNOWN_TENSOR]
    calls = known if any(map(_given, known)) else calls
    given = list(dict.fromkeys(filter(None, map(_given, calls))))
    result = outputs_of(calls) if calls else ""
    if not 0 < len(given) <= _MOST_CALLS or (given == [_UNKNOWN_TENSOR] and result in ("", _UNKNOWN)):
        return ""
    return ", ".join(filter(None, (f"Called with {' or '.join(given)}", f"gives {_in_words(result)}" if result else "")))


def _given(call: Call) -> str:
    """What a call takes; tensors of which nothing is known are told in words."""
    texts = types_given(call)
    known = inputs_of(call)
    if _UNKNOWN not in texts:
        return f"`{known}`" if known else ""
    return " and ".join(dict.fromkeys(map(_in_words, texts)))


def _in_words(text: str) -> str:
    return _UNKNOWN_TENSOR if text == _UNKNOWN else f"`{text}`"


def flat(source: str) -> str:
    """A piece of source on one short line."""
    line = " ".join(source.split())
    return line if len(line) <= _LONGEST_SOURCE else f"{line[: _LONGEST_SOURCE - 1]}…"


def code_block(*lines: str) -> str:
    """Lines as a Markdown code block."""
    return "\n".join(("```python", *lines, "```"))
