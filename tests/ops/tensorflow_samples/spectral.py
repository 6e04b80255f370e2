"""Fourier transforms, frames, complex numbers."""

from dllint.domains.dtype import COMPLEX64, COMPLEX128, FLOAT64, INT32
from tests.ops.harness import Case as _Case
from tests.ops.harness import Quiet, t

X, C = t(2, 3, 8), t(2, 3, 8, dtype=COMPLEX64)
PLANE = {"dim": (-2, -1)}


def Case(op, name, params, samples, const=None):
    return _Case(op, f"tensorflow.{name}", params, samples, const or {}, framework="tensorflow")


CASES = [
    Case("crop_boxes", "image.crop_and_resize", "image:x boxes box_indices:index crop_size:size",
        ((t(1, 8, 8, 3), t(5, 4), t(5, dtype=INT32), (4, 6)), (t(2, 8, 8, 1), t(3, 4), t(3, dtype=INT32), (2, 2)))),
    Case("overlap_and_add", "signal.overlap_and_add", "signal:x frame_step:step",
        ((t(2, 5, 8), 4), (t(5, 8), 8), (t(5, 8), 10))),
    *(Case("fft", f"signal.{name}", "input:x", (C, X, t(2, 8, dtype=COMPLEX128))) for name in ("fft", "ifft")),
    Case("rfft", "signal.rfft", "input_tensor:x", (X, t(2, 7), t(2, 8, dtype=FLOAT64), C)),
    Case("irfft", "signal.irfft", "input_tensor:x", (C, t(2, 8, dtype=COMPLEX128))),
    Case("fftn", "signal.fft2d", "input:x", (C,), PLANE),
    Case("rfftn", "signal.rfft2d", "input_tensor:x", (X,), PLANE),
    Case("irfftn", "signal.irfft2d", "input_tensor:x", (C,), PLANE),
    Case("fftshift", "signal.fftshift", "x axes:dim", ((X,), (X, 1))),
    Case("frames", "signal.frame", "signal:x frame_length:size frame_step:step pad_end pad_value axis:dim",
        ((X, 3, 2), (X, 3, 2, True), (X, 8, 1), (X, 9, 1), (t(2, 10, 4), 4, 3, False, 0, 1))),
    Case("framed_spectra", "signal.stft", "signals:x frame_length:size frame_step:step fft_length:n_fft window_fn pad_end", (
        (t(2, 1000), 400, 160), (t(1000), 256, 128, 256), (t(2, 1000), 400, 160, 512, None, True), Quiet((t(2, 300), 400, 160)),
        (t(2, 1000, dtype=FLOAT64), 100, 50))),
    Case("complex_of_parts", "complex", "real:x imag:y", ((X, X), (X, t(8)), (X, t(2, 3, 8, dtype=FLOAT64)))),
    Case("real_part", "math.real", "input:x", (X, C)),
    Case("imaginary_part", "math.imag", "input:x", (C,)),
    Case("angle", "math.angle", "input:x", (C, X)),
]  # fmt: skip
