"""The reference as ONNX with 8-bit integers: with scales found at run time, or calibrated with some samples."""

from __future__ import annotations

import tempfile
import warnings
import weakref
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime.quantization as quantization
import torch

from dllint.bisection.candidates.onnx_runtime import OnnxCandidate
from dllint.bisection.candidates.onnx_runtime import opened as opened_file
from dllint.bisection.candidates.setting import Setting
from dllint.bisection.errors import BisectionError


class Calibration:
    """Feeds the given samples in one batch."""

    def __init__(self, names: Sequence[str], arrays: Sequence[np.ndarray]) -> None:
        self._batches = [dict(zip(names, arrays, strict=True))]

    def get_next(self) -> Any:
        """The next batch, or None."""
        return self._batches.pop() if self._batches else None


def opened(name: str, setting: Setting) -> OnnxCandidate:
    """``int8-dynamic`` or ``int8-qdq``. Raises :class:`BisectionError` unless the reference can be exported."""
    if not isinstance(setting.model, torch.nn.Module):
        raise BisectionError(f"`{name}` is made from a torch.nn.Module", "name the deployed model's file")
    held = tempfile.TemporaryDirectory(prefix="dllint-bisect-")
    candidate = opened_file(_quantised(name, setting, Path(held.name)), setting)
    # Other levels of optimisation are made from the file.
    weakref.finalize(candidate, held.cleanup)
    return candidate


def _quantised(name: str, setting: Setting, folder: Path) -> Path:
    plain, small = folder / "plain.onnx", folder / "int8.onnx"
    export(setting.model, setting.inputs, plain)
    _without_shapes(plain)
    if name == "int8-dynamic":
        quantization.quantize_dynamic(plain, small)
    else:
        calibration = Calibration(setting.reference.graph.inputs, setting.inputs)
        quantization.quantize_static(plain, small, calibration, quant_format=quantization.QuantFormat.QDQ)
    return small


def _without_shapes(path: Path) -> None:
    """Quantisation infers shapes anew, and stumbles over those of weights that it lays out in another way."""
    model = onnx.load(str(path))
    del model.graph.value_info[:]
    onnx.save(model, str(path))


def export(model: torch.nn.Module, inputs: Sequence[np.ndarray], path: Path) -> None:
    """Write the module as ONNX with a free batch. Raises :class:`BisectionError` if that fails."""
    example = tuple(torch.from_numpy(np.array(array)) for array in inputs)
    free = tuple({0: torch.export.Dim.AUTO} if tensor.dim() else None for tensor in example)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            torch.onnx.export(
                model.cpu(), example, str(path), dynamo=True, verbose=False, dynamic_shapes=free, external_data=False
            )
    except Exception as error:
        text = f"the reference cannot be exported to ONNX: {type(error).__name__}: {str(error).partition(chr(10))[0]}"
        raise BisectionError(text, "export it yourself and name the file") from error
