"""The MNIST reader that the TensorFlow 1 tutorials came with."""

from __future__ import annotations

from typing import Final

from dllint.domains.dim import opaque
from dllint.domains.dtype import FLOAT32, FLOAT64, UINT8
from dllint.domains.shape import TensorType
from dllint.frameworks.given import given
from dllint.frameworks.keras.protocols.plain import argument, is_size, plain
from dllint.frameworks.machine import Machine, handler, prop
from dllint.frameworks.tensorflow.names import TUTORIAL
from dllint.ir.values import Arguments, InstanceVal, LibSymbol, Value

#: Samples of the parts after 5,000 of the training images were set aside.
PARTS: Final = {"train": 55_000, "validation": 5_000, "test": 10_000}
DATASET: Final = f"{TUTORIAL}.DataSet"
_READ: Final = (
    "train_dir, fake_data=False, one_hot=False, dtype=None, reshape=True, validation_size=5000, seed=None, source_url=None"
)


@handler(f"{TUTORIAL}.read_data_sets")
def read_data_sets(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """Three data sets: ``train``, ``validation`` and ``test``."""
    asked = given(_READ, arguments)
    out = InstanceVal(LibSymbol(f"{TUTORIAL}.Datasets"), site=machine.site)
    for name, samples in PARTS.items():
        part = InstanceVal(LibSymbol(DATASET), site=machine.site)
        state = {"samples": samples, "one_hot": plain(asked["one_hot"]), "flat": plain(asked["reshape"])}
        part.state.update(state)
        out.attrs[name] = part
    return out


def _images(machine: Machine, part: InstanceVal, rows: Value) -> Value:
    pixels = (28, 28, 1) if part.state.get("flat") is False else (784,)
    return machine.tensor(TensorType((rows, *pixels), FLOAT32), framework="numpy", name="mnist.images")


def _labels(machine: Machine, part: InstanceVal, rows: Value) -> Value:
    one_hot = part.state.get("one_hot") is True
    out = machine.tensor(
        TensorType((rows, 10) if one_hot else (rows,), FLOAT64 if one_hot else UINT8), framework="numpy", name="mnist.labels"
    )
    out.low, out.high = 0, 1 if one_hot else 9
    return out


@prop(f"{DATASET}.images")
def images(machine: Machine, part: Value) -> Value:
    """All images of a part."""
    return _images(machine, part, part.state["samples"])


@prop(f"{DATASET}.labels")
def labels(machine: Machine, part: Value) -> Value:
    """All labels of a part."""
    return _labels(machine, part, part.state["samples"])


@prop(f"{DATASET}.num_examples")
def num_examples(machine: Machine, part: Value) -> Value:
    """How many samples a part has."""
    return part.state["samples"]


@handler(f"{DATASET}.next_batch")
def next_batch(machine: Machine, part: Value, arguments: Arguments) -> Value:
    """``next_batch(batch_size)``: images and labels."""
    size = argument(arguments, "batch_size", 0)
    rows = size if is_size(size) else opaque("batch", 1)
    return _images(machine, part, rows), _labels(machine, part, rows)
