"""``torch.utils.data``: what iterating a ``DataLoader`` gives."""

from __future__ import annotations

from dataclasses import dataclass, replace

from dllint.domains.dim import Dim, DimExpr, counted, symbol
from dllint.domains.dtype import FLOAT64, INT64, DType
from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.frameworks.given import given
from dllint.frameworks.kinds import shape_of
from dllint.frameworks.machine import LIBRARY_BASES, Machine, constructor, handler, prop
from dllint.ir.events import EmptyLoader, SingleLeft
from dllint.ir.program import TensorVal
from dllint.ir.values import AbstractVal, Arguments, DictVal, InstanceVal, IterVal, LibSymbol, ListVal, RangeVal, Value, unwrap
from dllint.ops.chosen import is_by_place

DATASET, LOADER = "torch.utils.data.Dataset", "torch.utils.data.DataLoader"
LOADER_SIGNATURE = (
    "dataset, batch_size=1, shuffle=None, sampler=None, batch_sampler=None, num_workers=0, collate_fn=None, "
    "pin_memory=False, drop_last=False, **more"
)
WRAPPERS = ("Subset", "ConcatDataset")
LIBRARY_BASES.update({f"torch.utils.data.{name}": (DATASET,) for name in ("TensorDataset", "IterableDataset", *WRAPPERS)})
LIBRARY_BASES.update({DATASET: (), LOADER: ()})
#: The state key under which a dataset of known labels keeps its :class:`Label`.
LABEL = "label"
#: The attribute of a part that says whether its samples are chosen by what they are.
CHOSEN = "chosen"
#: What programs assign to leave out the samples of some classes, or to number the classes anew.
_REPLACED = frozenset(
    {"data", "targets", "labels", "samples", "imgs", "train_labels", "test_labels", "classes", "class_to_idx"}
)


@handler(f"{DATASET}.__init__")
def initialize(machine: Machine, dataset: Value, arguments: Arguments) -> Value:
    """A user class derived from a dataset."""
    return None


@constructor("torch.utils.data.TensorDataset")
def tensor_dataset(machine: Machine, dataset: InstanceVal, arguments: Arguments) -> None:
    """Rows of tensors with a common first axis. Releases before 0.4 named them: ``data_tensor``, ``target_tensor``."""
    named = machine.unknown("release", "TensorDataset") if arguments.kwargs else None
    machine.write(dataset.state, "tensors", arguments.star or named or arguments.args)


@handler("torch.utils.data.TensorDataset.__getitem__", on=InstanceVal)
def row(machine: Machine, dataset: InstanceVal, arguments: Arguments) -> Value:
    """One row of each tensor."""
    tensors = dataset.state.get("tensors")
    if not isinstance(tensors, tuple) or not all(isinstance(t, TensorVal) for t in tensors):
        return machine.unknown("unknown-data", "TensorDataset")
    return tuple(machine.emit("getitem", {"x": t, "index": 0}, framework="torch", spelled="TensorDataset") for t in tensors)


@prop("torch.utils.data.TensorDataset.tensors", on=InstanceVal)
def tensors_of_dataset(machine: Machine, dataset: InstanceVal) -> Value:
    """The tensors that it was made of."""
    return dataset.state.get("tensors", Unknown("unknown-data", "TensorDataset"))


@handler("torch.utils.data.TensorDataset.__len__", on=InstanceVal)
def rows(machine: Machine, dataset: InstanceVal, arguments: Arguments) -> Value:
    """The common first size."""
    tensors = dataset.state.get("tensors")
    shape = shape_of(tensors[0]) if isinstance(tensors, tuple) and tensors else None
    return shape[0] if shape else Unknown("unknown-length", "TensorDataset")


