"""The drawn models as the installed library makes them, on torch's meta device.

``python -m benchmarks.installed.truth LIBRARY COUNT SEED``, with the library on ``PYTHONPATH``, prints a JSON list: a program
for each model and the shape of its variable ``output``. Models that cannot be made without weights, or take other inputs than
the program gives, are passed over; how many were is the first item of the list.
"""

from __future__ import annotations

import importlib
import json
import random
import sys
from collections.abc import Callable, Iterator
from typing import Any, Final

#: Programs are drawn until so many times the count have been tried.
_TRIES: Final = 6


def main() -> None:
    """Draw and print."""
    library, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    _import_torchvision()
    found: list[dict[str, Any]] = []
    skipped = 0
    for name, program in DRAWN[library](random.Random(seed), _TRIES * count):
        if len(found) == count:
            break
        shape = _shape(program)
        if shape is None:
            skipped += 1
        else:
            found.append({"name": name, "program": program, "shape": shape})
    print(json.dumps([skipped, *found]))


def _import_torchvision() -> None:
    from dllint.dev.libraries.torchvision_import import import_torchvision

    import_torchvision()


def _shape(program: str) -> list[int] | None:
    import torch

    namespace: dict[str, Any] = {}
    try:
        with torch.device("meta"), torch.no_grad():
            exec(compile(program, "<drawn>", "exec"), namespace)
        return list(namespace["output"].shape)
    except Exception as error:
        print(f"passed over: {type(error).__name__}: {str(error)[:150]}", file=sys.stderr)
        return None


def _timm(draw: random.Random, count: int) -> Iterator[tuple[str, str]]:
    timm = importlib.import_module("timm")
    names = timm.list_models()
    for name in draw.sample(names, min(count, len(names))):
        size = timm.get_pretrained_cfg(name)
        side = size.input_size[-1] if size is not None else 224
        classes = draw.randrange(2, 500)
        yield (
            name,
            f"import timm\nimport torch\n\nmodel = timm.create_model({name!r}, pretrained=False, num_classes={classes})\n"
            f"model.eval()\noutput = model(torch.randn(2, 3, {side}, {side}))\n",
        )


def _smp(draw: random.Random, count: int) -> Iterator[tuple[str, str]]:
    smp = importlib.import_module("segmentation_models_pytorch")
    encoders = smp.encoders.get_encoder_names()
    kinds = ("Unet", "UnetPlusPlus", "FPN", "PSPNet", "DeepLabV3", "DeepLabV3Plus", "PAN", "Linknet", "MAnet", "UPerNet")
    for _ in range(count):
        kind, encoder, classes = draw.choice(kinds), draw.choice(encoders), draw.randrange(2, 30)
        yield (
            f"{kind} {encoder}",
            f"import segmentation_models_pytorch as smp\nimport torch\n\n"
            f"model = smp.{kind}({encoder!r}, encoder_weights=None, classes={classes})\n"
            f"model.eval()\noutput = model(torch.randn(2, 3, 256, 256))\n",
        )


def _transformers(draw: random.Random, count: int) -> Iterator[tuple[str, str]]:
    auto = importlib.import_module("transformers.models.auto.modeling_auto")
    configuration = importlib.import_module("transformers.models.auto.configuration_auto")
    models, configs = auto.MODEL_MAPPING_NAMES, configuration.CONFIG_MAPPING_NAMES
    names = sorted(name for name in models if isinstance(models[name], str) and name in configs)
    for name in draw.sample(names, min(count, len(names))):
        yield (
            name,
            f"import torch\nfrom transformers import {configs[name]}, {models[name]}\n\nconfig = {configs[name]}()\n"
            f"model = {models[name]}(config)\nmodel.eval()\n"
            f"output = model(torch.randint(0, 100, (2, 7))).last_hidden_state\n",
        )


#: How models of diffusers are called: with the image or latent alone, with the step of diffusion, and with a text, too.
_DIFFUSERS_CALLS: Final = (
    "torch.randn({sample})",
    "torch.randn({sample}), torch.tensor([10, 20])",
    "torch.randn({sample}), torch.tensor([10, 20]), torch.randn(2, 7, {width})",
    "torch.randn({sample}), timestep=torch.tensor([10, 20]), class_labels=torch.tensor([1, 2])",
)


def _diffusers(draw: random.Random, count: int) -> Iterator[tuple[str, str]]:
    models = importlib.import_module("diffusers.models")
    names = sorted({name for names in models._import_structure.values() for name in names})
    for name in draw.sample(names, min(count, len(names))):
        yield name, next((program for program in _diffusers_programs(name) if _shape(program) is not None), "raise ValueError")


def _diffusers_programs(name: str) -> Iterator[str]:
    """Programs that may apply a model in its default configuration."""
    made: Any = {}
    beginning = f"import torch\nfrom diffusers import {name}\n\nmodel = {name}()\n"
    try:
        exec(f"import torch\nwith torch.device('meta'):\n    from diffusers import {name}\n    model = {name}()\n", made)
        config = made["model"].config
    except Exception:
        return
    channels = config.get("in_channels") or config.get("in_dim") or 3
    width = config.get("cross_attention_dim") or config.get("caption_channels") or config.get("text_dim") or 768
    for sides in ("64, 64", "4, 64, 64", "9, 64, 64"):
        for call in _DIFFUSERS_CALLS:
            arguments = call.format(sample=f"2, {channels}, {sides}", width=width)
            yield f"{beginning}model.eval()\noutput = model({arguments}).sample\n"


def _torchvision(draw: random.Random, count: int) -> Iterator[tuple[str, str]]:
    torchvision = importlib.import_module("torchvision.models")
    names = torchvision.list_models(module=torchvision)
    for name in draw.sample(names, min(count, len(names))):
        classes = draw.randrange(2, 500)
        yield (
            name,
            f"import torch\nfrom torchvision import models\n\nmodel = models.{name}(num_classes={classes})\n"
            f"model.eval()\noutput = model(torch.randn(2, 3, 299, 299))\n",
        )


def _segmentation(draw: random.Random, count: int) -> Iterator[tuple[str, str]]:
    torchvision = importlib.import_module("torchvision.models")
    names = torchvision.list_models(module=torchvision.segmentation)
    for name in draw.sample(names, min(count, len(names))):
        classes, auxiliary = draw.randrange(2, 500), draw.choice((None, False, True))
        extra = "" if name.startswith("lraspp") else f", aux_loss={auxiliary}"
        yield (
            name,
            f"import torch\nfrom torchvision import models\n\n"
            f"model = models.segmentation.{name}(weights=None, weights_backbone=None, num_classes={classes}{extra})\n"
            f"model.eval()\noutput = model(torch.randn(2, 3, 96, 128))['out']\n",
        )


DRAWN: Final[dict[str, Callable[[random.Random, int], Iterator[tuple[str, str]]]]] = {
    "timm": _timm,
    "segmentation_models_pytorch": _smp,
    "transformers": _transformers,
    "torchvision": _torchvision,
    "torchvision.segmentation": _segmentation,
    "diffusers": _diffusers,
}


if __name__ == "__main__":
    main()
