"""numpy names that are no row: random arrays, files, element types, and indexing objects."""

from __future__ import annotations

import math
from typing import Final

from dllint.domains import dim
from dllint.domains.dim import Dim, DimExpr, counted, drawn, opaque
from dllint.domains.dtype import DTYPES, FLOAT16, FLOAT32, FLOAT64, INT64, DType
from dllint.domains.lattice import Unknown, UnknownFloat
from dllint.domains.numpy_float import NumpyFloat
from dllint.domains.shape import Shape, TensorType
from dllint.frameworks import kinds
from dllint.frameworks.array_like import as_array
from dllint.frameworks.binding import bind
from dllint.frameworks.given import given
from dllint.frameworks.machine import LIBRARY_BASES, Handler, Machine, handler
from dllint.frameworks.numpy.random import HOMES, INTEGER, SIZED, WHOLE, limits
from dllint.frameworks.registry import parameters
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, Assumed, InstanceVal, LibSymbol, ListVal, Value, unwrap
from dllint.ops.operand import read_dtype


def _size(value: Value) -> Shape | Unknown | None:
    value = unwrap(value)
    if isinstance(value, ListVal) and value.rest is None:
        value = tuple(value.items)
    if value is None or isinstance(value, Unknown):
        return value
    if isinstance(value, tuple):
        return tuple(d if isinstance(d := unwrap(size), (int, DimExpr)) else _decided(d) for size in value)
    if isinstance(value, TensorVal) and value.shape == ():  # an integer, or numpy refuses it
        return (_decided(value),)
    return (value,) if isinstance(value, (int, DimExpr)) else Unknown("no-argument", "size")


def _decided(value: Value) -> Dim:
    """A size that is not known; what stands in an array the data decide."""
    return counted("size") if isinstance(value, TensorVal) and value.shape == () else opaque("size")


#: The parameters of distributions whose numbers have limits that follow from them.
_PARAMETERS: Final = {"uniform": ("low", "high"), "normal": ("loc", "scale")}


def _sized(name: str, integer: bool) -> Handler:
    def sample(machine: Machine, _: Value, arguments: Arguments) -> Value:
        params = tuple(p for p in parameters(f"numpy.random.{name}") or () if p.name != "self")
        bound = bind(params, arguments)
        values = {**bound.perhaps, **bound.values}
        shape = _size(values.get("size"))
        if shape is None:
            return machine.unknown("random-number", name)
        out = machine.tensor(TensorType(shape, INT64 if integer else FLOAT64), framework="numpy", name=f"numpy.random.{name}")
        first, second = _PARAMETERS.get(name, ("", ""))
        out.low, out.high = limits(name, values.get(first, 0), values.get(second, 1))
        return out

    return sample


for _name in SIZED:
    for _home in HOMES:
        handler(f"{_home}.{_name}")(_sized(_name, _name in INTEGER))


