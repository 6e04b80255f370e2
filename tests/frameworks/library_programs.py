"""Short programs that bind ``out``: what dllint infers of it, and what the libraries make of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from dllint.domains.lattice import Unknown
from dllint.ir.program import TensorVal
from dllint.ir.values import Value
from dllint.lower.document import lower_document
from dllint.source.document import Document


def inferred(program: str) -> Value:
    """The abstract value of ``out``; the program has no fault."""
    lowered = lower_document(Document.from_text(Path("program.py"), program))
    assert lowered.failures == []
    assert [fault for p in lowered.programs for op in p.ops for fault in op.faults] == []
    return lowered.module.attrs["out"]


def executed(program: str) -> Any:
    """What ``out`` really is."""
    names: dict[str, Any] = {}
    exec(compile(program, "program.py", "exec"), names)
    return names["out"]


def assert_known(value: Value, sizes: tuple[int | None, ...]) -> None:
    """A tensor has these sizes; ``None`` stands for one that is not a number."""
    assert isinstance(value, TensorVal)
    assert not isinstance(value.shape, Unknown)
    assert tuple(size if isinstance(size, int) else None for size in value.shape) == sizes


def assert_real(shape: tuple[int, ...], sizes: tuple[int | None, ...]) -> None:
    """The real shape has the sizes that are claimed."""
    assert len(shape) == len(sizes)
    assert all(size is None or size == actual for size, actual in zip(sizes, shape, strict=True))
