"""A value of every kind, and which known values each of the open ones may turn out to be."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from benchmarks.borders.workshop import Workshop
from dllint.domains.dim import opaque, symbol
from dllint.domains.dtype import BOOL, FLOAT32, FLOAT64, INT64, DType
from dllint.domains.lattice import Unknown, UnknownFloat
from dllint.domains.shape import Shape, TensorType
from dllint.ir.program import Framework, TensorVal
from dllint.ir.values import (
    Assumed,
    BoundVal,
    DictVal,
    IterVal,
    LibSymbol,
    ListVal,
    NativeVal,
    PartialVal,
    RangeVal,
    SetVal,
    SliceVal,
    Value,
)
from dllint.lower.lazy import ChoiceVal, ShapeVal

Make = Callable[[Workshop], Value]

B: Final = symbol("B")
N: Final = symbol("N")


def tensor(shape: Shape | Unknown, dtype: DType | Unknown = FLOAT32, framework: Framework = "torch") -> TensorVal:
    """An input of this type."""
    return TensorVal(TensorType(shape, dtype), framework=framework, name="x")


#: Values that are known altogether, or as far as sizes of inputs are.
KNOWN: Final[Mapping[str, Make]] = {
    "None": lambda w: None,
    "True": lambda w: True,
    "False": lambda w: False,
    "0": lambda w: 0,
    "1": lambda w: 1,
    "2": lambda w: 2,
    "5": lambda w: 5,
    "-1": lambda w: -1,
    "0.5": lambda w: 0.5,
    "2j": lambda w: 2j,
    "'a'": lambda w: "a",
    "'same'": lambda w: "same",
    "'float64'": lambda w: "float64",
    "b'a'": lambda w: b"a",
    "()": lambda w: (),
    "(2,)": lambda w: (2,),
    "(2, 3)": lambda w: (2, 3),
    "(4, 5, 6)": lambda w: (4, 5, 6),
    "(1.0, 2.0)": lambda w: (1.0, 2.0),
    "('a', 'b')": lambda w: ("a", "b"),
    "((1, 2), (3, 4))": lambda w: ((1, 2), (3, 4)),
    "(x, x)": lambda w: (tensor((B, 3)), tensor((B, 3))),
    "[2, 3]": lambda w: ListVal([2, 3]),
    "[[1, 2], [3, 4]]": lambda w: ListVal([ListVal([1, 2]), ListVal([3, 4])]),
    "[x, x]": lambda w: ListVal([tensor((B, 3)), tensor((B, 3))]),
    "[]": lambda w: ListVal([]),
    "{'a': 1}": lambda w: DictVal({"a": 1}),
    "{1, 2}": lambda w: SetVal([1, 2]),
    "range(3)": lambda w: RangeVal(0, 3, 1),
    "slice(1, 2)": lambda w: SliceVal(1, 2, None),
    "iter((1, 2))": lambda w: IterVal([1, 2]),
    "B": lambda w: B,
    "float32": lambda w: FLOAT32,
    "int64": lambda w: INT64,
    "f32[]": lambda w: tensor(()),
    "f32[3]": lambda w: tensor((3,)),
    "f32[B, 3]": lambda w: tensor((B, 3)),
    "f32[B, 3, 8]": lambda w: tensor((B, 3, 8)),
    "f32[B, 3, 8, 8]": lambda w: tensor((B, 3, 8, 8)),
    "f64[2, 3]": lambda w: tensor((2, 3), FLOAT64),
    "i64[3]": lambda w: tensor((3,), INT64),
    "i64[B, 3]": lambda w: tensor((B, 3), INT64),
    "bool[B, 3]": lambda w: tensor((B, 3), BOOL),
    "np f64[N, 4]": lambda w: tensor((N, 4), FLOAT64, "numpy"),
    "keras f32[B, 8, 8, 3]": lambda w: tensor((B, 8, 8, 3), FLOAT32, "keras"),
    "tf f32[B, 4]": lambda w: tensor((B, 4), FLOAT32, "tensorflow"),
}  # fmt: skip

_SIZES: Final = ("1", "2", "5", "B")
_TENSORS: Final = tuple(name for name in KNOWN if "[" in name and name[0] in "fibnkt" and not name.startswith("iter"))
_TORCH: Final = tuple(name for name in _TENSORS if name[0] in "fib")
_FLOAT32: Final = tuple(name for name in _TENSORS if name.startswith("f32"))
_LISTS: Final = ("[2, 3]", "[[1, 2], [3, 4]]", "[x, x]", "[]")

#: Values of which something is not known: how one is made, and the known values that it may turn out to be.
OPEN: Final[Mapping[str, tuple[Make, tuple[str, ...]]]] = {
    "unknown": (lambda w: Unknown("unknown-callee", "f"), tuple(KNOWN)),
    "unknown float": (lambda w: UnknownFloat("random-number", "f"), ("0.5",)),
    "some size": (lambda w: opaque("n"), ("0", "1", "2", "5", "B")),
    "(2, unknown)": (lambda w: (2, Unknown("unknown-callee", "f")), ("(2, 3)",)),
    "(unknown,)": (lambda w: (Unknown("unknown-callee", "f"),), ("(2,)",)),
    "[unknown, unknown]": (lambda w: ListVal([Unknown("f"), Unknown("f")]), ("[2, 3]", "[[1, 2], [3, 4]]", "[x, x]")),
    "list of sizes": (lambda w: ListVal([], opaque("n")), ("[2, 3]", "[]")),
    "list of anything": (lambda w: ListVal([], Unknown("f")), _LISTS),
    "dict of anything": (lambda w: DictVal({}, Unknown("f")), ("{'a': 1}",)),
    "set of anything": (lambda w: SetVal([], Unknown("f")), ("{1, 2}",)),
    "iterator over anything": (lambda w: IterVal([], Unknown("f")), ("iter((1, 2))",)),
    "range(B)": (lambda w: RangeVal(0, B, 1), ()),
    "range(unknown)": (lambda w: RangeVal(0, Unknown("f"), 1), ("range(3)",)),
    "slice(unknown, 2)": (lambda w: SliceVal(Unknown("f"), 2, None), ("slice(1, 2)",)),
    "shape of a tensor": (lambda w: ShapeVal(tensor(Unknown("rank"))), ("()", "(2,)", "(2, 3)", "(4, 5, 6)")),
    "f32 of any shape": (lambda w: tensor(Unknown("rank")), _FLOAT32),
    "any tensor": (lambda w: tensor(Unknown("rank"), Unknown("dtype")), _TORCH),
    "?[B, 3]": (lambda w: tensor((B, 3), Unknown("dtype")), ("f32[B, 3]", "i64[B, 3]", "bool[B, 3]")),
    "f32[B, some size]": (lambda w: tensor((B, opaque("n"))), ("f32[B, 3]",)),
    "2 or 5": (lambda w: ChoiceVal((2, 5)), ("2", "5")),
    "None or f32[B, 3]": (lambda w: ChoiceVal((None, tensor((B, 3)))), ("None", "f32[B, 3]")),
    "2 or (2, 3)": (lambda w: ChoiceVal((2, (2, 3))), ("2", "(2, 3)")),
    "f32[3] or f32[B, 3]": (lambda w: ChoiceVal((tensor((3,)), tensor((B, 3)))), ("f32[3]", "f32[B, 3]")),
    "2 by default": (lambda w: Assumed(2, "n"), ("2",)),
    "(2, 3) by default": (lambda w: Assumed((2, 3), "n"), ("(2, 3)",)),
    "object": (lambda w: w.machine.call(w.plain, w.no_arguments), ()),
    # What is derived from a class that no table knows may be anything.
    "object of an unknown class": (lambda w: w.bare("library.Anything"), tuple(KNOWN)),
    "function": (lambda w: w.function, ()),
    "class": (lambda w: w.plain, ()),
    "method": (lambda w: BoundVal(w.function, w.machine.call(w.plain, w.no_arguments)), ()),
    "method of a library": (lambda w: BoundVal(LibSymbol("torch.Tensor.view"), tensor((2, 3))), ()),
    "partial": (lambda w: PartialVal(w.function, (1,), {}), ()),
    "native": (lambda w: NativeVal("native", lambda machine, arguments: Unknown("native")), ()),
    "module": (lambda w: w.module, ()),
    "function of a library": (lambda w: LibSymbol("torch.relu"), ()),
    "class of a library": (lambda w: LibSymbol("torch.nn.Linear"), ()),
    "name of a library": (lambda w: LibSymbol("torch.nothing_known"), ()),
    "parameter": (lambda w: Unknown("parameter", "n"), ()),
    "argument": (lambda w: Unknown("argument", "x"), ()),
}  # fmt: skip