@handler(*(f"{home}.choice" for home in HOMES))
def choice(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``choice(a, size)``: elements of an array, or integers below a number."""
    source = arguments.args[0] if arguments.args else arguments.kwargs.get("a")
    source = source.value if isinstance(source, Assumed) else source
    shape = _size(arguments.args[1] if len(arguments.args) > 1 else arguments.kwargs.get("size"))
    if shape is None:
        return machine.unknown("random-number", "choice")
    if isinstance(source, TensorVal):
        dtype, low, high = source.dtype, source.low, source.high
    elif isinstance(source, int):
        dtype, low, high = INT64, 0, source - 1
    else:
        dtype, low, high = Unknown("no-argument", "a"), None, None
    out = machine.tensor(TensorType(shape, dtype), framework="numpy", name="numpy.random.choice")
    out.low, out.high = low, high
    return out


def _of_sizes(kind: str) -> Handler:
    def sample(machine: Machine, _: Value, arguments: Arguments) -> Value:
        if not arguments.args and arguments.star is None:
            return UnknownFloat("random-number", kind)
        numbers = (int, DimExpr, Unknown, TensorVal)
        if not all(isinstance(unwrap(size), numbers) for size in arguments.args):  # numpy takes nothing else
            return machine.unknown("wrong-argument", kind)
        shape = arguments.args if arguments.star is None else arguments.star
        return machine.emit(kind, {"shape": shape}, framework="numpy", spelled=f"numpy.random.{kind}")

    return sample


def _whole(name: str) -> Handler:
    """Without a size, and for limits that are numbers, ``randint`` gives a number of Python."""

    def sample(machine: Machine, _: Value, arguments: Arguments) -> Value:
        args = given(WHOLE, arguments)
        low, high = args.get("low"), args["high"]
        low, high = (0, low) if high is None else (low, high)
        typed = "dtype" in arguments.kwargs or len(arguments.args) > _BEFORE_DTYPE
        if args["size"] is None:
            if any(isinstance(limit, (TensorVal, ListVal, tuple)) for limit in (low, high)):
                return machine.unknown("random-number", name)
            if name == "randint" and not typed:
                return drawn(low, high - 1 if type(high) is int else None)
        args["shape"] = args.pop("size")
        spelled = f"numpy.random.{name}"
        return machine.emit("randint", args, framework="numpy", spelled=spelled, defaulted=frozenset({"endpoint"}))

    return sample


_BEFORE_DTYPE: Final = 3

for _name in ("randint", "integers"):
    for _home in HOMES:
        handler(f"{_home}.{_name}")(_whole(_name))


for _name in ("rand", "randn"):
    for _home in HOMES:
        handler(f"{_home}.{_name}")(_of_sizes(_name))


#: Function → signature, the argument that is as long as a sample, element type.
_VECTORS: Final = {
    "multinomial": ("n, pvals, size=None", "pvals", INT64),
    "dirichlet": ("alpha, size=None", "alpha", FLOAT64),
    "multivariate_normal": ("mean, cov, size=None, check_valid='warn', tol=0", "mean", FLOAT64),
}


def _vectors(signature: str, pattern: str, dtype: DType) -> Handler:
    def sample(machine: Machine, _: Value, arguments: Arguments) -> Value:
        options = given(signature, arguments)
        one, shape = as_array(options.get(pattern)), _size(options.get("size"))
        if isinstance(one, ListVal):
            one = machine.emit("array", {"data": one}, framework="numpy", spelled="numpy.asarray")
        if not isinstance(one, TensorVal) or isinstance(one.shape, Unknown) or isinstance(shape, Unknown):
            return machine.unknown("random-number", pattern)
        return machine.tensor(TensorType((*(shape or ()), *one.shape), dtype), framework="numpy", name="numpy.random")

    return sample


for _name, _row in _VECTORS.items():
    for _home in HOMES:
        handler(f"{_home}.{_name}")(_vectors(*_row))


@handler("numpy.random.default_rng", "numpy.random.RandomState", "numpy.random.Generator")
def generator(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """A random generator; all kinds have the methods we know."""
    return InstanceVal(LibSymbol("numpy.random.Generator"), site=machine.site)


LIBRARY_BASES["numpy.random.Generator"] = ("numpy.random.RandomState",)


@handler("numpy.random.seed", "numpy.random.shuffle", "numpy.random.RandomState.shuffle", "numpy.random.RandomState.seed",
         "numpy.set_printoptions", "numpy.save", "numpy.savez", "numpy.savetxt")  # fmt: skip
def nothing(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """Changes no shape and no type."""
    return None


def _scalar_type(name: str, dtype: DType) -> Handler:
    def convert(machine: Machine, _: Value, arguments: Arguments) -> Value:
        if len(arguments.args) > 1:  # real and imaginary part
            return Unknown("scalar", name)
        given = as_array(arguments.args[0]) if arguments.args else 0
        if isinstance(given, (TensorVal, ListVal, tuple)):
            args = {"data": given, "dtype": dtype, "copy": None}
            return machine.emit("array", args, framework="numpy", spelled=f"numpy.{name}")
        known = isinstance(given, (int, float, complex, str, bytes, DimExpr, Unknown))
        return _of_kind(given, dtype) if known else Unknown("scalar", name)

    return convert


#: The types of numpy's floating-point numbers that are followed.
NUMPY_FLOATS: Final = (FLOAT16, FLOAT32, FLOAT64)


def _of_kind(number: Value, dtype: DType) -> Value:
    """A number as one of an element type: whole, or with a point."""
    if dtype.kind == "int" and isinstance(number, (float, UnknownFloat)):
        if isinstance(number, float) and math.isfinite(number):
            return int(number)
        return Unknown("unknown-number", dtype.name)
    if dtype.kind == "float" and isinstance(number, (int, float)):
        return NumpyFloat(number, dtype) if dtype in NUMPY_FLOATS else float(number)
    return UnknownFloat("unknown-number", dtype.name) if dtype.kind == "float" and isinstance(number, DimExpr) else number


#: Names that numpy's types have after those of C.
_OF_C: Final = {
    "half": "float16", "single": "float32", "double": "float64", "csingle": "complex64", "cdouble": "complex128",
    "byte": "int8", "ubyte": "uint8", "short": "int16", "intc": "int32", "int_": "int64", "longlong": "int64", "bool_": "bool",
}  # fmt: skip
for _name, _type in {**{name: name for name in DTYPES}, **_OF_C}.items():
    handler(f"numpy.{_name}")(_scalar_type(_name, DTYPES[_type]))


@handler("numpy.loadtxt", "numpy.genfromtxt", "numpy.fromfile", "numpy.memmap")
def load_other(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """Arrays from files without a header are not known."""
    return machine.unknown("data-file", "numpy.load")


@handler("numpy.prod")
def product(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """The product of a tuple of sizes is a size; of an array, an array."""
    options = given("a, axis=None, dtype=None, out=None, keepdims=False, initial=1, where=True", arguments)
    shape = kinds.sizes(options.get("a"))
    if shape is not None and len(arguments.args) == 1 and not arguments.kwargs:
        return dim.product(shape)
    args = {"x": options.get("a"), "dim": options["axis"], "dtype": options["dtype"], "keepdim": options["keepdims"]}
    return machine.emit("prod", args, framework="numpy", spelled="numpy.prod")


def _test_of_numbers(name: str) -> Handler:
    spelled, decide = f"numpy.{name}", getattr(math, name)

    def test(machine: Machine, _: Value, arguments: Arguments) -> Value:
        if len(arguments.args) == 1 and not arguments.kwargs and isinstance(x := unwrap(arguments.args[0]), (int, float)):
            return bool(decide(x))
        x = arguments.args[0] if arguments.args else arguments.kwargs.get("x")
        return machine.emit(name, {"x": x}, framework="numpy", spelled=spelled)

    return test


for _name in ("isnan", "isinf", "isfinite"):
    handler(f"numpy.{_name}")(_test_of_numbers(_name))


@handler("numpy.dtype")
def element_type(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """An element type by its name, or by a class of numpy or Python."""
    bound = given("dtype, align=False, copy=False, **metadata", arguments)
    found = read_dtype(bound.get("dtype"))
    return machine.unknown("no-argument", "numpy.dtype") if found is None else found
