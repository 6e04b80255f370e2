"""The numbers that networks of ``keras.applications`` which were trained on ImageNet expect, and those that they are given."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile
from typing import Final

from dllint.analysis.data_scale import SCALE_KEEPING, TRAINING, constant_factor
from dllint.analysis.facts import Facts
from dllint.frameworks.keras.protocols.images import GENERATOR
from dllint.ir.events import AttributeWrite, Fit, LibraryCall, OpaqueCall
from dllint.ir.program import Op, TensorVal, tensors_in
from dllint.ir.values import InstanceVal, Value
from dllint.ops.kinds import does
from dllint.ops.traits import Trait

#: How ``preprocess_input`` of the module of an architecture changes pictures of 0 to 255 (``keras.applications``, Keras 3.15):
#: not at all, since a layer of the network rescales; to -1 to 1; by the mean and the deviation of ImageNet behind a division by
#: 255; by the mean alone.
_INSIDE: Final = ("EfficientNet", "MobileNetV3", "ConvNeXt")
_TO_ONE: Final = (
    "InceptionV3", "InceptionResNetV2", "Xception", "NASNet", "MobileNet", "ResNet50V2", "ResNet101V2", "ResNet152V2",
)  # fmt: skip
_STANDARDISED: Final = ("DenseNet",)
_PREPROCESS: Final = ".preprocess_input"
#: Pictures as bytes reach from 0 to this.
_BRIGHTEST: Final = 255
#: Numbers up to this are pictures that were divided by 255.
_SMALL: Final = 1.0
#: Numbers that reach beyond this are pictures as bytes, as they are.
_LARGE: Final = _BRIGHTEST / 2
#: How calls end that give a network other weights than those that it was made with.
_GIVES_WEIGHTS: Final = ("load_weights", "set_weights", "restore", "assign", "load_model_weights")
#: The attributes of a generator by which it changes pictures.
_CHANGES: Final = re.compile("preprocessing_function|rescale|mean|std")
#: What applies a trained network with the data as it is.
_APPLIES: Final = (*TRAINING, "evaluate", "predict", "evaluate_generator", "predict_generator")


@dataclass(frozen=True, slots=True)
class Given:
    """A network with weights of ImageNet, the largest number that its pictures have, and that they should have."""

    network: InstanceVal
    name: str
    highest: float
    expected: float


def expected(name: str) -> float:
    """The largest number in the pictures that an architecture is made for, about."""
    if name.startswith(_INSIDE):
        return _BRIGHTEST
    return _SMALL if name.startswith((*_TO_ONE, *_STANDARDISED)) else _BRIGHTEST


def scaled_otherwise(fit: Fit, facts: Facts) -> Iterator[Given]:
    """The networks in a model whose data have numbers of another size than these networks were trained on.

    None after the program has given weights of its own to any model, which may be those of this network, or has set how a
    generator changes pictures.
    """
    highest = _highest(fit.x) if fit.method in _APPLIES else None
    if highest is None or _SMALL < highest <= _LARGE:
        return
    networks = list(_networks(fit, facts))
    if not networks or _are_changed(fit, facts):
        return
    for network, name in networks:
        wanted = expected(name)
        if (highest <= _SMALL) != (wanted <= _SMALL):
            yield Given(network, name, highest, wanted)


def _are_changed(fit: Fit, facts: Facts) -> bool:
    """Whether anything is given weights, or a generator other changes, before a model is applied."""
    for event in takewhile(lambda event: event is not fit, facts.program.events):
        if isinstance(event, AttributeWrite) and _CHANGES.fullmatch(event.name):
            return True
        if isinstance(event, (LibraryCall, OpaqueCall)) and event.name.endswith(_GIVES_WEIGHTS):
            return True
    return False


def _highest(value: Value) -> float | None:
    """The largest number of pictures that are loaded and then multiplied by constants or moved, and nothing else."""
    factor = 1.0
    while isinstance(value, TensorVal) and not value.modified:
        maker = value.producer
        if maker is None or maker.spelled.endswith(_PREPROCESS):
            return None
        if does(maker, Trait.LOADS):
            is_picture = value.high == _BRIGHTEST or maker.spelled.startswith(GENERATOR)
            return _BRIGHTEST * factor if is_picture and factor > 0 else None
        if (change := constant_factor(maker)) is not None:
            factor *= change
        elif maker.kind not in SCALE_KEEPING:
            return None
        value = maker.inputs[0] if maker.inputs else None
    return None


def _networks(fit: Fit, facts: Facts) -> Iterator[tuple[InstanceVal, str]]:
    """The networks with weights of ImageNet, with their architectures, that take the data of a model as they are."""
    entries = {tensor.id for tensor in tensors_in(fit.model.state.get("inputs"))}
    outputs = fit.model.state.get("outputs")
    seen: set[int] = set()
    for op in facts.ancestors(*tensors_in(outputs)):
        network = op.layer
        if network is None or id(network) in seen or network.state.get("weights") != "imagenet":
            continue
        name = network.state.get("application")
        if isinstance(name, str) and _is_entry(op, entries):
            seen.add(id(network))
            yield network, name


def _is_entry(op: Op, entries: set[int]) -> bool:
    """Whether an operation takes the inputs of a model, behind steps that keep the size of numbers."""
    value = op.args.get("x")
    while isinstance(value, TensorVal) and value.id not in entries:
        maker = value.producer
        if maker is None or maker.spelled.endswith(_PREPROCESS) or maker.kind not in SCALE_KEEPING or not maker.inputs:
            return False
        value = maker.inputs[0]
    return isinstance(value, TensorVal)
