"""Each symptom on a small faulty program, at the right line, and its silence on programs that look alike."""

from __future__ import annotations

import pytest

from tests.diagnose.loops import BINARY, CLASSES, CROSS_ENTROPY, NET, NUMBERS, SQUARES, loop


def sequential(*layers: str) -> str:
    return f"net = nn.Sequential({', '.join(layers)})"


def module(init: str, forward: str) -> str:
    return f"""
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        {init}

    def forward(self, x):
        {forward}

net = Net()
"""


MANY = "net = nn.Sequential(*[m for _ in range(9) for m in (nn.Linear(8, 8), nn.Sigmoid())], nn.Linear(8, 3))"
SATURATED = "nn.init.normal_(net[0].weight, std=200)"
LOADER = """
from torch.utils.data import DataLoader, TensorDataset
loader = DataLoader(TensorDataset(x, y), batch_size=32)
"""
RARE = "x = torch.randn(N, 8)\ny = torch.zeros(N, dtype=torch.long)\ny[::20] = 1\n"
IMAGES = (
    "centre = torch.randn(3, 1, 6, 6) * 3\ny = torch.randint(0, 3, (N,))\nx = 0.2 * centre[y] + torch.randn(N, 1, 6, 6) + 20"
)
CONVOLUTION = "nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4, momentum=0.001), nn.ReLU(), nn.Flatten(), nn.Linear(64, 3)"
SEQUENCES = "x = torch.randn(N, 7, 5)\ny = (x[:, -1, 0] > 0).long()"
RECURRENT = "self.rnn = nn.GRU(5, 8, batch_first=FIRST)\n        self.head = nn.Linear(8, 3)"
LAST = "return self.head(self.rnn(x)[0][:, -1])"

