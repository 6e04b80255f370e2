"""``tf.signal``: Fourier transforms, frames, spectra of frames, and the scale of mels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from dllint.domains.dim import DimExpr
from dllint.domains.dtype import FLOAT32
from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.frameworks.given import given
from dllint.frameworks.machine import Machine, handler
from dllint.frameworks.rows import FunctionRow
from dllint.ir.values import Arguments, Value
from dllint.ops.operand import read_dtype

_Table = Mapping[str, tuple[str, Mapping[str, Value]]]

_PLANE: Final = (-2, -1)
_SPACE: Final = (-3, -2, -1)
#: Operations by the name, with the axes that are transformed.
_TRANSFORMS: Final[_Table] = {
    "fft": ("fft", {}), "ifft": ("fft", {}), "fft2d": ("fftn", {"dim": _PLANE}), "ifft2d": ("fftn", {"dim": _PLANE}),
    "fft3d": ("fftn", {"dim": _SPACE}), "ifft3d": ("fftn", {"dim": _SPACE}),
}  # fmt: skip
_REAL: Final[_Table] = {
    "rfft2d": ("rfftn", {"dim": _PLANE}), "rfft3d": ("rfftn", {"dim": _SPACE}), "irfft2d": ("irfftn", {"dim": _PLANE}),
    "irfft3d": ("irfftn", {"dim": _SPACE}),
}  # fmt: skip
_STFT: Final = "signals, frame_length, frame_step, fft_length=None, window_fn=None, pad_end=False, name=None"

ROWS: Final[tuple[FunctionRow, ...]] = (
    *(FunctionRow(f"tensorflow.signal.{name}", op, "tensorflow", const=const) for name, (op, const) in _TRANSFORMS.items()),
    *(
        FunctionRow(f"tensorflow.signal.{name}", op, "tensorflow", {"input_tensor": "x", "fft_length": "s"}, const)
        for name, (op, const) in _REAL.items()
    ),
    *(
        FunctionRow(f"tensorflow.signal.{name}", name, "tensorflow", {"input_tensor": "x", "fft_length": "n"})
        for name in ("rfft", "irfft")
    ),
    *(
        FunctionRow(f"tensorflow.signal.{name}", "fftshift", "tensorflow", {"axes": "dim"})
        for name in ("fftshift", "ifftshift")
    ),
    FunctionRow(
        "tensorflow.signal.frame",
        "frames",
        "tensorflow",
        {"signal": "x", "frame_length": "size", "frame_step": "step", "axis": "dim"},
    ),
    FunctionRow(
        "tensorflow.signal.stft",
        "framed_spectra",
        "tensorflow",
        {"signals": "x", "frame_length": "size", "frame_step": "step", "fft_length": "n_fft"},
        params=_STFT,
    ),
    FunctionRow(
        "tensorflow.signal.inverse_stft",
        "overlap_and_add",
        "tensorflow",
        {"stfts": "x", "frame_length": "size", "frame_step": "step"},
        params="stfts, frame_length, frame_step, **options",
    ),
    FunctionRow("tensorflow.signal.overlap_and_add", "overlap_and_add", "tensorflow", {"signal": "x", "frame_step": "step"}),
    *(
        FunctionRow(
            f"tensorflow.signal.{name}",
            name,
            "tensorflow",
            {"window_length": "n"},
            params="window_length, periodic=True, dtype=None, name=None",
        )
        for name in ("hann_window", "hamming_window")
    ),
    *(
        FunctionRow(f"tensorflow.signal.{name}", "unknown_activation", "tensorflow", params="x, *rest, **options")
        for name in ("mfccs_from_log_mel_spectrograms", "dct", "idct")
    ),
)
_MEL: Final = (
    "num_mel_bins=20, num_spectrogram_bins=129, sample_rate=8000, lower_edge_hertz=125.0, upper_edge_hertz=3800.0, "
    "dtype=None, name=None"
)


@handler("tensorflow.signal.linear_to_mel_weight_matrix")
def mel_weights(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """The matrix that makes mels of frequencies: ``(num_spectrogram_bins, num_mel_bins)``."""
    bound = given(_MEL, arguments)
    sizes = (bound["num_spectrogram_bins"], bound["num_mel_bins"])
    known = tuple(size for size in sizes if isinstance(size, (int, DimExpr)))
    shape = known if len(known) == len(sizes) else Unknown("no-argument", "mel bins")
    dtype = read_dtype(bound["dtype"])
    return machine.tensor(TensorType(shape, FLOAT32 if dtype is None else dtype), framework="tensorflow", name="mels")
