"""``tf.data``: a data set is known by one of its elements, which ``map`` and ``batch`` change."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from dllint.domains.dim import counted
from dllint.domains.dtype import INT64, STRING
from dllint.domains.lattice import Unknown
from dllint.domains.shape import Shape, TensorType
from dllint.frameworks.keras.protocols.images import DATASET, batches
from dllint.frameworks.keras.protocols.plain import argument, plain
from dllint.frameworks.keras.protocols.shapes import BATCH
from dllint.frameworks.machine import Machine, handler, prop
from dllint.frameworks.tensorflow.session import operation
from dllint.ir.program import Framework, TensorVal
from dllint.ir.values import Arguments, DictVal, InstanceVal, IterVal, LibSymbol, Value

_OTHER: Final = Unknown("no-argument", "output_type")
#: Methods that keep the elements as they are, in any order.
KEEPING: Final = ("shuffle", "repeat", "cache", "prefetch", "with_options", "rebatch", "ignore_errors", "snapshot")
#: Methods that give data sets of some of the elements, or of those of several data sets.
OTHERS: Final = ("take", "skip", "filter", "shard", "concatenate", "take_while", "unique")


def _each(
    machine: Machine, value: Value, change: Callable[[Shape], Shape] = lambda shape: shape, framework: Framework = "tensorflow"
) -> Value:
    """A nest of tensors with their shapes changed."""
    value = plain(value)
    if isinstance(value, TensorVal):
        if isinstance(value.shape, Unknown):
            return value
        out = value.redrawn(value.type.with_shape(change(value.shape)))
        out.framework = framework
        return out
    if isinstance(value, tuple):
        return tuple(_each(machine, v, change, framework) for v in value)
    if isinstance(value, DictVal):
        return DictVal({k: _each(machine, v, change, framework) for k, v in value.items.items()})
    return value


def _element(dataset: Value) -> Value:
    found = dataset.state.get("element") if isinstance(dataset, InstanceVal) else None
    return Unknown("dataset", "element") if found is None else found


def _dataset(machine: Machine, element: Value) -> Value:
    out = batches(machine)
    out.state["element"] = element
    return out


@handler(f"{DATASET}.from_tensor_slices")
def from_tensor_slices(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """Elements are the rows of the arrays given."""
    return _dataset(machine, _each(machine, argument(arguments, "tensors", 0), lambda shape: shape[1:]))


@handler(f"{DATASET}.from_tensors")
def from_tensors(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """The only element is what is given."""
    return _dataset(machine, _each(machine, argument(arguments, "tensors", 0)))


@handler(f"{DATASET}.as_numpy_iterator")
def as_arrays(machine: Machine, dataset: Value, arguments: Arguments) -> Value:
    """The elements as arrays."""
    return _dataset(machine, _each(machine, _element(dataset), framework="numpy"))


@handler(f"{DATASET}.zip")
def zipped(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """Elements are tuples of the data sets' elements."""
    given = argument(arguments, "datasets", 0)
    parts = given if isinstance(given, tuple) else tuple(map(plain, arguments.args))
    return _dataset(machine, tuple(map(_element, parts)))


@handler(f"{DATASET}.batch", f"{DATASET}.padded_batch")
def batch(machine: Machine, dataset: Value, arguments: Arguments) -> Value:
    """A leading axis; its size is free, since the last batch may be smaller."""
    size = argument(arguments, "batch_size", 0)
    drop = plain(arguments.kwargs.get("drop_remainder", False))
    leading = size if drop is True and isinstance(size, int) else BATCH
    return _dataset(machine, _each(machine, _element(dataset), lambda shape: (leading, *shape)))


@handler(f"{DATASET}.unbatch")
def unbatch(machine: Machine, dataset: Value, arguments: Arguments) -> Value:
    """Without the leading axis."""
    return _dataset(machine, _each(machine, _element(dataset), lambda shape: shape[1:]))


@handler(f"{DATASET}.map")
def mapped(machine: Machine, dataset: Value, arguments: Arguments) -> Value:
    """The function's result on one element; a tuple is spread over its parameters."""
    element = _element(dataset)
    if isinstance(element, Unknown):
        return _dataset(machine, element)
    parts = element if isinstance(element, tuple) else (element,)
    return _dataset(machine, machine.call(argument(arguments, "map_func", 0), Arguments(parts)))


@handler(f"{DATASET}.flat_map", f"{DATASET}.interleave")
def flattened(machine: Machine, dataset: Value, arguments: Arguments) -> Value:
    """The elements of the data sets that a function makes of each element."""
    made = mapped(machine, dataset, arguments)
    return _dataset(machine, _element(_element(made)))


