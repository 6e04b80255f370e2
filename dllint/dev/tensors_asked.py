"""What functions of torch ask of several tensors and of the axes that they are given, found by calling them: which tensors have
to be of the first one's type, which types the others may have, how many axes they have at least, which numbers are axes, and
whether ``out`` has to be of the result's type."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any, Final

from dllint.dev.calls import TYPES, raised
from dllint.dev.calls import cast as converted

#: A call: the arguments by position, and by name.
Call = tuple[list[Any], dict[str, Any]]
#: Automatic casts make others of these.
_HALVES: Final = ("float16", "bfloat16")
_WHOLE: Final = tuple(name for name in TYPES if name not in _HALVES)
#: The names of axes.
_AXES: Final = ("dim", "axis", "dim0", "dim1", "dim2", "axis0", "axis1")
#: What a kernel of processors says that others need not say.
_OF_KERNEL: Final = re.compile(r"expected scalar type|not implemented for|cpu|INTERNAL ASSERT", re.IGNORECASE)
_SAMPLES: Final = 6
_MOST_AXES: Final = 3


def row(function: Callable[..., Any], params: list[str], calls: list[Call]) -> dict[str, Any]:
    """What a function with these parameters asks; nothing of it if its samples tell nothing."""
    full = [call for call in calls if call[0] and all(map(_is_full, (*call[0], *call[1].values())))]
    some = full[:: max(1, len(full) // _SAMPLES)]
    mine = [call for call in some if isinstance(call[0][0], torch_tensor()) and not {*params[: len(call[0])]} & {*call[1]}]
    mine = [] if {"alpha", "beta"} & {*params} else mine  # the signature is that of an older order
    if not mine:
        return {}
    alike = [name for name in _others(params, mine) if _is_alike(function, params, mine, name)]
    kinds = {name: taken for name in _others(params, mine) if (taken := _taken(function, params, mine, name))}
    found = {
        "alike": [params[0], *alike] if alike else [],
        "kinds": {name: taken for name, taken in kinds.items() if len(taken) < len(TYPES)},
        "axes": [name for name in _AXES if _is_axis(function, params, calls, name)],
        "exact": _exact(function, mine),
        "least": dict(_least(function, params, mine)),
    }
    return {key: value for key, value in found.items() if value}


def torch_tensor() -> Any:
    """The class of tensors; torch is imported late, since a developer's tool need not be run with it."""
    import torch

    return torch.Tensor


def _is_full(value: Any) -> bool:
    """Whether what is given, if it is a tensor, has an axis and elements: else types may not be looked at."""
    return not isinstance(value, torch_tensor()) or bool(value.ndim and value.numel())


def _others(params: list[str], calls: list[Call]) -> list[str]:
    """The parameters after the first that are given tensors."""
    found: dict[str, None] = {}
    for args, kwargs in calls:
        named = {**dict(zip(params, args, strict=False)), **kwargs}
        found.update(dict.fromkeys(name for name, value in named.items() if isinstance(value, torch_tensor())))
    return [name for name in found if name != params[0]]


def _get(params: list[str], call: Call, name: str) -> Any:
    args, kwargs = call
    return kwargs[name] if name in kwargs else dict(zip(params, args, strict=False)).get(name)


def _with(params: list[str], call: Call, name: str, value: Any) -> Call:
    """A call with another value for a parameter that it gives."""
    args, kwargs = call
    if name in kwargs:
        return args, {**kwargs, name: value}
    place = params.index(name)
    return [*args[:place], value, *args[place + 1 :]], kwargs


def _in_type(call: Call, name: str) -> Call:
    """A call with all tensors of the first one's type in another."""
    import torch

    args, kwargs = call
    dtype = getattr(torch, name)
    return [converted(a, args[0], dtype) for a in args], {
        key: converted(value, args[0], dtype) for key, value in kwargs.items()
    }


def _typed(params: list[str], call: Call, name: str, dtype: str) -> Call:
    """A call with one tensor in another type."""
    import torch

    return _with(params, call, name, _get(params, call, name).detach().to(getattr(torch, dtype)))


def _is_refused(function: Callable[..., Any], call: Call) -> bool:
    """Whether a call raises, whatever the device: also for tensors without elements, or not in the words of a kernel."""
    error = raised(function, *call)
    return error is not None and (not _OF_KERNEL.search(str(error)) or raised(function, *_abstract(call)) is not None)


def _abstract(call: Call) -> Call:
    args, kwargs = call
    return [_meta(a) for a in args], {key: _meta(value) for key, value in kwargs.items()}


def _meta(value: Any) -> Any:
    return value.detach().to("meta") if isinstance(value, torch_tensor()) else value


def _is_alike(function: Callable[..., Any], params: list[str], calls: list[Call], name: str) -> bool:
    """Whether every call raises in which a tensor and the first one are of two types, though all types may change together."""
    given = [call for call in calls if isinstance(_get(params, call, name), torch_tensor())]
    given = [call for call in given if _get(params, call, name).dtype == call[0][0].dtype]
    bases = []
    for base in _WHOLE:
        run = [changed for call in given if raised(function, *(changed := _in_type(call, base))) is None]
        bases += [base] * bool(run)
        for call in run:
            for other in _WHOLE:
                if other != base and not all(_is_refused(function, _typed(params, call, one, other))
                                             for one in (name, params[0])):  # fmt: skip
                    return False
    return len(bases) > 1


