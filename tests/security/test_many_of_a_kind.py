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
    "comments in a function": lambda n: "def f(x):\n" + "    x = x + 1  # dllint: ignore[DLT101]\n" * n + "    return x\n",
    "comments above a function": lambda n: "# dllint: ignore[DLT101]\n" * n + "def f(x): return x\n",
    "alternatives": lambda n: (
        "def f(a, x):\n    if a == -1: return x\n" + "".join(f"    elif a == {i}: return x + {i}\n" for i in range(n))
    ),
    "alternatives that fall through": lambda n: (
        "def f(a, x):\n    if a == -1: x = x + 1\n" + "".join(f"    elif a == {i}: x = x + {i}\n" for i in range(n))
    ),
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
    "ways out of a function": lambda n: (
        "def f(a, k):\n    x = a.x = 0\n"
        + "".join(f"    if k == {i}: return a\n    a.x = torch.ones({i + 1})\n" for i in range(n // 2))
        + "class A: pass\nf(A(), int(input()))\n"
    ),
    "ways out of a loop": lambda n: (
        "x = 0\nfor i in range(int(input())):\n"
        + "".join(f"    if int(input()): {('break', 'continue')[i % 2]}\n    x = torch.ones({i + 1})\n" for i in range(n // 2))
    ),
    "ways to a handler": lambda n: (
        "x = 0\nk = int(input())\ntry:\n"
        + "".join(f"    if k == {i}: raise ValueError\n    x = torch.ones({i + 1})\n" for i in range(n // 2))
        + "except ValueError: pass\n"
    ),
    "tensors that are tested": lambda n: "".join(
        f"x{i} = torch.rand({i + 1})\nassert (x{i} > 0.5).all()\ny{i} = 1 / x{i}\n" for i in range(n // 4)
    ),
    "steps of a loop": lambda n: "for i in range(int(input())):\n" + "".join(f"    x{i} = torch.ones(2)\n" for i in range(n)),
}  # fmt: skip
SIZE: Final = 160
#: What twice the size may cost: a linear share, and what sorting and what is done once per file add or take away.
MOST: Final = 2.6
#: The same where each class has all those before it as bases, along which attributes are looked up.
IN_CHAINS: Final = 4

#: What a program of 150 questions may cost in calls.
MOST_ASKED: Final = 16_000_000


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


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("many", MANY.values(), ids=MANY)
def test_work_grows_as_the_file_does(many: Callable[[int], str]) -> None:
    _, least, once, twice = (work(f"import torch\n{many(size)}torch.ones(3).view(7)\n") for size in (8, 8, SIZE, 2 * SIZE))
    most = IN_CHAINS if many is MANY["subclasses of each other"] else MOST
    assert twice - least < most * max(once - least, least)


@pytest.mark.parametrize(
    "chain",
    [
        "a = 0\nif a: pass\n" + "elif a: pass\n" * 2500,
        "a = input()\nif a == '': x = 1\n" + "".join(f"elif a == '{i}': x = {i}\n" for i in range(2500)),
        "def f(a):\n  if a == 0: return 0\n"
        + "".join(f"  elif a == {i}: return {i}\n" for i in range(2500))
        + "f(int(input()))\n",
        "def f(a):\n  if a == 0: raise ValueError\n" + "".join(f"  elif a == {i}: raise TypeError\n" for i in range(2500)),
    ],
    ids=["decided", "that fall through", "that return", "that raise"],
)
def test_a_chain_of_alternatives_is_no_deep_tree(chain: str) -> None:
    work(f"import torch\n{chain}torch.ones(3).view(7)\n")


@pytest.mark.parametrize("end", ["", "    else: x = x.view(2, 3)\n"])
def test_what_is_left_of_a_chain_of_alternatives_is_not_known(end: str) -> None:
    """The last of many alternatives makes the size that the code behind them needs: nothing is wrong there."""
    chain = "".join(f"    elif a == {i}: x = torch.ones(2, 3)\n" for i in range(1000))
    text = f"import torch\ndef f(a):\n    x = torch.ones(6)\n    if a == -1: x = torch.ones(2, 3)\n{chain}{end}    return x\n"
    session = Session(Configuration(isolated=True))
    assert not session.check_bytes(Path("/snippet/example.py"), f"{text}f(int(input())).view(2, 3)\n".encode()).findings


#: Programs that ask a question of each of ``n`` tensors and divide by it, or by something else that was asked about.
ASKED: Final[dict[str, Callable[[int], str]]] = {
    "one tensor": lambda n: "x = torch.rand(3)\n" + "".join(f"assert (x > {i / n}).all()\ny = 1 / x\n" for i in range(n)),
    "a mask of masks": lambda n: "x = torch.rand(3)\nm = x > 0\n" + "m = m & m\n" * n + "assert m.all()\ny = 1 / x\n",
    "reductions": lambda n: "".join(
        f"x{i} = torch.rand({i + 1})\nif not x{i}.abs().min() > 0: raise ValueError\ny{i} = 1 / x{i}.abs()\n" for i in range(n)
    ),
}


@pytest.mark.thorough
@pytest.mark.parametrize("asked", ASKED.values(), ids=ASKED)
def test_what_questions_tell_is_bounded(asked: Callable[[int], str]) -> None:
    assert work(f"import torch\n{asked(150)}torch.ones(3).view(7)\n") < MOST_ASKED


def test_a_file_with_too_many_questions_is_marked_as_cut_short() -> None:
    text = f"import torch\n{ASKED['one tensor'](400)}torch.ones(3).view(7)\n"
    result = Session(Configuration(isolated=True)).check_bytes(Path("/snippet/example.py"), text.encode())
    assert result.followed is not None
    assert result.followed.cut


@pytest.mark.parametrize("head", ["for i in range(100):", "while int(input()):\n  for i in range(100):"])
@pytest.mark.parametrize("made", ["def f(x):", "def f(x=1, y=2):"])
def test_what_a_loop_defines_again_is_looked_at_once(head: str, made: str) -> None:
    body = "".join(f"    y{i} = x + torch.ones({i + 1})\n" for i in range(200))
    define = made + "\n" + body.replace("    y", " " * 8 + "y")
    once, often = (work(f"import torch\n{start}\n   {define}torch.ones(3).view(7)\n") for start in ("if 1:", head))
    assert often < 2 * once
