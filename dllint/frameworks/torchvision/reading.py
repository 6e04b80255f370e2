"""Images that ``torchvision.io`` reads from files, as tensors (channels, height, width).

Source: the documentation of ``torchvision.io.decode_image`` (0.20).
"""

from __future__ import annotations

from typing import Final

from dllint.domains.dim import Dim, counted
from dllint.domains.dtype import UINT8
from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.frameworks.given import given
from dllint.frameworks.machine import Machine, handler
from dllint.ir.values import Arguments, LibSymbol, Value

#: The channels that a mode asks for; the usual one, ``UNCHANGED``, leaves them to the file.
_CHANNELS: Final = {"GRAY": 1, "GRAY_ALPHA": 2, "RGB": 3, "RGB_ALPHA": 4}


@handler("torchvision.io.read_image", "torchvision.io.image.read_image")
def read(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``read_image(path, mode=UNCHANGED, …)``: bytes, but of files with 16 bits for a sample (``UNCHANGED``)."""
    mode = given("path, mode=None, *rest, **more", arguments).get("mode")
    name = mode.name.rpartition(".")[2] if isinstance(mode, LibSymbol) else mode if isinstance(mode, str) else ""
    known = _CHANNELS.get(name)
    channels: Dim = counted("channels", 1) if known is None else known
    dtype = UINT8 if known is not None else Unknown("data-file", "image")
    return machine.tensor(TensorType((channels, counted("H", 1), counted("W", 1)), dtype), framework="torch", name="image")
