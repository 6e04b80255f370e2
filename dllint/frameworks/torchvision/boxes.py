"""Functions of ``torchvision.ops`` on boxes, and detectors that evaluate images.

Boxes are rows of four numbers. How many are kept, or found in an image, the data decide. Source: torchvision 0.28, run.
"""

from __future__ import annotations

from typing import Final

from dllint.domains.dim import counted
from dllint.domains.dtype import FLOAT32, INT64
from dllint.domains.lattice import Unknown
from dllint.domains.shape import Shape, TensorType
from dllint.frameworks.given import given
from dllint.frameworks.machine import LIBRARY_BASES, Machine, handler
from dllint.frameworks.torch.protocols.module_tree import MODULE
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, DictVal, InstanceVal, LibSymbol, ListVal, Value, unwrap

_OPS: Final = "torchvision.ops"
_ROOM: Final = "torchvision.models.detection"
DETECTOR: Final = f"{_ROOM}.Model"
LIBRARY_BASES[DETECTOR] = (MODULE,)
_FASTER: Final = (
    "fasterrcnn_resnet50_fpn", "fasterrcnn_resnet50_fpn_v2", "fasterrcnn_mobilenet_v3_large_fpn",
    "fasterrcnn_mobilenet_v3_large_320_fpn", "retinanet_resnet50_fpn", "retinanet_resnet50_fpn_v2", "ssd300_vgg16",
    "ssdlite320_mobilenet_v3_large", "fcos_resnet50_fpn",
)  # fmt: skip
_MASKED: Final = ("maskrcnn_resnet50_fpn", "maskrcnn_resnet50_fpn_v2")


@handler(f"{_OPS}.nms", f"{_OPS}.batched_nms", f"{_OPS}.remove_small_boxes", f"{_OPS}.boxes.nms", f"{_OPS}.boxes.batched_nms")
def kept_boxes(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """The indices of the boxes that are kept."""
    return machine.tensor(TensorType((counted("kept"),), INT64), framework="torch")


@handler(f"{_OPS}.box_iou", f"{_OPS}.generalized_box_iou", f"{_OPS}.complete_box_iou", f"{_OPS}.distance_box_iou")
def overlaps(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """How much each box of the first overlaps each one of the second."""
    bound = given("boxes1, boxes2, **more", arguments)
    first, second = (_rows(bound.get(name)) for name in ("boxes1", "boxes2"))
    if first is None or second is None:
        return machine.unknown("unknown-rank", "boxes")
    boxes = bound["boxes1"]
    dtype = boxes.dtype if isinstance(boxes, TensorVal) and not isinstance(boxes.dtype, Unknown) else FLOAT32
    is_whole = not isinstance(dtype, Unknown) and dtype.kind != "float"
    return machine.tensor(TensorType((*first, *second), FLOAT32 if is_whole else dtype), framework="torch")


@handler(f"{_OPS}.box_area")
def areas(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """A number for each box."""
    boxes = given("boxes", arguments).get("boxes")
    rows = _rows(boxes)
    if rows is None or not isinstance(boxes, TensorVal):
        return machine.unknown("unknown-rank", "boxes")
    return machine.tensor(TensorType(rows, boxes.dtype), framework="torch")


def _rows(boxes: Value) -> Shape | None:
    return boxes.shape[:1] if isinstance(boxes, TensorVal) and isinstance(boxes.shape, tuple) and boxes.shape else None


# --- detectors --------------------------------------------------------------------------------------------------------------


def _register(name: str, *, has_masks: bool) -> None:
    @handler(f"{_ROOM}.{name}")
    def construct(machine: Machine, _: Value, arguments: Arguments) -> Value:
        unread = machine.unknown("unmodelled-attribute", name)
        return InstanceVal(LibSymbol(DETECTOR), {}, machine.site, open=unread, state={"masks": has_masks})


for _name in (*_FASTER, *_MASKED):
    _register(_name, has_masks=_name in _MASKED)


@handler(f"{DETECTOR}.forward", on=InstanceVal)
def detect(machine: Machine, model: InstanceVal, arguments: Arguments) -> Value:
    """What is found in each image: a dict for each of them. With targets, a model that is trained gives its losses instead."""
    bound = given("images, targets=None", arguments)
    if bound["targets"] is not None:
        return machine.unknown("run-time", "mode of a detector")
    images = _images(bound.get("images"))
    has_masks = unwrap(model.state.get("masks")) is True
    if images is None:
        return ListVal([], _found(machine, None, has_masks=has_masks))
    return ListVal([_found(machine, image, has_masks=has_masks) for image in images])


def _images(images: Value) -> list[Value] | None:
    """The images of a list or batch of known length."""
    if isinstance(images, ListVal):
        return None if images.rest is not None else list(images.items)
    if isinstance(images, tuple):
        return list(images)
    return None


def _found(machine: Machine, image: Value, *, has_masks: bool) -> Value:
    count = counted("found")
    made = {"boxes": ((count, 4), FLOAT32), "labels": ((count,), INT64), "scores": ((count,), FLOAT32)}
    if has_masks:
        known = isinstance(image, TensorVal) and isinstance(image.shape, tuple) and len(image.shape) == 3
        sides = image.shape[1:] if known and isinstance(image, TensorVal) and isinstance(image.shape, tuple) else None
        made["masks"] = ((count, 1, *(sides or (counted("H", 1), counted("W", 1)))), FLOAT32)
    return DictVal({key: machine.tensor(TensorType(*type_), framework="torch") for key, type_ in made.items()})
