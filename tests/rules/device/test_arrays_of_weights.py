"""Arrays of weights themselves, which require gradients wherever nobody has frozen them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.training.variants import FORMS, Case, found

IMPORTS = "import copy\nimport numpy as np\nimport torch\nfrom torch import nn"
SETUP = """class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(10, 4)
        self.head = nn.Linear(4, 2)
        self.norm = nn.BatchNorm1d(4)

    def forward(self, x):
        return self.head(self.table(x))


net = Net()
{0}"""
#: Programs that raise (seen with torch 2.13).
FAULTS = (
    "print(net.table.weight.numpy())",
    "print(np.array(net.head.bias))",
    "print(np.asarray(net.table.weight.mean(0)))",
    "vectors = net.table.weight\nprint(vectors.contiguous().numpy())",
    "print([p.numpy() for p in net.parameters()])",
    "for name, value in net.head.named_parameters():\n    print(name, value.numpy())",
    "print({name: value.cpu().numpy() for name, value in net.named_parameters()})",
    "print(np.exp(net.head.weight))",
    "print(np.maximum(0.0, net.head.bias.mean(0)))",
    "def error(a, b):\n    return np.square(a - b).mean()\nprint(error(net.head.weight, torch.zeros(2, 4)))",
    "print(np.where(net.head.bias > 0, net.head.bias, 0.1))",
)
SOUND = (
    "print(net.table.weight.detach().numpy(), net.head.bias.tolist())",
    "print(net.table.weight.data.numpy())",
    "print(np.exp(net.head.weight.detach()), np.maximum(0.0, net.head.bias.data))",
    "print(np.mean([1.0, 2.0]) * net.head.bias, np.isnan(torch.zeros(4)))",
    "with torch.no_grad():\n    print(np.square(net.head.weight - 1).mean())",
    "vectors = net.table.weight.data\nprint(vectors.numpy())",
    "print([p.numpy() for p in net.buffers()], net.norm.running_mean.numpy())",
    "print({name: value.numpy() for name, value in net.state_dict().items()})",
    "print(net.table.weight.argmax(0).numpy())",
    "net.requires_grad_(False)\nprint(net.table.weight.numpy())",
    "for p in net.parameters():\n    p.requires_grad = False\nprint(net.table.weight.numpy())",
    "fixed = nn.Embedding.from_pretrained(torch.rand(10, 4))\nprint(fixed.weight.numpy())\n"
    "print(fixed(torch.tensor([1])).numpy())",
)
#: What switches gradients on, and hides nothing.
BESIDE = (
    "",
    "x = torch.zeros(4).requires_grad_()",
    "x = torch.zeros(4)\nx.requires_grad = True",
    "torch.set_grad_enabled(True)",
)


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("body", FAULTS)
@pytest.mark.parametrize("beside", BESIDE)
def test_an_array_of_a_weight(beside: str, body: str, form: str, tmp_path: Path) -> None:
    case = Case("DLG104", IMPORTS, SETUP.format(beside), body, ("net",))
    assert "DLG104" in found(FORMS[form](case), tmp_path, ["DLG104"])


@pytest.mark.parametrize("form", ["plain", "in_helper", "in_method"])
@pytest.mark.parametrize("body", SOUND)
def test_an_array_of_what_requires_no_gradients(body: str, form: str, tmp_path: Path) -> None:
    assert not found(FORMS[form](Case("DLG104", IMPORTS, SETUP.format(""), body, ("net",))), tmp_path, ["DLG104"])
