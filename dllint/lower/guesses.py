"""Tensor arguments whose library is guessed: methods that treat them as torch tensors although no code names torch.

A class without a base of a library, in a file that does not speak of torch, may be given tensors or arrays. What both have is
the same for both here; methods that they share by name take other arguments (``x.transpose(1, 0)``, ``x.max(1)``, ``x.dot(y)``
of matrices), so that nothing is known of their results and nothing is wrong with their calls.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from dllint.domains.lattice import Unknown
from dllint.ir.program import TensorVal
from dllint.ir.values import FuncVal, Value
from dllint.lower import mro
from dllint.lower.names import speaks_of

if TYPE_CHECKING:
    from dllint.lower.state import Identities

_LIBRARIES: Final = ("torch.", "keras.", "tensorflow.", "pytorch_lightning.", "lightning.")
_DEEPEST: Final = 16


def is_guess(func: FuncVal) -> bool:
    """Whether nothing but its place in a method shows of which library a parameter's tensor is."""
    bases = mro.library_bases(func.owner) if func.owner is not None else []
    named = func.document is not None and func.document.answer(speaks_of, "torch")
    return not named and not any(base.startswith(_LIBRARIES) for base in bases)


def rests_on_guess(known: Identities, value: Value) -> bool:
    """Whether a tensor is computed from an argument whose library is guessed."""
    return _rests_on(value, lambda tensor: bool(known.presumed.get(tensor)))


def rests_on_presumption(known: Identities, value: Value) -> bool:
    """Whether a tensor is computed from an argument without a type, which may be an array of numpy."""
    return _rests_on(value, lambda tensor: tensor in known.presumed)


def rests_on_input(value: Value) -> bool:
    """Whether a tensor is computed from what came from outside, and of which nothing is known but that it is used like one."""
    return _rests_on(value, lambda tensor: tensor.producer is None and isinstance(tensor.shape, Unknown))


def _rests_on(value: Value, test: Callable[[TensorVal], bool]) -> bool:
    todo, seen = [value], 0
    while todo and seen < _DEEPEST:
        seen += 1
        tensor = todo.pop()
        if not isinstance(tensor, TensorVal) or tensor.framework != "torch":
            continue
        if test(tensor):
            return True
        todo.extend(tensor.producer.inputs if tensor.producer is not None else ())
    return False
