"""Models of torchvision for segmentation and detection, and functions on boxes, give what they give when they are run."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from dllint.domains.dim import DimExpr
from dllint.ir.program import TensorVal
from dllint.ir.values import DictVal, ListVal, Value, unwrap
from tests.frameworks.torch.real_torchvision import real_torchvision
from tests.lower.tracing import lower

HEAD = """
import torch
import torchvision
from torch import nn
from torchvision.models.segmentation import deeplabv3_mobilenet_v3_large, deeplabv3_resnet50, fcn_resnet50, fcn_resnet101
from torchvision.models.segmentation.deeplabv3 import DeepLabHead
from torchvision.models.segmentation.fcn import FCNHead
"""
#: What makes a model; images of 64×48 are given to it.
SEGMENTERS = (
    "model = fcn_resnet50(weights_backbone=None)",
    "model = fcn_resnet101(num_classes=5, aux_loss=True, weights_backbone=None)",
    "model = torchvision.models.segmentation.deeplabv3_resnet50(weights=None, num_classes=7, weights_backbone=None)",
    "model = deeplabv3_mobilenet_v3_large(aux_loss=True, num_classes=2, weights_backbone=None)",
    "model = deeplabv3_resnet50(weights_backbone=None)\nmodel.classifier[4] = nn.Conv2d(256, 3, 1)",
    "model = deeplabv3_resnet50(weights_backbone=None)\nmodel.classifier = DeepLabHead(2048, 4)",
    "model = fcn_resnet50(weights_backbone=None, aux_loss=True)\nmodel.aux_classifier = FCNHead(1024, 6)",
    "model = fcn_resnet50(weights_backbone=None, aux_loss=True)\nmodel.aux_classifier = None",
)
#: Functions on boxes.
BOXES = (
    "torchvision.ops.nms(boxes, scores, 0.9)",
    "torchvision.ops.batched_nms(boxes, scores, kinds, 0.9)",
    "torchvision.ops.box_iou(boxes, boxes[:3])",
    "torchvision.ops.generalized_box_iou(boxes, boxes[:2])",
    "torchvision.ops.box_area(boxes)",
    "boxes[torchvision.ops.nms(boxes, scores, 0.9)]",
)


@cache
def usable() -> object:
    """torchvision; if its compiled part does not fit torch, with an ``nms`` that keeps all boxes."""
    torch = pytest.importorskip("torch")
    torchvision = real_torchvision()
    if not torchvision.extension._has_ops():
        torchvision.extension._has_ops = lambda: True
        torch.ops.torchvision.nms = lambda boxes, scores, limit: scores.argsort(descending=True)
    return torchvision


def agrees(found: Value, real: Any) -> bool:
    """Whether a value is what a run gives: counts that the data decide may be any."""
    found = unwrap(found)
    if isinstance(real, dict):
        return (
            isinstance(found, DictVal)
            and found.rest is None
            and found.items.keys() == real.keys()
            and all(agrees(found.items[key], value) for key, value in real.items())
        )
    if isinstance(real, list):
        return isinstance(found, ListVal) and all(map(agrees, found.items, real)) and len(found.items) == len(real)
    if not isinstance(found, TensorVal) or not isinstance(found.shape, tuple) or len(found.shape) != real.dim():
        return False
    sizes = zip(found.shape, real.shape, strict=True)
    return str(real.dtype) == f"torch.{found.dtype}" and all(isinstance(a, DimExpr) or a == b for a, b in sizes)


@pytest.mark.oracle
@pytest.mark.parametrize("made", SEGMENTERS)
def test_each_pixel_gets_scores(made: str) -> None:
    torch = pytest.importorskip("torch")
    usable()
    source = f"{HEAD}{made}\nmodel.eval()\nout = model(torch.zeros(2, 3, 64, 48))\n"
    names: dict[str, Any] = {}
    with torch.device("meta"):
        exec(source, names)
    found = lower(source)
    assert not any(op.faults for program in found.programs for op in program.ops)
    assert agrees(found.module.attrs["out"], dict(names["out"]))
    sizes = found.module.attrs["out"].items["out"].shape
    assert sizes == tuple(names["out"]["out"].shape)


def test_a_head_for_other_features_is_found() -> None:
    source = (
        f"{HEAD}model = deeplabv3_resnet50()\nmodel.classifier[4] = nn.Conv2d(512, 3, 1)\nmodel(torch.zeros(2, 3, 64, 64))\n"
    )
    assert [op.kind for program in lower(source).programs for op in program.ops if op.faults] == ["conv"]


@pytest.mark.parametrize(
    "made", ["fcn_resnet50(**options)", "fcn_resnet50(aux_loss=options['aux'])", "fcn_resnet50(weights=options)"]
)
def test_an_auxiliary_head_that_may_be_there_is_not_denied(made: str) -> None:
    source = f"{HEAD}def run(options):\n    return {made}(torch.zeros(2, 3, 64, 64))['aux']\n"
    (program,) = [program for program in lower(source).programs if program.entry == "run"]
    assert not any(op.faults for op in program.ops)
    assert not isinstance(program.results, TensorVal)


@pytest.mark.oracle
@pytest.mark.parametrize("call", BOXES)
def test_functions_on_boxes(call: str) -> None:
    torch = pytest.importorskip("torch")
    usable()
    source = f"{HEAD}boxes, scores, kinds = torch.ones(5, 4), torch.ones(5), torch.zeros(5, dtype=torch.int64)\nout = {call}\n"
    names: dict[str, Any] = {}
    exec(source, names)
    assert isinstance(names["out"], torch.Tensor)
    assert agrees(lower(source).module.attrs["out"], names["out"])


@pytest.mark.oracle
@pytest.mark.parametrize("name", ["ssdlite320_mobilenet_v3_large"])
def test_a_detector_gives_boxes_of_each_image(name: str) -> None:
    usable()
    source = f"{HEAD}model = torchvision.models.detection.{name}(weights=None, weights_backbone=None, num_classes=3)\n"
    source += "model.eval()\nout = model([torch.zeros(3, 32, 40), torch.zeros(3, 24, 32)])\n"
    names: dict[str, Any] = {}
    exec(source, names)
    assert agrees(lower(source).module.attrs["out"], names["out"])


def test_losses_of_a_detector_are_not_taken_for_boxes() -> None:
    source = f"{HEAD}model = torchvision.models.detection.retinanet_resnet50_fpn()\n"
    source += (
        "out = model([torch.zeros(3, 32, 40)], [{'boxes': torch.ones(1, 4), 'labels': torch.ones(1, dtype=torch.int64)}])\n"
    )
    found = lower(source)
    assert not isinstance(unwrap(found.module.attrs["out"]), ListVal)
