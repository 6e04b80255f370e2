"""``sklearn.datasets``: bunches of known arrays, and generated arrays."""

from __future__ import annotations

from dllint.domains.dim import Dim, counted
from dllint.domains.dtype import FLOAT64, INT64
from dllint.domains.lattice import Unknown
from dllint.frameworks.given import given
from dllint.frameworks.machine import Handler, Machine, handler
from dllint.frameworks.sklearn.known_data import GENERATORS, TABLES, Generator, Table
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, InstanceVal, LibSymbol, ListVal, Value, unwrap


def _array(machine: Machine, spelled: str, shape: tuple[Dim, ...], classes: Value = 0) -> Value:
    """Real numbers, or the indices of a known number of classes (``None``: of an unknown one)."""
    dtype = FLOAT64 if classes == 0 else INT64
    out = machine.emit("stored_data", {"shape": shape, "dtype": dtype}, framework="numpy", spelled=spelled)
    if isinstance(out, TensorVal) and isinstance(classes, int) and classes > 0:
        out.low, out.high = 0, classes - 1
    return out


def _loader(name: str, table: Table) -> Handler:
    spelled = f"sklearn.datasets.{name}"

    def load(machine: Machine, _: Value, arguments: Arguments) -> Value:
        x = _array(machine, spelled, (table.rows, table.columns))
        y = _array(machine, spelled, (table.rows,), table.classes)
        if unwrap(arguments.kwargs.get("return_X_y")) is True:
            return x, y
        bunch = InstanceVal(LibSymbol("sklearn.utils.Bunch"), site=machine.site, open=Unknown("data-file", spelled))
        names = {"feature_names": table.columns, "target_names": table.classes}
        bunch.attrs |= {key: ListVal([Unknown("data-file", key)] * number) for key, number in names.items() if number}
        bunch.attrs |= {"data": x, "target": y}
        if name == "load_digits":
            bunch.attrs["images"] = _array(machine, spelled, (table.rows, 8, 8))
        return bunch

    return load


for _name, _table in TABLES.items():
    handler(f"sklearn.datasets.{_name}")(_loader(_name, _table))


def _generator(name: str, row: Generator) -> Handler:
    spelled = f"sklearn.datasets.{name}"

    def make(machine: Machine, _: Value, arguments: Arguments) -> Value:
        options = {key: unwrap(value) for key, value in given(row.signature, arguments).items()}
        rows = _number(options.get("n_samples"))
        x = _array(machine, spelled, (rows, _number(options.get(row.columns) if isinstance(row.columns, str) else row.columns)))
        classes = options.get(row.classes) if isinstance(row.classes, str) else row.classes
        targets = options.get("n_targets", 1)
        shape = (rows,) if targets == 1 else (rows, _number(targets))
        return x, _array(machine, spelled, shape, classes if isinstance(classes, int) else None)

    return make


def _number(value: Value) -> Dim:
    return value if isinstance(value, int) else counted("rows", 1)


for _name, _row in GENERATORS.items():
    handler(f"sklearn.datasets.{_name}")(_generator(_name, _row))
    handler(f"sklearn.datasets.samples_generator.{_name}")(_generator(_name, _row))
