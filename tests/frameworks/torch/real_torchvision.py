"""The real torchvision, also beside a build of torch that its compiled operators were not made for: networks do without."""

from __future__ import annotations

import importlib
import re
import sys
from types import ModuleType

import torch

_MISSING = re.compile(r"operator torchvision::(\w+) does not exist")
_MOST = 40


def real_torchvision() -> ModuleType:
    """The module. Operators that its own build lacks are declared, so that it can be imported, and have no meaning."""
    declared = torch.library.Library("torchvision", "FRAGMENT")
    for _ in range(_MOST):
        try:
            found = importlib.import_module("torchvision")
        except RuntimeError as error:
            missing = _MISSING.search(str(error))
            if missing is None:
                raise
            for name in [name for name in sys.modules if name.partition(".")[0] == "torchvision"]:
                del sys.modules[name]
            declared.define(f"{missing[1]}(Tensor x) -> Tensor")
        else:
            _KEPT.append(declared)
            return found
    raise ImportError("torchvision lacks too many operators")


_KEPT: list[torch.library.Library] = []
