"""Calls of library functions, methods and classes through the tables of :mod:`dllint.frameworks`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import libcst as cst

from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.frameworks import fitting, registry
from dllint.frameworks.array_like import SHARED_METHODS, as_array
from dllint.frameworks.binding import REQUIRED, Bound, Param, bind, defaults
from dllint.frameworks.machine import HANDLERS, LIBRARY_BASES, Handler
from dllint.frameworks.rows import FunctionRow, LayerRow
from dllint.ir import events
from dllint.ir.program import TensorVal
from dllint.ir.values import (
    Arguments,
    Assumed,
    BoundVal,
    ClassVal,
    FuncVal,
    InstanceVal,
    LayerConfig,
    LibSymbol,
    ListVal,
    Value,
    unwrap,
)
from dllint.lower import asked, attributes, duck, effects, emission, exceptions, guesses, handing, mro, roles
from dllint.lower.lazy import ChoiceVal, ShapeVal
from dllint.lower.typed import typed_value
from dllint.ops.arguments import not_understood
from dllint.ops.default_type import DEFAULT_TYPE, default_type
from dllint.ops.layers import layer
from dllint.ops.spec import OPS, weight_types

if TYPE_CHECKING:
    from dllint.frameworks.machine import Machine
    from dllint.lower.machine import Interpreter

_QUIET = ("builtins.", "math.", "functools.", "collections.", "itertools.", "typing.", "copy.", "dataclasses.", "abc.", "enum.")
#: What every torch module has beside its methods.
MODULE_ATTRIBUTES: Final = frozenset({"training", "call_super_init", "dump_patches", "T_destination"})
#: Modules without configuration of their own: what they have beside what is put into them is in the signature data.
CONTAINERS: Final = frozenset({"torch.nn.Module", "torch.nn.Sequential", "torch.nn.ModuleList", "torch.nn.ModuleDict"})


def other_attribute(m: Machine, cls: LibSymbol, receiver: InstanceVal, name: str) -> Value:
    """An attribute of a library's object that no table names: what its ``__getattr__`` gives, else a method."""
    getter = HANDLERS.get(f"{cls.name}.__getattr__")
    found = getter(m, receiver, Arguments((name,))) if getter is not None else None
    return BoundVal(LibSymbol(f"{cls.name}.{name}"), receiver) if found is None else found


def lacks(instance: InstanceVal, name: str) -> bool:
    """Whether an instance of a torch layer or container certainly has no such attribute.

    The signature data lists all public methods of ``torch.nn`` modules, and a layer keeps its constructor's arguments;
    modules that no table describes and layers whose weights are not modelled may have anything.
    """
    cls = instance.cls
    if (
        not isinstance(cls, LibSymbol)
        or not cls.name.startswith("torch.nn.")
        or name.startswith("_")
        or name in MODULE_ATTRIBUTES
        or instance.open is not None
        or instance.handed
    ):
        return False
    bases = tuple(mro.chain(cls.name))
    if "torch.nn.Module" not in bases:
        return False
    row = registry.layer_row(cls.name)
    if row is None and cls.name not in CONTAINERS:
        return False
    if row is not None and row.trainable and name in (layer(row.op).attributes or (name,)):
        return False
    kept = {param.name for param in registry.parameters(cls.name) or ()}
    return name not in kept and not any(registry.known(f"{base}.{name}") for base in bases)


def call_symbol(m: Interpreter, symbol: LibSymbol, arguments: Arguments) -> Value:
    """Call a library function, or construct a library class."""
    name = symbol.name
    handler = HANDLERS.get(name)
    if name.startswith(_QUIET):
        return _builtin(m, symbol, handler, arguments) if handler is not None else _quiet(m, symbol)
    row = registry.layer_row(name)
    if handler is None and row is not None:
        instance = construct(m, symbol, row, arguments)
        return m.unknown("raised", name) if asked.check(m, name, plain(arguments)) else instance
    if (defined := m.described(symbol)) is not symbol:
        return m.call(defined, m.described_arguments(arguments))
    arguments = fitting.in_own_spelling(name, arguments)
    handing.hand_callbacks(m, arguments)
    function = registry.function_row(name) if handler is None else None
    bound = fitting.bind_function(name, function, arguments)
    if fitting.row_misfits(name, function, bound):
        handing.hand_over(m, arguments, name)
        result: Value = m.unknown("does-not-bind", name)
    elif handler is not None:
        result = handler(m, None, plain(arguments))
    elif function is not None and bound is not None:
        matched = function.framework == "numpy" and _matches_labels(bound)
        result = m.unknown("unknown-data", name) if matched else _perform(m, function, bound, arguments)
    else:
        handing.hand_over(m, arguments, name)
        view = effects.possible_view(m, name, arguments.args[0] if arguments.args else None)
        pair = asked.paired(m, name, plain(arguments)) if view is None else view
        result = _unmodelled(m, symbol, arguments) if pair is None else pair
    result = effects.after_call(m, name, plain(arguments), bound.values if bound is not None else {}, result)
    _record_call(m, name, bound, arguments, result)
    return m.unknown("raised", name) if asked.check(m, name, plain(arguments)) else result


