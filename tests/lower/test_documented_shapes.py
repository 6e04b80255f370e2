"""Shapes that docstrings and comments give to inputs: used for what is not known, never against the code."""

from __future__ import annotations

from dllint.domains.lattice import Unknown
from tests.lower.tracing import lower

HEAD = "import torch\nfrom torch import nn\n"


def model(body: str, doc: str = "", parameters: str = "x", init: str = "self.dim = dim") -> str:
    return f"""{HEAD}
class Net(nn.Module):
    def __init__(self, dim=7):
        super().__init__()
        {init}

    def forward(self, {parameters}):
        {doc}
        {body}
"""


def inputs(source: str) -> list[object]:
    """The shapes of the inputs of the model, as text."""
    program = next(p for p in lower(source).programs if p.entry == "Net.forward")
    return [None if isinstance(x.shape, Unknown) else tuple(map(str, x.shape)) for x in program.inputs]


def faults(source: str) -> list[str]:
    return [fault.kind for p in lower(source).programs for op in p.ops for fault in op.faults]


ARGS = '"""Run.\n\n        Args:\n            x (Tensor): features of shape (B, T, dim)\n        """'


def test_a_docstring_gives_rank_names_and_the_value_of_an_attribute():
    assert inputs(model("return x * 2", ARGS)) == [("B", "T", "7")]


def test_it_is_used_behind_an_activation():
    assert inputs(model("return torch.relu(x).mean(1)", ARGS)) == [("B", "T", "7")]


def test_comments_on_parameters_and_in_the_body():
    source = model("return x * 2, y * 2", "# y: (B, 3)", "x,  # (B, T)\n        y")
    assert inputs(source) == [("B", "T"), ("B", "3")]


def test_a_layer_knows_better():
    source = model("return self.conv(x)", '"""Run.\n\n        x: (B, T, C)\n        """', init="self.conv = nn.Conv2d(3, 8, 3)")
    assert inputs(source) == [("B", "3", "H", "W")]
    assert faults(source) == []


def test_a_shape_that_does_not_fit_the_code_is_dropped():
    source = model("return x.permute(0, 2, 3, 1)", ARGS)
    assert faults(source) == []
    assert inputs(source) == [("n0", "n1", "n2", "n3")]  # as the code asks for it


def test_a_fault_that_needs_no_comment_stays():
    body = "y = x * 2\n        return torch.zeros(2, 3) @ torch.zeros(4, 5)"
    assert faults(model(body, ARGS)) == ["matmul"]


def test_without_a_text_nothing_changes():
    assert inputs(model("return x * 2")) == [None]


def test_torchtyping():
    source = "from torchtyping import TensorType\n" + model("return x * 2", parameters='x: TensorType["b", 3, "n"]')
    assert inputs(source) == [("b", "3", "n")]
