"""No fix that only moves a fault, or keeps it from being seen, passes the gate: generated models with a fault, the edit that
repairs it, and edits after which another operation fails, the same one fails otherwise, or nothing is known any more."""

from __future__ import annotations

from itertools import product

import pytest

from dllint.config.discovery import Configuration
from dllint.edit import Applicability, Edit, Fix, apply_edits
from dllint.engine.gate import Gate
from dllint.engine.session import Session
from dllint.finding import Severity
from dllint.source.document import Document

HEAD = "import torch\nfrom torch import nn\nfrom torch.nn import functional as F\n\n\nclass Net(nn.Module):\n"
#: By name: layers, steps, what the model is given, what is done with its result; then the repairs of the one fault (text and
#: replacement), and the edits that are none.
MODELS = {
    "linear": (
        "self.a = nn.Linear(5, 4); self.b = nn.Linear(4, 2)",
        "h = self.a(x); h = F.relu(h); return self.b(h)",
        "torch.zeros(5, 3)",
        "F.cross_entropy(y, torch.zeros(5, dtype=torch.long))",
        [("(5, 4)", "(3, 4)"), ("zeros(5, 3)", "zeros(5, 5)")],
        [("(5, 4)", "(3, 7)"), ("(5, 4)", "(width, 4)"), ("self.a(x)", "self.a(x.reshape(-1, 5))"),
         ("self.a(x)", "self.a(x.t())"),
         ("self.a(x)", "other(x)"), ("(5, 4)", "(4, 5)"), ("self.a(x)", "x"), ("h = self.a(x)", "h = None")],
    ),
    "convolution": (
        "self.a = nn.Conv2d(4, 8, 3); self.n = nn.BatchNorm2d(8); self.b = nn.Linear(8, 2)",
        "h = self.n(self.a(x)); h = F.relu(h); return self.b(h.mean(dim=(2, 3)))",
        "torch.zeros(2, 3, 9, 9)",
        "F.cross_entropy(y, torch.zeros(2, dtype=torch.long))",
        [("(4, 8, 3)", "(3, 8, 3)")],
        [("(4, 8, 3)", "(3, 16, 3)"), ("(4, 8, 3)", "(8, 4, 3)"), ("(4, 8, 3)", "(width, 8, 3)"), ("nn.Conv2d", "nn.Conv1d"),
         ("(4, 8, 3)", "(3, 8, 11)"), ("self.a(x)", "self.a(x.permute(0, 2, 3, 1))"), ("self.a(x)", "self.a(x.flatten(1))")],
    ),
    "norm": (
        "self.a = nn.Linear(3, 4); self.n = nn.LayerNorm(6); self.b = nn.Linear(4, 2)",
        "h = self.n(self.a(x)); h = F.gelu(h); return self.b(h)",
        "torch.zeros(2, 3)",
        "F.mse_loss(y, torch.zeros(2, 2))",
        [("(6)", "(4)")],
        [("(3, 4)", "(3, 6)"), ("(6)", "(width)"), ("(6)", "(2)"), ("self.n(self.a(x))", "self.n(self.a(x).t())"),
         ("self.n(self.a(x))", "self.n(self.a(x).repeat(1, 2))")],
    ),
    "cat": (
        "self.a = nn.Linear(3, 4); self.b = nn.Linear(3, 6); self.c = nn.Linear(10, 2)",
        "h = torch.cat([self.a(x), self.b(x)], dim=0); h = F.relu(h); return self.c(h)",
        "torch.zeros(2, 3)",
        "F.mse_loss(y, torch.zeros(2, 2))",
        [("dim=0", "dim=1"), ("dim=0", "dim=-1")],
        [("(3, 6)", "(3, 4)"), ("dim=0", "dim=-2"), ("torch.cat", "torch.stack"), ("dim=0", "dim=2"), ("dim=0", "dim=axis"),
         ("self.b(x)]", "self.a(x)]")],
    ),
    "matmul": (
        "self.q = nn.Linear(4, 6); self.k = nn.Linear(4, 6); self.c = nn.Linear(4, 2)",
        "h = self.q(x) @ self.k(x); h = torch.softmax(h, dim=-1) @ x; return self.c(h)",
        "torch.zeros(2, 5, 4)",
        "F.mse_loss(y, torch.zeros(2, 5, 2))",
        [("self.k(x);", "self.k(x).transpose(-2, -1);"), ("self.k(x);", "self.k(x).mT;")],
        [("self.q(x) @", "self.q(x).transpose(-2, -1) @"), ("self.k(x);", "self.k(x).transpose(0, 1);"),
         ("self.k(x);", "self.k(x).flatten(1);"), ("self.k = nn.Linear(4, 6)", "self.k = nn.Linear(4, 5)"),
         ("self.q = nn.Linear(4, 6)", "self.q = nn.Linear(4, 5)"), ("self.k(x);", "self.k(x).unsqueeze(1);")],
    ),
    "loss": (
        "self.a = nn.Linear(3, 8); self.b = nn.Linear(8, 10)",
        "h = F.relu(self.a(x)); h = self.b(h); return h.unsqueeze(-1)",
        "torch.zeros(6, 3)",
        "F.cross_entropy(y, torch.zeros(6, dtype=torch.long))",
        [("y, torch", "y.squeeze(-1), torch"), ("return h.unsqueeze(-1)", "return h"), ("y, torch", "y.flatten(1), torch")],
        [("y, torch", "y.squeeze(-1).t(), torch"), ("y, torch", "y.flatten(), torch"), ("(8, 10)", "(8, 6)"),
         ("h.unsqueeze(-1)", "h.unsqueeze(0)"), ("torch.zeros(6, 3)", "torch.zeros(1, 3)"),
         ("return h.unsqueeze(-1)", "return other(h)")],
    ),
}  # fmt: skip


