"""Which results an edit of a module of a package concerns: those of files that have used what it holds, and no others."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest

from dllint.engine import session
from tests.cli.conftest import Outcome

#: How a package hands out the classes of its modules. Each of the modules uses the package, in a circle.
PACKAGES = {
    "stars": "from .one import *\nfrom .two import *\n",
    "names": "from .one import One\nfrom .two import Two\n",
    "for type checkers": (
        "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from .one import *\n    from .two import *\n"
        "else:\n    import sys\n    sys.modules[__name__] = object()\n"
    ),
    "guarded": "try:\n    from .one import One\n    from .two import Two\nexcept ImportError:\n    One = Two = None\n",
}
MODULE = """\
import torch
from torch import nn
from . import {other}
from .sizes import WIDTH


class {name}(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(WIDTH, {out})

    def forward(self, x):
        return self.layer(x)
"""
USES = {"of the package": "from pack import {name}", "of its module": "from pack.{module} import {name}"}


#: A block for type checkers is not executed, so that a name taken from the package is not followed to its module.
CASES = [case for case in product(PACKAGES, USES) if case != ("for type checkers", "of the package")]
#: What may be added to a module, or put in place of its list of names, so that a star import gives other names than before.
OTHER_NAMES = ("One = torch.nn.Identity\n", "__all__ = ['Two', 'One']\nOne = torch.nn.Identity\n", "from .more import *\n")
LISTS = ("", "__all__ = ['Two']\n", "__all__ = ['Two'] + []\n", "__all__ = []\n__all__.append('Two')\n")


@pytest.fixture
def analysed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files that are analysed."""
    names: list[str] = []
    original = session.Session.check_bytes

    def counting(self: session.Session, path: Path, data: bytes, *, fix: bool = False) -> session.FileResult:
        names.append(path.name)
        return original(self, path, data, fix=fix)

    monkeypatch.setattr(session.Session, "check_bytes", counting)
    return names


def write(project: Path, package: str, use: str) -> None:
    (project / "pack").mkdir()
    (project / "pack" / "__init__.py").write_text(package)
    (project / "pack" / "sizes.py").write_text("WIDTH = 8\n")
    for name, other in (("One", "Two"), ("Two", "One")):
        (project / "pack" / f"{name.lower()}.py").write_text(MODULE.format(name=name, other=other.lower(), out=4))
        imported = USES[use].format(name=name, module=name.lower())
        text = f"import torch\n{imported}\n\nprint({name}()(torch.zeros(2, 8)).reshape(2, 4))\n"
        (project / f"use_{name.lower()}.py").write_text(text)


@pytest.mark.parametrize(("package", "use"), CASES)
def test_an_edit_of_a_module_concerns_those_that_use_it(
    project: Path, dllint: Callable[..., Outcome], analysed: list[str], package: str, use: str
) -> None:
    write(project, PACKAGES[package], use)
    dllint("check")
    analysed.clear()
    (project / "pack" / "two.py").write_text(MODULE.format(name="Two", other="one", out=5))
    assert dllint("check").out == dllint("check", "--no-cache").out
    again = analysed[: len(analysed) - 6]
    assert "two.py" in again
    assert "use_one.py" not in again
    assert "use_two.py" in again


@pytest.mark.parametrize(("package", "use"), CASES)
def test_an_edit_of_what_modules_take_their_sizes_from_concerns_their_users(
    project: Path, dllint: Callable[..., Outcome], analysed: list[str], package: str, use: str
) -> None:
    write(project, PACKAGES[package], use)
    dllint("check")
    analysed.clear()
    (project / "pack" / "sizes.py").write_text("WIDTH = 16\n")
    assert dllint("check").out == dllint("check", "--no-cache").out
    assert {"one.py", "two.py", "use_one.py", "use_two.py"} <= set(analysed[: len(analysed) - 6])


@pytest.mark.parametrize(("names", "listed"), [*product(OTHER_NAMES, LISTS)])
def test_an_edit_that_makes_a_star_import_give_other_names_concerns_all_that_use_it(
    project: Path, dllint: Callable[..., Outcome], names: str, listed: str
) -> None:
    write(project, PACKAGES["stars"], "of the package")
    (project / "pack" / "more.py").write_text("from torch.nn import Identity as One\n")
    module = project / "pack" / "two.py"
    text = MODULE.format(name="Two", other="one", out=5)
    for before, after in ((listed + text, text + names), (text + names, text), (text + listed, names + text + listed)):
        module.write_text(before)
        dllint("check")
        module.write_text(after)
        assert dllint("check").out == dllint("check", "--no-cache").out
