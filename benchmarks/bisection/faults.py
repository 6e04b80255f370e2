"""Faults of deployment, put into an exported ONNX graph, each with a benign twin that must accuse nobody.

The kinds are those that people report of exports: wrong epsilons, axes, paddings, scales, layouts, preparation of samples.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import onnx
from onnx import helper, numpy_helper

Edit = Callable[[onnx.ModelProto], list[str]]
Prepare = Callable[..., tuple[np.ndarray, ...]]


@dataclass(frozen=True)
class Case:
    """One fault in one model. ``edit`` changes the graph and names the values whose operator it has changed; ``expected``
    are those names, or ``preprocess``."""

    name: str
    subject: str
    benign: bool
    edits: tuple[Edit, ...] = ()
    prepare: Prepare | None = None
    #: How many culprits there are.
    culprits: int = field(default=1)


def of_kind(model: onnx.ModelProto, kind: str) -> list[onnx.NodeProto]:
    """The nodes of one operator type, in order."""
    return [node for node in model.graph.node if node.op_type == kind]


def attribute(kind: str, index: int, name: str, value: Any) -> Edit:
    """Set an attribute of the operator number ``index`` of a kind."""

    def edit(model: onnx.ModelProto) -> list[str]:
        node = of_kind(model, kind)[index]
        kept = [given for given in node.attribute if given.name != name]
        del node.attribute[:]
        node.attribute.extend([*kept, helper.make_attribute(name, value)])
        return [node.output[0]]

    return edit


def weight(kind: str, index: int, position: int, change: Callable[[np.ndarray], np.ndarray]) -> Edit:
    """Change a constant operand of an operator."""

    def edit(model: onnx.ModelProto) -> list[str]:
        node = of_kind(model, kind)[index]
        for tensor in model.graph.initializer:
            if tensor.name == node.input[position]:
                # A copy for this operator alone: others may share the constant.
                array = change(numpy_helper.to_array(tensor)).astype(numpy_helper.to_array(tensor).dtype)
                fresh = numpy_helper.from_array(np.ascontiguousarray(array), f"{tensor.name}_of_{node.output[0]}")
                model.graph.initializer.append(fresh)
                node.input[position] = fresh.name
                return [node.output[0]]
        raise ValueError(f"{node.op_type} {index} has no constant operand {position}")

    return edit


def after(kind: str, index: int, *added: tuple[str, dict[str, Any], float | None]) -> Edit:
    """Put operators behind one, such as a multiplication by a constant; whoever takes its value takes the last one's."""

    def edit(model: onnx.ModelProto) -> list[str]:
        node = of_kind(model, kind)[index]
        _behind(model, node, added)
        return [node.output[0]]

    return edit


def _behind(model: onnx.ModelProto, node: onnx.NodeProto, added: tuple[tuple[str, dict[str, Any], float | None], ...]) -> None:
    name, position = node.output[0], list(model.graph.node).index(node)
    node.output[0] = last = f"{name}_inner"
    for i, (kind, attributes, constant) in enumerate(added):
        out = name if i == len(added) - 1 else f"{name}_{i}"
        inputs = [last]
        if constant is not None:
            model.graph.initializer.append(numpy_helper.from_array(np.asarray(constant, np.float32), f"{name}_constant_{i}"))
            inputs.append(f"{name}_constant_{i}")
        made = helper.make_node(kind, inputs, [out], **attributes)
        position += 1
        model.graph.node.insert(position, made)
        last = out


def scaled(index: int, first: tuple[str, int], factor: float) -> tuple[Edit, ...]:
    """A value kept ``factor`` times as large, undone in the constant of the operator that takes it."""
    kind, number = first

    def edit(model: onnx.ModelProto) -> list[str]:
        node = of_kind(model, kind)[number]
        name = node.output[0]
        takers = [taker for taker in model.graph.node if name in taker.input]
        _behind(model, node, (("Mul", {}, factor),))
        for taker in takers:
            undone = f"{name}_undone_{taker.output[0]}"
            model.graph.initializer.append(numpy_helper.from_array(np.asarray(1 / factor, np.float32), f"{undone}_factor"))
            model.graph.node.insert(
                list(model.graph.node).index(taker), helper.make_node("Mul", [name, f"{undone}_factor"], [undone])
            )
            taker.input[:] = [undone if given == name else given for given in taker.input]
        return [name]

    return (edit,)


def rounded(levels: int) -> Callable[[np.ndarray], np.ndarray]:
    """Weights on a symmetric grid of so many steps on each side."""

    def change(array: np.ndarray) -> np.ndarray:
        step = np.abs(array).max() / levels
        return np.clip(np.round(array / step), -levels, levels) * step

    return change


def times(factor: float) -> Callable[[np.ndarray], np.ndarray]:
    """Weights read back with a scale that is so many times too large."""
    return lambda array: array * factor


def clipped(share: float) -> Callable[[np.ndarray], np.ndarray]:
    """Weights cut at a share of their largest, as by a scale that is too small."""

    def change(array: np.ndarray) -> np.ndarray:
        top = np.abs(array).max() * share
        return np.clip(array, -top, top)

    return change


HALF: Final = (
    ("Mul", {}, 2e4),
    ("Cast", {"to": onnx.TensorProto.FLOAT16}, None),
    ("Cast", {"to": onnx.TensorProto.FLOAT}, None),
)
CASTS: Final = (("Cast", {"to": onnx.TensorProto.FLOAT16}, None), ("Cast", {"to": onnx.TensorProto.FLOAT}, None))


