"""Autograd functions of torch: code whose derivative is written by hand.

While a ``torch.autograd.Function`` is applied, autograd records nothing: a gradient passes from its results to its arguments by
``backward``, whatever ``forward`` calls on the way (PyTorch documentation, "Extending PyTorch").
"""

from __future__ import annotations

from collections.abc import Iterator

from dllint.analysis.ranges.uses import inside
from dllint.ir.events import FUNCTION_CONTEXT, OWN_GRADIENT
from dllint.ir.program import Program
from dllint.ir.values import ClassVal, InstanceVal, LibSymbol, Value


def written_by_hand(program: Program) -> frozenset[int]:
    """The operations (by ``id``) of a program that are run by an autograd function, or stand in one of its methods."""
    own = (id(op) for op in program.ops if isinstance(op.owner, InstanceVal) and _is_function(op.owner))
    return inside(program, (OWN_GRADIENT,)) | frozenset(own)


def _is_function(owner: InstanceVal) -> bool:
    return any(isinstance(base, LibSymbol) and base.name in (OWN_GRADIENT, FUNCTION_CONTEXT) for base in _bases(owner.cls))


def _bases(cls: Value) -> Iterator[Value]:
    yield from cls.mro if isinstance(cls, ClassVal) else (cls,)
