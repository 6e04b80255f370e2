"""What torch exports: types are those that torch states, operators are known, findings stand on the right nodes."""

from __future__ import annotations

import pytest

from dllint.config.discovery import Configuration
from dllint.engine.session import Session
from dllint.lower.graphs.torch_export.importer import import_graph

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.oracle
F = torch.nn.functional
BATCH = torch.export.Dim("B", min=4, max=64)


class Pictures(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = torch.nn.Conv2d(3, 8, 3, stride=4, padding=1)
        self.body = torch.nn.Sequential(
            torch.nn.BatchNorm2d(8), torch.nn.ReLU(), torch.nn.MaxPool2d(2), torch.nn.Conv2d(8, 16, 3, groups=4),
            torch.nn.GroupNorm(4, 16), torch.nn.SiLU(), torch.nn.AdaptiveAvgPool2d(4), torch.nn.Flatten(1),
            torch.nn.Dropout(0.1), torch.nn.Linear(256, 32), torch.nn.LayerNorm(32), torch.nn.GELU(),
        )  # fmt: skip
        self.up = torch.nn.Sequential(torch.nn.ConvTranspose2d(8, 4, 4, 2, 1), torch.nn.Upsample(scale_factor=2))

    def forward(self, x):
        x = x.flatten(1).reshape(-1, 3, 64, 64)
        stem = self.stem(x)
        return self.body(stem), self.up(stem).mean((2, 3)), F.pad(x, (1, 2)), x.flip(2)[..., ::2]


class Sequences(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.table = torch.nn.Embedding(50, 32)
        self.encoder = torch.nn.TransformerEncoderLayer(32, 4, 64, batch_first=True)

    def forward(self, x):
        h = self.encoder(self.table(x[:, :5].argmax(1)).unsqueeze(1).expand(-1, 5, -1))
        values, places = h.topk(3, dim=2)
        scores = torch.einsum("bij,bkj->bik", h, h).masked_fill(torch.ones(5, 5).tril() == 0, -1e9).softmax(-1)
        var, mean = torch.var_mean(h, dim=1)
        return (
            scores @ h, values.log_softmax(1), places, (h - mean[:, None]) / torch.sqrt(var[:, None] + 1e-5), h.std(1),
            h.norm(dim=1), h[:, [0, 2]], h.permute(2, 0, 1).reshape(32, -1).t(), h.chunk(2, 1)[0], torch.logsumexp(h, 1),
            h.clamp(min=1e-3).log(), h.pow(2).sum(1), torch.cumsum(h, 1), h.to(torch.float64).half(), torch.where(h > 0, h, -h),
            torch.arange(h.shape[0]), torch.zeros_like(h).bool().any(1), h.max(1).values, torch.maximum(h, -h),
            1 - h, 2 / (h + 3),
            torch.stack([h, h]).squeeze(1), h.repeat(2, 1, 1), h.select(1, 0), torch.cat([h, h], -1), h.unbind(1)[0],
        )  # fmt: skip


def exported(path, model, core):
    program = torch.export.export(model.eval(), (torch.rand(4, 3 * 64 * 64),), dynamic_shapes=({0: BATCH},))
    torch.export.save(program.run_decompositions() if core else program, path)
    return path


@pytest.mark.parametrize("core", [False, True], ids=["aten", "core"])
@pytest.mark.parametrize("model", [Pictures, Sequences])
def test_types_are_those_that_torch_states(tmp_path, model, core):
    found = import_graph(exported(tmp_path / "net.pt2", model(), core))
    assert found.program.gaps == []
    assert [fault for op in found.program.ops for fault in op.faults] == []
    compared = 0
    for name, number in found.document.lines_of.items():
        node, stated = found.document.nodes[number], found.graph.declared.get(name)
        ops = [op for op in found.program.ops if op.site.number == number and op.kind != "unmodelled"]
        if node is None or stated is None or len(node.outputs) > 1 or not ops:
            continue
        assert (ops[-1].output.shape, ops[-1].output.dtype) == (stated.shape, stated.dtype), node.operator
        compared += 1
    assert compared > 30


class Losses(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.head = torch.nn.Linear(8, 4)

    def forward(self, x):
        h = self.head(x)
        p = torch.softmax(h, 1)
        fine = torch.log(p + 1e-8) + torch.log_softmax(h, 1) + torch.exp(h - h.max(1, keepdim=True).values)
        return fine, torch.log(p), torch.exp(h), 1 / torch.relu(h), torch.sqrt(torch.relu(h) + 1e-6)


def test_findings_stand_on_the_lines_that_fail(tmp_path):
    program = torch.export.export(Losses(), (torch.rand(2, 8),))
    torch.export.save(program, tmp_path / "net.pt2")
    result = Session(Configuration(isolated=True)).check_file(tmp_path / "net.pt2")
    assert [(finding.code, finding.location.node) for finding in result.findings] == [
        ("DLN105", "log_1"), ("DLN103", "exp_1"), ("DLN102", "reciprocal"),
    ]  # fmt: skip
    sources = {r.location.path.name for f in result.findings for r in f.related if not r.location.listed}
    assert sources == {"test_export_oracle.py"}