def cases() -> Iterator[Case]:
    """All cases: single faults with their twins, pairs, and a pair that cancels."""
    for name, subject, fault, twin in _SINGLE:
        yield Case(name, subject, False, (fault,))
        yield Case(name, subject, True, (twin,))
    for name, subject, wrong, harmless in _PREPARATION:
        yield Case(name, subject, False, prepare=wrong)
        yield Case(name, subject, True, prepare=harmless)
    for subject, first in (("resnet", ("Relu", 3)), ("transformer", ("LayerNormalization", 1)), ("gru", ("Tanh", 4))):
        yield Case("representation change", subject, True, scaled(0, first, 30.0))
    yield from _PAIRS


def same(array: np.ndarray) -> np.ndarray:
    """No change: another constant with the same numbers."""
    return array.copy()


_NORM: Final = "LayerNormalization"
_SINGLE: Final[tuple[tuple[str, str, Edit, Edit], ...]] = (
    (
        "norm epsilon",
        "resnet",
        attribute("BatchNormalization", 0, "epsilon", 4.0),
        attribute("BatchNormalization", 0, "epsilon", 2e-5),
    ),
    ("norm epsilon", "transformer", attribute(_NORM, 1, "epsilon", 30.0), attribute(_NORM, 1, "epsilon", 2e-5)),
    ("norm epsilon", "gru", attribute(_NORM, 0, "epsilon", 3.0), attribute(_NORM, 0, "epsilon", 2e-5)),
    ("gelu", "transformer", after("Gelu", 0, ("Neg", {}, None)), attribute("Gelu", 0, "approximate", "tanh")),
    (
        "resize mode",
        "resnet",
        attribute("Resize", 0, "mode", "nearest"),
        attribute("Resize", 0, "antialias", 0),
    ),
    ("channel order", "resnet", weight("Conv", 0, 1, lambda w: w[:, ::-1]), weight("Conv", 0, 1, same)),
    ("quantisation scale", "resnet", weight("Conv", 1, 1, clipped(0.15)), weight("Conv", 1, 1, rounded(127))),
    ("quantisation scale", "transformer", weight("MatMul", 3, 1, times(6)), weight("MatMul", 3, 1, rounded(127))),
    ("quantisation scale", "gru", weight("Gemm", 9, 1, times(6)), weight("Gemm", 9, 1, rounded(127))),
    ("half precision overflow", "resnet", after("Relu", 4, *HALF), after("Relu", 4, *CASTS)),
    ("half precision overflow", "transformer", after("Add", 4, *HALF), after("Add", 4, *CASTS)),
    ("half precision overflow", "gru", after("Softmax", 0, ("Mul", {}, 1e6), *CASTS), after("Softmax", 0, *CASTS)),
    (
        "stale statistics",
        "resnet",
        weight("BatchNormalization", 1, 3, lambda m: m + 2.0),
        weight("BatchNormalization", 1, 3, same),
    ),
    ("asymmetric padding", "resnet", attribute("Conv", 2, "pads", [0, 0, 2, 2]), attribute("Conv", 2, "pads", [1, 1, 1, 1])),
    ("softmax axis", "transformer", attribute("Softmax", 0, "axis", -2), attribute("Softmax", 0, "axis", 2)),
    ("softmax axis", "gru", attribute("Softmax", 0, "axis", 0), attribute("Softmax", 0, "axis", 1)),
    ("attention scale", "transformer", after("MatMul", 2, ("Mul", {}, 0.25)), after("MatMul", 2, ("Mul", {}, 1.0))),
    ("weight transposed", "transformer", weight("MatMul", 0, 1, np.transpose), weight("MatMul", 0, 1, same)),
    ("weight transposed", "gru", weight("Gemm", 16, 1, np.transpose), weight("Gemm", 16, 1, same)),
    ("wrong sign of a gate", "gru", after("Sigmoid", 6, ("Neg", {}, None)), after("Sigmoid", 6, ("Mul", {}, 1.0))),
)
_PREPARATION: Final[tuple[tuple[str, str, Prepare, Prepare], ...]] = (
    ("normalisation constants", "resnet", lambda x: (x * 0.3 + 0.5,), lambda x: (x * 1.0001,)),
    ("inverted mask", "transformer", lambda t, m: (t, 1 - m + 1e-3), lambda t, m: (t.copy(), m)),
    ("padding side", "transformer", lambda t, m: (np.roll(t, 5, 1), np.roll(m, 5, 1)), lambda t, m: (t.copy(), m)),
    ("order of steps", "gru", lambda x: (x[:, ::-1],), lambda x: (x.astype(np.float64),)),
)
_PAIRS: Final = (
    Case(
        "epsilon and axis",
        "transformer",
        False,
        (attribute(_NORM, 1, "epsilon", 30.0), attribute("Softmax", 1, "axis", -2)),
        culprits=2,
    ),
    Case(
        "two epsilons",
        "resnet",
        False,
        tuple(attribute("BatchNormalization", i, "epsilon", 4.0 * i + 4.0) for i in (0, 1)),
        culprits=2,
    ),
    Case("cell and head", "gru", False, (weight("Gemm", 9, 1, times(6)), attribute("Softmax", 0, "axis", 0)), culprits=2),
    Case(
        "two that cancel",
        "gru",
        True,
        (after("Tanh", 3, ("Neg", {}, None), ("Neg", {}, None)), after("Tanh", 5, ("Mul", {}, 8.0), ("Mul", {}, 0.125))),
    ),
)