@handler(f"{DATASET}.sample_from_datasets", f"{DATASET}.choose_from_datasets")
def mixed(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """Elements of several data sets, which are alike: known where those of the first are."""
    parts = plain(argument(arguments, "datasets", 0))
    return _dataset(machine, _each(machine, _element(parts[0])) if isinstance(parts, tuple) and parts else _element(parts))


@handler(f"{DATASET}.window")
def window(machine: Machine, dataset: Value, arguments: Arguments) -> Value:
    """Data sets of some elements that follow each other: for each part of an element one."""
    element = plain(_element(dataset))
    parts = element if isinstance(element, tuple) else (element,)
    found = tuple(_dataset(machine, _each(machine, part)) for part in parts)
    return _dataset(machine, found if isinstance(element, tuple) else found[0])


@handler(f"{DATASET}.range", f"{DATASET}.random")
def numbers(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """Whole numbers."""
    is_plain = plain(arguments.kwargs.get("output_type")) is None
    return _dataset(
        machine, machine.tensor(TensorType((), INT64 if is_plain else _OTHER), framework="tensorflow", name="number")
    )


@handler(f"{DATASET}.list_files")
def files(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """Names of files."""
    return _dataset(machine, machine.tensor(TensorType((), STRING), framework="tensorflow", name="file"))


@handler(*(f"{DATASET}.{name}" for name in KEEPING))
def same(machine: Machine, dataset: Value, arguments: Arguments) -> Value:
    """A data set of its own with the same elements, perhaps in another order."""
    return _dataset(machine, _element(dataset)) if isinstance(dataset, InstanceVal) else dataset


@handler(*(f"{DATASET}.{name}" for name in OTHERS))
def part(machine: Machine, dataset: Value, arguments: Arguments) -> Value:
    """A data set of its own with elements like those."""
    return _dataset(machine, _each(machine, _element(dataset)))


@handler(f"{DATASET}.apply")
def applied(machine: Machine, dataset: Value, arguments: Arguments) -> Value:
    """The result of a function of the data set."""
    out = machine.call(argument(arguments, "transformation_func", 0), Arguments((dataset,)))
    return _dataset(machine, out) if isinstance(out, Unknown) else out


@handler(f"{DATASET}.__iter__")
def iterate(machine: Machine, dataset: Value, arguments: Arguments) -> Value:
    """Elements, all alike."""
    return IterVal([], _element(dataset))


@handler(f"{DATASET}.enumerate")
def enumerated(machine: Machine, dataset: Value, arguments: Arguments) -> Value:
    """Pairs of a number and an element."""
    return _dataset(machine, (counted("step"), _element(dataset)))


ITERATOR: Final = "tensorflow.data.Iterator"


@handler(f"{DATASET}.make_one_shot_iterator", f"{DATASET}.make_initializable_iterator",
         "tensorflow.data.make_one_shot_iterator", "tensorflow.data.make_initializable_iterator")  # fmt: skip
def make_iterator(machine: Machine, dataset: Value, arguments: Arguments) -> Value:
    """TensorFlow 1: an object in the graph that gives an element per run."""
    source = dataset if dataset is not None else argument(arguments, "dataset", 0)
    out = InstanceVal(LibSymbol(ITERATOR), site=machine.site)
    out.state["element"] = _element(source)
    return out


@handler(f"{ITERATOR}.from_structure")
def from_structure(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``Iterator.from_structure(types, shapes)``: what it gives is determined by the data set that initialises it."""
    out = InstanceVal(LibSymbol(ITERATOR), site=machine.site)
    out.state["element"] = Unknown("dataset", "element")
    return out


@handler(f"{ITERATOR}.make_initializer")
def make_initializer(machine: Machine, iterator: Value, arguments: Arguments) -> Value:
    """The data set an iterator reads from."""
    if isinstance(iterator, InstanceVal):
        machine.write(iterator.state, "element", _element(argument(arguments, "dataset", 0)))
    return operation(machine)


@handler(f"{ITERATOR}.get_next")
def get_next(machine: Machine, iterator: Value, arguments: Arguments) -> Value:
    """One element."""
    return _element(iterator)


@prop(f"{ITERATOR}.initializer")
def initializer(machine: Machine, iterator: Value) -> Value:
    """The operation that starts the iterator."""
    return operation(machine)


@handler(f"{DATASET}.__len__", f"{DATASET}.cardinality")
def length(machine: Machine, dataset: Value, arguments: Arguments) -> Value:
    """Not followed."""
    return counted("elements")