def _matches_labels(bound: Bound) -> bool:
    """Whether a function is given tables or columns of several shapes, of which pandas matches labels, not places."""
    tables = [value for value in bound.values.values() if isinstance(value, InstanceVal)]
    return len({array.shape for value in tables if isinstance(array := as_array(value), TensorVal)}) > 1


def _builtin(m: Interpreter, symbol: LibSymbol, handler: Handler, arguments: Arguments) -> Value:
    """A function of Python's own, or a method called on its class: ``set.union(a, b)``."""
    cls = symbol.name.rpartition(".")[0]
    if cls not in attributes.NATIVE.values():
        return handler(m, None, arguments)
    args = plain(arguments).args
    if not args or attributes.NATIVE.get(type(args[0])) != cls:
        return m.unknown("unmodelled-call", symbol.name)
    return handler(m, args[0], replace(arguments, args=args[1:]))


def _quiet(m: Machine, symbol: LibSymbol) -> Value:
    """The result of a builtin without a model, which leaves no gap; exceptions are objects."""
    if symbol.name.endswith(("Error", "Exception", "Warning", "StopIteration")):
        return InstanceVal(symbol)
    return m.unknown("unmodelled-call", symbol.name)


def plain(arguments: Arguments) -> Arguments:
    """The arguments without their marks as defaults."""
    args = tuple(map(_plain_value, arguments.args))
    kwargs = {k: _plain_value(v) for k, v in arguments.kwargs.items()}
    return Arguments(args, kwargs, arguments.star, arguments.double_star, arguments.nodes)


def _plain_value(value: Value) -> Value:
    if not isinstance(value, Assumed):
        return value
    return Unknown("parameter", value.source) if value.compared else value.value


def _record_call(
    m: Machine, name: str, bound: Bound | None, arguments: Arguments, result: Value, receiver: Value = None
) -> None:
    m.event(
        events.LibraryCall,
        name=name,
        bound=bound.values if bound is not None else dict(arguments.kwargs),
        nodes=bound.nodes if bound is not None else arguments.nodes,
        unbound=bound.unbound if bound is not None else {},
        positional=len(arguments.args),
        receiver=receiver,
        given=(*arguments.args, *arguments.kwargs.values()),
        result=result,
    )


def _unmodelled(m: Interpreter, symbol: LibSymbol, arguments: Arguments) -> Value:
    """An unmodelled class still gives an object, so that its methods keep their qualified names; what an activation gives is a
    tensor."""
    last = symbol.name.rpartition(".")[2]
    if symbol.name in LIBRARY_BASES or (last[:1].isupper() and not last.isupper()):
        return InstanceVal(symbol, site=m.site, open=Unknown("unmodelled-call", symbol.name))
    made = roles.result(m, Unknown("unmodelled-call", symbol.name), arguments)
    return m.unknown("unmodelled-call", symbol.name) if made is None else made


# --- functions and methods --------------------------------------------------------------------------------------------


def call_method(m: Interpreter, method: LibSymbol, receiver: Value, arguments: Arguments) -> Value:
    """Call a library method (``torch.Tensor.view``) on a receiver."""
    handing.hand_callbacks(m, arguments)
    arguments = fitting.in_own_spelling(method.name, arguments)
    if method.name.rpartition(".")[2] in SHARED_METHODS and guesses.rests_on_guess(m.known, receiver):
        return _unfollowed(m, method, receiver, arguments, "guessed-library")
    result = _called_on(m, method, receiver, arguments)
    raises = isinstance(receiver, TensorVal) and asked.check(m, method.name, _on(receiver, plain(arguments)))
    return m.unknown("raised", method.name) if raises else result


