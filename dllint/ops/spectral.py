"""Discrete Fourier transforms: the sizes of spectra and their element types.

Sources: the documentation of ``torch.fft``, ``torch.stft``, ``numpy.fft`` and ``tf.signal``; compared with the libraries by
``tests/ops``. A transform of real numbers has ``n // 2 + 1`` frequencies, since the others are their conjugates.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from dllint.domains.dim import Dim, add, bounds, floordiv, mul, show
from dllint.domains.dtype import COMPLEX64, COMPLEX128, FLOAT16, FLOAT32, FLOAT64, DType
from dllint.domains.lattice import Unknown
from dllint.domains.shape import Shape, TensorType
from dllint.ir.values import Value
from dllint.ops import faults
from dllint.ops.operand import as_tensor, read_dtype
from dllint.ops.promotion import real_type
from dllint.ops.sizes import is_dim
from dllint.ops.spec import Call, Result, known_shape, op
from dllint.ops.traits import Trait
from dllint.ops.view import LAID_OUT

_COMPLEX: Final[Mapping[DType, DType]] = {
    FLOAT32: COMPLEX64,
    FLOAT64: COMPLEX128,
    COMPLEX64: COMPLEX64,
    COMPLEX128: COMPLEX128,
}
#: Types of single precision or less: numpy before 2.0 computes in double precision, later releases keep it.
_SINGLE: Final = (FLOAT16, FLOAT32, COMPLEX64)
_SINGLE_TYPE: Final = Unknown("dtype", "numpy before and after 2.0")
_OTHER_TYPE: Final = Unknown("dtype", "of a spectrum")
_NUMBERS: Final = ("float", "int", "bool", "complex")
#: Libraries that refuse to transform no numbers.
_NEEDING_POINTS: Final = ("torch", "numpy")


def complex_type(call: Call, dtype: DType | Unknown) -> DType | Unknown:
    """The element type of a spectrum of numbers of a type. torch takes whole numbers for numbers of its default type, numpy for
    those of double precision."""
    if isinstance(dtype, Unknown):
        return dtype
    if dtype.kind not in _NUMBERS:
        return _OTHER_TYPE
    if call.framework == "numpy":
        return _SINGLE_TYPE if dtype in _SINGLE else COMPLEX128
    if call.framework == "torch" and dtype.kind in ("int", "bool"):
        return COMPLEX64
    return _COMPLEX.get(dtype, _OTHER_TYPE)


def _is_complex(x: TensorType) -> bool | None:
    """Whether the elements are complex numbers; ``None`` if that is not known."""
    return x.dtype.kind == "complex" if isinstance(x.dtype, DType) else None


def _transformed(call: Call, shape: Shape | Unknown, dtype: DType | Unknown) -> TensorType:
    """A result in memory as it suits the transform: in torch, axes may lie in any order."""
    return TensorType(shape, dtype, Unknown("layout", "spectrum") if call.framework in LAID_OUT else None)


def _refuse_complex(call: Call, x: TensorType) -> None:
    """torch and TensorFlow transform real numbers only where half of the frequencies are asked for."""
    if call.framework in ("torch", "tensorflow") and _is_complex(x):
        call.fault(faults.DTYPE, operand="x", expected=FLOAT32, actual=x.dtype)


def _half(size: Dim) -> Dim:
    """How many frequencies real numbers have: ``size // 2 + 1``, none of no numbers."""
    return add(floordiv(size, 2), 1) if size != 0 else 0


def _whole(frequencies: Dim) -> Dim:
    """How many real numbers have so many frequencies, if their number is even."""
    return mul(add(frequencies, -1), 2) if frequencies != 0 else 0


def _open(call: Call, x: TensorType, dtype: DType | Unknown, reason: str) -> TensorType:
    """A spectrum along an axis that is not known."""
    return _transformed(call, x.shape if isinstance(x.shape, Unknown) else Unknown("no-argument", reason), dtype)


