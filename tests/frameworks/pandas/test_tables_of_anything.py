"""Tables and columns of data that is not known: they have rows and columns, and nothing is known of one cell."""

from __future__ import annotations

import pytest

from dllint.domains.lattice import Unknown
from dllint.ir.program import TensorVal
from tests.frameworks.library_programs import assert_known, inferred
from tests.rules.harness import findings

HEAD = "import numpy as np\nimport pandas as pd\nimport torch\nfrom elsewhere import data\n"
TABLES = ("pd.DataFrame(data)", "pd.DataFrame(data.rows)", "pd.DataFrame({data.name: data.rows})", "pd.read_csv('a.csv')")
COLUMNS = {
    "table['x'].values": (None,),
    "table.price.values": (None,),
    "table.price.unique()": (None,),
    "table.loc[table.price != 0]['x'].values": (None,),
    "table[table.price.isin([1, 2])].values": (None, None),
    "table[table['count'] > 1].values": (None, None),
    "table['x'].rolling(3).mean().values": (None,),
    "table.rolling(3).std().values": (None, None),
    "table['x'].ewm(span=3).mean().to_numpy()": (None,),
    "table['x'].str.len().values": (None,),
    "table.text.str.lower().values": (None,),
    "pd.to_datetime(table['x']).dt.hour.values": (None,),
    "table['x'].value_counts().values": (None,),
    "table['x'].apply(len).values": (None,),
    "pd.Series(data.column).values": (None,),
}


@pytest.mark.parametrize("made", COLUMNS)
@pytest.mark.parametrize("table", TABLES)
def test_their_rank_is_known(table: str, made: str) -> None:
    assert_known(inferred(f"{HEAD}table = {table}\nout = torch.tensor({made})\n"), COLUMNS[made])


@pytest.mark.parametrize("name", ["shift", "iterrows", "append", "progress_apply", "plot", "_mgr"])
def test_methods_are_no_columns(name: str) -> None:
    out = inferred(f"{HEAD}table = pd.DataFrame(data)\nout = table.{name}\n")
    assert not isinstance(out, TensorVal)
    assert findings(f"{HEAD}table = pd.DataFrame(data)\ntable.{name}(3)\n") == []


CELLS = ("table['v'].iloc[0]", "table['v'].values[0]", "table.v.values[3]", "table.iloc[0, 1]", "list(table['v'].values)[0]")
HELD = (
    "table = pd.DataFrame(data)", "table = pd.DataFrame({'v': data.vectors})",
    "table = pd.read_csv('a.csv')\ntable['v'] = data",
    "table = pd.read_csv('a.csv')\ntable['v'] = table['v'].apply(eval)", "table = pd.DataFrame(data).fillna(0)",
    "table = pd.read_csv('a.csv')\ntable['v'] = [np.zeros((3, 4)), np.ones((3, 4))]",
)  # fmt: skip


@pytest.mark.parametrize("cell", CELLS)
@pytest.mark.parametrize("held", HELD)
def test_a_cell_may_hold_an_array(held: str, cell: str) -> None:
    source = f"{HEAD}{held}\ny = torch.tensor({cell}).view(3, 4)\n"
    assert [finding.code for finding in findings(source) if finding.code.startswith("DLT")] == []


def test_a_table_without_a_column_of_the_name_has_none() -> None:
    out = inferred(f"{HEAD}table = pd.DataFrame(np.zeros((3, 2)), columns=['a', 'b'])\nout = table.c\n")
    assert not isinstance(out, TensorVal)
    assert isinstance(out, Unknown) or out is not None