def _called_on(m: Interpreter, method: LibSymbol, receiver: Value, arguments: Arguments) -> Value:
    handler = HANDLERS.get(method.name)
    row = registry.function_row(method.name) if handler is None else None
    bound = fitting.bind_method(method.name, row, receiver, arguments)
    if fitting.row_misfits(method.name, row, bound):
        return _unfollowed(m, method, receiver, arguments, "does-not-bind", bound)
    if handler is not None:
        if method.name.startswith(_QUIET):
            return handler(m, receiver, arguments)
        result = _changing(m, method, receiver, arguments, handler(m, receiver, plain(arguments)))
        _record_call(m, method.name, bound, arguments, result, receiver)
        return result
    if row is not None:
        return _method_row(m, row, method, receiver, arguments)
    if (
        isinstance(receiver, InstanceVal)
        and receiver.layer is not None
        and method.name.endswith((".forward", ".call", ".__call__"))
    ):
        return apply_layer(m, receiver, arguments)
    return _unfollowed(m, method, receiver, arguments, "unmodelled-call")


def _unfollowed(
    m: Interpreter, method: LibSymbol, receiver: Value, arguments: Arguments, reason: str, bound: Bound | None = None
) -> Value:
    """The call of a method without a model."""
    handing.hand_over(m, arguments, method.name)
    view: Value = effects.possible_view(m, method.name, receiver)
    if view is None and reason == "unmodelled-call":
        view = asked.paired(m, method.name, plain(fitting.with_receiver(receiver, arguments)))
    result = _changing(m, method, receiver, arguments, m.unknown(reason, method.name) if view is None else view)
    if method.name.endswith(".zero_grad"):  # a model or optimizer of a library that is not known
        duck.unknown_call(m, method, receiver, "zero_grad", arguments)
    _record_call(m, method.name, bound, arguments, result, receiver)
    return result


def _on(receiver: Value, given: Arguments) -> Arguments:
    """Arguments with the receiver in front, their nodes as they are."""
    return Arguments((receiver, *given.args), given.kwargs, given.star, given.double_star, given.nodes)


def _changing(m: Interpreter, method: LibSymbol, receiver: Value, arguments: Arguments, result: Value) -> Value:
    """The result of a method that may have changed its receiver."""
    return effects.after_call(m, method.name, _on(receiver, plain(arguments)), {}, result)


def _method_row(m: Interpreter, row: FunctionRow, method: LibSymbol, receiver: Value, arguments: Arguments) -> Value:
    params = registry.parameters(row.name, row.params)
    if params is None:
        return m.unknown("no-signature", row.name)
    if not params or params[0].name != "self":
        params = (Param("self", "pos", None), *params)
    bound = bind(params, fitting.with_receiver(receiver, arguments))
    result = _perform(m, row, bound, arguments, params)
    result = _changing(m, method, receiver, arguments, result)
    _record_call(m, method.name, bound, arguments, result, receiver)
    return result


def _perform(
    m: Machine, row: FunctionRow, bound: Bound, arguments: Arguments, params: tuple[Param, ...] | None = None
) -> Value:
    params = params if params is not None else registry.parameters(row.name, row.params) or ()
    left = defaults(params, bound)
    rename = renamer(row)
    # Two library parameters may be one canonical parameter (``axis`` and ``reduction_indices``): what was given counts.
    args = {rename(k): v for k, v in left.items()} | {rename(k): v for k, v in bound.values.items()}
    args.update({rename(k): v for k, v in bound.unbound.items() if rename(k) in parameters_of(row.op)})
    args.update(row.const)
    _type_of_out(row, args)
    _spread_sizes(args)
    if _is_unfilled(args.get("data"), arguments):
        args["data"] = Unknown("empty-list")
    named = (rename(k) for k, v in bound.values.items() if k != "self" and not _is_default(params, k, v))
    if (name := not_understood(row.op, args, named)) is not None:
        return m.unknown("unmodelled-argument", f"{row.name}({name}=)")
    return m.emit(
        row.op, args, framework=row.framework, spelled=row.name, defaulted=frozenset(map(rename, left.keys() - bound.perhaps))
    )


def _type_of_out(row: FunctionRow, args: dict[str, Value]) -> None:
    """torch computes numbers for ``out=`` in the type of that tensor, where no other tensor is given."""
    out = args.get("out")
    if row.framework != "torch" or not isinstance(out, TensorVal) or args.get("dtype") is not None:
        return
    if "dtype" in parameters_of(row.op) and not any(isinstance(v, TensorVal) for k, v in args.items() if k != "out"):
        args["dtype"] = out.dtype


