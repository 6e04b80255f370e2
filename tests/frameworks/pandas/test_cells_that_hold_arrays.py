"""Columns whose cells are lists or arrays: what is made of their elements has as many axes as the cells say."""

from __future__ import annotations

import pytest

from tests.rules.harness import findings

TABLES = {
    "pickled": "pd.read_pickle('items.pkl')",
    "unpickled": "pickle.load(open('items.pkl', 'rb'))",
    "of JSON": "pd.read_json('items.json')",
    "stored": "pd.read_parquet('items.parquet')",
    "made": "pd.DataFrame({'id': ids, 'vector': vectors})",
    "some rows": "pd.read_pickle('items.pkl').loc[chosen]",
    "without gaps": "pd.read_pickle('items.pkl').dropna()",
}
MADE = (
    "np.array(table['vector'].tolist())", "np.array(table['vector'].to_list(), dtype='float32')",
    "np.asarray(table.vector.tolist())", "np.stack(table['vector'].tolist())", "np.stack(table['vector'].values)",
    "np.vstack(table['vector'].to_list())",
)  # fmt: skip
USES = {
    "a model of two inputs": "model.predict([np.arange(4), x])",
    "a model's layer": "one.predict(x)",
    "a matrix product": "y = x @ np.zeros((10, 3))",
    "columns": "y = x[:, 0]",
    "rows": "y = x.sum(axis=1)",
    "a layer of torch": "y = torch.nn.Linear(10, 2)(torch.tensor(x))",
}
HEAD = """
import pickle
import numpy as np
import pandas as pd
import torch
from tensorflow import keras
from elsewhere import chosen, ids, vectors

table = {table}
a, b = keras.Input((1,)), keras.Input((10,))
model = keras.Model([a, b], keras.layers.concatenate([a, b]))
one = keras.Model(b, keras.layers.Dense(2)(b))
x = {made}
"""


@pytest.mark.parametrize("made", MADE)
@pytest.mark.parametrize("table", TABLES)
def test_their_number_of_axes_is_not_known(table: str, made: str) -> None:
    for use in USES.values():
        source = HEAD.format(table=TABLES[table], made=made) + use + "\n"
        assert [finding.message for finding in findings(source) if finding.code.startswith("DLT")] == [], use


@pytest.mark.parametrize("reader", ["read_csv", "read_excel"])
@pytest.mark.parametrize("made", ["np.array(table['vector'].tolist())", "np.array(table['vector'].to_list(), dtype='float32')"])
def test_cells_of_a_text_are_numbers_or_texts(made: str, reader: str) -> None:
    source = HEAD.format(table=f"pd.{reader}('items')", made=made) + "y = x[:, 0]\n"
    assert "DLT109" in {finding.code for finding in findings(source)}
