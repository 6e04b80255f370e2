"""Every name that the table has is silent; slips of names are told through every spelling of the import."""

from __future__ import annotations

from pathlib import Path
from pkgutil import resolve_name

import pytest

from dllint.analysis.misspelt import misspelt
from dllint.frameworks.history.record import public_names
from dllint.source.document import Document

IMPORTS = (
    "import {module}\n\nx = {module}.{name}\n",
    "import {module} as m\n\n\ndef f():\n    return m.{name}\n",
    "from {owner} import {last} as m\n\nx = [m.{name}(1)]\n",
    "from {module} import {name}\n\nx = {name}\n",
)
MODULES = [module for module in public_names() if "." in module]
SLIPS = {
    "torch.nn": ("Conv2D", "BatchNorm2D", "Relu", "Linaer", "CrossEntropyloss", "MaxPoool2d"),
    "torch.nn.functional": ("sofmax", "cross_entrpy", "Relu", "interpolat"),
    "torch.optim": ("Adm", "SDG", "RMSProp"),
    "keras.layers": ("Dens", "Conv2d", "Flaten", "BatchNormalisation", "MaxPoolng2D"),
    "keras.optimizers": ("Adamm", "RMSPRop"),
    "tensorflow.nn": ("sofmax", "relux6"),
}
SHORT = 4


def told(text: str) -> list[str]:
    return [found.written for found in misspelt(Document.from_text(Path("/snippet/a.py"), text))]


def written(form: str, module: str, name: str) -> str:
    owner, _, last = module.rpartition(".")
    return form.format(module=module, owner=owner, last=last, name=name)


@pytest.mark.parametrize("module", MODULES)
def test_what_a_module_has_is_silent(module):
    names = sorted(name for name in public_names()[module] if name.isidentifier())
    text = f"import {module} as m\n\n" + "".join(f"m.{name}\n" for name in names if name not in ("None", "True", "False"))
    assert told(text) == []


@pytest.mark.parametrize("form", IMPORTS)
@pytest.mark.parametrize(("module", "name"), [(module, name) for module, names in SLIPS.items() for name in names])
def test_a_slip_is_told_once_in_every_spelling(form, module, name):
    expected = [] if len(name) < SHORT else [name]
    aliases = {"torch.optim": "optim", "torch.nn": "nn", "torch.nn.functional": "F", "tensorflow.nn": "nn"}
    alias = aliases.get(module, module.rpartition(".")[2])
    text = (
        written(form, module, name).replace(" as m\n", f" as {alias}\n").replace("m.", f"{alias}.")
        if " as m" in form
        else (written(form, module, name))
    )
    assert told(text) == expected


@pytest.mark.oracle
@pytest.mark.parametrize("module", [module for module in public_names() if module.startswith("torch")])
def test_the_table_has_what_the_release_has(module):
    pytest.importorskip("torch")
    value = resolve_name(module)
    assert {name for name in dir(value) if not name.startswith("__")} <= public_names()[module] | imported_later(module)


def imported_later(module: str) -> set[str]:
    """Names that an import of something else adds to a module."""
    return {name for name in dir(resolve_name(module)) if name.startswith("_")}
