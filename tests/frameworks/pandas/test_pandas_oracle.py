"""Tables and columns against pandas itself: every size that is claimed is the real one."""

import pytest

from dllint.domains.lattice import Unknown
from dllint.frameworks.array_like import as_array
from dllint.ir.program import TensorVal
from tests.frameworks import library_programs
from tests.frameworks.library_programs import assert_known, assert_real

PRELUDE = """
import io
import numpy as np
import pandas as pd
from sklearn.model_selection import train_test_split
text = "a,b,c,label\\n" + "\\n".join(f"{n},{n / 2},{n % 3},{n % 2}" for n in range(40))
made = pd.DataFrame({"a": list(range(6)), "b": [0.5] * 6, "label": [0, 1, 2, 0, 1, 2]})
"""
READ = "df = pd.read_csv(io.StringIO(text))\n"


def inferred(text):
    """The abstract value of ``out``."""
    return as_array(library_programs.inferred(PRELUDE + text))


#: Keys of rows and columns (with what they select, by name), whose number may not be known.
ROWS = {
    "a slice": ":",
    "a mask": "df['a'] > 3",
    "positions": "np.arange(4)",
    "a list": "[0, 2]",
    "a list with a test": "[n for n in range(9) if n in df['a']]",
}
COLUMNS = {
    "a test": "[c for c in df if c != 'label']", "a test of all names": "[c for c in df.columns if len(c) < 3]",
    "a list": "['a', 'b']", "a list that grows": "names", "one": "'label'",
}  # fmt: skip
SETUP = READ + "names = []\nfor c in df:\n    if c != 'b':\n        names.append(c)\n"
SELECTIONS = {
    f"{kind}: {row} and {column}": (
        f"{SETUP}rows, columns = {'slice(None)' if ROWS[row] == ':' else ROWS[row]}, {COLUMNS[column]}\nout = {access}"
    )
    for row in ROWS
    for column in COLUMNS
    for kind, access in (
        ("loc", "df.loc[rows, columns]"),
        ("values", "df.loc[rows, columns].values.astype(float)"),
        ("columns, then rows", "df[columns].loc[rows]"),
        ("by position", "df.iloc[np.arange(3), [c for c in range(4) if df.shape[1] > c]]"),
    )
}

