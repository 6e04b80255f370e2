"""Recordings that are read from files: how many axes they have; how long they are, the files decide.

Sources: the documentation of ``librosa.load`` and of ``torchaudio.load``.
"""

from __future__ import annotations

from dllint.domains.dim import Dim, counted
from dllint.domains.dtype import FLOAT32, DType
from dllint.domains.lattice import Unknown
from dllint.domains.shape import Shape, TensorType
from dllint.frameworks.given import given
from dllint.frameworks.machine import Machine, handler
from dllint.ir.values import Arguments, Value

_USUAL_RATE = 22050


@handler("librosa.load", "librosa.core.load")
def of_librosa(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``load(path, sr=22050, mono=True, …)``: the samples and their rate; of several channels only without ``mono``."""
    bound = given("path, sr=22050, mono=True, offset=0.0, duration=None, dtype=None, **more", arguments)
    is_one = bound.get("mono", True) is True
    shape: Shape | Unknown = (counted("samples"),) if is_one else Unknown("data-file", "channels")
    dtype: DType | Unknown = FLOAT32 if bound.get("dtype") is None else Unknown("data-file", "samples")
    rate = bound.get("sr", _USUAL_RATE)
    samples = machine.tensor(TensorType(shape, dtype), framework="numpy", name="samples")
    return samples, counted("rate", 1) if rate is None else rate


@handler("torchaudio.load")
def of_torchaudio(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``load(uri, frame_offset=0, num_frames=-1, normalize=True, channels_first=True, …)``: (channels, frames) and the rate."""
    signature = "uri, frame_offset=0, num_frames=-1, normalize=True, channels_first=True, **more"
    bound = given(signature, arguments)
    sizes: tuple[Dim, Dim] = (counted("channels", 1), counted("frames"))
    if bound.get("channels_first", True) is False:
        sizes = (sizes[1], sizes[0])
    elif bound.get("channels_first", True) is not True:
        sizes = (counted("size"), counted("size"))
    dtype: DType | Unknown = FLOAT32 if bound.get("normalize", True) is True else Unknown("data-file", "samples")
    return machine.tensor(TensorType(sizes, dtype), framework="torch", name="waveform"), counted("rate", 1)
