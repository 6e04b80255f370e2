"""What an adapter knows of the bisection that it is opened for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from dllint.bisection.protocols import Reference


@dataclass(frozen=True)
class Setting:
    """``model`` is what the reference was made from; ``inputs`` are some dozens of prepared samples, an array per input."""

    folder: Path
    device: str
    model: Any
    reference: Reference
    inputs: Sequence[np.ndarray]
    #: Execution providers of ONNX Runtime by preference; without any, those of ``device``.
    providers: Sequence[str] = ()
