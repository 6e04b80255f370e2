"""One canonical name for every spelling of a torchvision object."""

from __future__ import annotations

from typing import Final

PACKAGES: Final = (
    "torchvision.transforms.v2",
    "torchvision.transforms",
    "torchvision.datasets",
    "torchvision.models",
    "torchvision.ops",
)
#: Modules that are namespaces of their own.
NAMESPACES: Final = frozenset({"functional", "v2", "segmentation", "detection", "video", "quantization", "optical_flow"})


def canonical(name: str) -> str | None:
    """``torchvision.models.resnet.resnet18`` → ``torchvision.models.resnet18``; ``None`` if there is nothing to change."""
    package = next((p for p in PACKAGES if name.startswith(p + ".")), None)
    if package is None:
        return None
    head, _, rest = name[len(package) + 1 :].partition(".")
    if not rest or head in NAMESPACES or not head.islower() or head.startswith("_"):
        return None
    return f"{package}.{rest}"
