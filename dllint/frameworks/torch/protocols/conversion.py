"""Moving modules between devices and element types: ``to``, ``half``, ``double``, ``cuda`` …; parameters of modules."""

from __future__ import annotations

from typing import Final

from dllint.domains.dtype import BFLOAT16, BOOL, COMPLEX128, FLOAT16, FLOAT32, FLOAT64, INT64, DType, dtype_named
from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.frameworks import registry
from dllint.frameworks.machine import Machine, handler
from dllint.frameworks.operands import operands
from dllint.frameworks.torch.protocols.module_tree import all_modules, forget_buffers, own_tensors, submodules
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, InstanceVal, IterVal, LibSymbol, Value, unwrap

#: The configuration key under which operations look for the element type of a layer's weights.
WEIGHT_DTYPE = "weight_dtype"
#: Where functions are that give tensors.
_OF_TENSORS: Final = ("torch.masked.", "torch.linalg.", "torch.special.", "torch.fft.", "torch.nn.functional.", "torch.Tensor.")


#: The element types of Python's own types, which ``to`` takes as well.
_OF_PYTHON: Final = {
    "builtins.float": FLOAT64, "builtins.int": INT64, "builtins.bool": BOOL, "builtins.complex": COMPLEX128,
}  # fmt: skip


def dtype_of(value: Value) -> DType | None:
    """The element type a value stands for (``torch.half``, a dtype object, ``float``), ``None`` if it is none."""
    if isinstance(value, DType):
        return value
    if isinstance(value, LibSymbol) and value.name in _OF_PYTHON:
        return _OF_PYTHON[value.name]
    if isinstance(value, LibSymbol) and value.name.startswith("torch."):
        return dtype_named(value.name.rpartition(".")[2])
    return None


def requested_dtype(arguments: Arguments) -> DType | Unknown | None:
    """The element type that the arguments of ``to`` ask for: a dtype, or that of another tensor; ``None`` if none."""
    named = [arguments.kwargs[name] for name in ("dtype", "other", "tensor", "dst_type", "type") if name in arguments.kwargs]
    for value in (*arguments.args, *named):
        if isinstance(value, TensorVal):
            found: DType | Unknown = value.type.dtype
            return found
        if (dtype := dtype_of(value)) is not None:
            return dtype
        if isinstance(value, Unknown) and (value.reason == "dtype" or "dtype" in value.detail or _is_tensor(value)):
            return value
    return None if arguments.kwargs.get("dtype") is None else Unknown("dtype", "argument of to")


def _is_tensor(value: Unknown) -> bool:
    """Whether what is not known is the result of a function of tensors."""
    if value.reason not in ("unmodelled-call", "unknown-callee"):
        return False
    name, asked = value.detail, operands(value.detail)
    if (asked is not None and asked.tensors) or name.startswith(_OF_TENSORS):
        return True
    return name.count(".") == 1 and name.startswith("torch.") and "device" not in name and registry.parameters(name) is not None


def convert(machine: Machine, module: InstanceVal, dtype: DType | Unknown) -> None:
    """Give all floating-point weights of a module tree another element type."""
    for part in all_modules(machine, module):
        if part.layer is not None:
            machine.write(part.layer.args, WEIGHT_DTYPE, dtype)
        for name, tensor in list(own_tensors(part)):
            if isinstance(tensor.type.dtype, Unknown) or tensor.type.dtype.kind == "float":
                machine.setattr(part, name, machine.tensor(tensor.type.with_dtype(dtype), framework="torch", name=tensor.name))


@handler("torch.nn.Module.to", "torch.nn.Module.to_empty", "torch.nn.Module.type", on=InstanceVal)
def to(machine: Machine, module: InstanceVal, arguments: Arguments) -> Value:
    """``module.to(device, dtype)``: the module itself."""
    dtype = requested_dtype(arguments)
    if dtype is not None:
        convert(machine, module, dtype)
    return module