@handler(*(f"torch.utils.data.{name}" for name in WRAPPERS))
def wrapped(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """A part or a concatenation: its samples are those of the (first) dataset."""
    source = arguments.args[0] if arguments.args else next(iter(arguments.kwargs.values()), None)
    found = machine.iterate(source) if isinstance(source, (ListVal, tuple)) else [source]
    indices = arguments.args[1] if len(arguments.args) > 1 else arguments.kwargs.get("indices")
    return _part(machine, found[0] if isinstance(found, list) and found else None, chosen=not _says_where(unwrap(indices)))


def _says_where(indices: Value) -> bool:
    """Whether samples are chosen by their place, and not by what they are."""
    if isinstance(indices, ListVal):
        return indices.rest is None and all(isinstance(index, int) for index in indices.items)
    return isinstance(indices, RangeVal) or is_by_place(indices)


def _part(machine: Machine, source: Value, length: Value = None, chosen: bool = False) -> InstanceVal:
    attrs: dict[str, Value] = {"dataset": source, "length": length, CHOSEN: chosen}
    return InstanceVal(LibSymbol("torch.utils.data.Subset"), site=machine.site, attrs=attrs)


@handler("torch.utils.data.random_split")
def random_split(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """One part per given length."""
    bound = given("dataset, lengths, generator=None", arguments)
    parts = machine.iterate(bound.get("lengths"))
    if isinstance(parts, Unknown):
        return ListVal([], _part(machine, bound.get("dataset")))
    return ListVal([_part(machine, bound.get("dataset"), unwrap(length)) for length in parts])


@handler("torch.utils.data.Subset.__getitem__")
def part_item(machine: Machine, dataset: Value, arguments: Arguments) -> Value:
    """A sample of the underlying dataset."""
    return sample(machine, dataset)


@handler("torch.utils.data.Subset.__len__", on=InstanceVal)
def part_length(machine: Machine, dataset: InstanceVal, arguments: Arguments) -> Value:
    """The number that ``random_split`` was given; that of other parts is not followed."""
    length = dataset.attrs.get("length")
    return length if isinstance(length, int) else counted("N", 1)


@constructor(LOADER)
def loader(machine: Machine, loader: InstanceVal, arguments: Arguments) -> None:
    """``DataLoader(dataset, batch_size, …)``."""
    bound = given(LOADER_SIGNATURE, arguments)
    for name in ("dataset", "batch_size", "sampler", "batch_sampler", "collate_fn", "drop_last"):
        machine.write(loader.attrs, name, bound.get(name, Unknown("missing-argument", LOADER)))


@handler(f"{LOADER}.__iter__", on=InstanceVal)
def batches(machine: Machine, loader: InstanceVal, arguments: Arguments) -> Value:
    """Batches, all alike but perhaps for the last one."""
    dataset, collation = loader.own("dataset"), loader.own("collate_fn")
    if _takes_all(loader) and _length(machine, dataset) == 0:
        return IterVal([])
    _note_empty(machine, loader)
    one = sample(machine, dataset)
    if collation is not None:
        return IterVal([], machine.call(collation, Arguments((ListVal([], one),))))
    if unwrap(loader.own("batch_size")) is None and loader.own("batch_sampler") is None:
        return IterVal([], one)
    label, sizes = label_of(dataset), batch_sizes(machine, loader)
    size = sizes[0] if len(sizes) == 1 else symbol("B")
    out = IterVal([], collate(machine, one, size, label))
    if len(sizes) == 2:
        _note_single(machine, loader, sizes[1])
        full, last = (collate(machine, one, number, label) for number in sizes)
        out.cases = {f"the batch has its {sizes[0]} samples": full, f"the batch is the last one, of {sizes[1]} samples": last}
    return out


@handler(f"{LOADER}.__len__")
def number_of_batches(machine: Machine, loader: Value, arguments: Arguments) -> Value:
    """Not followed beyond being positive."""
    return counted("batches", 1)


@dataclass(frozen=True, slots=True)
class Label(AbstractVal):
    """The label of a data set's samples: a symbol, below the number of classes if that is known."""

    value: DimExpr
    classes: int | None


def label_of(dataset: Value) -> Label | None:
    """The label of the samples of a data set, or of the one that it is a part of. What classes are left is not known of a part
    that is chosen by what its samples are, nor of a data set that the program has given others."""
    changed = False
    while isinstance(dataset, InstanceVal) and LABEL not in dataset.state and "dataset" in dataset.attrs:
        changed = changed or dataset.attrs.get(CHOSEN) is not False
        dataset = dataset.own("dataset")
    found = dataset.state.get(LABEL) if isinstance(dataset, InstanceVal) else None
    if not isinstance(found, Label) or not isinstance(dataset, InstanceVal):
        return None
    return replace(found, classes=None) if changed or _REPLACED & dataset.attrs.keys() else found


def sample(machine: Machine, dataset: Value) -> Value:
    """One sample of a dataset."""
    dataset = unwrap(dataset)
    if isinstance(dataset, (ListVal, TensorVal)):
        return machine.getitem(dataset, counted("i"))
    if not isinstance(dataset, InstanceVal):
        return machine.unknown("unknown-data", "dataset")
    if dataset.cls == LibSymbol("torch.utils.data.Subset"):
        return sample(machine, dataset.own("dataset"))
    if isinstance(dataset.cls, LibSymbol) or machine.find_method(dataset.cls, "__getitem__") is not None:
        return machine.call_method(dataset, "__getitem__", counted("i"))
    return machine.unknown("unknown-data", "iterable dataset")


def batch_sizes(machine: Machine, loader: InstanceVal) -> tuple[Dim, ...]:
    """The sizes of a loader's batches: of all of them, or of the full ones and of the last one; none if they are not known."""
    size, drop_last = unwrap(loader.own("batch_size")), unwrap(loader.own("drop_last"))
    if drop_last is True and isinstance(size, (int, DimExpr)):
        return (size,)
    if not isinstance(size, int) or size <= 0 or not _takes_all(loader):
        return ()
    length = _length(machine, loader.own("dataset"))
    if not length or (rest := length % size) == 0:
        return (size,) if length else ()
    if length < size:
        return (length,)
    return (size, rest) if drop_last is False else ()


def _takes_all(loader: InstanceVal) -> bool:
    """Whether a loader goes over all samples of its data set: no sampler says which."""
    return all(loader.own(name) is None for name in ("sampler", "batch_sampler"))


def _note_empty(machine: Machine, loader: InstanceVal) -> None:
    """Record that a loader has no batch: it drops the last one, which is the only one."""
    size = unwrap(loader.own("batch_size"))
    if unwrap(loader.own("drop_last")) is not True or not isinstance(size, int) or not _takes_all(loader):
        return
    length = _length(machine, loader.own("dataset"))
    if length and length < size:
        machine.event(EmptyLoader, loader=loader, samples=length, batch_size=size)


def _note_single(machine: Machine, loader: InstanceVal, rest: Dim) -> None:
    """Record that the last batch of a loader has one sample."""
    size, length = unwrap(loader.own("batch_size")), _length(machine, loader.own("dataset"))
    if rest == 1 and isinstance(size, int) and length:
        machine.event(SingleLeft, loader=loader, samples=length, batch_size=size)


def _length(machine: Machine, dataset: Value) -> int | None:
    """The number of samples of a map-style dataset, if it is known."""
    if isinstance(dataset, ListVal):
        return len(dataset.items) if dataset.rest is None else None
    if not isinstance(dataset, InstanceVal):
        return None
    if not isinstance(dataset.cls, LibSymbol) and machine.find_method(dataset.cls, "__len__") is None:
        return None
    length = machine.call_method(dataset, "__len__")
    return length if isinstance(length, int) and length >= 0 else None


def collate(machine: Machine, value: Value, size: Dim, label: Label | None = None) -> Value:
    """Samples stacked along a new first axis, as ``default_collate`` does."""
    value = unwrap(value)
    if isinstance(value, TensorVal):
        shape = value.shape if isinstance(value.shape, Unknown) else (size, *value.shape)
        batch = _batch(machine, shape, value.dtype, value.low, value.high)
        batch.sample = value
        return batch
    if isinstance(value, (bool, int, DimExpr)):
        if label is None or value is not label.value:
            return _batch(machine, (size,), INT64, None, None)
        return _batch(machine, (size,), INT64, 0, None if label.classes is None else label.classes - 1)
    if isinstance(value, float):
        return _batch(machine, (size,), FLOAT64, None, None)
    if isinstance(value, tuple):
        return tuple(collate(machine, part, size, label) for part in value)
    if isinstance(value, ListVal) and value.rest is None:
        return ListVal([collate(machine, part, size, label) for part in value.items])
    if isinstance(value, DictVal) and value.rest is None:
        return DictVal({key: collate(machine, part, size, label) for key, part in value.items.items()})
    return value if isinstance(value, Unknown) else machine.unknown("unknown-data", "batch")


def _batch(
    machine: Machine, shape: tuple[Dim, ...] | Unknown, dtype: DType | Unknown, low: float | None, high: float | None
) -> TensorVal:
    batch = machine.tensor(TensorType(shape, dtype), framework="torch", name="batch")
    batch.low, batch.high = low, high
    return batch


@handler("tqdm.tqdm", "tqdm.auto.tqdm", "tqdm.notebook.tqdm", "tqdm.std.tqdm", "tqdm.tqdm_notebook")
def progress(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """A progress bar gives what it iterates over."""
    return arguments.args[0] if arguments.args else arguments.kwargs.get("iterable", Unknown("dynamic-argument", "tqdm"))
