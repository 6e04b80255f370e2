"""Write ``dllint/frameworks/signatures/operands.json``: what functions and layers ask of operands, found by calls.

Each line is a function, class or layer: the parameters that it needs, those that have to be tensors, those that have to be
whole numbers, the element types that it refuses on processors and graphics cards alike, whether it broadcasts two operands,
which have to be of one type, of which one has to be a tensor, how many axes the only tensor has, and what
:mod:`dllint.dev.tensors_asked` finds. The calls are the samples of torch's own tests, with one argument left out or replaced;
for the other libraries, calls with what fits most functions.

Run as ``python -m dllint.dev.operands``. This is a developer's tool: it imports torch and its test-suite (``expecttest``).
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, Final

from dllint.dev import axes_asked, layer_operands, needed, numpy_functions, pairs, tensorflow_types, tensors_asked
from dllint.dev.calls import NUMBERS, TYPES, UNFIT, cast, raised
from dllint.frameworks import registry

PATH: Final = Path(__file__).parents[1] / "frameworks" / "signatures" / "operands.json"
_SAMPLES: Final = 12


def main() -> None:
    """Write the file."""
    warnings.simplefilter("ignore")
    registry.load("torch.Tensor")
    found = {name: row for same in _operations() for name, row in _rows(same) if row}
    found.update(layer_operands.rows(found))
    required = dict(needed.needed())
    found.update(tensorflow_types.rows(required))
    found.update(numpy_functions.rows())
    for name, params in required.items():
        found[name] = {"needed": params, **found.get(name, {})}
    for name in needed.written_in_python():
        found[name] = {**found.get(name, {}), "once": [True]}
    for name, row in axes_asked.rows():
        found[name] = {**found.get(name, {}), **row}
    for name, row in found.items():
        if row.get("broadcasts") and pairs.is_elementwise(name):
            row["elementwise"] = [True]
    lines = [f"{json.dumps(name)}:{json.dumps(row, separators=(',', ':'))}" for name, row in sorted(found.items())]
    PATH.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    print(f"{len(lines)} functions")


def _operations() -> list[list[Any]]:
    """What torch's tests say of operations, all about one name together."""
    from torch.testing._internal.common_methods_invocations import op_db

    found: dict[str, list[Any]] = {}
    for info in op_db:
        found.setdefault(info.name, []).append(info)
    return list(found.values())


