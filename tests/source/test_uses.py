"""Attributes that other files of a project read."""

from __future__ import annotations

from pathlib import Path

import pytest

from dllint.source.uses import forget, used_elsewhere

OWN = "from .mixins import Generating\n\n\nclass Net:\n    pass\n"


@pytest.fixture
def package(tmp_path: Path) -> Path:
    for directory in (tmp_path / "package", tmp_path / "package" / "models"):
        directory.mkdir()
        (directory / "__init__.py").touch()
    (tmp_path / "package" / "models" / "net.py").write_text(OWN)
    return tmp_path


def used(package: Path, place: str, text: str) -> bool:
    (package / place).write_text(text)
    return used_elsewhere(package / "package/models/net.py", OWN, "Net", "head")


@pytest.mark.parametrize(
    ("place", "text", "expected"),
    [
        ("package/convert.py", "from .models.net import Net\nweights = Net().head.weight\n", True),
        ("train.py", "from package.models import net\nnet.build().head(x)\n", True),
        ("package/models/other.py", "from .net import Net\nclass Sub(Net):\n    def f(self):\n        self.head()\n", True),
        ("package/models/mixins.py", "class Generating:\n    def step(self):\n        self.model.head()\n", True),
        ("package/models/mixins.py", "class Generating:\n    def step(self):\n        self.head()\n", False),
        ("package/other.py", "model.head(x)\n", False),
        ("package/convert.py", "from .models.net import Net\nnet = Net()\nnet.head = 3\nnet.headless()\n", False),
    ],
)
def test_reads_of_those_who_know_the_class(package: Path, place: str, text: str, expected: bool) -> None:
    assert used(package, place, text) is expected


def test_a_comparison_is_a_read(package: Path) -> None:
    assert used(package, "package/convert.py", "from .models.net import Net\nassert Net().head == 3\n")


def test_a_file_that_does_not_exist_has_no_users() -> None:
    assert not used_elsewhere(Path("/nowhere/net.py"), OWN, "Net", "head")


def test_a_package_at_the_root_of_what_is_checked_has_an_end(tmp_path, monkeypatch):
    for name, text in (("__init__.py", ""), ("net.py", OWN), ("other.py", "from net import Net\nNet().head(1)\n")):
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    assert used_elsewhere(Path("net.py"), OWN, "Net", "head")
    (tmp_path / "other.py").unlink()
    forget()
    assert not used_elsewhere(Path("net.py"), OWN, "Net", "head")


@pytest.mark.parametrize("young", [0, 3_000_000_000])
@pytest.mark.parametrize("attribute", ["head", "tête", "_x9"])
def test_a_file_that_was_read_before_is_read_again_when_it_has_changed(
    package: Path, attribute: str, young: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dllint.source.stamps.YOUNG", young)
    path = package / "package/models/net.py"
    texts = ["net.other(x)\n", f"net.{attribute}(x)\n", f"net.{attribute}er(x)\n", f"y = net.{attribute} + 1\n", ""]
    answers = []
    for text in texts:
        (package / "train.py").write_text("from package.models import net\n" + text)
        answers += [used_elsewhere(path, OWN, "Net", attribute) for _ in range(2)]
    assert answers == [False, False, True, True, False, False, True, True, False, False]
