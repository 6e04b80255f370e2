"""Methods of optimizers and schedulers take what the class of the object takes, which its base class may not."""

from __future__ import annotations

import importlib
import inspect
from pathlib import Path

import pytest

from dllint.config.discovery import Configuration
from dllint.dev.signatures import public
from dllint.engine.session import Session
from dllint.ir.events import LibraryCall
from dllint.lower.document import lower_document
from dllint.source.document import Document

pytestmark = pytest.mark.oracle

BASES = {"torch.optim": "Optimizer", "torch.optim.lr_scheduler": "LRScheduler"}
HEAD = """
import torch

net = torch.nn.Linear(3, 2)
optimizer = torch.optim.SGD(net.parameters())
given = get()
"""


def told(text: str) -> list[str]:
    path = Path("program.py")
    session = Session(Configuration(isolated=True, overrides={"select": ("DLA104",)}))
    return [finding.message for finding in session.analyser(path).analyse(Document.from_text(path, text)).findings]


def calls(module: str) -> list[tuple[str, str, list[str]]]:
    """Class, method and the names of its parameters, of all methods that the base class has, too."""
    loaded = importlib.import_module(module)
    base = getattr(loaded, BASES[module])
    return [
        (name, method.rpartition(".")[2], list(inspect.signature(value).parameters)[1:])
        for name, cls in public(loaded, module, inspect.isclass)
        if issubclass(cls, base)
        for method, value in public(cls, name, inspect.isroutine)
        if hasattr(base, method.rpartition(".")[2])
    ]


@pytest.mark.parametrize("derived", [False, True], ids=["itself", "derived"])
@pytest.mark.parametrize("module", BASES)
def test_own_parameters_are_taken_and_no_others(module, derived):
    first = "net.parameters()" if module == "torch.optim" else "optimizer, *given"
    wrong = []
    for name, method, parameters in calls(module):
        made = f"class Own({name}):\n    pass\n\n\nmade = Own({first})\n" if derived else f"made = {name}({first})\n"
        named = (parameter for parameter in parameters if parameter not in {"args", "kwargs"})
        keywords = "".join(f"made.{method}({parameter}=given)\n" for parameter in named)
        if told(HEAD + made + keywords):
            wrong.append((name, method, parameters))
    assert wrong == []


@pytest.mark.parametrize(
    ("made", "call", "count"),
    [
        ("torch.optim.lr_scheduler.StepLR(optimizer, 3)", "step(metrics=0.1)", 1),
        ("torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer)", "step(metrics=0.1)", 0),
        ("torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer)", "step(loss=0.1)", 1),
        ("torch.optim.Adam(net.parameters())", "step(scale=2.0)", 1),
    ],
)
def test_what_a_class_does_not_take_is_told(made, call, count):
    assert len(told(f"{HEAD}made = {made}\nmade.{call}\n")) == count


def test_methods_of_other_libraries_may_take_more():
    text = HEAD + "from apex.optimizers import FusedAdam\n\nFusedAdam(net.parameters()).step(scale=2.0)\n"
    assert told(text) == []


@pytest.mark.parametrize(
    ("made", "method"),
    [
        ("torch.nn.Linear(3, 2)", "requires_grad_"),
        ("torchvision.models.resnet18()", "requires_grad_"),
        ("apex.optimizers.FusedAdam(net.parameters())", "zero_grad"),
    ],
)
def test_what_the_base_class_takes_is_known_of_other_libraries(made, method):
    text = f"import apex.optimizers\nimport torchvision\n{HEAD}{made}.{method}(False)\n"
    programs = lower_document(Document.from_text(Path("program.py"), text)).programs
    events = [event for program in programs for event in program.events if isinstance(event, LibraryCall)]
    (call,) = (event for event in events if event.name.endswith(f".{method}"))
    (value,) = (value for name, value in call.bound.items() if name != "self")
    assert value is False
