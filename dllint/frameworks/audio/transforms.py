"""Rows of ``torchaudio.transforms`` and ``torchaudio.functional``: spectrograms, mels, cepstra, other rates.

Source: the documentation of torchaudio; compared with release 2.11.
"""

from __future__ import annotations

from typing import Final

from dllint.frameworks.rows import FunctionRow, LayerRow

_T: Final = "torchaudio.transforms"
_F: Final = "torchaudio.functional"
_WINDOWS: Final = (
    "n_fft=400, win_length=None, hop_length=None, pad=0, window_fn=None, power=2.0, normalized=False, wkwargs=None, "
    "center=True, pad_mode='reflect', onesided=True, return_complex=None"
)
_MELS: Final = (
    "sample_rate=16000, n_fft=400, win_length=None, hop_length=None, f_min=0.0, f_max=None, pad=0, n_mels=128, window_fn=None, "
    "power=2.0, normalized=False, wkwargs=None, center=True, pad_mode='reflect', onesided=None, norm=None, mel_scale='htk'"
)
#: Of one element at a time, or without change of the shape.
_ALIKE: Final = (
    "AmplitudeToDB", "ComputeDeltas", "SlidingWindowCmn", "FrequencyMasking", "TimeMasking", "Vol", "Fade", "PitchShift",
    "MuLawDecoding", "Deemphasis", "Preemphasis",
)  # fmt: skip
_ALIKE_FUNCTIONS: Final = (
    "amplitude_to_DB", "DB_to_amplitude", "gain", "compute_deltas", "sliding_window_cmn", "highpass_biquad", "lowpass_biquad",
    "preemphasis", "deemphasis", "lfilter", "mask_along_axis", "mask_along_axis_iid", "dither", "contrast", "overdrive",
)  # fmt: skip
_CALLED: Final = "x, *rest, **options"
#: What the sound is called in a call.
_SOUND: Final = {"waveform": "x", "specgram": "x", "melspec": "x", "spectrogram": "x"}

LAYERS: Final[tuple[LayerRow, ...]] = (
    LayerRow(f"{_T}.Spectrogram", "spectrogram", "torch", _SOUND, params=_WINDOWS, call="waveform"),
    LayerRow(
        f"{_T}.MelSpectrogram", "spectrogram", "torch", {**_SOUND, "n_mels": "rows"}, {"onesided": True}, _MELS, "waveform",
    ),
    LayerRow(
        f"{_T}.MFCC", "spectrogram", "torch", {**_SOUND, "n_mfcc": "rows", "melkwargs": "options"},
        params="sample_rate=16000, n_mfcc=40, dct_type=2, norm='ortho', log_mels=False, melkwargs=None", call="waveform",
    ),
    LayerRow(
        f"{_T}.LFCC", "spectrogram", "torch", {**_SOUND, "n_lfcc": "rows", "speckwargs": "options"},
        params="sample_rate=16000, n_filter=128, f_min=0.0, f_max=None, n_lfcc=40, dct_type=2, norm='ortho', log_lf=False, "
        "speckwargs=None", call="waveform",
    ),
    LayerRow(
        f"{_T}.MelScale", "mel_scale", "torch", {**_SOUND, "n_mels": "rows"},
        params="n_mels=128, sample_rate=16000, f_min=0.0, f_max=None, n_stft=201, norm=None, mel_scale='htk'", call="specgram",
    ),
    LayerRow(
        f"{_T}.InverseMelScale", "mel_scale", "torch", {**_SOUND, "n_stft": "rows"},
        params="n_stft, n_mels=128, sample_rate=16000, f_min=0.0, f_max=None, norm=None, mel_scale='htk', driver='gels'",
        call="melspec",
    ),
    LayerRow(
        f"{_T}.Resample", "resample_wave", "torch", _SOUND,
        params="orig_freq=16000, new_freq=16000, resampling_method='sinc_interp_hann', lowpass_filter_width=6, rolloff=0.99, "
        "beta=None, *, dtype=None", call="waveform",
    ),
    LayerRow(
        f"{_T}.GriffinLim", "wave_of_spectrogram", "torch", _SOUND,
        params="n_fft=400, n_iter=32, win_length=None, hop_length=None, window_fn=None, power=2.0, wkwargs=None, "
        "momentum=0.99, length=None, rand_init=True", call="specgram",
    ),
    LayerRow(
        f"{_T}.InverseSpectrogram", "wave_of_spectrogram", "torch", _SOUND,
        params="n_fft=400, win_length=None, hop_length=None, pad=0, window_fn=None, normalized=False, wkwargs=None, "
        "center=True, pad_mode='reflect', onesided=True", call="spectrogram, length=None",
    ),
    *(LayerRow(f"{_T}.{name}", "unknown_activation", "torch", params="*rest, **options", call=_CALLED) for name in _ALIKE),
)  # fmt: skip

FUNCTIONS: Final[tuple[FunctionRow, ...]] = (
    FunctionRow(f"{_F}.resample", "resample_wave", "torch", _SOUND, params="waveform, orig_freq, new_freq, *rest, **options"),
    *(FunctionRow(f"{_F}.{name}", "unknown_activation", "torch", params=_CALLED) for name in _ALIKE_FUNCTIONS),
)
