"""`dllint summary --write-test` writes tests that hold for the real model, and fail when it is another one."""

from __future__ import annotations

import sys

import pytest

TORCH = {
    "Conv": """\
    def __init__(self, classes=10):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2))
        self.head = nn.Linear(8 * 16 * 16, classes)

    def forward(self, x):
        return torch.softmax(self.head(self.features(x).flatten(1)), dim=1)
""",
    "Text": """\
    def __init__(self, words=50, width=16):
        super().__init__()
        self.embed = nn.Embedding(words, width)
        self.encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(width, 4, 32, batch_first=True), 2)
        self.head = nn.LazyLinear(5)

    def forward(self, tokens):
        return torch.sigmoid(self.head(self.encoder(self.embed(tokens))))
""",
    "Recurrent": """\
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(8, 16, batch_first=True)
        self.tied = nn.Linear(16, 16)
        self.again = self.tied

    def forward(self, x):
        out, _ = self.lstm(x)
        return torch.relu(self.again(self.tied(out[:, -1])))
""",
    "Two": """\
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([nn.Linear(6, 6) for _ in range(3)])
        self.scale = nn.Parameter(torch.ones(6))

    def forward(self, a, b):
        b = self.blocks[0](b)
        for block in self.blocks:
            a = block(a) + b
        return torch.tanh(a * self.scale)
""",
    "Opaque": """\
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)

    def forward(self, x):
        return len(x)
""",
}
KERAS = """\
import keras
from keras import layers


class Words(keras.Model):
    def __init__(self):
        super().__init__()
        self.embed = layers.Embedding(40, 8)
        self.pool = layers.GlobalAveragePooling1D()
        self.out = layers.Dense(3, activation="softmax")

    def call(self, x):
        return self.out(self.pool(self.embed(x)))


def build(width=12):
    return keras.Sequential([keras.Input((20,)), layers.Dense(width), layers.Dense(1, activation="sigmoid")])
"""


class Outcomes:
    """What became of the tests of a run."""

    def __init__(self):
        self.passed, self.failed = [], []

    def pytest_runtest_logreport(self, report):
        if report.failed:
            self.failed.append((report.nodeid, report.longreprtext))
        elif report.when == "call":
            self.passed.append(report.nodeid)


def outcomes(folder):
    """A run of the written tests, in this process, which has the frameworks imported."""
    found, modules, path = Outcomes(), set(sys.modules), list(sys.path)
    options = ["-p", "no:cacheprovider", "-p", "no:xdist", "-q", "--rootdir", str(folder), "-c", str(folder / "pytest.ini")]
    (folder / "pytest.ini").write_text("[pytest]\n")
    try:
        pytest.main([*options, str(folder)], plugins=[found])
    finally:
        sys.path[:] = path
        for name in [
            name for name in set(sys.modules) - modules if str(folder) in str(getattr(sys.modules[name], "__file__", ""))
        ]:
            del sys.modules[name]
    return found


@pytest.mark.oracle
def test_written_tests_hold_for_the_real_models(dllint, project):
    pytest.importorskip("torch")
    body = "\n\n".join(f"class {name}(nn.Module):\n{text}" for name, text in TORCH.items())
    (project / "tmodels.py").write_text(f"import torch\nfrom torch import nn\n\n\n{body}")
    for name in TORCH:
        assert dllint("summary", f"tmodels.py:{name}", "--write-test", f"test_{name}.py").status == 0
    assert dllint("summary", "tmodels.py:Conv(classes=3)", "--input", "4,3,32,32", "--write-test", "test_three.py").status == 0

    found = outcomes(project)
    assert found.failed == []
    kinds = [node.split("::") for node in found.passed]
    tested = {name: {kind for file, kind in kinds if file == f"test_{name}.py"} for name in (*TORCH, "three")}
    whole = {"test_the_layers", "test_the_number_of_parameters", "test_the_output"}
    assert tested == {
        **dict.fromkeys(("Conv", "Text", "Recurrent", "Two", "three"), whole),
        "Opaque": whole - {"test_the_output"},
    }
    text = (project / "test_Conv.py").read_text()
    assert "output.min() >= 0 - 1e-5" in text
    assert "output.max() <= 1 + 1e-5" in text
    assert "(4, 3)" in (project / "test_three.py").read_text()

    changed = (project / "tmodels.py").read_text().replace("classes=10", "classes=11").replace("8, 16, batch", "8, 32, batch")
    (project / "tmodels.py").write_text(changed)
    failed = {node.split("::")[0] for node, _ in outcomes(project).failed}
    assert failed == {"test_Conv.py", "test_Recurrent.py"}


@pytest.mark.parametrize(("name", "parameters", "given", "shape"), [
    ("Words", 40 * 8 + 8 * 3 + 3, 'numpy.zeros((2, 32)).astype("int64")', (2, 3)),
    ("build", 20 * 12 + 12 + 12 + 1, 'normal(size=(2, 20)).astype("float32")', (2, 1)),
])  # fmt: skip
def test_models_of_keras(dllint, project, name, parameters, given, shape):
    (project / "kmodels.py").write_text(KERAS)
    assert dllint("summary", f"kmodels.py:{name}", "--write-test", "test_it.py").status == 0
    text = (project / "test_it.py").read_text()
    compile(text, "test_it.py", "exec")
    for part in (f"model.count_params() == {parameters}\n", given, f"output.shape == {shape}\n", "output.max() <= 1 + 1e-5\n"):
        assert part in text


def test_what_cannot_be_tested_is_said(dllint, project):
    (project / "net.py").write_text(
        "from torch import nn\n\n\nclass Net(nn.Module):\n    def __init__(self, width):\n        pass\n"
    )
    refused = dllint("summary", "net.py:Net", "--write-test", "test_net.py")
    assert (refused.status, 'net.py:"Net(width=…)"' in refused.err) == (2, True)
    (project / "test_net.py").write_text("")
    assert "exists" in dllint("summary", "net.py:Net", "--write-test", "test_net.py").err
