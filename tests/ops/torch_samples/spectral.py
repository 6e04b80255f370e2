"""Fourier transforms, complex numbers."""

from dllint.domains.dtype import BOOL, COMPLEX64, COMPLEX128, FLOAT64, INT64
from tests.ops.harness import Case, Quiet, t

X, S, C = t(2, 3, 8), t(), t(2, 3, 8, dtype=COMPLEX64)
OTHER = tuple(t(2, 8, dtype=d) for d in (FLOAT64, INT64, BOOL, COMPLEX128))
REAL = OTHER[:-1]
ONE_AXIS = ((X,), (X, 5), (X, 0), (X, 12, 1), (X, None, -2), (X, None, 3), (S,), (t(3, 0),))
SEVERAL = ((X,), (X, (4, 6)), (X, None, (0, 1)), (X, (4, 6), (-1, 0)), (X, (4,), (0, 1)), (X, None, (0, 0)), (X, None, (0, 3)),
    (X, (-1, 6)))  # fmt: skip
WINDOW = t(400)
Y = t(2, 1000)
STFT = "input:x n_fft hop_length win_length window center pad_mode normalized onesided return_complex"


def stft(x, n_fft, hop=None, length=None, window=None, center=True, onesided=None, is_complex=True):
    return (x, n_fft, hop, length, window, center, "reflect", False, onesided, is_complex)


CASES = [
    *(Case("fft", f"torch.fft.{name}", "input:x n dim", (*ONE_AXIS, (C,), *((x,) for x in OTHER)))
      for name in ("fft", "ifft")),
    Case("rfft", "torch.fft.rfft", "input:x n dim", (*ONE_AXIS, (X, 7), (C,), *((x,) for x in REAL))),
    Case("rfft", "torch.fft.ihfft", "input:x n dim", ((X,), (X, 7), (C,))),
    Case("irfft", "torch.fft.irfft", "input:x n dim", ((C,), (C, 9), (C, None, 0), (C, None, 3), (t(2, 1, dtype=COMPLEX64),),
        *((x,) for x in OTHER))),
    Case("irfft", "torch.fft.hfft", "input:x n dim", ((C,), (C, 9))),
    Case("fftn", "torch.fft.fftn", "input:x s dim", (*SEVERAL, (X, (2, 4, 4, 4)), (S,), (C,), *((x,) for x in OTHER))),
    Case("rfftn", "torch.fft.rfftn", "input:x s dim", (*SEVERAL, (S,), (C,), *((x,) for x in REAL))),
    Case("irfftn", "torch.fft.irfftn", "input:x s dim", ((C,), (C, (4, 7)), (C, None, (1, 0)), (C, (4,), (0, 1)), *OTHER)),
    Case("fftn", "torch.fft.fft2", "input:x s dim", tuple((x, None, (-2, -1)) for x in (X, C, t(5), *OTHER))),
    *(Case("fftshift", f"torch.fft.{name}", "input:x dim", ((X,), (X, 1), (X, (0, 2)), (X, 3), (C,), (t(0, 3),)))
      for name in ("fftshift", "ifftshift")),
    Case("fftfreq", "torch.fft.fftfreq", "/n", (8, 1, 7)),
    Case("rfftfreq", "torch.fft.rfftfreq", "/n", (8, 1, 7)),
    Case("stft", "torch.stft", STFT, tuple(stft(*args) for args in (
        (Y, 400), (t(1000), 400, 160), (Y, 400, 100, 320), (Y, 400, 100, 400, WINDOW), (Y, 400, 100, 320, WINDOW),
        (Y, 400, None, None, WINDOW, False), (Y, 401, 77), (Y, 400, None, None, None, True, False),
        (Y, 400, None, None, None, True, None, False), (t(2, 300), 400, None, None, WINDOW, False), (t(1, 2, 1000), 400),
        (t(2, 1000, dtype=FLOAT64), 400), (t(2, 1000, dtype=COMPLEX64), 400), (t(2, 300), 400),
    ))),
    Case("istft", "torch.istft", "input:x n_fft hop_length win_length window center normalized onesided length", (
        (t(2, 201, 11, dtype=COMPLEX64), 400), (t(2, 201, 11), 400), (t(201, 11, dtype=COMPLEX64), 400, 160),
        (t(2, 200, 11, dtype=COMPLEX64), 400), (t(2, 400, 11, dtype=COMPLEX64), 400, None, None, None, True, False, False),
        (t(2, 201, 11, dtype=COMPLEX64), 400, None, None, None, True, False, None, 777),
        (t(2, 201, 11, dtype=COMPLEX64), 400, None, None, t(398)), (t(2, 201, 11, dtype=COMPLEX128), 400),
        (t(2, 201, 11, 2), 400),
    )),
    Case("complex_of_parts", "torch.complex", "real:x imag:y", ((X, X), (X, t(8)), (X, t(7)), (X, t(2, 3, 8, dtype=FLOAT64)),
        (t(2, dtype=FLOAT64), t(2, dtype=FLOAT64)), Quiet((t(2, dtype=INT64), t(2, dtype=INT64))))),
    Case("polar", "torch.polar", "abs:x angle:y", ((X, X), (X, t(8)), (t(2, dtype=FLOAT64), t(2, dtype=FLOAT64)))),
    Case("real_part", "torch.real", "input:x", (X, C, S, t(2, dtype=COMPLEX128))),
    Case("imaginary_part", "torch.imag", "input:x", (X, C, t(dtype=COMPLEX64), t(2, dtype=COMPLEX128))),
    Case("angle", "torch.angle", "input:x", (X, C, S, *OTHER)),
]  # fmt: skip
