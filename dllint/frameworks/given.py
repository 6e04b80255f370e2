"""Reading a handler's arguments by a signature written as text."""

from __future__ import annotations

from dllint.frameworks import registry
from dllint.frameworks.binding import Param, bind, defaults
from dllint.ir.values import Arguments, Value, unwrap


def given(signature: str, arguments: Arguments) -> dict[str, Value]:
    """The arguments by parameter name, defaults filled in, without the marks of defaults.

    A required parameter that was not given is absent; one that an unknown ``*args`` or ``**kwargs`` may give is Unknown.
    """
    return _bound(registry.parameters("", signature) or (), arguments)


def given_to(name: str, arguments: Arguments) -> dict[str, Value]:
    """The same by the signature of the library's callable ``name``; what its ``**kwargs`` take stands under its own name."""
    return {**arguments.kwargs, **_bound(registry.parameters(name) or (), arguments)}


def _bound(params: tuple[Param, ...], arguments: Arguments) -> dict[str, Value]:
    bound = bind(params, arguments)
    return {**defaults(params, bound), **{name: unwrap(value) for name, value in bound.values.items()}}
