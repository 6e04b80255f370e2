"""Run a program abstractly, and with torch itself, and compare what its top level binds."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

from dllint.domains.dtype import DType
from dllint.domains.lattice import Unknown
from dllint.ir.program import TensorVal
from dllint.ir.values import Assumed, ListVal
from dllint.lower.document import Lowered, lower_document
from dllint.source.document import Document

HEADER = "import torch\nfrom torch import nn\nimport torch.nn.functional as F\n"


def lowered(text: str) -> Lowered:
    """The traces of a program (``torch``, ``nn`` and ``F`` are imported)."""
    return lower_document(Document.from_text(Path("program.py"), HEADER + textwrap.dedent(text)))


def analysed(text: str) -> dict[str, Any]:
    """What the program's top level binds, abstractly."""
    found = lowered(text)
    assert found.failures == []
    return found.module.attrs


def faults(text: str) -> list[str]:
    """The kinds of all faults found, in order."""
    return [fault.kind for program in lowered(text).programs for op in program.ops for fault in op.faults]


def plain(value: Any) -> Any:
    """An abstract value in a form that can be compared: tensors as (shape, dtype)."""
    if isinstance(value, Assumed):
        return plain(value.value)
    if isinstance(value, TensorVal):
        dtype = value.dtype.name if isinstance(value.dtype, DType) else "?"
        return ("?" if isinstance(value.shape, Unknown) else value.shape, dtype)
    if isinstance(value, ListVal):
        return tuple(map(plain, value.items))
    return tuple(map(plain, value)) if isinstance(value, tuple) else value


def concrete(value: Any) -> Any:
    """A real value in the same form."""
    import torch

    if isinstance(value, torch.Tensor):
        return (tuple(value.shape), str(value.dtype).removeprefix("torch."))
    return tuple(map(concrete, value)) if isinstance(value, list | tuple) else value


def assert_as_torch(text: str) -> None:
    """Every top-level tensor, number, string and tuple of these is what torch gives."""
    real: dict[str, Any] = {}
    exec(HEADER + textwrap.dedent(text), real)
    abstract = analysed(text)
    kinds = (int, float, str, bool, list, tuple)
    import torch

    for name, value in real.items():
        if name.startswith("_") or name not in abstract or not isinstance(value, (*kinds, torch.Tensor)):
            continue
        assert plain(abstract[name]) == concrete(value), name
