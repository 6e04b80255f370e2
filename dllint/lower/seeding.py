"""Values for the parameters of entries: from annotations and defaults, else symbols and tensors of unknown shape."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from dllint.domains.dim import symbol
from dllint.domains.dtype import DType
from dllint.domains.lattice import Unknown, UnknownFloat
from dllint.domains.shape import Shape, TensorType
from dllint.ir.program import Framework, TensorVal
from dllint.ir.values import Arguments, Assumed, ClassVal, DictVal, FuncVal, InstanceVal, LibSymbol, Value
from dllint.lower import dataclass, guesses, hints, mro
from dllint.lower.documented import shapes
from dllint.lower.scopes import MISSING
from dllint.lower.signatures import Signature, signature
from dllint.lower.variants import settings

if TYPE_CHECKING:
    from dllint.lower.machine import Interpreter
    from dllint.lower.parts import Declares
    from dllint.lower.state import Identities, Run

_SCALARS = frozenset({"builtins.bool", "builtins.str"})
_TENSORS: dict[str, Framework] = {
    "torch.Tensor": "torch", "torch.FloatTensor": "torch", "torch.LongTensor": "torch", "numpy.ndarray": "numpy",
    "tensorflow.Tensor": "tensorflow", "keras.KerasTensor": "keras",
}  # fmt: skip


def is_builder(func: FuncVal, known: Identities) -> bool:
    """Whether a function can be run without tensors: every parameter has a default or a plain annotation."""
    sig = signature(known, func.node)
    plain = {"int", "float", "bool", "str"}
    for name in sig.names:
        annotation = sig.annotations.get(name)
        if name not in sig.defaults and not (isinstance(annotation, cst.Name) and annotation.value in plain):
            return False
    return True


def parameters(
    m: Interpreter, func: FuncVal, skip: int = 0, tensors: bool | frozenset[str] = False, part: bool = False
) -> dict[str, Value]:
    """A value for each parameter after the first ``skip`` ones. ``tensors``: parameters without annotation or default
    are tensors (those of ``forward``), or those of these names. ``part``: the method is called by code that was not reached,
    so that a default of None tells nothing."""
    sig = signature(m.known, func.node)
    out: dict[str, Value] = {}
    for name in [*sig.positional[skip:], *sig.keyword]:
        missing = part and name in func.defaults and func.defaults[name] is None
        is_tensor = tensors if isinstance(tensors, bool) else name in tensors
        out[name] = Unknown("parameter", name) if missing else _parameter(m, func, sig, name, is_tensor)
    if tensors is not False or not skip:
        # What a function does that can be called without arguments is what it is for (``resnet50(**kwargs)``), but not where
        # it takes any number of them (``resize(*args)``).
        alone = tensors is False and sig.star is None and sig.names <= set(func.defaults)
        if sig.star is not None:
            out[sig.star] = Unknown("parameter", sig.star)
        if sig.double_star is not None:
            out[sig.double_star] = DictVal({}, None if alone else Unknown("parameter", sig.double_star))
    return out


def further(known: Identities, run: Run, func: FuncVal) -> Arguments:
    """The extra arguments of a constructor (``*args``, ``**kwargs``), where they are left open or the constructor needs
    them."""
    sig = signature(known, func.node)
    names = {*run.opened.get(id(func.origin_node), ()), *sig.needed}
    star = Unknown("parameter", sig.star) if sig.star is not None and sig.star in names else None
    double_star = Unknown("parameter", sig.double_star) if sig.double_star is not None and sig.double_star in names else None
    return Arguments(star=star, double_star=double_star)


def _parameter(m: Interpreter, func: FuncVal, sig: Signature, name: str, tensors: bool) -> Value:
    if name in func.defaults and name not in m.run.values and name in m.run.opened.get(id(func.origin_node), ()):
        return _of_type(m, func, sig, name) or Unknown("parameter", name)
    if name in func.defaults:
        return settings.setting(m.known, m.run, name, func.defaults[name], lambda: _of_type(m, func, sig, name))
    annotation = sig.annotations.get(name)
    if annotation is not None:
        made = _annotated(m, func, annotation, name)
        if made is not None:
            return made
    if tensors:
        made = tensor(m, name, framework_of(func))
        m.known.presumed.note(made, guesses.is_guess(func))
        shapes.note(m, func, name, made)
        return made
    reason = "parameter" if func.owner is not None else "argument"
    return m.derive(("parameter", id(func.node), name), lambda: Unknown(reason, name), func.node)


def _of_type(m: Interpreter, func: FuncVal, sig: Signature, name: str) -> Value:
    """What is given for a parameter: a value of its type; without one, a constructor takes a size, other functions anything."""
    annotation = sig.annotations.get(name)
    if annotation is not None:
        return _annotated(m, func, annotation, name)
    return Unknown("parameter" if func.name == "__init__" else "argument", name)


def framework_of(func: FuncVal) -> Framework:
    """The framework whose tensors a model's method takes."""
    bases = mro.library_bases(func.owner) if func.owner is not None else []
    return "keras" if any(base.startswith("keras.") for base in bases) else "torch"


