"""``einops.rearrange``, ``reduce``, ``repeat``, ``einsum``, ``parse_shape`` and the layers ``Rearrange`` and ``Reduce``."""

from __future__ import annotations

import string

from dllint.domains.lattice import Unknown
from dllint.frameworks.machine import LIBRARY_BASES, Machine, constructor, handler
from dllint.ir.program import Framework, TensorVal
from dllint.ir.values import Arguments, DictVal, InstanceVal, Value, unwrap

#: Function → operation and the number of parameters after the tensor.
FUNCTIONS = {
    "rearrange": ("rearrange", ("pattern",)),
    "repeat": ("einops_repeat", ("pattern",)),
    "reduce": ("einops_reduce", ("pattern", "reduction")),
}
LAYERS = {"Rearrange": "rearrange", "Reduce": "reduce"}
LAYER_HOMES = {"torch": "torch.nn.Module", "keras": "keras.layers.Layer", "tensorflow": "keras.layers.Layer"}


def framework_of(value: Value) -> Framework:
    """The framework of a tensor, or of the first tensor of a sequence."""
    if isinstance(value, TensorVal):
        return value.framework
    items = value if isinstance(value, tuple) else getattr(value, "items", None)
    first = items[0] if isinstance(items, (list, tuple)) and items else None
    return first.framework if isinstance(first, TensorVal) else "torch"


def apply(machine: Machine, function: str, x: Value, arguments: Arguments) -> Value:
    """Perform one of the functions on ``x``; keywords that are no parameters are axis sizes."""
    op, names = FUNCTIONS[function]
    bound = dict(zip(names, arguments.args, strict=False))
    bound |= {name: arguments.kwargs[name] for name in names if name in arguments.kwargs}
    if len(bound) < len(names):
        return machine.unknown("missing-argument", f"einops.{function}")
    sizes = DictVal({k: unwrap(v) for k, v in arguments.kwargs.items() if k not in names})
    return machine.emit(op, {"x": x, **bound, "sizes": sizes}, framework=framework_of(x), spelled=f"einops.{function}")


def _register(function: str) -> None:
    @handler(f"einops.{function}")
    def call(machine: Machine, _: Value, arguments: Arguments) -> Value:
        args, kwargs = arguments.args, dict(arguments.kwargs)
        x = args[0] if args else kwargs.pop("tensor", None)
        return apply(machine, function, x, Arguments(args[1:], kwargs))


def _register_layer(name: str, function: str, home: str, base: str) -> None:
    full = f"einops.layers.{home}.{name}"
    LIBRARY_BASES[full] = (base,)

    @constructor(full)
    def configure(machine: Machine, layer: InstanceVal, arguments: Arguments) -> None:
        machine.write(layer.state, "configuration", arguments)

    @handler(f"{full}.__call__", f"{full}.forward", on=InstanceVal)
    def call(machine: Machine, layer: InstanceVal, arguments: Arguments) -> Value:
        configuration = layer.kept("configuration")
        if not isinstance(configuration, Arguments):
            return configuration
        return apply(machine, function, arguments.args[0] if arguments.args else None, configuration)


for _function in FUNCTIONS:
    _register(_function)
for _home, _base in LAYER_HOMES.items():
    for _name, _function in LAYERS.items():
        _register_layer(_name, _function, _home, _base)


@handler("einops.einsum")
def einsum(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``einsum(*tensors, pattern)`` with axis names instead of letters."""
    given = (*arguments.args, *(v for k, v in arguments.kwargs.items() if k == "pattern"))
    tensors, pattern = given[:-1], given[-1] if given else None
    if not isinstance(pattern, str):
        return machine.unknown("dynamic-argument", "einops.einsum")
    letters = iter(string.ascii_letters)
    by_name: dict[str, str] = {"...": "..."}
    words = pattern.replace(",", " , ").replace("->", " -> ").split()
    equation = "".join(
        word if word in (",", "->") else by_name.setdefault(word, by_name.get(word) or next(letters, "?")) for word in words
    )
    args: dict[str, Value] = {"equation": equation, "operands": tensors}
    return machine.emit("einsum", args, framework=framework_of(tensors), spelled="einops.einsum")


@handler("einops.parse_shape")
def parse_shape(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``parse_shape(x, "b _ h w")``: a dict of the named sizes."""
    x, pattern = (*arguments.args, None, None)[:2]
    if not isinstance(x, TensorVal) or not isinstance(pattern, str) or isinstance(x.shape, Unknown):
        return machine.unknown("unknown-rank", "einops.parse_shape")
    return DictVal({name: size for name, size in zip(pattern.split(), x.shape, strict=False) if name != "_"})
