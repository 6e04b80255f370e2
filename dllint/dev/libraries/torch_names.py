"""The public names of torch whose signatures the torch tables bind with."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from dllint.dev.signatures import of_object, public
from dllint.dev.stubs import Signature, of_stub

#: Modules whose public functions and classes are listed under the module's own name.
MODULES: Final = (
    "torch", "torch.nn", "torch.nn.functional", "torch.nn.init", "torch.nn.utils", "torch.nn.utils.rnn", "torch.nn.parallel",
    "torch.optim", "torch.optim.lr_scheduler", "torch.linalg", "torch.special", "torch.fft", "torch.utils.data",
    "torch.utils.checkpoint", "torch.autograd", "torch.amp", "torch.func",
)  # fmt: skip
#: Classes whose methods are listed, too.
CLASSES: Final = (
    "torch.Tensor", "torch.nn.Module", "torch.nn.Sequential", "torch.nn.ModuleList", "torch.nn.ModuleDict",
    "torch.nn.ParameterList", "torch.nn.ParameterDict", "torch.nn.MultiheadAttention", "torch.nn.Embedding",
    "torch.optim.Optimizer", "torch.optim.LBFGS", "torch.optim.lr_scheduler.LRScheduler",
)  # fmt: skip


#: Of these, classes whose descendants have methods with other parameters, which are listed under the descendant.
BASES: Final = ("torch.optim.Optimizer", "torch.optim.lr_scheduler.LRScheduler")


def _object(name: str) -> Any:
    module, _, attribute = name.rpartition(".")
    return getattr(importlib.import_module(module), attribute)


def names() -> Iterator[tuple[str, Any]]:
    """Every public callable of the listed modules and classes, and the methods of layers that not all modules have."""
    for module in MODULES:
        yield from public(importlib.import_module(module), module)
    for name in CLASSES:
        yield from public(_object(name), name)
    for name in BASES:
        yield from _overriding(name)
    module = _object("torch.nn.Module")
    for layer, cls in public(importlib.import_module("torch.nn"), "torch.nn", inspect.isclass):
        if issubclass(cls, module):
            methods = public(cls, layer, inspect.isroutine)
            yield from ((name, method) for name, method in methods if not hasattr(module, name.rpartition(".")[2]))


def _overriding(name: str) -> Iterator[tuple[str, Any]]:
    """The methods of descendants, beside the class ``name``, whose signatures differ from those of its own methods."""
    base, module = _object(name), name.rpartition(".")[0]
    for full, cls in public(importlib.import_module(module), module, inspect.isclass):
        if issubclass(cls, base):
            for method, value in public(cls, full, inspect.isroutine):
                theirs = getattr(base, method.rpartition(".")[2], None)
                if theirs is not None and _parameters(theirs) != _parameters(value):
                    yield method, value


def _parameters(function: Any) -> list[tuple[str, Any]]:
    """What counts of a signature where calls are bound: names and kinds."""
    return [(p.name, p.kind) for p in inspect.signature(function).parameters.values()]


def stubs() -> dict[str, Signature]:
    """Signatures that only the stubs of torch have (its C functions and tensor methods)."""
    root = Path(str(importlib.import_module("torch").__file__)).parent
    sources = (
        ("torch", of_stub(root / "_C" / "_VariableFunctions.pyi")),
        ("torch.Tensor", of_stub(root / "_C" / "__init__.pyi", "TensorBase")),
        ("torch.nn.functional", of_stub(root / "_C" / "_nn.pyi") | of_stub(root / "nn" / "functional.pyi")),
    )
    return {f"{prefix}.{name}": signature for prefix, found in sources for name, signature in found.items()}


def closed() -> dict[str, Signature]:
    """Signatures of classes whose constructors only pass on what their base takes."""
    return {"torch.nn.NLLLoss2d": of_object(_object("torch.nn.NLLLoss")) or []}


#: C functions of ``torch.nn.functional`` that take ``out``, which no signature has.
_WRITING: Final = ("avg_pool2d", "avg_pool3d", "gelu", "hardshrink", "linear", "logsigmoid", "softplus", "softshrink")
#: Methods that convert to an element type, in a layout of memory.
_CONVERTING: Final = ("bfloat16", "bool", "byte", "char", "double", "float", "half", "int", "long", "short", "type")


def more() -> dict[str, Signature]:
    """Keywords that no signature has."""
    writing = {f"torch.nn.functional.{name}": [["out", "only", None]] for name in _WRITING}
    return writing | {f"torch.Tensor.{name}": [["memory_format", "only", None]] for name in _CONVERTING}