#: Programs that bind ``out`` to a table, column or array, with the sizes that must be known (``None``: any).
PROGRAMS = {
    "read": (READ + "out = df", (None, None)),
    "read columns by name": ("out = pd.read_csv(io.StringIO(text), usecols=['a', 'label'])", (None, 2)),
    "read columns by place": ("out = pd.read_csv(io.StringIO(text), usecols=[0, 1, 2])", (None, 3)),
    "read names": ("out = pd.read_csv(io.StringIO(text), names=['p', 'q', 'r', 's'], skiprows=1)", (None, 4)),
    "read rows": ("out = pd.read_csv(io.StringIO(text), nrows=10)", (10, None)),
    "column": (READ + "out = df['label']", (None,)),
    "columns": (READ + "out = df[['a', 'b']].values", (None, 2)),
    "without a column": (READ + "out = df.drop('label', axis=1)", (None, None)),
    "without columns": ("out = made.drop(columns=['a', 'label'])", (6, 1)),
    "popped": ("y = made.pop('label')\nout = made", (6, 2)),
    "popped column": ("out = made.pop('label')", (6,)),
    "dropped in place": ("made.drop(['a'], axis=1, inplace=True)\nout = made", (6, 2)),
    "new column": ("made['sum'] = made['a'] + made['b']\nout = made", (6, 4)),
    "old column": ("made['a'] = made['a'] * 2\nout = made", (6, 3)),
    "mask": ("out = made[made['label'] == 0]", (None, 3)),
    "mask of two": ("out = made[(made['label'] == 0) & (made['a'] > 2)]['b']", (None,)),
    "text mask": (READ + "out = df[df['a'] != 'x']", (None, None)),
    "row slice": ("out = made[:4]", (4, 3)),
    "iloc slices": ("out = made.iloc[:, 0:2]", (6, 2)),
    "iloc column": ("out = made.iloc[:, -1].values", (6,)),
    "iloc block": ("out = made.iloc[1:5, 1:]", (4, 2)),
    "iloc row": ("out = made.iloc[2]", (3,)),
    "iloc lists": ("out = made.iloc[[0, 2, 4], [0, 1]]", (3, 2)),
    "loc columns": ("out = made.loc[:, ['a', 'b']]", (6, 2)),
    "loc range of columns": ("out = made.loc[:, 'a':'b']", (6, 2)),
    "loc column": ("out = made.loc[:, 'label']", (6,)),
    "loc mask": ("out = made.loc[made['a'] > 1, ['b']]", (None, 1)),
    "dummies of a column": ("out = pd.get_dummies(made['label'])", (6, None)),
    "dummies of a table": ("out = pd.get_dummies(made, columns=['label'])", (6, None)),
    "one below the other": ("out = pd.concat([made, made[:2]])", (8, 3)),
    "side by side": ("out = pd.concat([made, made['a']], axis=1)", (6, 4)),
    "shuffled": ("out = made.sample(frac=1).reset_index(drop=True)", (6, 3)),
    "sampled": ("out = made.sample(n=4)", (4, 3)),
    "index as a column": ("out = made.reset_index()", (6, 4)),
    "head": ("out = made.head(2)", (2, 3)),
    "head of few": ("out = made.head(20)", (6, 3)),
    "filled": ("out = made.fillna(0)", (6, 3)),
    "without gaps": ("out = made.dropna()", (None, 3)),
    "scaled": ("out = ((made - made.mean()) / made.std()).values", (6, 3)),
    "divided": ("out = (made / 255).to_numpy()", (6, 3)),
    "cast": ("out = made.astype('float32').values", (6, 3)),
    "mean": ("out = made.mean()", (3,)),
    "transposed": ("out = made.T", (3, 6)),
    "from an array": ("out = pd.DataFrame(np.zeros((7, 2)), columns=['x', 'y'])['x']", (7,)),
    "numpy function": ("out = np.log(made[['a', 'b']] + 1)", (6, 2)),
    "as an array": ("out = np.array(made)", (6, 3)),
    "codes": ("out = made['label'].astype('category').cat.codes", (6,)),
    "column as a table": ("out = made['a'].to_frame()", (6, 1)),
    "mapped": ("out = made['a'].map({0: 1})", (6,)),
    "reshaped": ("out = made['a'].values.reshape(-1, 1)", (6, 1)),
    "length": ("out = np.zeros(len(made))", (6,)),
    "split": ("out = train_test_split(made[['a', 'b']], made['label'], test_size=0.5)[0]", (3, 2)),
}


@pytest.mark.parametrize(("text", "known"), PROGRAMS.values(), ids=PROGRAMS)
def test_sizes_are_known(text, known):
    assert_known(inferred(text), known)


@pytest.mark.oracle
@pytest.mark.parametrize(("text", "known"), PROGRAMS.values(), ids=PROGRAMS)
def test_pandas_gives_these_sizes(text, known):
    pytest.importorskip("pandas")
    pytest.importorskip("sklearn")
    assert_real(library_programs.executed(PRELUDE + text).shape, known)


def test_columns_that_are_taken_away_are_counted():
    width = inferred(READ + "out = np.zeros(df.shape[1] - df.drop(['a', 'b'], axis=1).shape[1])")
    assert width.shape == (2,)


def test_dummies_are_one_hot():
    out = inferred("out = pd.get_dummies(made['label']).values")
    assert out.producer.inputs[0].producer.kind == "one_hot"


@pytest.mark.oracle
@pytest.mark.parametrize("text", SELECTIONS.values(), ids=SELECTIONS)
def test_a_selection_has_as_many_axes_as_the_real_one(text):
    array, real = inferred(text), library_programs.executed(PRELUDE + text)
    assert not isinstance(array.shape, Unknown)
    assert_real(real.shape, tuple(size if isinstance(size, int) else None for size in array.shape))


@pytest.mark.parametrize("column", ["df.columns[n]", "label_of(n)"])
def test_one_or_several_labels_is_not_known(column):
    assert not isinstance(
        inferred(READ + f"import sys\nn = len(sys.argv)\nfrom labels import label_of\nout = df.loc[label_of(n), {column}]"),
        TensorVal,
    )
