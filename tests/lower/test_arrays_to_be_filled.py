"""An array of no or one element that foreign code fills gets its size from there."""

from __future__ import annotations

from itertools import product

import pytest

from tests.lower.tracing import lower

PROGRAM = """
import numpy as np
import torch
from torch import nn
from rdkit import DataStructs
from rdkit.Chem import AllChem

head = nn.Linear(2049, 4)


def bits(molecule, width):
    {name} = np.{made}
    DataStructs.ConvertToNumpyArray(AllChem.GetMorganFingerprintAsBitVect(molecule, 3, width), {name})
    return {name}


rows = np.vstack([np.append(bits(AllChem.MolFromSmiles(text), 2048), 7.0) for text in ("CCO", "CC")])
print(head(torch.Tensor(rows)))
"""
MADE = ("zeros((1,))", "zeros((0,), dtype=np.int8)", "empty(0)", "zeros(1)")


def faults(text: str) -> list[str]:
    return [op.kind for program in lower(text).programs for op in program.ops if op.faults]


@pytest.mark.parametrize(("made", "name"), list(product(MADE, ("arr", "bitmap"))))
def test_its_size_is_not_known(made, name):
    assert faults(PROGRAM.format(made=made, name=name)) == []


@pytest.mark.parametrize("made", ["zeros((3,))", "zeros(5, dtype=np.int8)"])
def test_a_larger_one_keeps_its_size(made):
    assert faults(PROGRAM.format(made=made, name="arr")) == ["linear"]