def _taken(function: Callable[..., Any], params: list[str], calls: list[Call], name: str) -> list[str]:
    """The types that a tensor may have in some call, whatever the types of the others."""
    given = [call for call in calls if isinstance(_get(params, call, name), torch_tensor())]
    fitting = [changed for base in TYPES for call in given if raised(function, *(changed := _in_type(call, base))) is None]
    return [dtype for dtype in TYPES
            if any(not _is_refused(function, _typed(params, call, name, dtype)) for call in fitting)]  # fmt: skip


def _least(function: Callable[..., Any], params: list[str], calls: list[Call]) -> Iterator[tuple[str, int]]:
    """The fewest axes of each of two or three tensors with which some call runs, if there are any."""
    given = [call for call in calls if all(isinstance(value, torch_tensor()) for value in call[0]) and 2 <= len(call[0]) <= 3]
    if not given or len({len(args) for args, _ in given}) > 1 or any(_others(params, [([], kwargs)]) for _, kwargs in given):
        return
    args, options = given[0][0], list({str(kwargs): kwargs for _, kwargs in given}.values())
    for place, name in enumerate(params[: len(args)]):
        runs = (any(_runs(function, args, shapes, kwargs) for shapes in _shapes(len(args), place, axes) for kwargs in options)
                for axes in range(_MOST_AXES + 1))  # fmt: skip
        least = next((axes for axes, found in enumerate(runs) if found), 0)
        if least:
            yield name, least


def _shapes(count: int, place: int, axes: int) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Shapes of so many tensors, of which the one at a place has so many axes."""
    sizes = (0, 1, 2) if count == 2 else (1, 2)
    every = [shape for rank in range(_MOST_AXES + 1) for shape in product(sizes, repeat=rank)]
    mine = [shape for shape in every if len(shape) == axes]
    yield from product(*(mine if number == place else every for number in range(count)))


def _runs(function: Callable[..., Any], args: list[Any], shapes: tuple[tuple[int, ...], ...], kwargs: dict[str, Any]) -> bool:
    import torch

    return raised(function, [torch.ones(s, dtype=a.dtype) for s, a in zip(shapes, args, strict=True)], kwargs) is None


def _is_axis(function: Callable[..., Any], params: list[str], calls: list[Call], name: str) -> bool:
    """Whether a number is an axis of the first tensor: no other number is taken, nor for a tensor without elements."""
    given = [call for call in calls if call[0] and isinstance(call[0][0], torch_tensor()) and call[0][0].ndim]
    given = [call for call in given if type(_get(params, call, name)) is int]
    outside = [(_with(params, call, name, axis), call[0][0]) for call in given for axis in _outside(call[0][0].ndim)]
    return bool(given) and all(
        isinstance(raised(function, args, kwargs), IndexError) and raised(function, [x[:0], *args[1:]], kwargs) is not None
        for (args, kwargs), x in outside
    )


def _outside(rank: int) -> Iterator[int]:
    yield from (rank, rank + 1, rank + 4, -rank - 1, -rank - 2, -rank - 5)


def _exact(function: Callable[..., Any], calls: list[Call]) -> list[str]:
    """``result`` if ``out`` has to have the type of the result, every part of it; ``first`` as well if that is the first
    tensor's."""
    kept = True
    bases = set()
    for base in ("float32", "float64", "int64", "complex64"):
        for args, kwargs in (_in_type(call, base) for call in calls):
            try:
                result = function(*args, **kwargs)
            except Exception:  # of another type
                continue
            if not _refuses_others(function, (args, kwargs), result):
                return []
            kept = kept and isinstance(result, torch_tensor()) and result.dtype == args[0].dtype
            bases.add(base)
    return ["result", *["first"] * (kept and len(bases) > 1)] if bases else []


def _refuses_others(function: Callable[..., Any], call: Call, result: Any) -> bool:
    """Whether results are written to tensors of their own types only."""
    args, kwargs = call
    parts = result if isinstance(result, tuple) else (result,)
    if not all(isinstance(part, torch_tensor()) for part in parts) or raised(
        function, args, {**kwargs, "out": _places(result)}
    ):
        return False
    others = ((n, other) for n, part in enumerate(parts) for other in _WHOLE if f"torch.{other}" != str(part.dtype))
    return all(raised(function, args, {**kwargs, "out": _places(result, n, other)}) is not None for n, other in others)


def _places(result: Any, number: int = -1, other: str = "") -> Any:
    """Tensors that take a result, one of them of another type."""
    import torch

    parts = result if isinstance(result, tuple) else (result,)
    made = tuple(torch.empty(part.shape, dtype=getattr(torch, other) if at == number else part.dtype)
                 for at, part in enumerate(parts))  # fmt: skip
    return made if isinstance(result, tuple) else made[0]
