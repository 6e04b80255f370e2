"""The tables of torchvision as the registry loads them; importing this module registers the protocol handlers."""

from __future__ import annotations

from typing import Final

from dllint.frameworks.torchvision import blocks as _blocks  # noqa: F401
from dllint.frameworks.torchvision import boxes as _boxes  # noqa: F401
from dllint.frameworks.torchvision import datasets as _datasets  # noqa: F401
from dllint.frameworks.torchvision import models as _models  # noqa: F401
from dllint.frameworks.torchvision import reading as _reading  # noqa: F401
from dllint.frameworks.torchvision import segmentation as _segmentation  # noqa: F401
from dllint.frameworks.torchvision import transforms as _transforms  # noqa: F401
from dllint.frameworks.torchvision.names import canonical

__all__ = ["RENAMES", "canonical"]

RENAMES: Final = {"input": "x"}
