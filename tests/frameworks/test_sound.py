"""Recordings and features of sound: the axes that the documentation of librosa and of torchaudio gives."""

from __future__ import annotations

import pytest

from dllint.domains.lattice import Unknown
from dllint.ir.program import TensorVal
from tests.frameworks.library_programs import assert_known, inferred

HEAD = """
import librosa
import numpy as np
import torch
import torchaudio
"""
LIBROSA = {
    "y": (None,),
    "librosa.resample(y, orig_sr=sr, target_sr=16000)": (None,),
    "librosa.feature.mfcc(y=y, sr=sr)": (20, None),
    "librosa.feature.mfcc(y=y, sr=sr, n_mfcc=13)": (13, None),
    "librosa.feature.mfcc(y, sr, n_mfcc=13).T": (None, 13),
    "librosa.feature.melspectrogram(y=y, sr=sr, n_mels=64)": (64, None),
    "librosa.power_to_db(librosa.feature.melspectrogram(y=y, sr=sr), ref=np.max)": (128, None),
    "librosa.feature.mfcc(S=librosa.power_to_db(librosa.feature.melspectrogram(y=y, sr=sr)), n_mfcc=40)": (40, None),
    "np.abs(librosa.stft(y))": (1025, None),
    "np.abs(librosa.stft(y, n_fft=512))": (257, None),
    "np.mean(librosa.feature.chroma_stft(y=y, sr=sr).T, axis=0)": (12,),
    "librosa.feature.zero_crossing_rate(y)": (1, None),
    "torch.tensor(librosa.feature.rms(y=y)).squeeze(0)": (None,),
}


@pytest.mark.parametrize("made", LIBROSA)
def test_features_have_rows_and_frames(made: str) -> None:
    assert_known(inferred(f"{HEAD}y, sr = librosa.load('a.wav')\nout = {made}\n"), LIBROSA[made])


@pytest.mark.parametrize("made", LIBROSA)
def test_they_are_the_same_in_a_function(made: str) -> None:
    source = f"{HEAD}def of(path):\n    y, sr = librosa.load(path, sr=None)\n    return {made}\nout = of('a.wav')\n"
    assert_known(inferred(source), LIBROSA[made])


@pytest.mark.parametrize("mono", ["False", "bool(input())"])
def test_recordings_of_several_channels_may_have_one_axis_more(mono: str) -> None:
    out = inferred(f"{HEAD}out, sr = librosa.load('a.wav', mono={mono})\n")
    assert isinstance(out, TensorVal)
    assert isinstance(out.shape, Unknown)


@pytest.mark.parametrize(
    ("call", "sizes"),
    [
        ("torchaudio.load('a.wav')[0]", (None, None)),
        ("torchaudio.load('a.wav')[0].mean(0)", (None,)),
        ("torchaudio.load('a.wav', channels_first=False)[0].T", (None, None)),
        ("torchaudio.load('a.wav', normalize=False)[0].unsqueeze(0)", (1, None, None)),
    ],
)
def test_torchaudio_gives_channels_and_frames(call: str, sizes: tuple[int | None, ...]) -> None:
    assert_known(inferred(f"{HEAD}out = {call}\n"), sizes)
