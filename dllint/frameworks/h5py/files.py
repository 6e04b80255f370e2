"""Files, groups and data sets of h5py."""

from __future__ import annotations

from typing import Final

from dllint.domains.lattice import Unknown
from dllint.frameworks import from_files
from dllint.frameworks.array_like import ARRAY, as_array
from dllint.frameworks.given import given
from dllint.frameworks.machine import LIBRARY_BASES, Getter, Handler, Machine, handler, prop
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, DictVal, InstanceVal, LibSymbol, Value, unwrap
from dllint.source.data.held import ArrayHead, Held

_FILE: Final = "h5py.File"
_GROUP: Final = "h5py.Group"
_DATASET: Final = "h5py.Dataset"
#: What a data set has in common with an array, and what is not known of one.
_OF_ARRAYS: Final = ("shape", "dtype", "ndim", "size", "nbytes")
_OTHERS: Final = ("attrs", "name", "file", "parent", "id", "chunks", "maxshape", "compression", "dims", "filename", "mode")
_READ: Final = ("r", None)
LIBRARY_BASES[_DATASET] = ()


@handler(_FILE)
def opened(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``File(name, mode="r", …)``: what lies beside the code and is only read is known."""
    options = given("name, mode=None, *rest, **more", arguments)
    held = machine.file_content(options.get("name"), "hdf5") if unwrap(options.get("mode")) in _READ else None
    if not isinstance(held, dict):
        return machine.unknown("data-file", _FILE)
    return from_files.opened(machine, _FILE, _members(machine, held))


def _members(machine: Machine, held: dict[Held, Held]) -> DictVal:
    return DictVal({name: _object(machine, inner) for name, inner in held.items()}, read=True)


def _object(machine: Machine, held: Held) -> Value:
    if isinstance(held, dict):
        return from_files.opened(machine, _GROUP, _members(machine, held))
    if not isinstance(held, ArrayHead):
        return Unknown("data-file", _GROUP)
    dataset = InstanceVal(LibSymbol(_DATASET), site=machine.site, open=Unknown("data-file", _DATASET))
    dataset.state[ARRAY] = from_files.value(machine, held, "numpy", _DATASET)
    return dataset


def _member(machine: Machine, group: InstanceVal, arguments: Arguments) -> Value:
    """A member by its path: names of groups, with slashes between them."""
    path = unwrap(arguments.positional(0))
    found: Value = group
    for name in path.strip("/").split("/") if isinstance(path, str) else ():
        members = found.kept(from_files.MEMBERS) if isinstance(found, InstanceVal) else found
        found = machine.getitem(members, name) if isinstance(members, DictVal) else Unknown("data-file", name)
    return found if isinstance(path, str) else Unknown("data-file", _GROUP)


for _class in (_FILE, _GROUP):
    from_files.opens(_class, _member)


@handler(f"{_DATASET}.__getitem__", on=InstanceVal)
def part(machine: Machine, dataset: InstanceVal, arguments: Arguments) -> Value:
    """Elements as an array: ``[()]`` and ``[...]`` give all."""
    index = arguments.positional(0)
    whole = from_files.again(machine, as_array(dataset), _DATASET)
    return whole if index == () or not isinstance(whole, TensorVal) else machine.getitem(whole, index)


@handler(f"{_DATASET}.__len__", on=InstanceVal)
def length(_machine: Machine, dataset: InstanceVal, _arguments: Arguments) -> Value:
    """The size of the first axis."""
    array = as_array(dataset)
    shape = array.shape if isinstance(array, TensorVal) else None
    return shape[0] if isinstance(shape, tuple) and shape else Unknown("data-file", "len")


@handler(f"{_DATASET}.__iter__", on=InstanceVal)
def rows(machine: Machine, dataset: InstanceVal, _arguments: Arguments) -> Value:
    """The rows as arrays."""
    return from_files.again(machine, as_array(dataset), _DATASET)


def _unknown(name: str) -> Handler:
    def call(_machine: Machine, _dataset: Value, _arguments: Arguments) -> Value:
        return Unknown("data-file", name)

    return call


for _name in ("asstr", "astype", "fields", "iter_chunks", "read_direct"):
    handler(f"{_DATASET}.{_name}")(_unknown(_name))


def _of_array(name: str) -> Getter:
    def read(machine: Machine, dataset: Value) -> Value:
        array = as_array(dataset)
        return machine.getattr(array, name) if isinstance(array, TensorVal) else Unknown("data-file", name)

    return read


def _not_known(name: str) -> Getter:
    def read(_machine: Machine, _object: Value) -> Value:
        return Unknown("data-file", name)

    return read


for _name in _OF_ARRAYS:
    prop(f"{_DATASET}.{_name}")(_of_array(_name))
for _name in _OTHERS:
    for _class in (_FILE, _GROUP, _DATASET):
        prop(f"{_class}.{_name}")(_not_known(_name))