FAULTS = {
    "saturated module": (
        "saturated activation",
        "nn.Tanh()",
        loop(sequential("nn.Linear(8, 32)", "nn.Tanh()", "nn.Linear(32, 3)") + "\n" + SATURATED),
    ),
    "saturated function": (
        "saturated activation",
        "torch.tanh(",
        loop(
            module(
                "self.a = nn.Linear(8, 32); self.b = nn.Linear(32, 3); nn.init.normal_(self.a.weight, std=200)",
                "return self.b(torch.tanh(self.a(x)))",
            )
        ),
    ),
    "dead function": (
        "dead node",
        "F.relu(",
        loop(
            module(
                "self.a = nn.Linear(8, 32); self.b = nn.Linear(32, 3); nn.init.constant_(self.a.bias, -100)",
                "return self.b(F.relu(self.a(x)))",
            ),
            picked="torch.randperm(N)[:256]",
        ),
    ),
    "vanishing": ("vanishing gradient", "nn.Linear(8, 8)", loop(MANY, optimizer="SGD(net.parameters(), lr=0.05)", steps=200)),
    "softmax before cross entropy": (
        "out of range",
        "F.cross_entropy",
        loop(loss="loss = F.cross_entropy(net(xb).softmax(1), yb)"),
    ),
    "softmax layer": ("out of range", "F.cross_entropy", loop(sequential("nn.Linear(8, 3)", "nn.Softmax(1)"))),
    "relu before cross entropy": ("out of range", "F.cross_entropy", loop(sequential("nn.Linear(8, 3)", "nn.ReLU()"))),
    "sigmoid twice": (
        "out of range",
        "F.binary",
        loop("net = nn.Linear(8, 1)", BINARY, "loss = F.binary_cross_entropy_with_logits(torch.sigmoid(net(xb)), yb)"),
    ),
    "bounded regression": ("out of range", "F.mse_loss", loop(sequential("nn.Linear(8, 2)", "nn.Sigmoid()"), NUMBERS, SQUARES)),
    "broadcast": ("out of range", "F.mse_loss", loop("net = nn.Linear(8, 1)", "x = torch.randn(N, 8)\ny = x[:, 0]", SQUARES)),
    "no log": ("out of range", "F.nll_loss", loop(loss="loss = F.nll_loss(net(xb).softmax(1), yb)")),
    "one output": (
        "out of range",
        "F.cross_entropy",
        loop("net = nn.Linear(8, 1)", "x = torch.randn(N, 8)\ny = torch.zeros(N).long()"),
    ),
    "flipped sign": ("invalid loss", "-F.cross_entropy", loop(loss="loss = -F.cross_entropy(net(xb), yb)", steps=30)),
    "weights too large": ("initial loss", "F.cross_entropy", loop(NET + "\nnn.init.normal_(net[2].weight, std=20)")),
    "input thrown away": ("input-independent output", "F.cross_entropy", loop(loss="loss = F.cross_entropy(net(xb * 0), yb)")),
    "input replaced": (
        "cannot fit one batch",
        "F.cross_entropy",
        loop(module("self.a = nn.Linear(8, 3)", "return self.a(torch.randn_like(x))")),
    ),
    "wrong axis": ("batch cross-talk", "self.rnn(x)", loop(module(RECURRENT.replace("FIRST", "False"), LAST), SEQUENCES)),
    "lagging statistics": (
        "train/eval gap",
        "nn.BatchNorm2d(4, momentum=0.001)",
        loop(f"net = nn.Sequential({CONVOLUTION})", IMAGES, steps=60),
    ),
    "tiny steps": ("update-to-weight ratio", "torch.optim.SGD", loop(optimizer="SGD(net.parameters(), lr=1e-6)", steps=150)),
    "to and fro": (
        "oscillation",
        "torch.optim.SGD",
        loop(
            "net = nn.Linear(1, 1)",
            "x, y = torch.ones(N, 1), torch.full((N, 1), 3.3)",
            "loss = F.l1_loss(net(xb), yb)",
            "SGD(net.parameters(), lr=0.2)",
            "slice(None)",
        ),
    ),
    "pixels": ("unscaled input", "nn.Linear(8, 32)", loop(data=CLASSES + "\nx = (x * 60 + 128).clamp(0, 255)")),
    "rare class": (
        "class imbalance",
        "F.cross_entropy",
        loop("net = nn.Linear(8, 2)", RARE + "x[:, 0] += 0.5 * y", optimizer="Adam(net.parameters(), lr=0.003)", steps=300),
    ),
    "sorted": (
        "unshuffled labels",
        "F.cross_entropy",
        loop(
            data=CLASSES + "\norder = y.argsort(); x, y = x[order], y[order]",
            picked="slice(step % 16 * 32, step % 16 * 32 + 32)",
        ),
    ),
    "first batch for ever": (
        "identical batches",
        "F.cross_entropy",
        loop(data=CLASSES + LOADER, loss="xb, yb = next(iter(loader)); " + CROSS_ENTROPY),
    ),
    "overfitting": (
        "overfitting",
        "F.cross_entropy",
        loop(
            "net = nn.Sequential(nn.Linear(8, 256), nn.ReLU(), nn.Linear(256, 3))",
            CLASSES.replace("N, 8", "64, 8")
            + "\ny = torch.randint(0, 3, (64,))\nu, v = torch.randn(200, 8), torch.randint(0, 3, (200,))",
            """if step % 20 == 0:
        net.eval()
        with torch.no_grad():
            F.cross_entropy(net(u), v)
        net.train()
    """
            + CROSS_ENTROPY,
            picked="torch.randperm(64)[:32]",
            steps=240,
        ),
    ),
    "worse than linear": (
        "no better than baseline",
        "F.mse_loss",
        loop(
            sequential("nn.Linear(8, 2)", "nn.ReLU()", "nn.Linear(2, 2)"),
            "x = torch.randn(N, 8)\ny = x @ torch.randn(8, 2)",
            SQUARES,
            optimizer="SGD(net.parameters(), lr=0.02)",
            steps=300,
        ),
    ),
    "worse than PCA": (
        "no better than baseline",
        "F.mse_loss",
        loop(
            sequential("nn.Linear(16, 3)", "nn.ReLU()", "nn.Linear(3, 16)"),
            "x = torch.randn(N, 3) @ torch.randn(3, 16)\ny = x",
            SQUARES,
            optimizer="SGD(net.parameters(), lr=0.02)",
            steps=200,
        ),
    ),
    "summed": (
        "sum reduction",
        "F.cross_entropy",
        loop(loss="loss = F.cross_entropy(net(xb), yb, reduction='sum')", optimizer="SGD(net.parameters(), lr=1e-5)"),
    ),
    "one value": (
        "input features",
        "",
        loop(
            data=CLASSES + "\nx[:, 3] = 7\n" + LOADER + "batches = [b for b in loader]\nit = iter(loader)",
            loss="xb, yb = next(it, None) or next(it := iter(loader)); " + CROSS_ENTROPY,
        ),
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_found_at_its_line(name, diagnose):
    symptom, part, text = FAULTS[name]
    done = diagnose(text)
    found = {finding["symptom"]: finding["location"]["row"] for finding in done.findings}
    assert symptom in found, found
    assert done.status == any(finding["severity"] in ("error", "warning") for finding in done.findings)
    lines = text.splitlines()
    assert found[symptom] in [at for at, line in enumerate(lines, 1) if part in line]


GATE = module(
    "self.a = nn.Linear(8, 32); self.g = nn.Linear(8, 32); self.b = nn.Linear(32, 3); nn.init.normal_(self.g.weight, std=200)",
    "return self.b(torch.sigmoid(self.g(x)) * self.a(x))",
)
TRANSFORMER = module(
    """self.embed = nn.Embedding(50, 16)
        layer = nn.TransformerEncoderLayer(16, 2, 32, dropout=0.0, batch_first=True)
        self.body = nn.TransformerEncoder(layer, 2)
        self.head = nn.Linear(16, 12)""",
    """mask = nn.Transformer.generate_square_subsequent_mask(x.shape[1])
        return self.head(self.body(self.embed(x), mask=mask))""",
)
MODEL_OF_DENSITY = """mean, spread = net(xb).chunk(2, 1)
    loss = F.gaussian_nll_loss(mean, yb, spread.exp())"""
SCALED = """with torch.autocast("cpu", torch.bfloat16):
        loss = F.cross_entropy(net(xb), yb)"""

HEALTHY = {
    "gate": loop(GATE),
    "confident output": loop(
        sequential("nn.Linear(8, 1)", "nn.Sigmoid()"),
        BINARY,
        "loss = F.binary_cross_entropy(net(xb), yb)",
        optimizer="Adam(net.parameters(), lr=0.3)",
        steps=200,
    ),
    "log-softmax": loop(
        sequential("nn.Linear(8, 16)", "nn.Tanh()", "nn.Linear(16, 3)", "nn.LogSoftmax(1)"),
        loss="loss = F.nll_loss(net(xb), yb)",
    ),
    "positive regression": loop(
        sequential("nn.Linear(8, 16)", "nn.ReLU()", "nn.Linear(16, 1)", "nn.Softplus()"),
        "x = torch.randn(N, 8)\ny = x[:, :1].exp()",
        SQUARES,
    ),
    "negative likelihood": loop(
        "net = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2))",
        "x = torch.randn(N, 8)\ny = 0.01 * x[:, :1]",
        MODEL_OF_DENSITY,
        steps=200,
    ),
    "recurrent": loop(module(RECURRENT.replace("FIRST", "True"), LAST), SEQUENCES),
    "language model": loop(
        TRANSFORMER,
        "x = torch.randint(0, 12, (N, 9))\ny = x.cumsum(1) % 12",
        "loss = F.cross_entropy(net(xb).view(-1, 12), yb.reshape(-1))",
        optimizer="Adam(net.parameters(), lr=0.003)",
    ),
    "convolution": loop(f"net = nn.Sequential({CONVOLUTION.replace(', momentum=0.001', '')})", IMAGES.replace(" + 20", "")),
    "normalised in the model": loop(
        "net = nn.Sequential(nn.BatchNorm1d(8), nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 3))", CLASSES + "\nx = x * 60 + 128"
    ),
    "frozen backbone": loop(NET + "\nnet[0].requires_grad_(False)", optimizer="Adam(net[2].parameters(), lr=0.01)"),
    "warm-up": loop(
        loss=CROSS_ENTROPY + "\n    for group in optimizer.param_groups: group['lr'] = 0.02 * min(step / 40, 1)",
        optimizer="Adam(net.parameters(), lr=0.0)",
    ),
    "mixed precision": loop(loss=SCALED),
    "imbalanced but learnt": loop(
        "net = nn.Linear(8, 2)", RARE + "x[:, 0] += 9 * y", optimizer="Adam(net.parameters(), lr=0.05)", steps=200
    ),
    "full batch": loop(picked="slice(None)", steps=200),
    "dropout": loop(sequential("nn.Linear(8, 64)", "nn.ReLU()", "nn.Dropout(0.5)", "nn.Linear(64, 3)")),
    "autoencoder": loop(
        sequential("nn.Linear(16, 3)", "nn.Linear(3, 16)"),
        "x = torch.randn(N, 3) @ torch.randn(3, 16) / 2\ny = x",
        SQUARES,
        steps=300,
    ),
    "loader": loop(
        data=CLASSES + LOADER.replace("=32)", "=32, shuffle=True)") + "it = iter(loader)",
        loss="xb, yb = next(it, None) or next(it := iter(loader)); " + CROSS_ENTROPY,
    ),
    "variational": loop(
        "enc, dec = nn.Linear(8, 4), nn.Linear(2, 8)\nnet = nn.ModuleList([enc, dec])",
        CLASSES,
        """mean, spread = enc(xb).chunk(2, 1)
    out = dec(mean + spread.exp() * torch.randn_like(mean))
    loss = F.mse_loss(out, xb, reduction='sum') + (mean ** 2 + (2 * spread).exp() - 2 * spread - 1).sum() / 2""",
        steps=200,
    ),
    "evaluation between": loop(
        loss="""if step % 20 == 0:
        net.eval()
        with torch.no_grad():
            F.cross_entropy(net(x), y)
        net.train()
    """
        + CROSS_ENTROPY
    ),
}


@pytest.mark.parametrize("name", HEALTHY)
def test_a_healthy_program_is_left_alone(name, diagnose):
    done = diagnose(HEALTHY[name])
    assert [(finding["symptom"], finding["message"]) for finding in done.findings if finding["severity"] != "info"] == []
    assert done.status == 0, done.stderr


WHOLE = """
import torch
import torch.nn.functional as F
from torch import nn


def main():
    torch.manual_seed(0)
    x = torch.randn(64, 8)
    y = torch.randint(0, 3, (64,))
    net = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 3))
    optimizer = torch.optim.Adam(net[0].parameters(), lr=0.01)
    step = lambda: F.cross_entropy(torch.sigmoid(net(x)).relu(), y)
    for number in range(24):
        if number == AT:
            step = torch.compile(step, backend="eager", fullgraph=True)
        loss = step()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    torch.jit.script(nn.Sequential(net, nn.Sigmoid()))(x)


main()
"""


@pytest.mark.parametrize(("at", "layers"), [(0, []), (5, ["Sequential.2"]), (100, ["Sequential.2"])])
def test_models_that_are_gone_or_compiled_are_judged_and_left_as_they_are(at, layers, diagnose):
    done = diagnose(WHOLE.replace("AT", str(at)))
    assert "the program failed" not in done.stderr
    unchanged = [finding["layer"] for finding in done.findings if finding["symptom"] == "unchanged weight"]
    assert unchanged == layers
