"""Spectrograms of sound waves, as torchaudio makes them: frequencies, mels or cepstra by frames along the last axis.

Source: the documentation of ``torchaudio.transforms``; the formulas were compared with torchaudio 2.11.
"""

from __future__ import annotations

from dllint.domains.dim import Dim, add, counted, floordiv, mul
from dllint.domains.dtype import DType
from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.ir.values import Value
from dllint.ops.promotion import real_type
from dllint.ops.sizes import is_dim
from dllint.ops.spec import Call, Result, known_shape, op
from dllint.ops.spectral import complex_type


@op("spectrogram")
def spectrogram(
    call: Call,
    x: TensorType,
    n_fft: Value = 400,
    win_length: Value = None,
    hop_length: Value = None,
    pad: Value = 0,
    power: Value = 2.0,
    center: Value = True,
    onesided: Value = True,
    rows: Value = None,
    options: Value = None,
) -> Result:
    """The energies of ``(…, time)`` in windows that are ``hop_length`` apart, by default half a window:
    ``(…, n_fft // 2 + 1, frames)``. ``rows`` is the number of mels or cepstra that are made of the frequencies; ``options``
    are further options of the windows, which are not followed."""
    shape = known_shape(x)
    dtype = complex_type(call, x.dtype) if isinstance(x.dtype, DType) and x.dtype.kind == "float" else Unknown("dtype", "sound")
    kept = dtype if power is None else Unknown("no-argument", "power") if isinstance(power, Unknown) else real_type(dtype)
    if not shape:
        return TensorType(Unknown("unknown-rank", "spectrogram"), kept)
    frames = _frames(shape[-1], n_fft, win_length, hop_length, pad, center) if options in (None, {}) else None
    found = rows if rows is not None else _frequencies(n_fft, onesided)
    height: Dim = found if is_dim(found) else counted("frequencies", 1)
    return TensorType((*shape[:-1], height, counted("frames") if frames is None else frames), kept)


def _frequencies(n_fft: Value, onesided: Value) -> Value:
    if not is_dim(n_fft) or not isinstance(onesided, bool):
        return Unknown("no-argument", "n_fft")
    return add(floordiv(n_fft, 2), 1) if onesided else n_fft


def _frames(time: Dim, n_fft: Value, win_length: Value, hop_length: Value, pad: Value, center: Value) -> Dim | None:
    step = _step(n_fft, win_length, hop_length)
    if not is_dim(n_fft) or not is_dim(step) or not is_dim(pad) or not isinstance(center, bool) or step == 0:
        return None
    around = add(mul(pad, 2), mul(floordiv(n_fft, 2), 2) if center else 0)
    return add(floordiv(add(add(time, around), mul(n_fft, -1)), step), 1)


def _step(n_fft: Value, win_length: Value, hop_length: Value) -> Value:
    """The samples between two windows: half a window, unless they are given."""
    window = n_fft if win_length is None else win_length
    return floordiv(window, 2) if hop_length is None and is_dim(window) else hop_length


@op("mel_scale")
def mel_scale(call: Call, x: TensorType, rows: Value = 128) -> Result:
    """Other rows instead of frequencies: ``(…, frequencies, frames)`` becomes ``(…, rows, frames)``."""
    shape = known_shape(x)
    if shape is None or len(shape) < 2:
        return x.with_shape(Unknown("unknown-rank", "mel_scale"))
    return x.with_shape((*shape[:-2], rows if is_dim(rows) else counted("mels", 1), shape[-1]))


@op("resample_wave")
def resample_wave(call: Call, x: TensorType, orig_freq: Value = 16000, new_freq: Value = 16000) -> Result:
    """As many samples as another rate has in the same time, a begun one counted."""
    shape = known_shape(x)
    if not shape:
        return x
    if not is_dim(orig_freq) or not is_dim(new_freq) or orig_freq == 0:
        return x.with_shape((*shape[:-1], counted("samples")))
    samples = floordiv(add(mul(shape[-1], new_freq), add(orig_freq, -1)), orig_freq)
    return x.with_shape((*shape[:-1], samples))


@op("wave_of_spectrogram")
def wave_of_spectrogram(
    call: Call, x: TensorType, n_fft: Value = 400, win_length: Value = None, hop_length: Value = None, length: Value = None
) -> Result:
    """The wave that has a spectrogram ``(…, frequencies, frames)``: ``(…, hop_length * (frames - 1))``."""
    shape, dtype, step = known_shape(x), real_type(x.dtype), _step(n_fft, win_length, hop_length)
    if shape is None or len(shape) < 2:
        return TensorType(Unknown("unknown-rank", "wave_of_spectrogram"), dtype)
    time: Dim = counted("samples")
    if is_dim(length):
        time = length
    elif length is None and is_dim(step):
        time = mul(add(shape[-1], -1), step)
    return TensorType((*shape[:-2], time), dtype)
