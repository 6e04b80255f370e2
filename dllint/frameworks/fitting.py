"""Whether a call fits the signature of a library function.

A call that does not fit is not followed and its result is unknown: it raises, or it is for a release whose signature is not
known. ``signatures/*.json`` are complete for what is followed (tested against the installed releases). numpy's spellings of
torch's parameters are replaced first; keywords of older releases are in the rows.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Final

from dllint.frameworks import registry
from dllint.frameworks.binding import Bound, Param, bind
from dllint.frameworks.keras.renames import KEYWORDS
from dllint.frameworks.machine import HANDLERS
from dllint.frameworks.rows import EMPTY, FunctionRow
from dllint.ir.values import Arguments, ClassVal, InstanceVal, LibSymbol, Value

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


def in_own_spelling(name: str, arguments: Arguments) -> Arguments:
    """The arguments of a call of torch with numpy's spellings of its parameters replaced by its own."""
    if not name.startswith("torch.") or _AS_NUMPY.keys().isdisjoint(arguments.kwargs):
        return arguments
    known = {param.name for param in registry.parameters(name) or ()}
    own = {word: _AS_NUMPY[word] for word in arguments.kwargs if word not in known and _AS_NUMPY.get(word) in known}
    if not own:
        return arguments
    kwargs = {own.get(word, word): value for word, value in arguments.kwargs.items()}
    nodes = {own.get(key, key) if isinstance(key, str) else key: node for key, node in arguments.nodes.items()}
    return replace(arguments, kwargs=kwargs, nodes=nodes)


def own_method(name: str, receiver: Value) -> str:
    """The name of a method in the class of its receiver, if that class has a signature of its own, or is of another library,
    whose methods nobody knows: `step` of `ReduceLROnPlateau` has other parameters than that of `LRScheduler`, under whose name
    it is followed."""
    if not isinstance(receiver, InstanceVal):
        return name
    classes = receiver.cls.mro if isinstance(receiver.cls, ClassVal) else (receiver.cls,)
    nearest = next((cls.name for cls in classes if isinstance(cls, LibSymbol)), "")
    own = f"{nearest}.{name.rpartition('.')[2]}"
    is_known = registry.parameters(own) is not None
    return own if is_known or (nearest and nearest.partition(".")[0] != name.partition(".")[0]) else name


def bind_function(name: str, row: FunctionRow | None, arguments: Arguments) -> Bound | None:
    """Bind a call by the signature of a function; ``None`` if nobody knows it."""
    params = registry.parameters(name, row.params if row is not None else "")
    return bind(params, arguments) if params is not None else None


def bind_method(name: str, row: FunctionRow | None, receiver: Value, arguments: Arguments) -> Bound | None:
    """Bind by the receiver's own class. One of another library takes what its base class takes, and perhaps more."""
    given, own = with_receiver(receiver, arguments), own_method(name, receiver)
    bound = bind_function(own, row, given)
    base = bind_function(name, row, given) if bound is None and own != name else None
    return base if base is not None and not (base.unbound or base.surplus or base.missing) else bound


def with_receiver(receiver: Value, arguments: Arguments) -> Arguments:
    """The arguments of a method, its receiver the first of them."""
    nodes = {(k + 1 if isinstance(k, int) else k): v for k, v in arguments.nodes.items()}
    return Arguments((receiver, *arguments.args), arguments.kwargs, arguments.star, arguments.double_star, nodes)


def row_misfits(name: str, row: FunctionRow | None, bound: Bound | None) -> bool:
    """Whether a function does not accept an argument. Old keywords that its row or its library's tables list are accepted."""
    if bound is None or not is_function(name):
        return False
    params = registry.parameters(name, row.params if row is not None else "") or ()
    return misfits(name, params, bound, row.rename if row is not None else EMPTY)


def lacks_keyword(name: str, keyword: str) -> bool:
    """Whether a function of torch that is followed surely has no such keyword."""
    row = registry.function_row(name)
    params = registry.parameters(name, row.params if row is not None else "")
    if params is None or not name.startswith("torch.") or not is_function(name) or (row is None and name not in HANDLERS):
        return False
    return misfits(name, params, Bound(unbound={keyword: None}), row.rename if row is not None else EMPTY)


def is_function(name: str) -> bool:
    """Whether a library name is that of a function, or of a method of tensors or arrays, and not of a class or its method."""
    owner, _, last = name.rpartition(".")
    is_of_class = owner.rpartition(".")[2][:1].isupper()
    return not last[:1].isupper() and (not is_of_class or owner in _TENSORS) and registry.layer_row(name) is None
