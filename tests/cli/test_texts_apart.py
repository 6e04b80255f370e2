"""What one file changes in a module that it imports is not seen by another file that is checked in the same run."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Outcome

SIZES = """\
TABLE = {"width": 4}
LIST = [4]
WIDTH = 4
NESTED = {"inner": {"widths": [4]}}


class Sizes:
    width = 4

    def __init__(self):
        self.own = 4

    def widen(self):
        self.own = 5


SHARED = Sizes()


def widen():
    global WIDTH
    WIDTH = 5
"""
#: What a file does to the module, and how another one reads the same.
CHANGES = {
    "an entry": ("sizes.TABLE['width'] = 5", "sizes.TABLE['width']"),
    "entries": ("sizes.TABLE.update(width=5)", "sizes.TABLE['width']"),
    "an element": ("sizes.LIST[0] = 5", "sizes.LIST[0]"),
    "the first element": ("sizes.LIST.insert(0, 5)", "sizes.LIST[0]"),
    "a name": ("sizes.WIDTH = 5", "sizes.WIDTH"),
    "a global name": ("sizes.widen()", "sizes.WIDTH"),
    "deep inside": ("sizes.NESTED['inner']['widths'][0] = 5", "sizes.NESTED['inner']['widths'][0]"),
    "an attribute of a class": ("sizes.Sizes.width = 5", "sizes.Sizes.width"),
    "an attribute of an object": ("sizes.SHARED.own = 5", "sizes.SHARED.own"),
    "by a method": ("sizes.SHARED.widen()", "sizes.SHARED.own"),
    "in a branch": ("if torch.rand(()) > 0.5:\n    sizes.TABLE['width'] = 5", "sizes.TABLE['width']"),
    "gone": ("del sizes.TABLE['width']", "sizes.TABLE.get('width', 5)"),
}


@pytest.mark.parametrize("size", [4, 5])
@pytest.mark.parametrize("change", CHANGES)
def test_a_file_does_not_see_what_another_one_changes(
    project: Path, dllint: Callable[..., Outcome], change: str, size: int
) -> None:
    written, read = CHANGES[change]
    (project / "sizes.py").write_text(SIZES)
    (project / "a.py").write_text(f"import torch\nimport sizes\n\n{written}\n")
    (project / "b.py").write_text(f"import torch\nimport sizes\n\nprint(torch.nn.Linear({read}, 2)(torch.zeros(2, {size})))\n")
    assert ("DLT101" in dllint("check", "--no-cache", "a.py", "b.py").out) is (size == 5)


@pytest.mark.parametrize("change", CHANGES)
def test_a_file_sees_what_it_changes_itself(project: Path, dllint: Callable[..., Outcome], change: str) -> None:
    written, read = CHANGES[change]
    if change == "in a branch":
        return
    (project / "sizes.py").write_text(SIZES)
    text = f"import torch\nimport sizes\n\n{written}\nprint(torch.nn.Linear({read}, 2)(torch.zeros(2, 4)))\n"
    for name in ("a.py", "b.py"):
        (project / name).write_text(text)
    assert dllint("check", "--no-cache", "a.py", "b.py").out.count("DLT101") == 2
