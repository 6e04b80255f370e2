"""Deployed forms of the networks of ``architectures.py``: faults and harmless changes, by optimisation and number type."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnx
from onnx import helper, numpy_helper
from onnxruntime import quantization
from onnxruntime.transformers.float16 import convert_float_to_float16

from benchmarks.bisection.architectures import Network
from benchmarks.bisection.faults import Edit, after, attribute, clipped, of_kind, rounded, same, times, weight
from dllint.bisection.candidates.onnx_int8 import Calibration, export

#: Single numbers.
FLOAT, HALF, INT8 = "float32", "float16", "int8"
#: Samples that quantisation is calibrated with.
_CALIBRATED: Final = 128


@dataclass(frozen=True)
class Deployment:
    """One deployed model; without faults it is a harmless twin."""

    network: str
    name: str
    faults: tuple[Edit, ...] = ()
    harmless: tuple[Edit, ...] = ()
    form: str = FLOAT
    level: str = "all"

    @property
    def edits(self) -> tuple[Edit, ...]:
        """All changes of the graph."""
        return (*self.faults, *self.harmless)


def deployed(case: Deployment, network: Network, path: Path) -> list[str]:
    """Write the model; the names of the values whose operators are faulty."""
    export(network.model, [array[:4] for array in network.inputs], path)
    model = onnx.load(str(path))
    del model.graph.value_info[:]
    if case.form == INT8:
        model = _quantised(model, network, path)
    if case.form == HALF:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = convert_float_to_float16(model, keep_io_types=True, disable_shape_infer=True)
    expected = [name for edit in case.faults for name in edit(model)]
    for edit in case.harmless:
        edit(model)
    onnx.save(model, str(path))
    return expected


def _quantised(model: onnx.ModelProto, network: Network, path: Path) -> onnx.ModelProto:
    plain, small = path.with_suffix(".plain.onnx"), path.with_suffix(".int8.onnx")
    onnx.save(model, str(plain))
    names = [value.name for value in model.graph.input]
    calibration = Calibration(names, [array[:_CALIBRATED] for array in network.inputs])
    quantization.quantize_static(plain, small, calibration, quant_format=quantization.QuantFormat.QDQ, per_channel=True)
    return onnx.load(str(small))


def behind(kind: str, index: int, *added: tuple[str, dict[str, Any], float | None]) -> Edit:
    """Put operators behind one under names of their own, so that the value of its name is the one in front of them."""

    def edit(model: onnx.ModelProto) -> list[str]:
        node = of_kind(model, kind)[index]
        takers = [taker for taker in model.graph.node if node.output[0] in taker.input]
        before, position, last = node.output[0], list(model.graph.node).index(node) + 1, node.output[0]
        for i, (operator, attributes, constant) in enumerate(added):
            inputs, out = [last], f"{before}_added_{i}"
            if constant is not None:
                kept = numpy_helper.from_array(np.asarray(constant, np.float32), f"{out}_constant")
                model.graph.initializer.append(kept)
                inputs.append(kept.name)
            model.graph.node.insert(position + i, helper.make_node(operator, inputs, [out], **attributes))
            last = out
        for taker in takers:
            taker.input[:] = [last if name == before else name for name in taker.input]
        return [before]

    return edit


def scale(index: int, factor: float) -> Edit:
    """The scale that the value number ``index`` is rounded and read back with, so many times as large: values are cut."""

    def edit(model: onnx.ModelProto) -> list[str]:
        constants = {tensor.name: tensor for tensor in model.graph.initializer}
        found = [node for node in of_kind(model, "QuantizeLinear") if node.input[0] not in constants]
        made = {name for node in model.graph.node for name in node.output}
        node = [node for node in found if node.input[0] in made][index]
        fresh = numpy_helper.from_array(
            (numpy_helper.to_array(constants[node.input[1]]) * factor).astype(np.float32), f"{node.input[1]}_of_fault"
        )
        model.graph.initializer.append(fresh)
        for taker in model.graph.node:
            if taker is node or (taker.op_type == "DequantizeLinear" and taker.input[0] == node.output[0]):
                taker.input[1] = fresh.name
        node.input[1] = fresh.name
        return [node.input[0]]

    return edit


def read_back(index: int, factor: float) -> Edit:
    """The weights of convolution number ``index`` read back with a scale so many times as large."""

    def edit(model: onnx.ModelProto) -> list[str]:
        node = of_kind(model, "Conv")[index]
        place = [each.output[0] for each in of_kind(model, "DequantizeLinear")].index(node.input[1])
        weight("DequantizeLinear", place, 1, times(factor))(model)
        return [node.output[0]]

    return edit


def zeroed(array: np.ndarray) -> np.ndarray:
    """The first half of the outputs without weights."""
    changed = array.copy()
    changed[: len(changed) // 2] = 0
    return changed


def turned(array: np.ndarray) -> np.ndarray:
    """The outputs in the reverse order."""
    return array[::-1].copy()


CASTS: Final = (("Cast", {"to": onnx.TensorProto.FLOAT16}, None), ("Cast", {"to": onnx.TensorProto.FLOAT}, None))
OVERFLOW: Final = (("Mul", {}, 3e4), *CASTS, ("Mul", {}, 1 / 3e4))
PERMUTED: Final = (("Transpose", {"perm": [0, 2, 3, 1]}, None), ("Transpose", {"perm": [0, 3, 1, 2]}, None))
SWAPPED: Final = (("Transpose", {"perm": [0, 2, 3, 1]}, None), ("Transpose", {"perm": [0, 3, 2, 1]}, None))


def negated(array: np.ndarray) -> np.ndarray:
    """The numbers with the other sign."""
    return -array


def cases(name: str) -> Iterator[Deployment]:
    """The cases of one network."""
    yield from (case for case in (*_IMAGES, *_SEQUENCES, *_SMALL) if case.network == name)


_NORM: Final = "LayerNormalization"
_IMAGES: Final = tuple(
    case
    for net in ("conv16", "conv12")
    for case in (
        Deployment(net, "weight", (weight("Conv", 3, 1, turned),)),
        Deployment(net, "weight of a shortcut", (weight("Conv", 5, 1, negated),), level="extended"),
        Deployment(net, "pads", (attribute("Conv", 2, "pads", [0, 0, 2, 2]),)),
        Deployment(net, "pads", (attribute("Conv", 2, "pads", [0, 0, 2, 2]),), level="basic"),
        Deployment(net, "overflow", (behind("Relu", 4, *OVERFLOW),)),
        Deployment(net, "swapped axes", (behind("Relu", 2, *SWAPPED),)),
        Deployment(net, "pair", (weight("Conv", 1, 1, turned), weight("Conv", 7, 1, zeroed))),
        Deployment(net, "rounded weight", harmless=(weight("Conv", 3, 1, rounded(127)),)),
        Deployment(net, "axes there and back", harmless=(behind("Relu", 3, *PERMUTED),)),
        Deployment(net, "axes and a weight", (weight("Conv", 4, 1, clipped(0.1)),), (after("Relu", 2, *PERMUTED),)),
        Deployment(net, "scale", (scale(8, 0.06),), form=INT8),
        Deployment(net, "weight", (read_back(4, 3.0),), form=INT8),
        Deployment(net, "quantised", form=INT8),
        Deployment(net, "half", form=HALF),
        Deployment(net, "weight", (weight("Conv", 4, 1, turned),), form=HALF),
    )
)
_SEQUENCES: Final = (
    Deployment("vit", "epsilon", (attribute(_NORM, 2, "epsilon", 30.0),)),
    Deployment("vit", "axis", (attribute("Softmax", 1, "axis", -2),)),
    Deployment("vit", "gelu", harmless=(attribute("Gelu", 0, "approximate", "tanh"),)),
    Deployment("vit", "scale of scores", (after("Div", 1, ("Mul", {}, 30.0)),), level="extended"),
    Deployment("vit", "pair", (weight("MatMul", 5, 1, np.transpose), attribute(_NORM, 5, "epsilon", 100.0))),
    Deployment("vit", "scale", (scale(12, 0.05),), form=INT8),
    Deployment("vit", "quantised", form=INT8),
    Deployment("vit", "half", form=HALF),
    Deployment("bert", "epsilon", (attribute(_NORM, 3, "epsilon", 30.0),)),
    Deployment("bert", "weight", (weight("MatMul", 8, 1, np.transpose),)),
    Deployment("bert", "casts and axis", (attribute("Softmax", 2, "axis", -2),), (behind("Gelu", 0, *CASTS),)),
    Deployment("bert", "overflow", (behind("Gelu", 1, *OVERFLOW),), level="extended"),
    Deployment("bert", "same", harmless=(weight("MatMul", 8, 1, same),)),
    Deployment("bert", "scale", (scale(9, 0.05),), form=INT8),
    Deployment("bert", "weight", (weight("MatMul", 10, 1, np.transpose),), form=HALF),
    Deployment("translator", "epsilon", (attribute(_NORM, 3, "epsilon", 30.0),)),
    Deployment("translator", "relu cut", (after("Relu", 0, ("Mul", {}, 0.0)),)),
    Deployment("translator", "pair", (attribute("Softmax", 2, "axis", -2), weight("MatMul", 4, 1, negated))),
    Deployment("translator", "casts", harmless=(behind("Relu", 0, *CASTS),)),
    Deployment("translator", "half", form=HALF),
    Deployment("gru", "weight", (weight("MatMul", 0, 1, negated),)),
    Deployment("gru", "state weights", (weight("GRU", 0, 2, negated),)),
    Deployment("gru", "second layer", (weight("GRU", 1, 1, times(5)),), level="basic"),
    Deployment("gru", "epsilon", (attribute(_NORM, 0, "epsilon", 30.0),)),
    Deployment("gru", "same", harmless=(weight("GRU", 0, 1, same),)),
)
_SMALL: Final = (
    Deployment("mobile", "depthwise weight", (weight("Conv", 7, 1, turned),)),
    Deployment("mobile", "pads", (attribute("Conv", 2, "pads", [0, 0, 2, 2]),)),
    Deployment("mobile", "activation cut", (after("Clip", 2, ("Mul", {}, 0.1)),)),
    Deployment("mobile", "casts", harmless=(behind("Clip", 3, *CASTS),)),
    Deployment("mobile", "scale", (scale(10, 0.04),), form=INT8),
    Deployment("mobile", "quantised", form=INT8),
    Deployment("mobile", "half", form=HALF),
    Deployment("mobile", "pair", (weight("Conv", 1, 1, turned), weight("Conv", 11, 1, turned))),
    Deployment("unet", "up", (weight("ConvTranspose", 0, 1, turned),)),
    Deployment("unet", "mode", (attribute("Resize", 0, "mode", "nearest"),)),
    Deployment("unet", "align", (attribute("Resize", 0, "coordinate_transformation_mode", "align_corners"),)),
    Deployment("unet", "weight", (weight("Conv", 2, 1, turned),)),
    Deployment("unet", "weight", (weight("Conv", 2, 1, turned),), level="extended"),
    Deployment("unet", "axes", harmless=(after("Relu", 1, *PERMUTED),)),
    Deployment("unet", "scale", (scale(6, 0.05),), form=INT8),
    Deployment("unet", "half", form=HALF),
)
