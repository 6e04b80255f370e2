"""Tables and columns as abstract values.

A ``DataFrame`` is an object with an array (rows, columns) and the names of its columns, if they are known; a ``Series`` has an
array (rows,). Element types of tables that are read from files are not known.
"""

from __future__ import annotations

from typing import Final

from dllint.domains.dim import Dim, counted
from dllint.domains.dtype import DType
from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.frameworks.array_like import ARRAY, as_array
from dllint.frameworks.machine import Machine
from dllint.ir.program import TensorVal
from dllint.ir.values import InstanceVal, LibSymbol, ListVal, Value, unwrap
from dllint.ops.stored import OBJECT_ELEMENTS

FRAME: Final = "pandas.DataFrame"
SERIES: Final = "pandas.Series"
#: The state under which a table keeps the names of its columns: a tuple of texts, absent if they are not known.
COLUMNS: Final = "columns"

Names = tuple[str, ...] | None


def wrapped(machine: Machine, array: Value, names: Names = None) -> Value:
    """The table, column or number that an array of rank 2, 1 or 0 is in pandas; Unknown if its rank is not known."""
    if not isinstance(array, TensorVal) or (not isinstance(array.shape, Unknown) and len(array.shape) not in (1, 2)):
        return array
    if isinstance(array.shape, Unknown):
        return Unknown("unknown-rank", "table")
    out = InstanceVal(LibSymbol(FRAME if len(array.shape) == 2 else SERIES), site=machine.site)
    out.state[ARRAY] = array
    if names is not None and len(array.shape) == 2 and array.shape[1] == len(names):
        out.state[COLUMNS] = names
    return out


def of_objects(detail: str) -> Unknown:
    """The element type of cells that may be lists or arrays, so that nothing is known of one of them."""
    return Unknown(OBJECT_ELEMENTS, detail)


def holds_objects(value: Value) -> bool:
    """Whether cells of a table, column or array may be lists or arrays."""
    array = as_array(value)
    return isinstance(array, TensorVal) and isinstance(array.dtype, Unknown) and array.dtype.reason == OBJECT_ELEMENTS


def array_of(value: Value) -> TensorVal | None:
    """The array of a table or column, whose rank is known."""
    found = as_array(value)
    return found if isinstance(found, TensorVal) and not isinstance(found.shape, Unknown) else None


def names_of(frame: Value) -> Names:
    """The names of a table's columns."""
    found = frame.state.get(COLUMNS) if isinstance(frame, InstanceVal) else None
    return tuple(name for name in found if isinstance(name, str)) if isinstance(found, tuple) else None


def shape_of(value: Value) -> tuple[Dim, ...]:
    """The sizes of a table or column; ``()`` if it is none."""
    array = array_of(value)
    return () if array is None or isinstance(array.shape, Unknown) else array.shape


def resized(array: TensorVal, shape: tuple[Dim, ...], dtype: DType | Unknown | None = None) -> TensorVal:
    """Elements of ``array`` in another number of rows or columns. The smallest and largest number of all columns need not
    stand in each of them."""
    out = array.redrawn(TensorType(shape, array.dtype if dtype is None else dtype))
    whole = () if isinstance(array.shape, Unknown) else array.shape
    if len(whole) == 2 and whole[1] != 1 and shape[1:] != whole[1:]:
        out.low = out.high = out.reach = None
    return out


def replace(machine: Machine, frame: InstanceVal, new: Value) -> None:
    """A table changed in place."""
    if isinstance(new, InstanceVal) and ARRAY in new.state:
        machine.write(frame.state, ARRAY, new.kept(ARRAY))
        machine.write(frame.state, COLUMNS, new.state.get(COLUMNS))


def labels(value: Value) -> tuple[Value, ...] | None:
    """The members of a list of labels, ``None`` if it is not a list of known length."""
    value = unwrap(value)
    if isinstance(value, ListVal):
        return tuple(map(unwrap, value.items)) if value.rest is None else None
    return tuple(map(unwrap, value)) if isinstance(value, tuple) else None


def number(name: str) -> Dim:
    """A number of rows or columns that is not known."""
    return counted(name, 0)