def tensor(
    m: Interpreter, name: str, framework: Framework, shape: Shape | Unknown | None = None, dtype: DType | Unknown | None = None
) -> TensorVal:
    """An input whose shape may still be open."""
    reason = Unknown("input", name)
    seed = m.tensor(
        TensorType(shape if shape is not None else reason, dtype if dtype is not None else reason),
        framework=framework,
        name=name,
    )
    m.known.seeds.note(seed, True)
    m.program.inputs.append(seed)
    return seed


def _annotated(m: Interpreter, func: FuncVal, annotation: cst.CSTNode, name: str) -> Value:
    """A value of the annotated type, ``None`` if the annotation determines nothing."""
    value = hints.evaluate(m, func, annotation)
    if isinstance(value, hints.ArrayAnnotation):
        return tensor(m, name, value.framework, value.shape, value.dtype)
    if isinstance(value, LibSymbol):
        if value.name == "builtins.int":
            return symbol(name, "parameter")
        if value.name == "builtins.float":
            return UnknownFloat("parameter", name)
        if value.name in _SCALARS:
            return Unknown("parameter", name)
        if value.name in _TENSORS:
            made = tensor(m, name, _TENSORS[value.name])
            shapes.note(m, func, name, made)
            return made
    if isinstance(value, ClassVal) and not mro.library_bases(value):
        return default_instance(m, value, name)
    return Unknown("parameter", name) if value is not None else None


def default_instance(m: Declares, cls: ClassVal, name: str) -> Value:
    """A configuration object made with its defaults, if it has one for every parameter."""
    init = mro.lookup(cls, "__init__")
    if isinstance(init, FuncVal):
        sig = signature(m.known, init.node)
        if any(p not in sig.defaults for p in [*sig.positional[1:], *sig.keyword]):
            return Unknown("parameter", name)
        defaults = init.defaults
    elif cls.is_dataclass:
        defaults = {p: v for p, v in dataclass.fields(cls).items() if v is not MISSING and not isinstance(v, InstanceVal)}
    else:
        return Unknown("parameter", name)
    return m.call(cls, Arguments(kwargs={p: _assumed(m.known, m.run, v, f"{name}.{p}") for p, v in defaults.items()}))


def _assumed(known: Identities, run: Run, default: Value, source: str) -> Value:
    """A default as a value; a negative number mostly stands for "not given"."""
    if isinstance(default, (Unknown, Assumed)):
        return default
    if isinstance(default, int) and default < 0:
        return Unknown("parameter", source)
    return settings.setting(known, run, source, default)


def as_arguments(known: Identities, method: FuncVal, seeds: dict[str, Value]) -> Arguments:
    """Seeds as the arguments of a call: positional ones first."""
    sig = signature(known, method.node)
    positional = tuple(seeds[name] for name in sig.positional[1:] if name in seeds and name not in method.defaults)
    return Arguments(positional)
