"""The largest number of a table is not that of each of its columns."""

from __future__ import annotations

from pathlib import Path

import pytest

from dllint.lower.document import lower_document
from dllint.source.document import Document

TABLE = """
import pandas as pd
import torch
from torch import nn

df = pd.DataFrame([[0, 0], [0, {largest}], [1, 2]], columns=["user", "item"])
rows = nn.Embedding(2, 3)
out = rows({indices})
"""
COLUMNS = (
    "torch.tensor(df['user'])", "torch.tensor(df['user'].values)", "torch.LongTensor(df.user.to_numpy())",
    "torch.tensor(df[['user']].values)", "torch.tensor(df.iloc[:, 0].values)", "torch.from_numpy(df.to_numpy()[:, 0])",
    "torch.tensor(df[df['item'] < 2]['user'].values)", "torch.tensor(df.drop(columns=['item']).values)",
)  # fmt: skip
WHOLE = ("torch.tensor(df.values)", "torch.from_numpy(df.to_numpy())", "torch.tensor(df.values).reshape(-1)")


def faults(indices: str, largest: int) -> list[str]:
    text = TABLE.format(indices=indices, largest=largest)
    programs = lower_document(Document.from_text(Path("/project/script.py"), text)).programs
    return [fault.kind for program in programs for op in program.ops for fault in op.faults]


@pytest.mark.parametrize("indices", COLUMNS)
@pytest.mark.parametrize("largest", [2, 7])
def test_a_column_has_numbers_of_its_own(indices, largest):
    assert faults(indices, largest) == []


@pytest.mark.parametrize("indices", WHOLE)
def test_the_table_has_all_of_them(indices):
    assert faults(indices, 7) == ["index-range"]
