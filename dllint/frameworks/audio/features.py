"""Features that librosa computes of samples or of spectrograms: (…, features, frames).

Source: the documentation of ``librosa.feature`` and of ``librosa.stft`` (0.10).
"""

from __future__ import annotations

from typing import Final

from dllint.domains.dim import Dim, DimExpr, add, counted, floordiv
from dllint.domains.dtype import FLOAT32, DType
from dllint.domains.lattice import Unknown
from dllint.domains.shape import Shape, TensorType
from dllint.frameworks.array_like import as_array
from dllint.frameworks.given import given
from dllint.frameworks.machine import Handler, Machine, handler
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, Value

#: Features, with the parameter that says how many there are and its default. The signatures begin with ``*``: but for ``S`` and
#: ``y`` all are given by name since 0.10, and before it ``y`` was the first.
_FEATURES: Final = {
    "melspectrogram": ("n_mels", 128),
    "mfcc": ("n_mfcc", 20),
    "chroma_stft": ("n_chroma", 12),
    "spectral_centroid": ("", 1),
    "spectral_bandwidth": ("", 1),
    "spectral_rolloff": ("", 1),
    "spectral_flatness": ("", 1),
    "rms": ("", 1),
    "zero_crossing_rate": ("", 1),
    "tonnetz": ("", 6),
}
#: Of these the element type is that of 32-bit samples.
_KEEP_SINGLE: Final = frozenset({"melspectrogram", "mfcc"})
#: Functions that keep the shape.
_SAME: Final = ("power_to_db", "amplitude_to_db", "db_to_power", "db_to_amplitude")
_USUAL_WINDOW: Final = 2048


def _single(source: TensorVal) -> DType | Unknown:
    return FLOAT32 if source.dtype == FLOAT32 else Unknown("library", "librosa")


def _array(value: Value) -> TensorVal | None:
    array = as_array(value)
    return array if isinstance(array, TensorVal) else None


def _made(machine: Machine, shape: Shape | Unknown, dtype: DType | Unknown) -> TensorVal:
    return machine.tensor(TensorType(shape, dtype), framework="numpy", name="feature")


def _leading(bound: dict[str, Value]) -> tuple[TensorVal, Shape] | None:
    """The samples or the spectrogram that a feature is computed of, and the axes before those of the feature."""
    for name, own in (("y", 1), ("S", 2)):
        source = _array(bound.get(name))
        if source is not None and isinstance(source.shape, tuple) and len(source.shape) >= own:
            return source, source.shape[: len(source.shape) - own]
    return None


def _feature(name: str, parameter: str, usual: int) -> Handler:
    def compute(machine: Machine, _: Value, arguments: Arguments) -> Value:
        bound = given("y=None, *rest, **more", Arguments(arguments.args, {})) | arguments.kwargs
        found = _leading(bound)
        if found is None:
            return machine.unknown("library", f"librosa.feature.{name}")
        source, leading = found
        count = bound.get(parameter, usual) if parameter else usual
        rows: Dim = count if isinstance(count, (int, DimExpr)) else counted("features", 1)
        return _made(machine, (*leading, rows, counted("frames")), _single(source) if name in _KEEP_SINGLE else _unknown_type())

    return compute


def _unknown_type() -> Unknown:
    return Unknown("library", "librosa")


for _name, (_parameter, _usual) in _FEATURES.items():
    handler(f"librosa.feature.{_name}")(_feature(_name, _parameter, _usual))


@handler("librosa.stft", "librosa.core.stft")
def spectrum(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``stft(y, n_fft=2048, …)``: (…, 1 + n_fft // 2, frames)."""
    bound = given("y, n_fft=2048, **more", arguments)
    source, window = _array(bound.get("y")), bound.get("n_fft", _USUAL_WINDOW)
    if source is None or not isinstance(source.shape, tuple) or not source.shape:
        return machine.unknown("library", "librosa.stft")
    rows: Dim = add(floordiv(window, 2), 1) if isinstance(window, (int, DimExpr)) else counted("frequencies", 1)
    return _made(machine, (*source.shape[:-1], rows, counted("frames")), _unknown_type())


@handler("librosa.resample", "librosa.core.resample")
def resampled(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """Another number of samples."""
    source = _array(arguments.args[0] if arguments.args else arguments.kwargs.get("y"))
    if source is None or not isinstance(source.shape, tuple) or not source.shape or "axis" in arguments.kwargs:
        return machine.unknown("library", "librosa.resample")
    return _made(machine, (*source.shape[:-1], counted("samples")), source.dtype)


def _same(name: str) -> Handler:
    def compute(machine: Machine, _: Value, arguments: Arguments) -> Value:
        first = arguments.args[0] if arguments.args else next(iter(arguments.kwargs.values()), None)
        source = _array(first)
        if source is None:
            return machine.unknown("library", f"librosa.{name}")
        return _made(machine, source.shape, _single(source))

    return compute


for _name in _SAME:
    handler(f"librosa.{_name}", f"librosa.core.{_name}")(_same(_name))
