"""Element types and the promotion rules of each framework."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["bool", "int", "float", "complex", "string"]
_KIND_ORDER = ("bool", "int", "float", "complex")


@dataclass(frozen=True, slots=True)
class DType:
    """An element type: its canonical name, kind and width. Instances are the constants of this module."""

    name: str
    kind: Kind
    bits: int
    signed: bool = True

    def __repr__(self) -> str:
        return self.name


BOOL = DType("bool", "bool", 8, False)
UINT8, UINT16, UINT32, UINT64 = (DType(f"uint{n}", "int", n, False) for n in (8, 16, 32, 64))
INT8, INT16, INT32, INT64 = (DType(f"int{n}", "int", n) for n in (8, 16, 32, 64))
FLOAT16, FLOAT32, FLOAT64 = (DType(f"float{n}", "float", n) for n in (16, 32, 64))
BFLOAT16 = DType("bfloat16", "float", 16)
COMPLEX64, COMPLEX128 = DType("complex64", "complex", 64), DType("complex128", "complex", 128)
STRING = DType("string", "string", 0)

DTYPES: dict[str, DType] = {
    d.name: d
    for d in (BOOL, UINT8, UINT16, UINT32, UINT64, INT8, INT16, INT32, INT64, FLOAT16, BFLOAT16, FLOAT32, FLOAT64,
              COMPLEX64, COMPLEX128, STRING)
}  # fmt: skip
#: Other spellings of the same types in torch, numpy, Keras and Python.
ALIASES: dict[str, DType] = {
    "float": FLOAT32, "double": FLOAT64, "half": FLOAT16, "long": INT64, "int": INT32, "short": INT16, "char": INT8,
    "byte": UINT8, "cfloat": COMPLEX64, "cdouble": COMPLEX128, "float_": FLOAT64, "int_": INT64, "bool_": BOOL,
}  # fmt: skip


def dtype_named(name: str) -> DType | None:
    """The type a framework's attribute name stands for (``torch.long``, ``np.float32``, Keras ``"float16"``)."""
    return DTYPES.get(name) or ALIASES.get(name)


def promote_same_kind(a: DType, b: DType) -> DType:
    """The common type of two types, width-wise, as torch and numpy do for two dimensioned tensors.

    Source: torch's promotion table (``torch.promote_types``); bfloat16 with float16 gives float32; a signed and an
    unsigned integer of at least the signed one's width give the next wider signed type.
    """
    if a == b:
        return a
    ka, kb = _KIND_ORDER.index(a.kind), _KIND_ORDER.index(b.kind)
    if ka != kb:
        high, low = (a, b) if ka > kb else (b, a)
        if high.kind == "complex" and low == FLOAT64:
            return COMPLEX128
        return high
    if a.kind == "float" and a.bits == b.bits == 16:
        return FLOAT32
    if a.kind == "int" and a.signed != b.signed:
        signed, unsigned = (a, b) if a.signed else (b, a)
        return signed if signed.bits > unsigned.bits else DTYPES[f"int{min(64, unsigned.bits * 2)}"]
    return a if a.bits >= b.bits else b


def numpy_pair(a: DType, b: DType) -> DType:
    """``numpy.promote_types``: the smallest type that holds both."""
    if a == b:
        return a
    if _KIND_ORDER.index(a.kind) > _KIND_ORDER.index(b.kind):
        a, b = b, a
    if a.kind == b.kind == "int" and a.signed != b.signed:
        signed, unsigned = (a, b) if a.signed else (b, a)
        if signed.bits <= unsigned.bits == 64:
            return FLOAT64
        return signed if signed.bits > unsigned.bits else DTYPES[f"int{unsigned.bits * 2}"]
    if a.kind == b.kind or a.kind == "bool":
        return b if b.bits >= a.bits or a.kind == "bool" else a
    if b.kind == "float":
        needed = min(64, a.bits * 2)
        return b if b.bits >= needed else DTYPES[f"float{needed}"]
    return COMPLEX128 if a == FLOAT64 or (a.kind == "int" and a.bits > 16) else b
