"""Files with thousands of names, classes, comments or findings are checked in time that grows as they do.

What is counted is the work, not the seconds.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Final

import pytest

from dllint.config.discovery import Configuration
from dllint.engine.session import Session

MANY: Final[dict[str, Callable[[int], str]]] = {
    "names of tensors": lambda n: "".join(f"x{i} = torch.ones({i + 1})\n" for i in range(n)),
    "names in a function": lambda n: (
        "def f(x0):\n" + "".join(f"    x{i + 1} = x{i} + 1\n" for i in range(n)) + "    return x0\n"
    ),
    "one name": lambda n: "x = torch.ones(1)\n" + "".join(f"x = x + {i}\n" for i in range(n)),
    "comments that suppress": lambda n: "x = torch.ones(2)  # dllint: ignore[DLT101]\n" * n,
    "subclasses of each other": lambda n: (
        "class A0(torch.nn.Module): pass\n"
        + "".join(f"class A{i + 1}(A{i}):\n    def f{i}(self): pass\n" for i in range(n // 4))
    ),
    "findings": lambda n: "x = torch.ones(3)\n" + "x.view(7)\n" * n,
    "functions": lambda n: "".join(f"def f{i}(x): return x + {i}\n" for i in range(n)),
    "models": lambda n: "".join(
        f"class A{i}(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        f"        self.a = torch.nn.Linear({i + 1}, 3)\n    def forward(self, x): return self.a(x)\n"
        for i in range(n // 4)
    ),
    "attributes": lambda n: "class A: pass\na = A()\n" + "".join(f"a.x{i} = torch.ones({i + 1})\n" for i in range(n)),
    "entries of a dict": lambda n: "a = {}\n" + "".join(f"a[{i}] = torch.ones({i + 1})\n" for i in range(n)),
    "elements of a list": lambda n: "a = []\n" + "a.append(torch.ones(2))\n" * n,
    "numbers of a literal": lambda n: "a = [" + "1.5, " * 10 * n + "]\n",
    "brackets of a docstring": lambda n: "def f(x):\n    '''x: " + "[ ( " * 10 * n + "'''\n    return x + 1\n",
    "branches": lambda n: "".join(f"if input(): x{i} = torch.ones(2)\n" for i in range(n // 2)),
    "handlers": lambda n: "".join(f"try: x{i} = torch.ones(2)\nexcept Exception: x{i} = 0\n" for i in range(n // 2)),
    "steps of a loop": lambda n: "for i in range(int(input())):\n" + "".join(f"    x{i} = torch.ones(2)\n" for i in range(n)),
}  # fmt: skip
SIZE: Final = 250
#: What twice the size may cost: a linear share, and what sorting and what is done once per file add or take away.
MOST: Final = 2.6
#: The same where each class has all those before it as bases, along which attributes are looked up.
IN_CHAINS: Final = 4


def work(text: str) -> int:
    """How many calls of functions a check takes."""
    count = 0

    def profile(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    session = Session(Configuration(isolated=True))
    sys.setprofile(profile)
    try:
        result = session.check_bytes(Path("/snippet/example.py"), text.encode())
    finally:
        sys.setprofile(None)
    assert not result.notices
    assert any(finding.location.span.first.line == text.count("\n") for finding in result.findings)
    return count


@pytest.mark.parametrize("many", MANY.values(), ids=MANY)
def test_work_grows_as_the_file_does(many: Callable[[int], str]) -> None:
    _, least, once, twice = (work(f"import torch\n{many(size)}torch.ones(3).view(7)\n") for size in (8, 8, SIZE, 2 * SIZE))
    most = IN_CHAINS if many is MANY["subclasses of each other"] else MOST
    assert twice - least < most * max(once - least, least)
