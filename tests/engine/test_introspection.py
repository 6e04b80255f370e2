"""What packages ask about functions, and names with underscores that their packages hand on."""

from __future__ import annotations

import pytest

from tests.engine.test_installed_packages import checked

FUNCTIONS = """\
import functools
import inspect


def plain(a, b, *, c=1):
    return a


def wrapped(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs)

    return wrapper


@wrapped
def decorated(a, b, *, c=1):
    return a


class Owner:
    def method(self, a, b, c=1):
        return a


def count(function):
    return len(inspect.signature(function).parameters)


def default(function):
    return inspect.signature(function).parameters["c"].default


def has(function, name):
    return name in inspect.signature(function).parameters
"""
ASKED = ("plain", "decorated", "Owner().method", "lambda a, b, c=1: a")


@pytest.mark.parametrize("function", ASKED)
def test_signatures_of_functions_are_known(tmp_path, function):
    sizes = f"count({function}) + default({function}), 8 if has({function}, 'b') and not has({function}, 'd') else 9"
    text = f"import torch\nfrom lib import *\nx = torch.zeros({sizes})\nx @ torch.zeros(8, 4)\nx @ torch.zeros(7, 4)\n"
    result, _ = checked(tmp_path, {"lib.py": FUNCTIONS}, text)
    (finding,) = result.findings
    assert finding.location.span.first.line == 5
    assert "(4, 8)" in finding.message


@pytest.mark.parametrize("name", ["Net2_5", "Net25", "NeT2_5Large"])
def test_names_are_found_among_many_modules(tmp_path, name):
    stem = "net2_5" if "_" in name else "net25"
    modules = [f"other{number}" for number in range(80)]
    files = {f"lib/{module}.py": "def nothing():\n    pass\n" for module in modules}
    files["lib/__init__.py"] = "".join(f"from .{module} import *\n" for module in (*modules, stem))
    files[f"lib/{stem}.py"] = (
        f"from torch import nn\n\n\nclass {name}(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.body = nn.Linear(8, 4)\n\n    def forward(self, x):\n        return self.body(x)\n"
    )
    text = f"import torch\nfrom lib import {name}\n\ny = {name}()(torch.zeros(2, 8))\n"
    text += "y @ torch.zeros(4, 1)\ny @ torch.zeros(5, 1)\n"
    result, _ = checked(tmp_path, files, text)
    (finding,) = result.findings
    assert finding.location.span.first.line == 6


MAPPINGS = {
    "own keys": (
        "class Sizes:\n    def keys(self):\n        return ['rows', 'columns']\n\n    def __getitem__(self, key):\n"
        "        return {'rows': 4, 'columns': 3}[key]\n",
        "Sizes()",
    ),
    "kept in the object": (
        "class Sizes:\n    def __init__(self, **given):\n        self.given = given\n\n    def keys(self):\n"
        "        return self.given.keys()\n\n    def __getitem__(self, key):\n        return self.given[key]\n",
        "Sizes(rows=4, columns=3)",
    ),
}


@pytest.mark.parametrize("kind", MAPPINGS)
def test_objects_that_are_mappings_give_their_keys_as_arguments(tmp_path, kind):
    definition, made = MAPPINGS[kind]
    text = (
        f"import torch\n\n{definition}\ndef zeros(rows, columns=7):\n    return torch.zeros(rows, columns)\n\n"
        f"x = zeros(**{made})\nx @ torch.zeros(3, 1)\nx @ torch.zeros(7, 1)\n"
    )
    result, _ = checked(tmp_path, {}, text)
    (finding,) = result.findings
    assert "(4, 3)" in finding.message
