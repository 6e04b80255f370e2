"""DLS106: an uncalled layer stands where a tensor belongs, or a class where an object belongs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, NamedTuple, TypeAlias

import libcst as cst

from dllint.analysis.modules import elements, is_layer_class, library_of
from dllint.edit import Applicability, Edit
from dllint.finding import Confidence, Finding, Related, Severity
from dllint.fixes.boundary import builder
from dllint.fixes.calls import call
from dllint.ir.events import Construction, LibraryCall, ModelGraph, ModuleCall
from dllint.ir.values import InstanceVal, LibSymbol, Value, unwrap
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import class_name, layer_name, quoted
from dllint.source.walk import dotted, walk

_CONTAINERS = ("torch.nn.Sequential", "torch.nn.ModuleList", "keras.Sequential", "keras.models.Sequential")
_NOT_CALLABLE = ("torch.nn.ModuleList", "torch.nn.ModuleDict", "torch.nn.ParameterList")
#: What takes layers or tensors: the call of a layer, the building of a container or model.
Use: TypeAlias = ModuleCall | Construction | ModelGraph | LibraryCall


class LayerObjectUsedAsTensor(Rule[Use]):
    """An uncalled layer stands where a tensor belongs, or a layer class where a layer object belongs.

    ## What it finds
    (a) Keras: `x = Dense(10)` passed on as if it were the layer's output. (b) `nn.Sequential(nn.Linear(2, 2), nn.ReLU)`:
    the class itself, without `()`. (c) `nn.ModuleList` called as a function.

    ## Why it is bad
    The next call raises; the message names an internal type, not the missing parentheses.

    ## Bad
    ```python
    from keras import Input, Model
    from keras.layers import Dense, Dropout

    inp = Input((8,))
    x = Dense(10, activation="relu")
    x = Dropout(0.5)(x)  # error: [DLS106]
    ```

    ## Good
    ```python
    from keras import Input, Model
    from keras.layers import Dense, Dropout

    inp = Input((8,))
    x = Dense(10, activation="relu")(inp)
    x = Dropout(0.5)(x)
    ```

    ## When it stays silent
    Classes passed to parameters that take classes, and wrappers that take a layer.
    ```python
    from torch import nn


    def block(width, norm_layer=nn.BatchNorm2d, act_layer=nn.GELU):
        return nn.Sequential(nn.Conv2d(3, width, 3), norm_layer(width), act_layer())


    net = block(8, norm_layer=nn.InstanceNorm2d)
    ```

    ## References
    - Islam et al., FSE 2019; Zhang et al., ISSTA 2018: API misuse.
    """

    code = "DLS106"
    name = "layer-object-used-as-tensor"
    severity = Severity.ERROR
    confidence = Confidence.HIGH
    applicability = Applicability.SAFE
    topics: ClassVar[tuple[str, ...]] = ("event:module-call", "event:construct", "event:model", "event:call")
    suppresses = ("DLT101", "DLT102", "DLT105", "DLT109", "DLT117")

    def check(self, item: Use, context: Context) -> Iterator[Finding]:
        """The arguments of a layer call, the members of a container, the ends of a model."""
        if isinstance(item, ModuleCall):
            found = called(item, context)
        elif isinstance(item, ModelGraph):
            found = model_ends(item, context)
        else:
            found = contained(item)
        if found:
            message, note = found.message, context.condition_note(item)
            fixes = offer(context, "Build the layer", instantiated(item, found.culprit), Applicability.SAFE)
            related = built(found.culprit, context)
            yield context.finding(self, item, message + note, advice=found.advice, related=related, fixes=fixes)


class Misuse(NamedTuple):
    """A layer in the place of a tensor, or of another layer, and what to do about it."""

    message: str
    advice: str
    culprit: Any


def called(event: ModuleCall, context: Context) -> Misuse | None:
    """A layer as the argument of a layer, or a container that is called."""
    callee, args = event.callee, event.args
    if isinstance(callee, InstanceVal) and isinstance(callee.cls, LibSymbol) and callee.cls.name in _NOT_CALLABLE:
        name = class_name(callee)
        message = f"{quoted(context.text(event.site.node))} calls a `{name}`, which has no forward"
        return Misuse(message, "iterate over its members", callee)
    value = unwrap(args[0]) if args else None
    layer = next((member for member in elements(value) if is_uncalled_layer(member)), None)
    if layer is None:
        return None
    name = layer_name(layer, context) or quoted(class_name(layer))
    return Misuse(f"{name} is a layer that was never called, not a tensor", calling(layer), layer)


def contained(event: Construction | LibraryCall) -> Misuse | None:
    """A class among the members of a container."""
    if isinstance(event, LibraryCall):
        name, values = event.name, tuple(event.bound.values())
    else:
        cls = event.instance.cls
        name, values = cls.name if isinstance(cls, LibSymbol) else "", event.args
    if name not in _CONTAINERS:
        return None
    for value in values:
        for member in (m for part in elements(unwrap(value)) for m in elements(unwrap(part))):
            if is_layer_class(unwrap(member)):
                short, container = class_name(unwrap(member)), name.rpartition(".")[2]
                message = f"`{short}` in this `{container}` is a class, not a layer"
                return Misuse(message, f"write {short}()", unwrap(member))
    return None


def model_ends(event: ModelGraph, context: Context) -> Misuse | None:
    """A layer among the inputs or outputs of a functional model."""
    for end, value in (("inputs", event.inputs), ("outputs", event.outputs)):
        for member in elements(unwrap(value)):
            if is_uncalled_layer(member):
                name = layer_name(member, context) or quoted(class_name(member))
                message = f"{name} is one of the model's {end}, but it is a layer that was never called"
                return Misuse(message, calling(member), member)
    return None


def calling(layer: Value) -> str:
    """How a layer is applied."""
    return f"call it on its input: {class_name(layer)}(…)(x)"


@builder
def instantiated(event: Use, culprit: Value) -> tuple[Edit, ...]:
    """``()`` behind a class that stands among a container's layers."""
    if not is_layer_class(culprit) or not isinstance(event.site.node, cst.Call):
        return ()
    for part in walk(event.site.node):
        if not isinstance(part, (cst.Arg, cst.Element)):
            continue
        name = dotted(part.value)
        if name is not None and name.rpartition(".")[2] == class_name(culprit):
            return call(event.site, part.value)
    return ()


def is_uncalled_layer(value: Value) -> bool:
    """Whether a value is a Keras layer object."""
    return isinstance(value, InstanceVal) and library_of(value.cls) == "keras"


def built(layer: Value, context: Context) -> list[Related]:
    """Where a layer is built."""
    site = getattr(layer, "site", None)
    related = context.related(site, "the layer is built here") if site is not None else None
    return [related] if related else []