def _is_default(params: tuple[Param, ...], name: str, value: Value) -> bool:
    """Whether an argument is what its parameter has by default."""
    default = next((param.default for param in params if param.name == name), REQUIRED)
    plain_value = value.value if isinstance(value, Assumed) else value
    return type(default) is type(plain_value) and default == plain_value


def _spread_sizes(args: dict[str, Value]) -> None:
    """``x.view(a, b)`` and ``x.view((a, b))``: a star parameter that got one sequence, or what may be one, is that."""
    for name, value in args.items():
        if isinstance(value, tuple) and len(value) == 1 and name in ("shape", "dims", "repeats", "sizes", "tensors"):
            inner = value[0].value if isinstance(value[0], Assumed) else value[0]
            if isinstance(inner, (tuple, ListVal, ShapeVal, ChoiceVal, Unknown)) or mro.may_be_anything(inner):
                args[name] = inner
            elif name == "shape" and isinstance(inner, TensorVal) and isinstance(inner.shape, Unknown):
                args[name] = inner.shape  # a parameter of ``forward`` need not be a tensor


def _is_unfilled(data: Value, arguments: Arguments) -> bool:
    """Whether an array is made from an empty list that is not written as a literal: it was filled by code that was not
    followed."""
    empty = data == () or (isinstance(data, ListVal) and not data.items and data.rest is None)
    node = arguments.nodes.get(0)
    return empty and isinstance(node, cst.Arg) and not isinstance(node.value, (cst.List, cst.Tuple))


def parameters_of(op: str) -> Mapping[str, Any]:
    """The canonical parameters of an operation."""
    spec = OPS.get(op)
    return spec.parameters if spec is not None else {}


class _Renamer:
    """Library parameter → canonical parameter for one row."""

    __slots__ = ("_known", "_library", "_row")

    def __init__(self, row: FunctionRow | LayerRow) -> None:
        self._row = row.rename
        self._known = parameters_of(row.op)
        self._library = registry.renames(row.framework)

    def __call__(self, name: str) -> str:
        """The canonical name: the row's own rename, the name itself if the operation has it, else the common rename."""
        own = self._row.get(name)
        if own is not None:
            return own
        if name in self._known:
            return name
        return self._library.get(name) or registry.COMMON_RENAMES.get(name, name)


_renamers: dict[tuple[str, str], _Renamer] = {}


def renamer(row: FunctionRow | LayerRow) -> _Renamer:
    """The renamer of a row, kept."""
    key = (type(row).__name__, row.name)
    known = _renamers.get(key)
    if known is None:
        known = _renamers[key] = _Renamer(row)
    return known


# --- layers -----------------------------------------------------------------------------------------------------------


#: What is never taken for a size: a default that no caller leaves as it is (``norm(nn.Conv2d(…))``, ``norm=nn.BatchNorm2d``).
_NO_SIZES: Final = (InstanceVal, ClassVal, FuncVal)


def construct(m: Interpreter, symbol: LibSymbol, row: LayerRow, arguments: Arguments) -> Value:
    """An instance of a library layer."""
    instance = InstanceVal(symbol, site=m.site)
    configure(m, instance, symbol.name, row, arguments)
    return instance


def configure(m: Interpreter, instance: InstanceVal, name: str, row: LayerRow, arguments: Arguments) -> None:
    """Run a library layer's constructor on an instance: bind its arguments to the canonical parameters. A constructor that does
    not accept an argument, or gets a layer in place of a size, raises; the layer is then unknown."""
    params = registry.parameters(row.name, row.params) or ()
    bound = bind(params, arguments)
    rename = renamer(row)
    left = defaults(params, bound)
    args = {rename(k): unwrap(v) for k, v in {**left, **bound.values}.items() if not isinstance(v, dict)}
    args.update(row.const)
    if row.trainable and row.framework == "torch" and DEFAULT_TYPE in m.state and args.get("weight_dtype") is None:
        args["weight_dtype"] = default_type(m.state)
    if any(name in emission.SIZES and isinstance(value, _NO_SIZES) for name, value in args.items()):
        m.journal.set_attribute(instance, "open", m.unknown("not-a-size", name))
        return
    if fitting.misfits(name, params, bound, row.rename):
        exceptions.raise_if_caught(m, "TypeError")
        m.journal.set_attribute(instance, "open", m.unknown("does-not-bind", name))
        _record_call(m, name, bound, arguments, instance)
        return
    nodes = {rename(k): v for k, v in bound.nodes.items()}
    m.journal.set_attribute(
        instance, "layer", LayerConfig(row, args, nodes, frozenset(map(rename, left.keys() - bound.perhaps)))
    )
    _record_call(m, name, bound, arguments, instance)
    m.event(events.Construction, instance=instance, args=arguments.args, nodes=nodes)


