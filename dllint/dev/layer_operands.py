"""What layers of torch ask of the tensors that they are called with, found by calls with the samples of torch's tests."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import islice
from typing import Any, Final

from dllint.dev import calls
from dllint.frameworks import registry
from dllint.frameworks.rows import LayerRow

_SAMPLES: Final = 6
#: Layers whose functions have names of their own.
_FUNCTIONS: Final = {
    "KLDivLoss": "kl_div",
    "BCELoss": "binary_cross_entropy",
    "BCEWithLogitsLoss": "binary_cross_entropy_with_logits",
    "Softmax2d": "softmax",
}
_WORDS: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_PADDED: Final = re.compile(r"(Zero|Constant|Reflection|Replication|Circular)Pad\dd")


def rows(functions: Mapping[str, Mapping[str, Any]]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The rows of layers, by the names of their calls. ``functions`` are those of functions: what they take, layers take."""
    from torch.testing._internal.common_modules import module_db

    for info in module_db:
        name = f"torch.nn.{info.module_cls.__name__}"
        row = registry.layer_row(name)
        if row is not None and (found := _row(info, row, functions)):
            yield f"{name}.__call__", found


def _row(info: Any, layer: LayerRow, functions: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    params = [p.name for p in registry.parameters(f"{layer.name}.__call__", layer.call) or () if p.kind == "pos"]
    tensors, given, needed, refused, made = set(params), set(params), set(params), set(calls.TYPES), 0
    for build, args, kwargs in _samples(info):
        if calls.raised(build(), args, kwargs) is not None or len(args) > len(params):
            continue
        made += 1
        tensors &= set(calls.irreplaceable(build, args, params, calls.NUMBERS))
        given &= set(calls.irreplaceable(build, args, params, (None,)))
        needed &= {params[n] for n in range(1, len(args)) if isinstance(calls.raised(build(), args[:n], {}), TypeError)}
        refused &= set(calls.refused_types(build, args, kwargs))
    if not made:
        return {}
    function = functions.get(f"torch.nn.functional.{_function(info.module_cls.__name__)}", {})
    refused &= set(() if layer.trainable else function.get("refused", ()))
    found = {"tensors": sorted(tensors), "given": sorted(given), "needed": [p for p in params if p in needed],
             "refused": [name for name in calls.TYPES if name in refused]}  # fmt: skip
    return {key: value for key, value in found.items() if value}


def _samples(info: Any) -> Iterator[tuple[Callable[[], Any], list[Any], dict[str, Any]]]:
    """How a layer is built, and what it is called with."""
    import torch

    inputs = info.module_inputs_func(info, device="cpu", dtype=torch.float32, requires_grad=False, training=True)
    for sample in islice(inputs, _SAMPLES):
        made, given = sample.constructor_input, sample.forward_input
        if given is not None:
            yield partial(info.module_cls, *made.args, **made.kwargs), list(given.args), dict(given.kwargs)


def _function(name: str) -> str:
    """The name of a layer's function."""
    if name in _FUNCTIONS:
        return _FUNCTIONS[name]
    return "pad" if _PADDED.fullmatch(name) else _WORDS.sub("_", name).lower()
