"""Spectra in models: their sizes are followed, and a layer that is as wide as half of a transform is a fault."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dllint.config.discovery import Configuration
from dllint.engine.session import Session

START: Final = "import torch\nfrom torch import fft, nn\n\n"
FOURIER: Final = """
class Mix(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.rand(width, width, 6, dtype=torch.cfloat))
        self.skip = nn.Conv1d(width, width, 1)

    def forward(self, x):
        spectrum = fft.rfft(x)
        out = torch.zeros(x.size(0), self.weight.size(1), x.size(-1) // 2 + 1, dtype=torch.cfloat)
        out[..., :6] = torch.einsum("bix,iox->box", spectrum[..., :6], self.weight)
        return self.skip(x) + fft.irfft(out, n={n})


print(Mix(8)(torch.randn(4, 8, {size})).shape)
"""
#: How long the samples of a model are, what its inverse transform is asked for, and whether that fits.
LENGTHS: Final = [(64, "x.size(-1)", True), (64, "None", True), (65, "x.size(-1)", True), (65, "None", False)]
AUDIO: Final = """
class Net(nn.Module):
    def __init__(self, points):
        super().__init__()
        self.points = points
        self.cell = nn.GRU({width}, 32, batch_first=True)

    def forward(self, wave):
        spectrum = {spectrum}
        return self.cell({features})[0]


Net(512)(torch.randn(2, 16000))
"""
SPECTRA: Final = (
    "torch.stft(wave, self.points, return_complex=True)",
    "torch.stft(wave, n_fft=self.points, hop_length=160, window=torch.hann_window(self.points), return_complex=True)",
    "wave.stft(self.points, 128, return_complex=True)",
)
FEATURES: Final = (
    "spectrum.abs().transpose(1, 2)",
    "torch.log1p(torch.abs(spectrum)).permute(0, 2, 1)",
    "torch.angle(spectrum).contiguous().transpose(1, 2)",
    "spectrum.real.mT",
)


def codes(text: str, folder: Path) -> list[str]:
    path = folder / "main.py"
    path.write_text(START + text)
    return [finding.code for finding in Session(Configuration(isolated=True)).check_file(path).findings]


@pytest.mark.parametrize(("size", "n", "fits"), LENGTHS)
def test_an_inverse_transform_gives_an_even_number_unless_it_is_asked_for_another(
    size: int, n: str, fits: bool, tmp_path: Path
) -> None:
    assert codes(FOURIER.format(n=n, size=size), tmp_path) == ([] if fits else ["DLT109"])


@pytest.mark.parametrize("features", FEATURES)
@pytest.mark.parametrize("spectrum", SPECTRA)
def test_a_spectrum_has_one_frequency_more_than_half_of_its_numbers(spectrum: str, features: str, tmp_path: Path) -> None:
    for width, found in (("points // 2 + 1", []), ("points // 2", ["DLT101"])):
        assert codes(AUDIO.format(width=width, spectrum=spectrum, features=features), tmp_path) == found
