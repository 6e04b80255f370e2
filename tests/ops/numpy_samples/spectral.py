"""Fourier transforms, windows, complex numbers."""

from dllint.domains.dtype import COMPLEX128, FLOAT64, INT64
from tests.ops.harness import Case as _Case
from tests.ops.harness import t

D = FLOAT64
X, S, C = t(2, 3, 8, dtype=D), t(dtype=D), t(2, 3, 8, dtype=COMPLEX128)
INTS = t(2, 8, dtype=INT64)


def Case(op, name, params, samples):
    return _Case(op, name, params, samples, framework="numpy")


CASES = [
    *(Case("fft", f"numpy.fft.{name}", "a:x n axis:dim", ((X,), (X, 5), (X, 0), (X, 12, 1), (X, None, 3), (C,), (INTS,)))
      for name in ("fft", "ifft")),
    Case("rfft", "numpy.fft.rfft", "a:x n axis:dim", ((X,), (X, 7), (X, None, 0), (INTS,))),
    Case("irfft", "numpy.fft.irfft", "a:x n axis:dim", ((C,), (C, 9), (C, None, 0), (INTS,))),
    Case("fftn", "numpy.fft.fftn", "a:x s axes:dim", ((X,), (X, None, (0, 1)), (X, (4, 6), (0, 1)), (X, (4,), (0, 1)))),
    Case("rfftn", "numpy.fft.rfftn", "a:x s axes:dim", ((X,), (X, None, (1, 0)))),
    Case("irfftn", "numpy.fft.irfftn", "a:x s axes:dim", ((C,), (C, None, (1, 0)))),
    *(Case("fftshift", f"numpy.fft.{name}", "x axes:dim", ((X,), (X, 1), (X, (0, 2)), (X, 3)))
      for name in ("fftshift", "ifftshift")),
    Case("fftfreq", "numpy.fft.fftfreq", "n", (8, 7)),
    Case("rfftfreq", "numpy.fft.rfftfreq", "n", (8, 7)),
    *(Case(op, f"numpy.{name}", "M:n", (8, 1)) for op, name in (("hann_window", "hanning"), ("hamming_window", "hamming"))),
    Case("real_part", "numpy.real", "val:x", (X, C)),
    Case("imaginary_part", "numpy.imag", "val:x", (X, C)),
    Case("angle", "numpy.angle", "z:x", (X, C, INTS)),
]  # fmt: skip