def _check_points(call: Call, size: Dim, operand: str) -> None:
    """A transform needs one number along its axis."""
    _, most = bounds(size)
    if call.framework in _NEEDING_POINTS and most is not None and most < 1:
        detail = f"a transform needs one number along its axis, not {show(size)}"
        call.fault(faults.ARGUMENT, operand=operand, actual=size, detail=detail)


def _length(call: Call, n: Value, usual: Dim) -> Dim | None:
    """The length that is asked for, or the usual one; ``None`` if it is not known."""
    if n is None:
        _check_points(call, usual, "x")
        return usual
    if not is_dim(n):
        return None
    if n == -1 and call.framework == "torch":
        return usual
    _check_points(call, n, "n")
    return n


def _along(call: Call, x: TensorType, n: Value, dim: Value, kind: str) -> TensorType:
    """The result of a transform along one axis; ``kind`` says of what: ``complex``, ``real`` or ``inverse``."""
    dtype = real_type(complex_type(call, x.dtype)) if kind == "inverse" else complex_type(call, x.dtype)
    if x.rank == 0:
        call.fault(faults.RANK, operand="x", expected=(1,), actual=0, shapes=((),))
        return _open(call, x, dtype, "fft")
    axis, shape = call.axis(dim, x), known_shape(x)
    if shape is None or axis is None:
        return _open(call, x, dtype, "fft")
    size = _length(call, n, _whole(shape[axis]) if kind == "inverse" else shape[axis])
    if size is None:
        return _open(call, x, dtype, "fft")
    return _transformed(call, (*shape[:axis], _half(size) if kind == "real" else size, *shape[axis + 1 :]), dtype)


@op("fft")
def fft(call: Call, x: TensorType, n: Value = None, dim: Value = -1) -> Result:
    """The spectrum along an axis, or its inverse: as many numbers, cut or filled up to ``n``."""
    given = as_tensor(call, x)
    if call.framework == "tensorflow" and _is_complex(given) is False:
        call.fault(faults.DTYPE, operand="x", expected=COMPLEX64, actual=given.dtype)
    return _along(call, given, n, dim, "complex")


@op("rfft")
def rfft(call: Call, x: TensorType, n: Value = None, dim: Value = -1) -> Result:
    """The frequencies of real numbers that are not conjugates of others."""
    given = as_tensor(call, x)
    _refuse_complex(call, given)
    return _along(call, given, n, dim, "real")


@op("irfft")
def irfft(call: Call, x: TensorType, n: Value = None, dim: Value = -1) -> Result:
    """The ``n`` real numbers that have these frequencies, an even number unless ``n`` says another."""
    return _along(call, as_tensor(call, x), n, dim, "inverse")


def _axes(call: Call, x: TensorType, s: Value, dim: Value) -> list[int] | None:
    """The axes that are transformed: those named, else as many last ones as there are sizes, else all."""
    rank = x.rank
    if rank is None:
        return None
    if dim is None:
        count = len(s) if isinstance(s, tuple) else 1 if is_dim(s) else rank if s is None else None
        if count is not None and count > rank:
            call.fault(faults.ARGUMENT, operand="s", actual=s, detail=f"{count} sizes are given for {rank} axes")
        return None if count is None or count > rank else list(range(rank - count, rank))
    named = dim if isinstance(dim, tuple) else (dim,)
    found = [call.axis(axis, x, "dim") for axis in named]
    known = [axis for axis in found if axis is not None]
    if len(known) < len(found):
        return None
    if call.framework == "torch" and len(set(known)) < len(known):
        call.fault(faults.ARGUMENT, operand="dim", actual=dim, detail="an axis is named twice")
        return None
    return known


def _lengths(call: Call, s: Value, axes: Sequence[int], usual: Sequence[Dim]) -> list[Dim] | None:
    """The length along each of the axes; ``None`` if one is not known."""
    if s is None:
        asked: tuple[Value, ...] = (None,) * len(axes)
    elif isinstance(s, tuple):
        asked = s
    elif is_dim(s):
        asked = (s,)
    else:
        return None
    if len(asked) != len(axes):
        detail = f"the number of sizes ({len(asked)}) is not that of the axes ({len(axes)})"
        call.fault(faults.ARGUMENT, operand="s", actual=s, detail=detail)
        return None
    found = [_length(call, one, size) for one, size in zip(asked, usual, strict=True)]
    known = [size for size in found if size is not None]
    return known if len(known) == len(found) else None


