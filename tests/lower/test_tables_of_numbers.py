"""A table of computed numbers, such as the sines of positions, has its exact shape; only its first entries are executed one by
one."""

from __future__ import annotations

import pytest

from dllint.ir.program import TensorVal
from dllint.ir.values import ListVal
from tests.lower.tracing import lower

#: The number at row ``i`` and column ``j``, and the number that Python or a library makes of it.
NUMBERS = (
    "i / np.power(10000, 2 * (j // 2) / {columns})",
    "np.sin(i * j)",
    "i / 10000 ** (2 * j / {columns})",
    "math.sin(i / 10000 ** (2 * j / {columns}))",
)
TABLES = (
    "table = np.array([[{number} for j in range({columns})] for i in range({rows})])",
    "def row(i):\n    return [{number} for j in range({columns})]\ntable = np.array([row(i) for i in range({rows})])",
    "def at(i, j):\n    return {number}\ntable = np.asarray([[at(i, j) for j in range({columns})] for i in range({rows})])",
    "table = np.array([[{number} if i != 0 else np.zeros({columns})[j] for j in range({columns})] for i in range({rows})])",
    "rows = [[{number} for j in range({columns})] for i in range({rows})]\ntable = np.array(rows)",
)
SIZES = ((5, 7), (17, 40), (200, 512))


def _lowered(source: str):
    return lower("import math\nimport numpy as np\nimport torch\n" + source)


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("form", TABLES)
@pytest.mark.parametrize(("rows", "columns"), SIZES)
def test_a_table_has_its_shape(form: str, number: str, rows: int, columns: int):
    source = form.format(number=number.format(columns=columns), rows=rows, columns=columns)
    module = _lowered(source)
    table = module.module.attrs["table"]
    assert isinstance(table, TensorVal)
    assert table.shape == (rows, columns)
    assert len(module.programs[0].ops) < 16_000


@pytest.mark.parametrize("number", NUMBERS)
def test_rows_of_a_table_are_lists_of_their_own(number: str):
    number = number.format(columns=80)
    module = _lowered(f"rows = [[{number} for j in range(80)] for i in range(100)]\nrows[80].append(1.0)\n")
    rows = module.module.attrs["rows"]
    assert isinstance(rows, ListVal)
    assert [len(row.items) for row in rows.items] == [80] * 80 + [81] + [80] * 19


def test_whole_numbers_and_layers_are_made_one_by_one():
    module = _lowered("sizes = [8 * i for i in range(300)]\nlayers = [torch.nn.Linear(i + 1, 2) for i in range(300)]\n")
    assert module.module.attrs["sizes"].items == [8 * i for i in range(300)]
    assert len({id(layer) for layer in module.module.attrs["layers"].items}) == 300


def test_what_the_element_writes_is_written_for_each():
    module = _lowered("seen = []\nvalues = [(seen.append(i), np.sin(i))[1] for i in range(100)]\n")
    assert len(module.module.attrs["values"].items) == 100
    assert module.module.attrs["seen"].rest is not None or len(module.module.attrs["seen"].items) == 100


def test_an_iterator_is_used_up():
    module = _lowered("numbers = iter(range(40))\nvalues = [np.sin(i) for i in numbers]\nmore = list(numbers)\n")
    assert len(module.module.attrs["values"].items) == 40
    assert module.module.attrs["more"].items == []


def test_tables_of_tables_are_bounded():
    module = _lowered("deep = [[[np.sin(i + j + k) for i in range(300)] for j in range(300)] for k in range(300)]\n")
    assert isinstance(module.module.attrs["deep"], ListVal)
    assert len(module.programs[0].ops) < 200_000


@pytest.mark.parametrize(
    "rows",
    [
        "[[np.sin(j) for j in range(i)] for i in range(1, 100)]",
        "[[i * 0.5 for j in range(i)] for i in range(1, 200)]",
        "[[np.sin(j) for j in range(4 if i < 30 else 7)] for i in range(90)]",
        "[[np.sin(j) for j in range(4)] if i < 30 else None for i in range(90)]",
    ],
)
def test_rows_that_change_behind_the_first_have_no_invented_length(rows: str):
    """None of the later rows is said to have the length of the first ones, or to be empty."""
    last = _lowered(f"rows = {rows}\nlast = rows[85]\n").module.attrs["last"]
    assert not isinstance(last, ListVal) or last.rest is not None


@pytest.mark.parametrize("element", ["None", "'x'", "np.zeros(3)", "(np.sin(i),)"])
def test_elements_that_change_behind_the_first_are_no_numbers(element: str):
    entry = _lowered(f"rows = [np.sin(i) if i < 30 else {element} for i in range(90)]\n").module.attrs["rows"].items[60]
    assert not isinstance(entry, TensorVal) or not isinstance(entry.shape, tuple)
