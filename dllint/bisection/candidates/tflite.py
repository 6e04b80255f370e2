"""A TFLite model, watched by keeping all tensors after a run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import tensorflow as tf

from dllint.bisection.candidates.setting import Setting
from dllint.bisection.errors import BisectionError
from dllint.bisection.protocols import Arrays, Observable


class TfliteCandidate:
    """The reference kernels' interpreter; integers with a scale are shown as the numbers they stand for."""

    def __init__(self, path: Path) -> None:
        """Raises :class:`BisectionError` if the installed TensorFlow cannot read the model or keep tensors."""
        try:
            self._interpreter: Any = tf.lite.Interpreter(str(path), experimental_preserve_all_tensors=True)
            self._interpreter.allocate_tensors()
        except (AttributeError, TypeError, ValueError, RuntimeError) as error:
            text = f"the TFLite interpreter cannot open {path}: {str(error).partition(chr(10))[0]}"
            raise BisectionError(text, "check the file, and that this TensorFlow has `tf.lite.Interpreter`") from error
        self._details = {_unique(detail): detail for detail in self._interpreter.get_tensor_details()}
        names = {detail["index"]: name for name, detail in self._details.items()}
        self._fed = self._interpreter.get_input_details()
        self.inputs = [names[detail["index"]] for detail in self._fed]
        sizes = {int(detail["shape_signature"][0]) for detail in self._fed if len(detail["shape_signature"])}
        #: The number of samples that the conversion has fixed.
        self.batch = sizes.pop() if len(sizes) == 1 and -1 not in sizes else None
        self.outputs = [names[detail["index"]] for detail in self._interpreter.get_output_details()]
        self.observables = list(self._observables(names))

    def run(self, inputs: Arrays, wanted: Sequence[str]) -> dict[str, np.ndarray]:
        """The wanted values."""
        for name, detail in zip(self.inputs, self._fed, strict=True):
            array = _quantised(np.asarray(inputs[name]), detail)
            if tuple(detail["shape"]) != array.shape:
                self._interpreter.resize_tensor_input(detail["index"], array.shape)
        self._interpreter.allocate_tensors()
        for name, detail in zip(self.inputs, self._fed, strict=True):
            self._interpreter.set_tensor(detail["index"], _quantised(np.asarray(inputs[name]), detail))
        self._interpreter.invoke()
        return {name: self._value(self._details[name]) for name in wanted}

    def weight(self, name: str) -> np.ndarray | None:
        """A constant by its name."""
        return self._value(self._details[name]) if name in self._details else None

    def _value(self, detail: Any) -> np.ndarray:
        array: np.ndarray = np.array(self._interpreter.get_tensor(detail["index"]))
        scale, zero = detail["quantization"]
        return np.asarray((array.astype(np.float32) - zero) * np.float32(scale)) if scale else array

    def _observables(self, names: dict[int, str]) -> Any:
        made = {index for operator in self._operators() for index in operator["outputs"]}
        for operator in self._operators():
            taken = [index for index in operator["inputs"] if index in names]
            weights = tuple(names[index] for index in taken if index not in made and names[index] not in self.inputs)
            inputs = tuple(names[index] for index in taken if names[index] not in weights)
            for index in operator["outputs"]:
                if index in names:
                    yield Observable(names[index], operator["op_name"], "", _module(names[index]), weights, inputs)

    def _operators(self) -> Any:
        return self._interpreter._get_ops_details()


def _unique(detail: Any) -> str:
    return f"{detail['name']}#{detail['index']}"


def _module(name: str) -> str:
    """The layer that the last of the fused names belongs to: ``model/dense/MatMul;model/dense/BiasAdd``."""
    parts = name.partition("#")[0].split(";")[-1].split("/")
    return parts[-2] if len(parts) > 1 else ""


def _quantised(array: np.ndarray, detail: Any) -> np.ndarray:
    scale, zero = detail["quantization"]
    kind = np.dtype(detail["dtype"])
    if not scale:
        return array.astype(kind, copy=False)
    limits = np.iinfo(kind)
    rounded: np.ndarray = np.clip(np.round(array / scale) + zero, limits.min, limits.max)
    return rounded.astype(kind)


def opened(path: Path, setting: Setting) -> TfliteCandidate:
    """The model of a file."""
    return TfliteCandidate(path)
