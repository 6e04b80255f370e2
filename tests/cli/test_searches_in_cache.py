"""Results that depend on searches in directories: only what a change decides is analysed again."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from dllint.engine import session
from tests.cli.conftest import Outcome

NET = """\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.first = nn.Linear(size, 4)
        self.extra = nn.Linear(4, 4)

    def forward(self, x):
        return self.first(x)
"""
USER = """\
import torch
from net import Net

net = Net(16)
print(net(torch.zeros(2, 16)).shape)
"""
OTHER = "import torch\n\nprint(torch.zeros(2))\n"


@pytest.fixture
def analysed(project: Path, dllint: Callable[..., Outcome], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files that are analysed after a first run."""
    names: list[str] = []
    original = session.Session.check_bytes

    def counting(self: session.Session, path: Path, data: bytes, *, fix: bool = False) -> session.FileResult:
        names.append(path.name)
        return original(self, path, data, fix=fix)

    monkeypatch.setattr(session.Session, "check_bytes", counting)
    for name, text in {"net.py": NET, "user.py": USER, "other.py": OTHER}.items():
        (project / name).write_text(text)
    dllint("check")
    assert sorted(names) == ["net.py", "other.py", "user.py"]
    names.clear()
    return names


@pytest.mark.parametrize("name", ["net.py", "user.py", "other.py"])
def test_a_file_that_was_only_touched_changes_nothing(
    project: Path, dllint: Callable[..., Outcome], analysed: list[str], name: str
) -> None:
    expected = dllint("check", "--no-cache").out
    analysed.clear()
    os.utime(project / name)
    assert dllint("check").out == expected
    content = (project / name).read_bytes()
    (project / name).unlink()
    (project / name).write_bytes(content)
    assert dllint("check").out == expected
    assert analysed == []


@pytest.mark.parametrize(
    ("name", "added", "again"),
    [
        ("other.py", "# a remark about Net", ["other.py"]),
        ("other.py", "print(net.first)", ["other.py"]),
        ("other.py", "import net\n\nprint(net.Net.extra)", ["net.py", "other.py"]),
        ("other.py", "Net(3)", ["other.py"]),
        ("user.py", "# Net", ["user.py"]),
        ("user.py", "print(net.extra)", ["net.py", "user.py"]),
        ("new.py", "print(1)", ["new.py"]),
        ("new.py", "import net\n\nprint(net.Net.extra)", ["net.py", "new.py"]),
    ],
)
def test_an_edit_concerns_those_whose_answers_it_changes(
    project: Path, dllint: Callable[..., Outcome], analysed: list[str], name: str, added: str, again: list[str]
) -> None:
    with (project / name).open("a") as stream:
        stream.write(f"{added}\n")
    found = dllint("check").out
    assert sorted(analysed) == again
    assert found == dllint("check", "--no-cache").out
    analysed.clear()
    assert dllint("check").out == found
    assert analysed == []


def test_a_use_that_goes_is_seen(project: Path, dllint: Callable[..., Outcome], analysed: list[str]) -> None:
    (project / "other.py").write_text("from net import Net\n\nprint(Net.extra)\n")
    used = dllint("check").out
    (project / "other.py").write_text(OTHER)
    analysed.clear()
    unused = dllint("check").out
    assert sorted(analysed) == ["net.py", "other.py"]
    assert unused == dllint("check", "--no-cache").out != used


@pytest.mark.parametrize(
    ("name", "added", "again"),
    [
        ("other.py", "print(3)", ["other.py"]),
        ("examples/new.py", "print(3)", ["new.py"]),
        ("examples/new.py", "from net import Net\n\nnet = Net(size=16)", ["net.py", "new.py"]),
    ],
)
def test_what_is_likely_passed_is_asked_again(
    project: Path, dllint: Callable[..., Outcome], analysed: list[str], name: str, added: str, again: list[str]
) -> None:
    (project / "examples").mkdir()
    (project / "user.py").write_text(OTHER)
    dllint("check")
    analysed.clear()
    with (project / name).open("a") as stream:
        stream.write(f"{added}\n")
    found = dllint("check").out
    assert sorted(analysed) == again
    assert found == dllint("check", "--no-cache").out


@pytest.mark.parametrize("name", ["sizes.json", "sizes.yaml"])
def test_data_that_a_program_reads_count_by_their_content(
    project: Path, dllint: Callable[..., Outcome], analysed: list[str], name: str
) -> None:
    form = "json.load" if name.endswith("json") else "yaml.safe_load"
    (project / "other.py").write_text(
        f"import json\nimport yaml\nimport torch\n\nsizes = {form}(open('{name}'))\n"
        "print(torch.nn.Linear(sizes['width'], 2)(torch.zeros(2, 4)))\n"
    )
    outputs = []
    for width in (4, 5, None, 6):
        if width is None:
            (project / name).unlink()
        else:
            (project / name).write_text(f'{{"width": {width}}}\n')
        outputs.append(dllint("check").out)
        assert outputs[-1] == dllint("check", "--no-cache").out
        analysed.clear()
        if width is not None and name.endswith("json"):  # files of other kinds may say which releases the code is for
            os.utime(project / name)
        assert dllint("check").out == outputs[-1]
        assert analysed == []
    assert ["expects 5" in outputs[1], "expects" in outputs[2], "expects 6" in outputs[3]] == [True, False, True]
