"""Shapes of spectrograms: those that torchaudio 2.11 gave for the same calls."""

from __future__ import annotations

from typing import Final

import pytest

from dllint.ir.program import TensorVal
from tests.lower.tracing import values

#: What torchaudio gave, of a wave of 2 times 16,000 samples. It is not installed where tests run.
MEASURED: Final = {
    "T.Spectrogram()(w)": "f32[2, 201, 81]",
    "T.Spectrogram(n_fft=512, hop_length=160, win_length=400, pad=10)(w)": "f32[2, 257, 101]",
    "T.Spectrogram(power=None)(w)": "c64[2, 201, 81]",
    "T.Spectrogram(center=False)(w)": "f32[2, 201, 79]",
    "T.Spectrogram(onesided=False)(w)": "f32[2, 400, 81]",
    "T.Spectrogram()(w[0])": "f32[201, 81]",
    "T.Spectrogram()(w[None])": "f32[1, 2, 201, 81]",
    "T.Spectrogram()(w.double())": "f64[2, 201, 81]",
    "T.MelSpectrogram(16000)(w)": "f32[2, 128, 81]",
    "T.MelSpectrogram(16000, n_fft=1024, hop_length=256, n_mels=80)(waveform=w)": "f32[2, 80, 63]",
    "T.MFCC()(w)": "f32[2, 40, 81]",
    "T.LFCC()(w)": "f32[2, 40, 81]",
    "T.AmplitudeToDB()(T.Spectrogram()(w))": "f32[2, 201, 81]",
    "T.MelScale(n_mels=64, n_stft=201)(T.Spectrogram()(w))": "f32[2, 64, 81]",
    "T.GriffinLim()(T.Spectrogram()(w))": "f32[2, 16000]",
    "T.GriffinLim(n_fft=400, hop_length=100)(T.Spectrogram(hop_length=100)(w))": "f32[2, 16000]",
    "T.InverseSpectrogram()(T.Spectrogram(power=None)(w))": "f32[2, 16000]",
    "T.Resample(16000, 8000)(w)": "f32[2, 8000]",
    "T.Resample(16000, 44100)(w)": "f32[2, 44100]",
    "T.Resample(44100, 16000)(w)": "f32[2, 5805]",
    "T.Resample(22050, 16000)(w[:, :333])": "f32[2, 242]",
    "T.FrequencyMasking(10)(T.Spectrogram()(w))": "f32[2, 201, 81]",
    "F.resample(w, 16000, 8000)": "f32[2, 8000]",
    "nn.Sequential(T.MelSpectrogram(16000), T.AmplitudeToDB())(w)": "f32[2, 128, 81]",
}
HEAD: Final = """
import torch
import torchaudio.functional as F
import torchaudio.transforms as T
from torch import nn
w = torch.randn(2, 16000)
"""


def _shown(source: str) -> str:
    found = values(source)["y"]
    assert isinstance(found, TensorVal)
    return str(found.type)


@pytest.mark.parametrize("call", MEASURED)
def test_shapes_are_those_that_torchaudio_gives(call: str) -> None:
    assert _shown(f"{HEAD}y = {call}\n") == MEASURED[call]


@pytest.mark.parametrize("call", MEASURED)
def test_a_module_that_keeps_the_transform_gives_the_same(call: str) -> None:
    body = f"""{HEAD}
class Features(nn.Module):
    def forward(self, w):
        return {call}
y = Features()(w)
"""
    assert _shown(body) == MEASURED[call]


def test_further_options_of_the_windows_leave_the_frames_open() -> None:
    assert _shown(f"{HEAD}y = T.MFCC(n_mfcc=13, melkwargs={{'hop_length': 128}})(w)\n") == "f32[2, 13, frames]"
