"""Whether a call fits the signature of a library function: one that does not raises, or belongs to a release whose signature
is not known, and what it gives is not known either."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from dllint.frameworks import registry
from dllint.frameworks.binding import Bound, Param
from dllint.frameworks.keras.renames import KEYWORDS
from dllint.frameworks.rows import EMPTY

#: numpy's spelling of a parameter, which all functions of torch that are written in C take → torch's own.
_AS_NUMPY: Final = {"axis": "dim", "keepdims": "keepdim", "x": "input", "a": "input", "x1": "input", "x2": "other"}
#: Classes whose methods are functions of their objects.
_TENSORS: Final = frozenset({"torch.Tensor", "numpy.ndarray"})
#: Kinds of parameters that take any keyword.
_ANY_KEYWORD: Final = frozenset({"kwargs", "open"})


def misfits(name: str, params: tuple[Param, ...], bound: Bound, taken: Mapping[str, str] = EMPTY) -> bool:
    """Whether a function has no place for an argument of a call. ``taken`` are keywords of other releases that are known."""
    if bound.surplus:
        return True
    if not bound.unbound or any(param.kind in _ANY_KEYWORD for param in params):
        return False
    known = {param.name for param in params}
    return any(not _is_taken(name, keyword, known, taken) for keyword in bound.unbound)


def _is_taken(name: str, keyword: str, known: Collection[str], taken: Mapping[str, str]) -> bool:
    if keyword in known or keyword in taken or keyword in KEYWORDS.get(name, EMPTY):
        return True
    return name.startswith("torch.") and _AS_NUMPY.get(keyword) in known


def is_function(name: str) -> bool:
    """Whether a library name is that of a function, or of a method of tensors or arrays, and not of a class or its method."""
    owner, _, last = name.rpartition(".")
    is_of_class = owner.rpartition(".")[2][:1].isupper()
    return not last[:1].isupper() and (not is_of_class or owner in _TENSORS) and registry.layer_row(name) is None