def _over(call: Call, x: TensorType, s: Value, dim: Value, kind: str) -> TensorType:
    """The result of a transform along several axes, the last of which is that of real numbers."""
    dtype = real_type(complex_type(call, x.dtype)) if kind == "inverse" else complex_type(call, x.dtype)
    axes, shape = _axes(call, x, s, dim), known_shape(x)
    if shape is None or axes is None or any(not -len(shape) <= axis < len(shape) for axis in axes):
        return _open(call, x, dtype, "fft")
    if kind != "complex" and not axes and call.framework == "torch":
        call.fault(faults.ARGUMENT, operand="dim", actual=dim, detail="no axis is left to transform")
        return _open(call, x, dtype, "fft")
    usual = [shape[axis] for axis in axes]
    if kind == "inverse":
        usual = [*usual[:-1], _whole(usual[-1])] if usual else usual
    sizes = _lengths(call, s, axes, usual)
    if sizes is None:
        return _open(call, x, dtype, "fft")
    if kind == "real" and sizes:
        sizes[-1] = _half(sizes[-1])
    made: list[Dim] = list(shape)
    for axis, size in zip(axes, sizes, strict=True):
        made[axis] = size
    return _transformed(call, tuple(made), dtype)


@op("fftn")
def fftn(call: Call, x: TensorType, s: Value = None, dim: Value = None) -> Result:
    """The spectrum along several axes, or its inverse."""
    return _over(call, as_tensor(call, x), s, dim, "complex")


@op("rfftn")
def rfftn(call: Call, x: TensorType, s: Value = None, dim: Value = None) -> Result:
    """The same of real numbers: along the last of the axes, half of the frequencies."""
    given = as_tensor(call, x)
    _refuse_complex(call, given)
    return _over(call, given, s, dim, "real")


@op("irfftn")
def irfftn(call: Call, x: TensorType, s: Value = None, dim: Value = None) -> Result:
    """The real numbers that have these frequencies."""
    return _over(call, as_tensor(call, x), s, dim, "inverse")


@op("fftshift", traits=Trait.KEEPS_VALUES | Trait.KEEPS_SHAPE)
def fftshift(call: Call, x: TensorType, dim: Value = None) -> Result:
    """The frequency 0 in the middle of each axis, or back at its beginning."""
    given = as_tensor(call, x)
    for axis in dim if isinstance(dim, tuple) else (dim,):
        call.axis(axis, given)
    return given.with_shape(given.shape)


def _frequencies(call: Call, size: Value, dtype: Value) -> TensorType:
    wanted = read_dtype(dtype)
    usual = FLOAT64 if call.framework == "numpy" else FLOAT32
    shape = (size,) if is_dim(size) else Unknown("no-argument", "frequencies")
    return TensorType(shape, usual if wanted is None else wanted)


@op("fftfreq")
def fftfreq(call: Call, n: Value, dtype: Value = None) -> Result:
    """The frequencies of a spectrum of ``n`` numbers."""
    return _frequencies(call, n, dtype)


@op("rfftfreq")
def rfftfreq(call: Call, n: Value, dtype: Value = None) -> Result:
    """The frequencies of a spectrum of ``n`` real numbers."""
    return _frequencies(call, _half(n) if is_dim(n) else n, dtype)


