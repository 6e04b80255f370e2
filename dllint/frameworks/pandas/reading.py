"""Tables from files: what the call tells about their columns."""

from __future__ import annotations

from typing import Final

from dllint.domains.dim import Dim, counted
from dllint.domains.dtype import DType, dtype_named
from dllint.domains.lattice import Unknown
from dllint.frameworks.machine import Machine, handler
from dllint.frameworks.pandas.frame import Names, labels, wrapped
from dllint.ir.values import Arguments, LibSymbol, Value, unwrap
from dllint.source.data.heads import columns

#: Readers of text and of databases, where a cell is a number or a text.
PLAIN_READERS: Final = (
    "read_csv", "read_table", "read_excel", "read_sql", "read_sql_query", "read_fwf", "read_html", "read_stata",
)  # fmt: skip
#: Readers of what another program has stored, where a cell may be a list or an array.
OBJECT_READERS: Final = ("read_json", "read_parquet", "read_pickle", "read_hdf", "read_feather")
#: What is read by readers of the first kind.
PLAIN: Final = "pandas.read_csv"
#: Options of ``read_csv`` that leave the columns as the file has them.
_KEEPS_COLUMNS: Final = frozenset({"nrows", "low_memory", "encoding", "engine", "na_values", "dtype"})
#: Options under which a reader gives something else than one table.
_OTHERWISE: Final = ("chunksize", "iterator", "squeeze", "sheet_name")


@handler(*(f"pandas.{name}" for name in PLAIN_READERS if f"pandas.{name}" != PLAIN))
def read(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """A table of numbers and texts."""
    return _read(machine, arguments, PLAIN)


@handler(PLAIN)
def read_csv(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """A table of numbers and texts; one that lies beside the code says its columns in its first line."""
    plain = len(arguments.args) == 1 and arguments.star is None and arguments.kwargs.keys() <= _KEEPS_COLUMNS
    head = machine.file_head(arguments.args[0]) if plain else None
    return _read(machine, arguments, PLAIN, columns(head) if head is not None else None)


@handler(*(f"pandas.{name}" for name in OBJECT_READERS))
def read_objects(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """A table of anything."""
    return _read(machine, arguments, "pandas.read_pickle")


def _read(machine: Machine, arguments: Arguments, spelled: str, written: tuple[str, ...] | None = None) -> Value:
    """A table of unknown length; ``usecols`` and ``names``, else the file (``written``), tell its columns, ``nrows`` its
    rows."""
    options = {key: unwrap(value) for key, value in arguments.kwargs.items()}
    if arguments.double_star is not None or any(options.get(name) for name in _OTHERWISE):
        return machine.unknown("data-file", "pandas")
    names = _names(options) or written
    columns: Dim = counted("columns", 1) if names is None else len(names)
    if names is None and (used := labels(options.get("usecols"))) is not None:
        columns = len(used) - (options.get("index_col") is not None)
    rows = options.get("nrows")
    args = {"shape": (rows if isinstance(rows, int) else counted("rows", 1), columns), "dtype": _dtype(options.get("dtype"))}
    return wrapped(machine, machine.emit("stored_data", args, framework="numpy", spelled=spelled), names)


def _names(options: dict[str, Value]) -> Names:
    """The names of the columns that are read, if the call spells them all."""
    found = labels(options.get("usecols")) if options.get("usecols") is not None else labels(options.get("names"))
    if not found or not all(isinstance(name, str) for name in found) or options.get("index_col") is not None:
        return None
    return tuple(str(name) for name in found)


def _dtype(value: Value) -> DType | Unknown:
    if isinstance(value, DType):
        return value
    name = value.name.rpartition(".")[2] if isinstance(value, LibSymbol) else value
    found = dtype_named({"float": "float64", "int": "int64"}.get(name, name)) if isinstance(name, str) else None
    return found if found is not None else Unknown("data-file", "column")
