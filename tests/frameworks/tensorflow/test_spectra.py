"""Spectra of sound in TensorFlow, as its guide to them makes them: sizes and types are those of a run."""

from __future__ import annotations

from typing import Final

import pytest

from tests.lower.tracing import values

START: Final = "import tensorflow as tf\n\nwave = tf.random.normal((2, {samples}))\n"
SPECTRUM: Final = "spectra = tf.signal.stft(wave, frame_length={size}, frame_step={step}, fft_length={points})\n"
MELS: Final = """
power = tf.abs(spectra)
matrix = tf.signal.linear_to_mel_weight_matrix({bins}, power.shape[-1], 16000, 80.0, 7600.0)
mels = tf.tensordot(power, matrix, 1)
out = tf.signal.mfccs_from_log_mel_spectrograms(tf.math.log(mels + 1e-6))[..., :13]
"""
CASES: Final = [(16000, 400, 160, None, 80), (16000, 1024, 256, 1024, 40), (4000, 255, 128, 512, 64)]


def program(samples: int, size: int, step: int, points: int | None, bins: int) -> str:
    head = START.format(samples=samples) + SPECTRUM.format(size=size, step=step, points=points)
    return head + MELS.format(bins=bins)


@pytest.mark.oracle
@pytest.mark.parametrize("case", CASES)
def test_sizes_are_those_of_a_run(case: tuple[int, int, int, int | None, int]) -> None:
    real: dict[str, object] = {}
    exec(program(*case), real)
    found = values(program(*case))
    for name in ("spectra", "power", "matrix", "mels", "out"):
        wanted = real[name]
        assert (tuple(found[name].shape), found[name].dtype.name) == (tuple(wanted.shape), wanted.dtype.name)
