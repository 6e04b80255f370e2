"""Whole Keras architectures: the output shape inferred from their source against the model Keras builds.

python -m benchmarks.whole_models_keras --peers DIR [NAME ...]

DIR holds the unzipped Keras wheel as ``pypi+keras``. Each architecture's own source is traced from a two-line driver, with
and without the classification top, and compared with the real model: its output shape, and the output shape of every layer
that has a name. A shape is *exact*, *unknown*, or *wrong*; a free size (batch) must be free on both sides.
"""

from __future__ import annotations

import argparse
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks import results
from dllint.domains.lattice import Unknown
from dllint.domains.shape import shape_known
from dllint.ir.events import ModuleCall
from dllint.ir.program import TensorVal
from dllint.ir.values import InstanceVal
from dllint.lower.document import Lowered, lower_document
from dllint.source.document import Document
from dllint.source.workspace import Workspace

#: Module of ``keras.applications`` → the architecture that stands for its family.
ARCHITECTURES = {
    "vgg16": "VGG16", "vgg19": "VGG19", "resnet": "ResNet50", "resnet_v2": "ResNet50V2", "densenet": "DenseNet121",
    "inception_v3": "InceptionV3", "inception_resnet_v2": "InceptionResNetV2", "xception": "Xception", "mobilenet": "MobileNet",
    "mobilenet_v2": "MobileNetV2", "mobilenet_v3": "MobileNetV3Large", "nasnet": "NASNetLarge",
    "efficientnet": "EfficientNetB0",
    "efficientnet_v2": "EfficientNetV2B0", "convnext": "ConvNeXtTiny",
}  # fmt: skip
WITHOUT_TOP = "weights=None, include_top=False, input_shape=({0}, {0}, 3)"
SIDE = {"NASNetLarge": 331}

Verdict = str
Shape = tuple[int | None, ...]


def main() -> None:
    """Compare, print one line per architecture, write ``results/whole-models-keras.json``."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", type=Path, required=True)
    parser.add_argument("names", nargs="*", default=list(ARCHITECTURES))
    options = parser.parse_args()
    root = options.peers / "pypi+keras"
    if not root.is_dir():
        print("pypi+keras: not present")
        return
    rows = {ARCHITECTURES[module]: compare(root, module, ARCHITECTURES[module]) for module in options.names}
    for name, row in rows.items():
        print(
            f"{name:20} output {row['output']:8} no top {row['without_top']:8} layers {row['layers']} known {row['known']:.3f}"
        )
    totals = {key: dict(Counter(row[key] for row in rows.values())) for key in ("output", "without_top")}
    layers: Counter[str] = sum((Counter(row["layers"]) for row in rows.values()), Counter())
    path = results.write("whole-models-keras", {"totals": {**totals, "layers": dict(layers)}, "models": rows})
    print(f"{totals} layers {dict(layers)}; written: {path.name}")


def compare(root: Path, module: str, name: str) -> dict[str, Any]:
    """The verdicts for one architecture."""
    keras = real_keras()
    build = getattr(keras.applications, name)
    side = SIDE.get(name, 224)
    full, bare = traced(root, module, name, "weights=None"), traced(root, module, name, WITHOUT_TOP.format(side))
    real = build(weights=None)
    real_bare = build(weights=None, include_top=False, input_shape=(side, side, 3))
    layers = Counter(verdict(shape, tuple(real.get_layer(layer).output.shape)) for layer, shape in named_layers(full, real))
    operations = [op for program in full.programs for op in program.ops if op.outputs]
    known = sum(all(shape_known(value.shape) for value in op.outputs) for op in operations)
    keras.backend.clear_session()
    return {
        "output": verdict(output(full), tuple(real.output_shape)),
        "without_top": verdict(output(bare), tuple(real_bare.output_shape)),
        "layers": dict(layers),
        "known": known / max(1, len(operations)),
    }


def real_keras() -> Any:
    """Keras on the torch backend."""
    os.environ.setdefault("KERAS_BACKEND", "torch")
    import keras

    return keras


def traced(root: Path, module: str, name: str, arguments: str) -> Lowered:
    """The trace of a program that builds the architecture from its source."""
    text = f"from keras.src.applications.{module} import {name}\nout = {name}({arguments}).output\n"
    return lower_document(Document.from_text(root / "driver.py", text), Workspace([root]))


def output(lowered: Lowered) -> Any:
    """The shape of the model's output."""
    found = lowered.module.attrs.get("out")
    return found.shape if isinstance(found, TensorVal) else Unknown("no-output")


def named_layers(lowered: Lowered, real: Any) -> Iterator[tuple[str, Any]]:
    """The calls of layers that the real model has under the same name."""
    names = {layer.name for layer in real.layers}
    for event in (event for program in lowered.programs for event in program.events if isinstance(event, ModuleCall)):
        name = event.callee.state.get("name") if isinstance(event.callee, InstanceVal) else None
        if isinstance(name, str) and name in names and isinstance(event.result, TensorVal):
            yield name, event.result.shape


def verdict(ours: Any, real: Shape) -> Verdict:
    """``exact``, ``unknown`` or ``WRONG``."""
    if isinstance(ours, Unknown) or not shape_known(ours):
        return "unknown"
    same = len(ours) == len(real) and all(
        o == r if r is not None else not isinstance(o, int) for o, r in zip(ours, real, strict=True)
    )
    return "exact" if same else "WRONG"


if __name__ == "__main__":
    main()
