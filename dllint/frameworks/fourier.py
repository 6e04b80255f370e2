"""The operations behind the names that ``numpy.fft`` and ``torch.fft`` share."""

from __future__ import annotations

from typing import Final

TRANSFORMS: Final = {"fft": "fft ifft", "rfft": "rfft ihfft", "irfft": "irfft hfft"}
#: Of two axes, the last ones unless others are named.
PLANES: Final = {"fftn": "fft2 ifft2", "rfftn": "rfft2", "irfftn": "irfft2"}
SPACES: Final = {"fftn": "fftn ifftn", "rfftn": "rfftn", "irfftn": "irfftn"}
SHIFTS: Final = {"fftshift": "fftshift ifftshift"}
FREQUENCIES: Final = {"fftfreq": "fftfreq", "rfftfreq": "rfftfreq"}