def source(layers: str, steps: str, given: str, done: str, names: dict[str, str]) -> str:
    lines = [f"        {line.strip()}\n" for line in layers.split(";")]
    body = [f"        {line.strip()}\n" for line in steps.split("; ")]
    init = "    def __init__(self):\n        super().__init__()\n" + "".join(lines)
    text = HEAD + init + "\n    def forward(self, x):\n" + "".join(body) + f"\n\ny = Net()({given})\nloss = {done}\n"
    for old, new in names.items():
        text = text.replace(old, new)
    return text


CASES = [
    (name, number, passes)
    for name, (*_, repairs, others) in MODELS.items()
    for passes, edits in ((True, repairs), (False, others))
    for number in range(len(edits))
]


@pytest.mark.parametrize(
    ("case", "names"), list(product(CASES, ({}, {"h =": "out =", "(h": "(out", "return h": "return out", "h.uns": "out.uns"})))
)
def test_only_what_repairs_the_whole_flow_passes(tmp_path, case, names):
    name, number, passes = case
    layers, steps, given, done, repairs, others = MODELS[name]
    text = source(layers, steps, given, done, names)
    old, new = (repairs if passes else others)[number]
    for one, other in names.items():
        old, new = old.replace(one, other), new.replace(one, other)
    old = old if old in text else old.replace(";", "\n")
    new = new.replace(";", "\n")
    assert text.count(old) >= 1
    path = tmp_path / "net.py"
    analyser = Session(Configuration(isolated=True)).analyser(path)
    gate = Gate(analyser.analyse(Document.from_text(path, text)), analyser.analyse)
    raw = next(raw for raw in gate.before.raws if raw.finding.severity is Severity.ERROR)
    edit = Edit(path, text.index(old), text.index(old) + len(old), new)
    assert gate.passes([(raw, Fix("try this", (edit,), Applicability.UNSAFE))]) is passes, apply_edits(text, (edit,))
