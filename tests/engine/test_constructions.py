"""A class that its own file does not construct is run with the arguments that another file gives it."""

from __future__ import annotations

from dllint.config.discovery import Configuration
from dllint.engine.session import Session
from dllint.finding import Severity

NET = """\
from torch import nn


class Net(nn.Module):
    def __init__(self, width, classes=10):
        super().__init__()
        self.a = nn.Linear(4, width)
        self.b = nn.Linear(16, classes)

    def forward(self, x):
        return self.b(self.a(x))
"""


def codes(tmp_path, use: str, *, remember: bool = False) -> list[str]:
    (tmp_path / "net.py").write_text(NET)
    (tmp_path / "train.py").write_text(use)
    result = Session(Configuration(isolated=True), remember=remember).check_file(tmp_path / "net.py")
    return [finding.code for finding in result.findings if finding.severity is not Severity.HINT]


def test_arguments_of_another_file(tmp_path):
    assert codes(tmp_path, "from net import Net\nmodel = Net(32)\n") == ["DLT101"]
    assert codes(tmp_path, "from net import Net\nmodel = Net(16)\n") == []


def test_arguments_that_are_not_literals(tmp_path):
    assert codes(tmp_path, "from net import Net\nmodel = Net(read())\n") == []


def test_a_remembered_answer_does_not_depend_on_files_that_use_the_class(tmp_path):
    assert codes(tmp_path, "from net import Net\nmodel = Net(32)\n", remember=True) == []