def _to_dtype(name: str, dtype: DType) -> None:
    @handler(f"torch.nn.Module.{name}", on=InstanceVal)
    def to_dtype(machine: Machine, module: InstanceVal, arguments: Arguments) -> Value:
        convert(machine, module, dtype)
        return module


for _name, _dtype in {"half": FLOAT16, "float": FLOAT32, "double": FLOAT64, "bfloat16": BFLOAT16}.items():
    _to_dtype(_name, _dtype)


@handler(
    "torch.nn.Module.cuda",
    "torch.nn.Module.cpu",
    "torch.nn.Module.requires_grad_",
    "torch.nn.Module.share_memory",
    "torch.nn.Module.compile",
    "torch.nn.Module.xpu",
)
def same(machine: Machine, module: Value, arguments: Arguments) -> Value:
    """A method that changes neither shapes nor types; it returns the module itself."""
    return module


def some_parameter(module: Value = None) -> TensorVal:
    """A parameter of unknown shape; of a module whose weights have one element type, of that type."""
    found = weight_dtypes(module) if isinstance(module, InstanceVal) else set()
    dtype = found.pop() if len(found) == 1 else Unknown("parameters") if found else FLOAT32
    return TensorVal(TensorType(Unknown("parameters"), dtype), name="parameter")


def weight_dtypes(module: InstanceVal) -> set[DType | Unknown]:
    """The floating-point element types of the weights in a module tree."""
    found: set[DType | Unknown] = set()
    for _, part in submodules(module):
        if part.layer is not None and part.layer.row.trainable:
            given = part.layer.args.get(WEIGHT_DTYPE)
            found.add(given if isinstance(given, Unknown) else dtype_of(given) or FLOAT32)
        found |= {
            t.type.dtype for _, t in own_tensors(part) if isinstance(t.type.dtype, Unknown) or t.type.dtype.kind == "float"
        }
    return found


@handler("torch.nn.Module.parameters")
def parameters(machine: Machine, module: Value, arguments: Arguments) -> Value:
    """The parameters; their number and shapes are not followed."""
    return IterVal([], some_parameter(module))


@handler("torch.nn.Module.named_parameters")
def named_parameters(machine: Machine, module: Value, arguments: Arguments) -> Value:
    """Names and parameters."""
    return IterVal([], (Unknown("parameter-name"), some_parameter(module)))


@handler("torch.nn.Module.buffers", on=InstanceVal)
def buffers(machine: Machine, module: InstanceVal, arguments: Arguments) -> Value:
    """The buffers; their number and shapes are not followed. Who goes over them may write to them."""
    forget_buffers(machine, module)
    return parameters(machine, module, arguments)


@handler("torch.nn.Module.named_buffers", on=InstanceVal)
def named_buffers(machine: Machine, module: InstanceVal, arguments: Arguments) -> Value:
    """Names and buffers, which may be written to."""
    forget_buffers(machine, module)
    return named_parameters(machine, module, arguments)


@handler("torch.nn.Parameter")
def parameter(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``nn.Parameter(data, requires_grad=True)``: a tensor of the same type, trained unless the source says that it is not."""
    wanted = arguments.args[1] if len(arguments.args) > 1 else arguments.kwargs.get("requires_grad", True)
    return _registered(machine, arguments, "buffer" if unwrap(wanted) is False else "parameter")


@handler("torch.nn.Buffer")
def buffer(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``nn.Buffer(data)``: a tensor of the same type, which is not trained."""
    return _registered(machine, arguments, "buffer")


def _registered(machine: Machine, arguments: Arguments, name: str) -> Value:
    data = arguments.args[0] if arguments.args else arguments.kwargs.get("data")
    if isinstance(data, TensorVal):
        return machine.tensor(data.type, framework="torch", name=name)
    reason = data if isinstance(data, Unknown) else Unknown("parameter-data")
    return machine.tensor(TensorType(reason, reason), framework="torch", name=name)