@op("stft")
def stft(
    call: Call,
    x: TensorType,
    n_fft: Value,
    hop_length: Value = None,
    win_length: Value = None,
    window: Value = None,
    center: Value = True,
    onesided: Value = None,
    return_complex: Value = None,
) -> Result:
    """``torch.stft``: the spectra of windows over the last axis, ``(*, n_fft // 2 + 1, frames)``, with ``center`` of as many
    more samples as ``n_fft // 2`` on both sides."""
    given = as_tensor(call, x)
    is_complex, dtype = _is_complex(given), complex_type(call, _wider(given, window))
    in_parts = not is_complex if return_complex is None and is_complex is not None else _opposite(return_complex)
    told = _OTHER_TYPE if in_parts is None else real_type(dtype) if in_parts else dtype
    if not call.rank(given, 1, 2):
        return _open(call, given, told, "stft")
    _check_window(call, n_fft, win_length, window)
    shape, step, is_half = known_shape(given), _step(n_fft, hop_length), _is_onesided(onesided, is_complex)
    if shape is None or step is None or not isinstance(center, bool) or is_half is None or not is_dim(n_fft):
        return _open(call, given, told, "stft")
    length = add(shape[-1], mul(floordiv(n_fft, 2), 2)) if center else shape[-1]
    spare = add(length, mul(n_fft, -1))
    if (most := bounds(spare)[1]) is not None and most < 0:
        detail = f"a window of {show(n_fft)} is longer than the {show(length)} samples"
        call.fault(faults.OPERATOR_SHAPE, operand="n_fft", expected=length, actual=n_fft, shapes=(shape,), detail=detail)
    if in_parts is None:
        return _open(call, given, told, "stft")
    made = (*shape[:-1], _half(n_fft) if is_half else n_fft, add(floordiv(spare, step), 1))
    return _transformed(call, (*made, 2) if in_parts else made, told)


def _opposite(flag: Value) -> bool | None:
    return not flag if isinstance(flag, bool) else None


def _is_onesided(onesided: Value, is_complex: bool | None) -> bool | None:
    """Whether a spectrum leaves out frequencies that are conjugates of others: unless it is told, of real numbers."""
    if onesided is None:
        return None if is_complex is None else not is_complex
    return onesided if isinstance(onesided, bool) else None


def _wider(x: TensorType, window: Value) -> DType | Unknown:
    """The type in which a product of samples and a window is."""
    if not isinstance(window, TensorType):
        return x.dtype if window is None else Unknown("dtype", "window")
    return x.dtype if window.dtype == x.dtype or window.dtype == FLOAT32 else Unknown("dtype", "window")


def _step(n_fft: Value, hop_length: Value) -> Dim | None:
    """The samples between two windows: a quarter of one, unless they are given."""
    if hop_length is None:
        return floordiv(n_fft, 4) if is_dim(n_fft) else None
    return hop_length if is_dim(hop_length) else None


def _check_window(call: Call, n_fft: Value, win_length: Value, window: Value) -> None:
    """A window has as many weights as ``win_length`` says, or as a transform has numbers."""
    wanted = n_fft if win_length is None else win_length
    shape = known_shape(window) if isinstance(window, TensorType) else None
    if shape is None or len(shape) != 1 or not isinstance(wanted, int) or not isinstance(shape[0], int):
        return
    if shape[0] != wanted:
        detail = f"the window has {shape[0]} weights where {wanted} are needed"
        call.fault(faults.OPERATOR_SHAPE, operand="window", expected=wanted, actual=shape[0], shapes=(shape,), detail=detail)


@op("istft")
def istft(
    call: Call,
    x: TensorType,
    n_fft: Value,
    hop_length: Value = None,
    win_length: Value = None,
    window: Value = None,
    center: Value = True,
    onesided: Value = None,
    length: Value = None,
    return_complex: Value = False,
) -> Result:
    """``torch.istft``: the samples of which these are the spectra, ``(*, samples)``."""
    given = as_tensor(call, x)
    if _is_complex(given) is False:
        call.fault(faults.DTYPE, operand="x", expected=COMPLEX64, actual=given.dtype)
    dtype = real_type(complex_type(call, given.dtype)) if return_complex is False else Unknown("no-argument", "return_complex")
    shape, step = known_shape(given), _step(n_fft, hop_length)
    if shape is None or len(shape) not in (2, 3):
        if shape is not None and _is_complex(given):
            call.rank(given, 2, 3)
        return _open(call, given, dtype, "istft")
    if not call.faults:
        _check_frequencies(call, shape, n_fft, onesided)
        _check_window(call, n_fft, win_length, window)
    if is_dim(length):
        return _transformed(call, (*shape[:-2], length), dtype)
    if length is not None or step is None or not is_dim(n_fft) or not isinstance(center, bool):
        return _open(call, given, dtype, "istft")
    samples = add(n_fft, mul(step, add(shape[-1], -1)))
    return _transformed(call, (*shape[:-2], add(samples, mul(floordiv(n_fft, 2), -2)) if center else samples), dtype)


