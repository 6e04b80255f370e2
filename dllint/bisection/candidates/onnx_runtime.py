"""An ONNX model under ONNX Runtime, watched without changing what is executed.

Asking ONNX Runtime for intermediate values before it optimises keeps it from fusing operators. So the model is optimised first,
and the *optimised* graph is watched with further optimisation switched off. By default it is optimised as it is deployed;
``observed_at`` watches at a weaker level, at which fewer operators are fused and no layout is blocked.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime

from dllint.bisection.candidates import onnx_graph
from dllint.bisection.candidates.onnx_optimisers import LEVELS, OPTIMISERS
from dllint.bisection.candidates.onnx_scales import scales
from dllint.bisection.candidates.onnx_settings import settings_of
from dllint.bisection.candidates.setting import Setting
from dllint.bisection.errors import BisectionError
from dllint.bisection.protocols import Arrays

#: Sessions that are kept open.
_SESSIONS = 8


class OnnxCandidate:
    """Runs a model file, or parts of it; ``optimise`` is one of ``all``, ``extended``, ``basic``, ``none``."""

    optimisers = OPTIMISERS

    def __init__(
        self,
        path: Path,
        providers: Sequence[str] = ("CPUExecutionProvider",),
        optimise: str = "all",
        custom: Any = None,
        disabled: Sequence[str] = (),
        watched: str | None = None,
    ) -> None:
        """Raises :class:`BisectionError` if ONNX Runtime cannot load the model.

        ``custom`` makes the user's session options, ``disabled`` are optimisers that are switched off, ``watched`` is the
        level at which intermediate values are watched.
        """
        self._path, self._optimise, self._custom, self._disabled = path, optimise, custom, list(disabled)
        self.levels = LEVELS[LEVELS.index(optimise) :]
        self._providers = [name for name in providers if name in onnxruntime.get_available_providers()]
        if not self._providers:
            text = f"none of the execution providers {', '.join(providers)} is present"
            raise BisectionError(text, f"present are: {', '.join(onnxruntime.get_available_providers())}")
        self._untapped = self._session(path, _options(optimise, custom))
        self.outputs = [value.name for value in self._untapped.get_outputs()]
        self.inputs = [value.name for value in self._untapped.get_inputs()]
        sizes = {value.shape[0] for value in self._untapped.get_inputs() if value.shape}
        #: The number of samples that the export has fixed.
        self.batch = sizes.pop() if len(sizes) == 1 and all(isinstance(size, int) for size in sizes) else None
        self._model = self._optimised(path, optimise, custom) if watched is None else self._optimised(path, watched, None)
        self.observables = onnx_graph.observables(self._model)
        self._scales = scales(self._model)
        self._sessions: dict[tuple[tuple[str, ...], ...], Any] = {}
        #: Element types of values that were seen; those that are fed in have the same.
        self._kinds: dict[str, np.dtype] = {}

    def run(self, inputs: Arrays, wanted: Sequence[str]) -> dict[str, np.ndarray]:
        """The wanted values."""
        return self.segment({}, wanted, inputs)

    def untapped(self, inputs: Arrays) -> dict[str, np.ndarray]:
        """The outputs of the model as it is deployed."""
        given = {value.name: _typed(inputs[value.name], value.type) for value in self._untapped.get_inputs()}
        return dict(zip(self.outputs, self._untapped.run(None, given), strict=True))

    def at_level(self, level: str) -> OnnxCandidate:
        """The same model at another level of optimisation."""
        return OnnxCandidate(self._path, self._providers, level, disabled=self._disabled)

    def observed_at(self, level: str) -> OnnxCandidate:
        """The model as it is deployed, with the values inside that it has at a weaker level."""
        return OnnxCandidate(self._path, self._providers, self._optimise, self._custom, self._disabled, level)

    def without(self, optimisers: Sequence[str]) -> OnnxCandidate:
        """The same model without some optimisers."""
        return OnnxCandidate(self._path, self._providers, self._optimise, self._custom, optimisers)

    def segment(self, fed: Arrays, wanted: Sequence[str], inputs: Arrays) -> dict[str, np.ndarray]:
        """The wanted values, from given ones inside and the inputs; integers with a scale are shown as real numbers."""
        fed = {name: self._scales[name].rounded(array) if name in self._scales else array for name, array in fed.items()}
        found = self._segment(fed, wanted, inputs)
        return {name: self._scales[name].real(array) if name in self._scales else array for name, array in found.items()}

    def _segment(self, fed: Arrays, wanted: Sequence[str], inputs: Arrays) -> dict[str, np.ndarray]:
        fed = {name: array.astype(self._kinds.get(name, array.dtype), copy=False) for name, array in fed.items()}
        given = {**inputs, **fed}
        rest = [name for name in wanted if name not in given]
        found = {name: np.asarray(given[name]) for name in wanted if name in given}
        if not rest:
            return found
        session = self._part(dict(fed), rest)
        feed = {value.name: _typed(given[value.name], value.type) for value in session.get_inputs()}
        fresh = dict(zip(rest, session.run(rest, feed), strict=True))
        self._kinds |= {name: array.dtype for name, array in fresh.items() if isinstance(array, np.ndarray)}
        return found | fresh

    def weight(self, name: str) -> np.ndarray | None:
        """An initialiser by its name."""
        for tensor in self._model.graph.initializer:
            if tensor.name == name:
                return np.asarray(onnx.numpy_helper.to_array(tensor))
        return None

    def settings(self, name: str) -> Mapping[str, object]:
        """Attributes of the operator that makes a value."""
        return next((settings_of(node) for node in self._model.graph.node if name in node.output), {})

    def _part(self, fed: dict[str, np.ndarray], wanted: Sequence[str]) -> Any:
        key = tuple(sorted(fed)), tuple(wanted)
        session = self._sessions.pop(key, None)
        if session is None:
            model = onnx_graph.part(self._model, fed, wanted)
            session = self._session(model.SerializeToString(), _options("none", None))
        self._sessions[key] = session
        while len(self._sessions) > _SESSIONS:
            self._sessions.pop(next(iter(self._sessions)))
        return session

    def _session(self, model: Path | bytes, options: Any) -> Any:
        try:
            given = model if isinstance(model, bytes) else str(model)
            return onnxruntime.InferenceSession(given, options, providers=self._providers, disabled_optimizers=self._disabled)
        except Exception as error:
            text = f"ONNX Runtime cannot load the model: {str(error).splitlines()[0]}"
            raise BisectionError(text, "check the file, its opset and the execution providers") from error

    def _optimised(self, path: Path, optimise: str, custom: Any) -> onnx.ModelProto:
        """The graph as ONNX Runtime executes it."""
        if optimise == "none" and custom is None:
            return onnx.load(str(path))
        with tempfile.TemporaryDirectory(prefix="dllint-bisect-") as folder:
            file = Path(folder) / "optimised.onnx"
            options = _options(optimise, custom)
            options.optimized_model_filepath = str(file)
            self._session(path, options)
            model = onnx.load(str(file), load_external_data=False)
            # What is left outside still lies beside the user's file.
            onnx.external_data_helper.load_external_data_for_model(model, str(path.parent))
            return model


def _options(optimise: str, custom: Any) -> Any:
    if custom is not None:
        return custom()
    levels = onnxruntime.GraphOptimizationLevel
    names = {"all": levels.ORT_ENABLE_ALL, "extended": levels.ORT_ENABLE_EXTENDED, "basic": levels.ORT_ENABLE_BASIC}
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = names.get(optimise, levels.ORT_DISABLE_ALL)
    options.log_severity_level = 3
    return options


def _typed(array: np.ndarray, kind: str) -> np.ndarray:
    """The array in the element type that ONNX Runtime asks for (``tensor(float16)``)."""
    names = {"float": "float32", "double": "float64"}
    name = kind.removeprefix("tensor(").removesuffix(")")
    return np.asarray(array).astype(names.get(name, name), copy=False)


def opened(path: Path, setting: Setting) -> OnnxCandidate:
    """The model of a file, on the execution providers that the user names, else on the CPU or on CUDA.

    Raises :class:`BisectionError` for one that is not installed: on another the model would not be the deployed one.
    """
    absent = [name for name in setting.providers if name not in onnxruntime.get_available_providers()]
    if absent:
        text = f"the execution provider {absent[0]} is not present"
        raise BisectionError(text, f"present are: {', '.join(onnxruntime.get_available_providers())}")
    gpu = ["CUDAExecutionProvider"] if setting.device.startswith("cuda") else []
    return OnnxCandidate(path, setting.providers or [*gpu, "CPUExecutionProvider"])