def _rows(same: list[Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """An operation's rows, by the qualified names of its function and method."""
    import torch

    info = same[0]
    calls = [call for one in same for call in _calls(one)]
    known = {dtype for one in same for device in ("cpu", "cuda") for dtype in one.supported_dtypes(device)}
    direct = info.op is _resolved(torch, info.name)  # other samples are of a function that calls it in its own way
    for name in (info.name, *(alias.name for alias in info.aliases)):
        function = _resolved(torch, name)
        if callable(function) and registry.parameters(f"torch.{name}") is not None:
            row = _row(known, function, f"torch.{name}", calls)
            yield f"torch.{name}", {**row, **(_tensors(f"torch.{name}", function, calls) if direct else {})}
        method = getattr(torch.Tensor, name, None)
        if callable(method) and not name.startswith("_") and registry.parameters(f"torch.Tensor.{name}") is not None:
            row = _row(known, method, f"torch.Tensor.{name}", calls)
            yield f"torch.Tensor.{name}", {**row, **(_tensors(f"torch.Tensor.{name}", method, calls) if direct else {})}


def _tensors(name: str, function: Callable[..., Any], calls: list[tuple[list[Any], dict[str, Any]]]) -> dict[str, Any]:
    """What a function asks of the types of several tensors, and of axes."""
    params = [p.name for p in registry.parameters(name) or () if p.kind == "pos"]
    given = [call for call in calls if len(call[0]) <= len(params) and raised(function, *call) is None]
    return tensors_asked.row(function, params, given) if given else {}


def _resolved(module: Any, name: str) -> Any:
    for part in name.split("."):
        module = getattr(module, part, None)
    return module


def _calls(info: Any) -> Iterator[tuple[list[Any], dict[str, Any]]]:
    """Arguments of samples in the usual type, or the first that the operation has."""
    import torch

    dtype = torch.float32 if torch.float32 in info.dtypes else next(iter(sorted(info.dtypes, key=str)), None)
    if dtype is None:
        return
    torch.manual_seed(0)
    try:
        for sample in islice(info.sample_inputs("cpu", dtype), _SAMPLES):
            yield [sample.input, *sample.args], dict(sample.kwargs)
    except Exception:  # some samples need a library or a device
        return


def _row(known: set[Any], function: Callable[..., Any], name: str, calls: list[Any]) -> dict[str, Any]:
    """What a function asks of its arguments; nothing if its samples do not run."""
    import torch

    params = [p.name for p in registry.parameters(name) or () if p.kind == "pos"]
    given = [call for call in calls if raised(function, *call) is None and len(call[0]) <= len(params)]
    if not given and len(params) > 1:  # a sample may name the tensor first, whatever the function does
        given = [call for call in map(_exchanged, calls) if raised(function, *call) is None]
    named = ((args[:1], {**dict(zip(params[1:], args[1:], strict=False)), **kwargs}) for args, kwargs in given)
    if not given or any(raised(function, *call) is not None for call in named):
        return {}  # of several signatures, the one that is known is not that of the samples
    row = {
        "tensors": _always(function, given, params, torch.Tensor, NUMBERS),
        "given": _always(function, given, params, torch.Tensor, (None,)),
        "whole": _always(function, given, params, int, (1.5,)),
        "plain": _always(function, given, params, int, (torch.ones(2, 3),)),
        "needed": _needed(function, given, params),
        "refused": _refused(known, function, given),
        "single": params[:1] if _takes_one_element(function) else [],
        "broadcasts": params[:2] if _broadcasts(function, given) else [],
    }
    if not name.startswith("torch.Tensor.") and not {*params[:2]} & {*row["tensors"]} and _takes_a_tensor(function, given):
        row["either"] = params[:2]
    return {key: value for key, value in row.items() if value}


def _always(
    function: Callable[..., Any], calls: list[Any], params: list[str], kind: type, others: tuple[Any, ...]
) -> list[str]:
    """The parameters whose arguments of a kind cannot be replaced by others in any call."""
    fits: dict[str, bool] = {}
    for args, kwargs in calls:
        places: list[Any] = [*range(len(args)), *kwargs]
        for place in places:
            value = args[place] if isinstance(place, int) else kwargs[place]
            if not isinstance(value, kind) or isinstance(value, bool):
                continue
            name = params[place] if isinstance(place, int) else place
            for other in others:
                changed = [other if n == place else a for n, a in enumerate(args)]
                options = {k: other if k == place else v for k, v in kwargs.items()}
                error = raised(function, changed, options)
                fits[name] = fits.get(name, False) or not isinstance(error, UNFIT)
    return sorted(name for name, taken in fits.items() if not taken)


def _needed(function: Callable[..., Any], calls: list[Any], params: list[str]) -> list[str]:
    """The parameters without which every call raises."""
    fits: dict[str, bool] = {}
    for args, kwargs in calls:
        for count in range(1, len(args)):
            error = raised(function, args[:count], {})
            fits[params[count]] = fits.get(params[count], False) or not isinstance(error, TypeError)
        for key in kwargs:
            fewer = [{k: v for k, v in kwargs.items() if k != key}, {}]
            errors = [raised(function, args[:count], options) for options in fewer for count in {1, len(args)}]
            fits[key] = fits.get(key, False) or not all(isinstance(error, TypeError) for error in errors)
    always = [name for number, name in enumerate(params) if all(number < len(args) or name in kwargs for args, kwargs in calls)]
    return [name for name in always if name in fits and not fits[name]]


def _refused(known: set[Any], function: Callable[..., Any], calls: list[Any]) -> list[str]:
    """The element types that no kernel takes, and that no call runs with where all tensors of the first one's type have it."""
    import torch

    out = []
    for name in TYPES:
        dtype = getattr(torch, name)
        changed = [([cast(a, args[0], dtype) for a in args], {k: cast(v, args[0], dtype) for k, v in kwargs.items()})
                   for args, kwargs in calls if isinstance(args[0], torch.Tensor)]  # fmt: skip
        if dtype not in known and changed and all(raised(function, *call) is not None for call in changed):
            out.append(name)
    return out


def _exchanged(call: tuple[list[Any], dict[str, Any]]) -> tuple[list[Any], dict[str, Any]]:
    args, kwargs = call
    return [*args[:2][::-1], *args[2:]], kwargs


def _takes_one_element(function: Callable[..., Any]) -> bool:
    """Whether a function of one tensor takes those with one element only, whatever their shape."""
    import torch

    def runs(*shape: int) -> bool:
        return raised(function, [torch.ones(shape)], {}) is None

    return all(runs(*shape) for shape in ((), (1,), (1, 1))) and not any(runs(*shape) for shape in ((2,), (2, 1), (1, 3), (0,)))


def _takes_a_tensor(function: Callable[..., Any], calls: list[Any]) -> bool:
    """Whether one of two operands may be a number, but not both."""
    import torch

    x = next((args[0] for args, _ in calls if len(args) == 2 and isinstance(args[0], torch.Tensor)), None)
    if x is None or all(raised(function, call, {}) is not None for number in NUMBERS for call in ([x, number], [number, x])):
        return False
    return all(isinstance(raised(function, [a, b], {}), TypeError) for a in NUMBERS for b in NUMBERS)


def _broadcasts(function: Callable[..., Any], calls: list[Any]) -> bool:
    """Whether two tensors alone are operands of which each is broadcast to the other."""
    import torch

    if not any(len(args) == 2 and all(isinstance(a, torch.Tensor) for a in args) and not kwargs for args, kwargs in calls):
        return False
    dtype = next(args[0].dtype for args, _ in calls)

    def runs(*shapes: tuple[int, ...]) -> bool:
        return raised(function, [torch.ones(shape, dtype=dtype) for shape in shapes], {}) is None

    fitting = (((3, 4), (3, 4)), ((3, 4), (4,)), ((1, 4), (3, 1)), ((2, 1, 4), (3, 1)))
    unfit = (((3, 4), (3, 5)), ((3, 4), (2, 4)), ((5,), (4,)))
    return all(runs(*pair) for pair in fitting) and not any(runs(*pair) for pair in unfit)


if __name__ == "__main__":
    main()
