"""Constructions of a class in other files: what is found in their text, and what is left alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from dllint.source.constructions import Constructions


def found(tmp_path: Path, text: str, name: str = "train.py"):
    """Arguments of the construction of ``Net`` that a file beside its module (``net.py``) holds."""
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg" / "net.py").write_text("class Net:\n    pass\n\nNet(0)\n")
    (tmp_path / name).write_text(text)
    construction = Constructions().of(tmp_path / "pkg" / "net.py", "Net")
    return None if construction is None else (construction.args, dict(construction.kwargs))


@pytest.mark.parametrize(
    "head",
    [
        "from pkg.net import Net\n",
        "from pkg.net import (\n    Other,\n    Net,\n)\n",
        "from .net import Other, Net\n",
        "    from net import Net  # late\n",
    ],
)
def test_forms_of_imports(tmp_path, head):
    assert found(tmp_path, head + "model = Net(3, deep=True)\n") == ((3,), {"deep": True})


def test_through_the_module(tmp_path):
    assert found(tmp_path, "from pkg import net\nmodel = net.Net(3)\n") == ((3,), {})


def test_beside_the_module(tmp_path):
    assert found(tmp_path, "from .net import Net\nNet([1, (2, 'a')])\n", "pkg/use.py") == (([1, (2, "a")],), {})


def test_constants_and_comments(tmp_path):
    call = "Net(\n    WIDTH,  # ) not here\n    name='a)',\n)\n"
    text = f"from pkg.net import Net\nWIDTH = 32  # wide\nmodel = {call}"
    assert found(tmp_path, text) == ((32,), {"name": "a)"})


@pytest.mark.parametrize(
    "text",
    [
        "from pkg.other import Net\nNet(3)\n",
        "from pkg.net import Other\nNet(3)\n",
        "from pkg.net import Net\nclass Net(Base):\n    pass\nNet(3)\n",
        "from pkg.net import Net\nNet(width)\n",
        "from pkg.net import Net\nWIDTH = 3\nWIDTH = 4\nNet(WIDTH)\n",
        "from pkg.net import Net\nWIDTH = read()\nNet(WIDTH)\n",
        "from pkg.net import Net\nNet(**config)\n",
        "from pkg.net import Net\nNet(*sizes)\n",
        "from pkg.net import Net\nNet(3",
        "import os\n'Net(3)'\n",
    ],
)
def test_what_is_left_alone(tmp_path, text):
    assert found(tmp_path, text) is None


def test_a_later_call_that_tells_its_arguments(tmp_path):
    assert found(tmp_path, "from pkg.net import Net\nNet(width)\nNet(4)\n") == ((4,), {})
