"""Layers made of tables, and modules that are called through ``data_parallel``, against torch."""

from __future__ import annotations

from itertools import product
from typing import Any, Final

import pytest

from dllint.domains.lattice import Unknown
from dllint.ir.program import TensorVal
from dllint.ir.values import InstanceVal
from tests.lower.tracing import lower, values

_TABLES: Final = ("torch.zeros(7, 5)", "torch.FloatTensor(np.ones((9, 3)))", "torch.from_numpy(np.zeros((4, 6), dtype='f4'))")
_OPTIONS: Final = ("", ", freeze=False", ", False", ", True, 2", ", padding_idx=1", ", freeze=True, max_norm=1.0")
_CALLS: Final = (
    "nn.Embedding.from_pretrained({0}{1})(torch.zeros(2, 3, dtype=torch.long))",
    "nn.EmbeddingBag.from_pretrained({0}{1})(torch.zeros(2, 3, dtype=torch.long))",
    "nn.Embedding.from_pretrained(embeddings={0}{1})(torch.zeros(4, dtype=torch.long))",
    "nn.Embedding.from_pretrained({0}{1}).weight",
    "nn.parallel.data_parallel(nn.Linear({2}, 4), {0})",
    "nn.parallel.data_parallel(nn.Linear({2}, 4), ({0},), [], None, 0, None)",
    "torch.nn.parallel.data_parallel(nn.LeakyReLU(), inputs={0}, device_ids=[], module_kwargs={{}})",
)


def _expressions() -> list[str]:
    made = [
        call.format(table, option, width)
        for call, (table, width), option in product(_CALLS, zip(_TABLES, (5, 3, 6), strict=True), _OPTIONS)
    ]
    return [text for text in dict.fromkeys(made) if not ("embeddings=" in text and (", False" in text or ", True, 2" in text))]


@pytest.mark.oracle
def test_results_are_those_of_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    torch, numpy = pytest.importorskip("torch"), pytest.importorskip("numpy")
    monkeypatch.setattr(torch.nn.parallel, "data_parallel", _on_one_device)  # torch's own asks for a device
    namespace: dict[str, Any] = {"torch": torch, "nn": torch.nn, "np": numpy}
    texts = _expressions()
    header = "import torch\nimport numpy as np\nfrom torch import nn\n"
    found = values(header + "\n".join(f"x{number} = {text}" for number, text in enumerate(texts)))
    wrong = []
    for number, text in enumerate(texts):
        real, result = eval(text, namespace), found[f"x{number}"]
        if not isinstance(result, TensorVal) or result.shape != tuple(real.shape):
            wrong.append(text)
    assert wrong == []


def _on_one_device(module: Any, inputs: Any, *_: Any, module_kwargs: Any = None, **__: Any) -> Any:
    """What torch says of ``data_parallel``: the module is evaluated on parts of its inputs, and their results are joined."""
    return module(*(inputs if isinstance(inputs, tuple) else (inputs,)), **(module_kwargs or {}))


@pytest.mark.parametrize(("options", "open_"), [("", True), (", freeze=False", False), (", True", True), (", False", False)])
def test_layers_that_need_not_be_trained_are_open(options: str, open_: bool) -> None:
    layer = values(f"import torch\nx = torch.nn.Embedding.from_pretrained(torch.zeros(3, 4){options})")["x"]
    assert isinstance(layer, InstanceVal)
    assert layer.handed is open_


def test_of_an_unknown_table_the_two_sizes_are_not_said_to_be_equal() -> None:
    source = (
        "import torch\ndef f(table):\n    layer = torch.nn.Embedding.from_pretrained(table)\n"
        "    return torch.zeros(layer.num_embeddings, layer.embedding_dim)\n"
    )
    result = next(program.results for program in lower(source).programs if program.entry == "f")
    assert isinstance(result, TensorVal)
    assert not isinstance(result.shape, Unknown)
    assert result.shape[0] != result.shape[1]
