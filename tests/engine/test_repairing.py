"""Repairs are searched along the flow: the first one offered undoes a slip, and none leaves another fault."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from dllint.config.discovery import Configuration
from dllint.edit import Fix, apply_edits
from dllint.engine import session as sessions
from dllint.engine.session import Session
from dllint.finding import Severity

HEAD = "import torch\nfrom torch import nn\nfrom torch.nn import functional as F\n\n\n"
PLAIN = (
    HEAD
    + """
class Net(nn.Module):
    def __init__(self, inputs: int, hidden: int, classes: int):
        super().__init__()
        self.fc1 = nn.Linear(inputs, hidden)
        self.norm = nn.LayerNorm(hidden)
        self.fc2 = nn.Linear(hidden, hidden)
        self.fc3 = nn.Linear(hidden, classes)

    def forward(self, x):
        x = F.relu(self.norm(self.fc1(x)))
        x = x + F.relu(self.fc2(x))
        return self.fc3(x)
"""
)
CONVOLUTIONS = (
    HEAD
    + """
class Net(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.conv1 = nn.Conv2d(3, width, 3, padding=1)
        self.bn1 = nn.BatchNorm2d(width)
        self.conv2 = nn.Conv2d(width, 4 * width, 3, padding=1)
        self.bn2 = nn.BatchNorm2d(4 * width)
        self.shortcut = nn.Conv2d(width, 4 * width, 1)
        self.head = nn.Conv2d(8 * width, 5, 1)

    def forward(self, x):
        x = F.relu(self.bn1(self.conv1(x)))
        y = F.relu(self.bn2(self.conv2(x)))
        return self.head(torch.cat([y, self.shortcut(x)], dim=1))
"""
)
PRODUCT = (
    HEAD
    + """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.left = nn.Parameter(torch.randn(12, 5))
        self.right = nn.Parameter(torch.randn(5, 7))
        self.wide = nn.Parameter(torch.randn(7, 5))

    def forward(self):
        return self.left @ self.right, self.left @ self.wide.transpose(0, 1)
"""
)
GATED = (
    HEAD
    + """
class Net(nn.Module):
    def __init__(self, dim: int, hidden: int):
        super().__init__()
        self.w1 = nn.Linear(dim, hidden, bias=False)
        self.w2 = nn.Linear(hidden, dim, bias=False)
        self.w3 = nn.Linear(dim, hidden, bias=False)

    def forward(self, x):
        return self.w2(F.silu(self.w1(x)) * self.w3(x))
"""
)
JOINED = (
    HEAD
    + """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.down = nn.Conv2d(3, 24, 3, padding=1)
        self.up = nn.Sequential(nn.Conv2d(24, 40, 3, padding=1), nn.BatchNorm2d(40), nn.ReLU())
        self.widen = nn.Conv2d(40, 16, 1)
        self.join = nn.Conv2d(40, 5, 1)

    def forward(self, x):
        x = F.relu(self.down(x))
        return self.join(torch.cat((F.relu(self.widen(self.up(x))), x), dim=1))
"""
)
RECURRENT = (
    HEAD
    + """
class Net(nn.Module):
    def __init__(self, words: int, hidden: int, classes: int):
        super().__init__()
        self.embed = nn.Embedding(words, hidden)
        self.memory = nn.LSTM(hidden, hidden, batch_first=True, bidirectional=True)
        self.out = nn.Linear(hidden * 2, classes)

    def forward(self, x):
        out, _ = self.memory(self.embed(x))
        return self.out(out.mean(dim=1))
"""
)
BLOCKS = (
    HEAD
    + """
class Block(nn.Module):
    def __init__(self, dim: int, factor: int):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.net = nn.Sequential(nn.Linear(dim, factor * dim), nn.GELU(), nn.Linear(factor * dim, dim))

    def forward(self, x):
        return x + self.net(self.norm(x))


class Net(nn.Module):
    def __init__(self, dim: int = 256, depth: int = 4):
        super().__init__()
        self.start = nn.Conv2d(3, dim, 4, stride=4)
        self.places = nn.Parameter(torch.zeros(1, 64, dim))
        self.label = nn.Embedding(10, dim)
        self.time = nn.Sequential(nn.Linear(dim, dim), nn.GELU(), nn.Linear(dim, dim))
        self.blocks = nn.ModuleList([Block(dim, 4) for _ in range(depth)])

    def forward(self, x, t, y):
        x = self.start(x).flatten(2).transpose(1, 2) + self.places
        angles = t[:, None] * torch.exp(torch.arange(128) / 128)[None]
        x = x + self.time(torch.cat([torch.sin(angles), torch.cos(angles)], dim=-1))[:, None]
        x = x + self.label(y)[:, None]
        for block in self.blocks:
            x = block(x)
        return x
"""
)
#: A text, what stands in it, and the slip in its place.
SLIPS = (
    (PLAIN, "nn.LayerNorm(hidden)", "nn.LayerNorm(2 * hidden)"),
    (PLAIN, "nn.LayerNorm(hidden)", "nn.LayerNorm(hidden * 4)"),
    (PLAIN, "nn.Linear(hidden, hidden)", "nn.Linear(hidden * 2, hidden)"),
    (PLAIN, "nn.Linear(hidden, classes)", "nn.Linear(3 * hidden, classes)"),
    (PLAIN, "nn.Linear(inputs, hidden)", "nn.Linear(inputs, 2 * hidden)"),
    (CONVOLUTIONS, "nn.BatchNorm2d(width)", "nn.BatchNorm2d(width * 2)"),
    (CONVOLUTIONS, "self.bn2(self.conv2(x))", "self.bn1(self.conv2(x))"),
    (CONVOLUTIONS, "nn.Conv2d(width, 4 * width, 3, padding=1)", "nn.Conv2d(4 * width, width, 3, padding=1)"),
    (CONVOLUTIONS, "dim=1", "dim=0"),
    (CONVOLUTIONS, "nn.BatchNorm2d(4 * width)", "nn.BatchNorm1d(4 * width)"),
    (CONVOLUTIONS, "torch.cat(", "torch.stack("),
    (CONVOLUTIONS, "self.shortcut(x)]", "x]"),
    (GATED, "self.w1 = nn.Linear(dim,", "self.w1 = nn.Linear(dim * 2,"),
    (GATED, "self.w3 = nn.Linear(dim,", "self.w3 = nn.Linear(dim * 2,"),
    (GATED, "self.w3 = nn.Linear(dim, hidden", "self.w3 = nn.Linear(dim, hidden * 2"),
    (PRODUCT, "self.left @ self.right", "self.right @ self.left"),
    (BLOCKS, "nn.Linear(dim, factor", "nn.Linear(dim * 2, factor"),
)
#: The same, where another repair is as likely.
EITHER = (
    (JOINED, "nn.Conv2d(40, 16, 1)", "nn.Conv2d(40, 32, 1)"),
    (JOINED, "nn.Conv2d(40, 16, 1)", "nn.Conv2d(40, 15, 1)"),
    (RECURRENT, "nn.Linear(hidden * 2, classes)", "nn.Linear(hidden, classes)"),
    (RECURRENT, "nn.Linear(hidden * 2, classes)", "nn.Linear(hidden * 4, classes)"),
)


def offered(text: str, path: Path) -> list[list[Fix]]:
    session = Session(Configuration(isolated=True))
    analyser = session.analyser(path)
    analysis = analyser.analyse(session.tracer(analyser.settings).open(path, text, "utf-8"))
    return [list(session.fixes_for(analysis, finding)) for finding in analysis.findings if finding.code.startswith("DL")]


def faults(text: str, path: Path) -> list[str]:
    session = Session(Configuration(isolated=True))
    analyser = session.analyser(path)
    found = analyser.analyse(session.tracer(analyser.settings).open(path, text, "utf-8")).findings
    return [finding.code for finding in found if finding.severity is not Severity.HINT]


@pytest.mark.parametrize(("text", "right", "wrong"), SLIPS)
def test_the_first_repair_undoes_a_slip(tmp_path, text, right, wrong):
    path, slipped = tmp_path / "net.py", text.replace(right, wrong)
    path.write_text(slipped)
    assert faults(text, path) == []
    fixes = offered(slipped, path)
    assert fixes
    assert text in [apply_edits(slipped, fix[0].edits) for fix in fixes if fix]


@pytest.mark.parametrize(("text", "right", "wrong"), EITHER)
def test_a_slip_is_undone_by_one_of_the_likeliest_repairs(tmp_path, text, right, wrong):
    path, slipped = tmp_path / "net.py", text.replace(right, wrong)
    path.write_text(slipped)
    assert faults(text, path) == []
    assert text in [apply_edits(slipped, fix.edits) for fixes in offered(slipped, path) for fix in fixes]


@pytest.mark.parametrize(("slip", "names"), list(product(SLIPS[:6], (("hidden", "dim"), ("width", "n_channels")))))
def test_no_repair_leaves_another_fault(tmp_path, slip, names):
    text, right, wrong = (part.replace(*names) for part in slip)
    path, slipped = tmp_path / "net.py", text.replace(right, wrong)
    path.write_text(slipped)
    before = faults(slipped, path)
    for fixes in offered(slipped, path):
        for fix in fixes:
            assert len(faults(apply_edits(slipped, fix.edits), path)) < len(before)


@pytest.mark.parametrize("names", [("channels", "attended"), ("width", "h")])
def test_an_axis_that_is_added_has_the_size_that_is_declared(tmp_path, names):
    channels, result = names
    text = (
        HEAD
        + f"""
class Net(nn.Module):
    def __init__(self, {channels}):
        super().__init__()
        self.query = nn.Conv2d({channels}, {channels}, 1)
        self.out = nn.BatchNorm2d({channels})

    def forward(self, x):
        {result} = self.query(x).flatten(2)
        {result} = torch.bmm({result}.transpose(1, 2), {result})
        return self.out({result})
"""
    )
    path = tmp_path / "net.py"
    path.write_text(text)
    assert faults(text, path) == ["DLT102"]
    for fixes in offered(text, path):
        for fix in fixes:
            assert "unsqueeze" not in fix.message, fix.message


@pytest.mark.parametrize(("width", "other"), [("width", "2 * width"), ("in_ch", "in_ch * 2"), ("dim", "dim * 4")])
def test_sizes_that_never_agree_are_made_the_same(tmp_path, width, other):
    text = (
        HEAD
        + f"""
class Gate(nn.Module):
    def __init__(self, {width}, ratio):
        super().__init__()
        self.first = nn.Conv1d({width}, {width}, 1)
        self.net = nn.Sequential(nn.Linear({width}, {width} // ratio), nn.ReLU(), nn.Linear({width} // ratio, {width}))

    def forward(self, x):
        x = self.first(x)
        y = self.net(x.mean(dim=-1))
        return x * y.unsqueeze(-1)
"""
    )
    path, slipped = tmp_path / "net.py", text.replace(f"ratio, {width})", f"ratio, {other})")
    path.write_text(slipped)
    assert faults(text, path) == []
    assert faults(slipped, path) == ["DLT123"]
    (fixes,) = offered(slipped, path)
    assert apply_edits(slipped, fixes[0].edits) == text
    assert not any("Write" in fix.message for fix in fixes)


def test_a_check_searches_nothing(tmp_path, monkeypatch):
    def never(*_arguments: object) -> None:
        raise AssertionError("nobody has asked for repairs")

    monkeypatch.setattr(sessions, "repairs", never)
    path = tmp_path / "net.py"
    path.write_text(PLAIN.replace("nn.LayerNorm(hidden)", "nn.LayerNorm(2 * hidden)"))
    assert [f.code for f in Session(Configuration(isolated=True)).check_file(path).findings] == ["DLT101"]


@pytest.mark.parametrize(("text", "right", "wrong"), [SLIPS[0], SLIPS[6], SLIPS[8], SLIPS[15]])
def test_repairs_are_applied_where_unsafe_fixes_are_wanted(tmp_path, text, right, wrong):
    path = tmp_path / "net.py"
    path.write_text(text.replace(right, wrong))
    for unsafe, result in ((False, text.replace(right, wrong)), (True, text)):
        session = Session(Configuration({"unsafe_fixes": unsafe}, isolated=True))
        assert session.check_file(path, fix=True).after == result
