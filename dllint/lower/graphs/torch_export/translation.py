"""From ATen operators to canonical operations."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Any, Final

from dllint.domains.dim import Dim
from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.frameworks.registry import COMMON_RENAMES
from dllint.frameworks.torch.aten import RENAMES, aten_row
from dllint.ir.program import TensorVal
from dllint.ir.values import SliceVal
from dllint.lower.graphs.builder import Call
from dllint.lower.graphs.torch_export.arguments import Reference
from dllint.lower.graphs.torch_export.reading import PARAMETER

#: Reductions of losses by number.
_REDUCTIONS: Final = ("none", "mean", "sum")
_FAMILY: Final = "aten."
#: Where an index ends that has no end.
_ENDLESS: Final = sys.maxsize


class Translator:
    """Translates the nodes of one program; see :class:`dllint.lower.graphs.torch_export.reading.Reader`."""

    def __init__(
        self, arguments: Mapping[str, Mapping[str, Any]], sizes: Mapping[str, Dim], declared: Mapping[str, TensorType]
    ) -> None:
        self._arguments = arguments
        self._sizes = sizes
        self._declared = declared

    def __call__(self, call: Call) -> Any:
        """The results of a node."""
        operator = call.node.operator
        if operator == PARAMETER:
            name = call.node.name
            return call.produce("variable", {}, self._declared.get(name, _untyped(name)))
        if not operator.startswith(_FAMILY):
            return Unknown("unmodelled-call", operator)
        given = self._arguments.get(call.node.outputs[0], {})
        arguments = {name: self._resolved(call, value) for name, value in given.items()}
        name = operator.removeprefix(_FAMILY)
        own = _HANDLERS.get(name.partition(".")[0])
        return own(call, arguments) if own is not None else _by_row(call, name, arguments)

    def _resolved(self, call: Call, value: Any) -> Any:
        """An argument with what its names stand for."""
        if isinstance(value, tuple):
            return tuple(self._resolved(call, item) for item in value)
        if not isinstance(value, Reference):
            return value
        if value.name in self._sizes:
            return self._sizes[value.name]
        found = call.builder.values.get(value.name)
        return Unknown("unresolved-name", value.name) if found is None else found


def _untyped(name: str) -> TensorType:
    return TensorType(Unknown("no-argument", name), Unknown("no-argument", name))


def _by_row(call: Call, name: str, arguments: Mapping[str, Any]) -> Any:
    row = aten_row(name)
    if row is None:
        return Unknown("unmodelled-call", f"aten.{name}")
    given = {_renamed(key, row.rename): _plain(key, value) for key, value in arguments.items() if value is not None}
    return call.emit(row.op, **{**row.const, **given})


def _renamed(name: str, own: Mapping[str, str]) -> str:
    return own.get(name) or RENAMES.get(name) or COMMON_RENAMES.get(name) or name


def _plain(name: str, value: Any) -> Any:
    if name == "reduction" and isinstance(value, int):
        return _REDUCTIONS[value] if 0 <= value < len(_REDUCTIONS) else None
    return value


def _convolution(call: Call, given: Mapping[str, Any]) -> Any:
    """``aten.convolution`` is all of them, transposed ones included."""
    kernel = given.get("weight")
    spatial = len(kernel.shape) - 2 if isinstance(kernel, TensorVal) and isinstance(kernel.shape, tuple) else None
    args = {name: given.get(name) for name in ("weight", "stride", "padding", "dilation", "groups")}
    if given.get("transposed"):
        return call.emit(
            "conv_transpose", x=given.get("input"), spatial=spatial, output_padding=given.get("output_padding"), **args
        )
    return call.emit("conv", x=given.get("input"), spatial=spatial, **args)


def _slice(call: Call, given: Mapping[str, Any]) -> Any:
    """``start:end:step`` on one axis."""
    start, end, step = given.get("start"), given.get("end"), given.get("step", 1)
    if isinstance(end, int) and end >= _ENDLESS:
        end = None
    x, dim = given.get("self"), given.get("dim", 0)
    rank = len(x.shape) if isinstance(x, TensorVal) and isinstance(x.shape, tuple) else None
    if rank is None or not isinstance(dim, int):
        return Unknown("rank", "aten.slice")
    whole = (SliceVal(None, None, None),) * (dim % rank)
    return call.emit("getitem", x=x, index=(*whole, SliceVal(start, end, None if step == 1 else step)))


def _index(call: Call, given: Mapping[str, Any]) -> Any:
    """Index tensors on some axes, all of the others."""
    whole = SliceVal(None, None, None)
    indices = tuple(whole if item is None else item for item in given.get("indices", ()))
    return call.emit("getitem", x=given.get("self"), index=indices)


def _variance_and_mean(call: Call, given: Mapping[str, Any]) -> Any:
    """Two reductions at once."""
    args = {"x": given.get("self"), "dim": given.get("dim"), "keepdim": given.get("keepdim")}
    return call.emit("var", **args), call.emit("mean", **args)


def _with_statistics(kind: str) -> Callable[[Call, Mapping[str, Any]], Any]:
    """A normalisation that also gives its statistics, of which nothing is said."""

    def normalised(call: Call, given: Mapping[str, Any]) -> Any:
        names = {"input": "x", "weight": "weight", "normalized_shape": "normalized_shape", "running_mean": "running_mean",
                 "group": "num_groups"}  # fmt: skip
        return (call.emit(kind, **{new: given.get(old) for old, new in names.items() if old in given}),)

    return normalised


_HANDLERS: Final[Mapping[str, Callable[[Call, Mapping[str, Any]], Any]]] = {
    "convolution": _convolution,
    "_convolution": _convolution,
    "slice": _slice,
    "index": _index,
    "var_mean": _variance_and_mean,
    "native_layer_norm": _with_statistics("layer_norm"),
    "native_group_norm": _with_statistics("group_norm"),
    "native_batch_norm": _with_statistics("batch_norm"),
    "_native_batch_norm_legit": _with_statistics("batch_norm"),
    "_native_batch_norm_legit_no_training": _with_statistics("batch_norm"),
}
