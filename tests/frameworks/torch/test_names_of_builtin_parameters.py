"""Torch's built-in functions ask for parameters by the names of our tables; their documentation differs in some."""

from __future__ import annotations

import re
from operator import attrgetter

import torch

from dllint.frameworks import registry
from dllint.frameworks.torch import tables

registry.load("torch")
_MISSING = re.compile(r"missing \d+ required positional arguments?: (.*)")
#: Names of numpy that torch's argument parser takes for its own.
_OF_NUMPY = {"x": "input"}


def _asked_for(name: str) -> list[str]:
    """The names of the parameters that a function says are missing, called without arguments."""
    try:
        attrgetter(name.removeprefix("torch."))(torch)()
    except Exception as error:
        told = _MISSING.search(str(error).partition("\n")[0])
        return re.findall(r'"(\w+)"', told[1]) if told else []
    return []


def test_parameters_have_the_names_that_torch_asks_for() -> None:
    asked = {row.name: _asked_for(row.name) for row in tables.FUNCTIONS.values() if row.name.startswith("torch.")}
    assert sum(map(bool, asked.values())) > 100
    wrong = {}
    for name, names in asked.items():
        given = {parameter.name for parameter in registry.parameters(name, tables.FUNCTIONS[name].params) or ()}
        given |= {_OF_NUMPY[parameter] for parameter in given if parameter in _OF_NUMPY}
        if not given.issuperset(names):
            wrong[name] = names, sorted(given)
    assert wrong == {}
