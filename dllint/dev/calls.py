"""Calls of functions of torch with other arguments than those that fit, and what they raise."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

TYPES: Final = ("float32", "float64", "float16", "bfloat16", "int64", "int32", "int16", "int8", "uint8", "bool", "complex64",
                "complex128")  # fmt: skip
NUMBERS: Final = (2, 0.5, True)
#: What a call raises that does not take an argument's kind.
UNFIT: Final = (TypeError, AttributeError)


def raised(function: Callable[..., Any], args: list[Any], kwargs: dict[str, Any]) -> Exception | None:
    """What a call raises."""
    import torch

    try:
        with torch.no_grad():
            function(*[_copy(a) for a in args], **kwargs)
    except Exception as error:
        return error
    return None


def _copy(value: Any) -> Any:
    import torch

    return value.detach().clone() if isinstance(value, torch.Tensor) else value


def cast(value: Any, first: Any, dtype: Any) -> Any:
    """An argument in another element type, if it is a tensor of the type of the first one."""
    import torch

    return value.detach().to(dtype) if isinstance(value, torch.Tensor) and value.dtype == first.dtype else value


def irreplaceable(
    build: Callable[[], Callable[..., Any]], args: list[Any], params: list[str], others: tuple[Any, ...]
) -> Iterator[str]:
    """The parameters whose tensors can be replaced by none of some values."""
    import torch

    for place, value in enumerate(args):
        if isinstance(value, torch.Tensor):
            errors = [raised(build(), [*args[:place], other, *args[place + 1 :]], {}) for other in others]
            if all(isinstance(error, UNFIT) for error in errors):
                yield params[place]


def refused_types(build: Callable[[], Callable[..., Any]], args: list[Any], kwargs: dict[str, Any]) -> Iterator[str]:
    """The element types in which a call raises."""
    import torch

    if not args or not isinstance(args[0], torch.Tensor):
        return
    for name in TYPES:
        dtype = getattr(torch, name)
        changed = [cast(a, args[0], dtype) for a in args], {k: cast(v, args[0], dtype) for k, v in kwargs.items()}
        if raised(build(), *changed) is not None:
            yield name
