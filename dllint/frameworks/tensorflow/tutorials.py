"""The MNIST reader that the TensorFlow 1 tutorials came with."""

from __future__ import annotations

from typing import Final

from dllint.domains.dim import Dim, counted
from dllint.domains.dtype import FLOAT32, FLOAT64, UINT8
from dllint.domains.lattice import Unknown
from dllint.domains.shape import Shape, TensorType
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


def _images(machine: Machine, part: InstanceVal, rows: Dim) -> Value:
    flat = part.kept("flat")
    shape: Shape | Unknown = Unknown("no-argument", "reshape")
    if isinstance(flat, bool):
        shape = (rows, 784) if flat else (rows, 28, 28, 1)
    return machine.tensor(TensorType(shape, FLOAT32), framework="numpy", name="mnist.images")


def _labels(machine: Machine, part: InstanceVal, rows: Dim) -> Value:
    one_hot = part.kept("one_hot")
    if not isinstance(one_hot, bool):
        return machine.unknown("no-argument", "one_hot")
    type_ = TensorType((rows, 10), FLOAT64) if one_hot else TensorType((rows,), UINT8)
    out = machine.tensor(type_, framework="numpy", name="mnist.labels")
    out.low, out.high = 0, 1 if one_hot else 9
    return out


def _samples(part: InstanceVal) -> Dim:
    samples = part.kept("samples")
    return samples if is_size(samples) else counted("samples", 1)


@prop(f"{DATASET}.images", on=InstanceVal)
def images(machine: Machine, part: InstanceVal) -> Value:
    """All images of a part."""
    return _images(machine, part, _samples(part))


@prop(f"{DATASET}.labels", on=InstanceVal)
def labels(machine: Machine, part: InstanceVal) -> Value:
    """All labels of a part."""
    return _labels(machine, part, _samples(part))


@prop(f"{DATASET}.num_examples", on=InstanceVal)
def num_examples(machine: Machine, part: InstanceVal) -> Value:
    """The number of samples of a part."""
    return _samples(part)


@handler(f"{DATASET}.next_batch", on=InstanceVal)
def next_batch(machine: Machine, part: InstanceVal, arguments: Arguments) -> Value:
    """``next_batch(batch_size)``: images and labels."""
    size = argument(arguments, "batch_size", 0)
    rows = size if is_size(size) else counted("batch", 1)
    return _images(machine, part, rows), _labels(machine, part, rows)
