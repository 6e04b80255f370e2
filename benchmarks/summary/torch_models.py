"""Models of torchvision and timm: which there are, and what torch says about them."""

from __future__ import annotations

import importlib
import random
from typing import Any

from benchmarks.summary.found import Truth

#: Parts of names of what takes no single image of three channels, or needs a compiler.
_LEFT_OUT = ("rcnn", "retinanet", "fcos", "ssd", "raft", "mvit", "r3d", "mc3", "r2plus1d", "s3d", "swin3d", "quantized")


def _libraries() -> Any:
    from dllint.dev.libraries.torchvision_import import import_torchvision

    return import_torchvision()


def drawn(library: str, seed: int, count: int) -> list[str]:
    """Names of models, drawn from all that the library lists."""
    torchvision = _libraries()
    if library == "torchvision":
        names = [name for name in torchvision.models.list_models() if not any(part in name for part in _LEFT_OUT)]
    else:
        names = importlib.import_module("timm").list_models()
    return sorted(random.Random(seed).sample(sorted(names), min(count, len(names))))


def _size(library: str, model: str) -> tuple[int, int, int]:
    if library == "timm":
        _libraries()
        config = importlib.import_module("timm").get_pretrained_cfg(model, allow_unregistered=True)
        return tuple(config.input_size) if config is not None else (3, 224, 224)  # type: ignore[return-value]
    return (3, 299, 299) if model.startswith("inception") else (3, 224, 224)


def script(library: str, model: str) -> str:
    """A script that makes the model and calls it with one image."""
    sizes = ", ".join(map(str, (1, *_size(library, model))))
    if library == "timm":
        return (
            f'import timm\nimport torch\nmodel = timm.create_model("{model}")\n'
            f"model.eval()\nout = model(torch.randn({sizes}))\n"
        )
    return (
        f'import torch\nimport torchvision\nmodel = torchvision.models.get_model("{model}", {_arguments(model)})\n'
        f"model.eval()\nout = model(torch.randn({sizes}))\n"
    )


def _arguments(model: str) -> str:
    more = "weights_backbone=None, " if any(part in model for part in ("fcn", "deeplab", "lraspp")) else ""
    return f"{more}weights=None"


def truth(library: str, model: str) -> Truth:
    """What torch counts and computes."""
    torch = importlib.import_module("torch")
    counter = importlib.import_module("torch.utils.flop_counter").FlopCounterMode(display=False)
    torchvision = _libraries()
    with torch.no_grad():
        if library == "timm":
            built = importlib.import_module("timm").create_model(model)
        else:
            built = torchvision.models.get_model(model, **eval(f"dict({_arguments(model)})"))
        built = built.eval().to("meta").requires_grad_(False)
        calls: dict[str, list[Any]] = {}
        for path, module in built.named_modules():
            if path:
                module.register_forward_hook(lambda _m, _i, out, path=path: calls.setdefault(path, []).append(_shapes(out)))
        with counter:
            out = built(torch.empty(1, *_size(library, model), device="meta"))
    parameters = sum(parameter.numel() for parameter in built.parameters())
    return Truth(parameters, counter.get_total_flops() // 2, _shapes(out), calls)


def _shapes(value: Any) -> Any:
    found = list(_each(value))
    return found[0] if len(found) == 1 else found or None


def _each(value: Any) -> Any:
    if hasattr(value, "shape"):
        yield tuple(value.shape)
    elif isinstance(value, dict):
        for part in value.values():
            yield from _each(part)
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from _each(part)
