"""Arguments in files that name numpy and no framework are arrays: their methods are those of numpy."""

from __future__ import annotations

import pytest

from tests.rules.harness import findings

SOURCE = """
import numpy as np
{more}

class Net(object):
    def __init__(self, inputs, outputs):
        self.params = {{"W": 0.1 * np.random.randn(inputs, outputs)}}

    def {method}(self, X, y=None):
        N, D = X.shape
        return X.{call}
"""
CALLS = ('dot(self.params["W"])', "dot(X.T)", "transpose()", "sum(axis=1)", "max(1)")


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("method", ["loss", "forward", "train"])
def test_arrays_keep_their_own_methods(call: str, method: str) -> None:
    assert not findings(SOURCE.format(call=call, method=method, more=""))


def test_tensors_keep_theirs() -> None:
    source = SOURCE.format(call="dot(X)", method="forward", more="import torch\nfrom torch import nn\n").replace(
        "object", "nn.Module"
    )
    assert [found.code for found in findings(source)]