def apply_layer(m: Interpreter, instance: InstanceVal, arguments: Arguments) -> Value:
    """Apply a library layer: perform its operation with its configuration and the call's arguments."""
    config = instance.layer
    if config is None:
        return m.unknown("not-a-layer")
    row: LayerRow = config.row
    params = registry.parameters(f"{row.name}.__call__", row.call) or ()
    rename = renamer(row)
    arguments = _positional(arguments, params, rename)
    bound = bind(params, arguments)
    left = defaults(params, bound)
    args: dict[str, Value] = {rename(k): v for k, v in {**bound.values, **left}.items()}
    args.update((k, v) for k, v in config.args.items() if k not in args)
    defaulted = config.defaulted | frozenset(map(rename, left.keys() - bound.perhaps))
    changed = _changed_weights(m, instance, config) if instance.attrs and row.framework == "torch" else {}
    if bound.missing:
        result: Value = m.unknown("missing-argument", row.name)
    elif changed.keys() - {"weight", "bias"} or (changed and "weight" not in OPS[row.op].parameters):
        result = m.unknown("assigned-weight", row.name)
    elif changed:
        args["weight"] = changed.get("weight", instance.attrs.get("weight"))
        result = m.emit(row.op, args, framework=row.framework, spelled=row.name, defaulted=defaulted)
    else:
        result = m.emit(row.op, args, framework=row.framework, spelled=row.name, layer=instance, defaulted=defaulted)
    result = effects.after_call(m, f"{row.name}.__call__", arguments, config.args, result)
    if asked.check_layer(m, row, plain(arguments)):
        result = m.unknown("raised", row.name)
    m.event(events.ModuleCall, callee=instance, args=arguments.args, keywords=arguments.kwargs, result=result)
    return _activated(m, config, result)


def _positional(arguments: Arguments, params: tuple[Param, ...], rename: _Renamer) -> Arguments:
    """The arguments of a layer's call with those at their positions that it gives by the library's names (``input=x``)."""
    if not arguments.kwargs or arguments.star is not None:
        return arguments
    names = [param.name for param in params]
    kwargs = {name if name in names else rename(name): value for name, value in arguments.kwargs.items()}
    nodes = {name if isinstance(name, int) or name in names else rename(name): n for name, n in arguments.nodes.items()}
    args = list(arguments.args)
    while len(args) < len(names) and names[len(args)] in kwargs:
        name = names[len(args)]
        if name in nodes:
            nodes[len(args)] = nodes.pop(name)
        args.append(kwargs.pop(name))
    return Arguments(tuple(args), kwargs, None, arguments.double_star, nodes)


def weights_of(m: Interpreter, config: LayerConfig) -> Mapping[str, TensorType | Unknown] | None:
    """The parameters that a layer has by its configuration; ``None`` if those of its kind are not described."""
    framework = config.row.framework
    given = {name: typed_value(emission.argument(m, name, value, framework)) for name, value in config.args.items()}
    return weight_types(config.row.op, given, framework)


def _changed_weights(m: Interpreter, instance: InstanceVal, config: LayerConfig) -> dict[str, Value]:
    """The weights of a layer that are not what its configuration says: they were assigned (``layer.weight = …``), or were given
    another shape (``layer.weight.data = …``)."""
    types = weights_of(m, config) or {}
    held = {name: instance.attrs[name] for name in types if name in instance.attrs}
    converted = config.args.get("weight_dtype") is not None
    return {name: value for name, value in held.items() if not _is_declared(value, name, types[name], converted)}


def _is_declared(value: Value, name: str, declared: TensorType | Unknown, converted: bool) -> bool:
    """Whether a weight has the type that its layer was built with. A layer's own weights follow it where it was ``converted``
    to another element type."""
    if isinstance(declared, Unknown):
        return True
    if not isinstance(value, TensorVal) or value.shape != declared.shape:
        return False
    own = value.producer is None and value.name == name
    return value.dtype == declared.dtype or (own and converted)


def _activated(m: Machine, config: LayerConfig, result: Value) -> Value:
    row: LayerRow = config.row
    activation = config.args.get(renamer(row)(row.activation)) if row.activation else None
    if activation is None or isinstance(activation, Unknown) or activation == "linear":
        return result
    function = LibSymbol(f"keras.activations.{activation}") if isinstance(activation, str) else activation
    return m.call(function, Arguments((result,)))