def _check_frequencies(call: Call, shape: Shape, n_fft: Value, onesided: Value) -> None:
    """The axis before the last has the frequencies of a transform of ``n_fft`` numbers."""
    size = shape[-2]
    if not isinstance(n_fft, int) or not isinstance(size, int):
        return
    fitting = {n_fft // 2 + 1, n_fft} if onesided is None else {n_fft // 2 + 1} if onesided is True else {n_fft}
    if isinstance(onesided, (bool, type(None))) and size not in fitting:
        expected = n_fft if onesided is False else n_fft // 2 + 1
        detail = f"a transform of {n_fft} numbers has {expected} frequencies, not {size}"
        call.fault(faults.OPERATOR_SHAPE, operand="x", expected=expected, actual=size, shapes=(shape,), detail=detail)


@op("frames")
def frames(call: Call, x: TensorType, size: Value, step: Value, pad_end: Value = False, dim: Value = -1) -> Result:
    """``tf.signal.frame``: windows of ``size`` numbers, ``step`` apart, in the place of an axis: ``(…, frames, size, …)``."""
    given = as_tensor(call, x)
    axis, shape = call.axis(dim, given), known_shape(given)
    if shape is None or axis is None or not is_dim(size) or not is_dim(step):
        return _open(call, given, given.dtype, "frames")
    if not isinstance(pad_end, bool):
        return _open(call, given, given.dtype, "frames")
    return TensorType((*shape[:axis], _frames(shape[axis], size, step, pad_end), size, *shape[axis + 1 :]), given.dtype)


def _frames(samples: Dim, size: Dim, step: Dim, pad_end: bool) -> Dim:
    """How many windows TensorFlow finds in so many samples: whole ones, or, with ``pad_end``, one at each step."""
    if pad_end:
        return floordiv(add(samples, add(step, -1)), step)
    spare = add(samples, mul(size, -1))
    count = add(floordiv(spare, step), 1)
    return max(count, 0) if isinstance(count, int) else count


@op("framed_spectra")
def framed_spectra(call: Call, x: TensorType, size: Value, step: Value, n_fft: Value = None, pad_end: Value = False) -> Result:
    """``tf.signal.stft``: the spectra of windows over the last axis, ``(…, frames, n_fft // 2 + 1)``. Without ``n_fft``, the
    next power of 2."""
    given = as_tensor(call, x)
    _refuse_complex(call, given)
    dtype, shape = complex_type(call, given.dtype), known_shape(given)
    points = _power(size) if n_fft is None else n_fft
    if not shape or not is_dim(points) or not isinstance(pad_end, bool):
        return _open(call, given, dtype, "stft")
    if not is_dim(size) or not is_dim(step):
        return _open(call, given, dtype, "stft")
    return TensorType((*shape[:-1], _frames(shape[-1], size, step, pad_end), _half(points)), dtype)


def _power(size: Value) -> Value:
    """The smallest power of 2 that is not below a size."""
    return 1 << (size - 1).bit_length() if isinstance(size, int) and size > 0 else Unknown("no-argument", "fft_length")


@op("overlap_and_add")
def overlap_and_add(call: Call, x: TensorType, step: Value, size: Value = None) -> Result:
    """Windows ``(…, frames, window)`` that are ``step`` apart, added up: the last one has its whole length. Of spectra of
    windows, ``size`` is the length of a window."""
    given = as_tensor(call, x)
    shape, dtype = known_shape(given), real_type(given.dtype)
    length = size if size is not None else shape[-1] if shape else None
    if shape is None or len(shape) < 2 or not is_dim(step) or not is_dim(length):
        return _open(call, given, dtype, "overlap_and_add")
    return TensorType((*shape[:-2], add(mul(add(shape[-2], -1), step), length)), dtype)
