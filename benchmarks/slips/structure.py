"""Slips in what a model consists of: layers left out, taken twice or not registered, other results; activations and losses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import libcst as cst

from benchmarks.slips.kinds import (
    Change,
    Family,
    Model,
    assigned,
    expression,
    is_member_call,
    kind,
    last_name,
    positional,
    walk,
    written,
)

_ACTIVATIONS: Final = ("relu", "tanh", "gelu", "elu", "leaky_relu", "sigmoid", "silu", "selu", "act", "activation")
_LAYERS: Final = ("ReLU", "LeakyReLU", "GELU", "Tanh", "ELU", "SiLU", "PReLU")


def _member(call: cst.CSTNode) -> str:
    assert isinstance(call, cst.Call)
    assert isinstance(call.func, cst.Attribute)
    return call.func.attr.value


def _layers(model: Model) -> dict[str, str]:
    """Attributes that are layers, with the class of each."""
    out: dict[str, str] = {}
    for node in walk(model.init) if model.init is not None else ():
        found = assigned(node)
        if found is None or not isinstance(found[0], cst.Attribute) or not isinstance(found[1], cst.Call):
            continue
        if written(found[0].value) == "self" and last_name(found[1])[:1].isupper():
            out[found[0].attr.value] = last_name(found[1])
    return out


def _statements(model: Model) -> Iterator[cst.SimpleStatementLine]:
    for node in walk(model.forward):
        if isinstance(node, cst.SimpleStatementLine) and len(node.body) == 1:
            yield node


@kind("sibling layer taken twice")
def sibling(model: Model) -> Iterator[Change]:
    """``self.conv1(x)`` where ``self.conv2(x)`` is meant."""
    layers = _layers(model)
    called = [call for call in model.performed if is_member_call(call) and _member(call) in layers]
    for call in called:
        name = _member(call)
        stem = name.rstrip("0123456789")
        for other, cls in layers.items():
            if other != name and cls == layers[name] and other.rstrip("0123456789") == stem:
                assert isinstance(call.func, cst.Attribute)
                yield Change(call.func, call.func.with_changes(attr=cst.Name(other)))
                break


@kind("layer left out")
def idle(model: Model) -> Iterator[Change]:
    """``x = self.layer(x)`` is gone, ``self.layer(x)`` becomes ``x``."""
    layers = _layers(model)
    for call in model.performed:
        given = positional(call)
        if (
            is_member_call(call)
            and layers.get(_member(call), "Dropout") not in (*_LAYERS, "Dropout", "Identity")
            and len(given) == 1
        ):
            yield Change(call, given[0].value)


@kind("result thrown away", Family.STRUCTURE)
def thrown_away(model: Model) -> Iterator[Change]:
    """``self.layer(x)`` for ``x = self.layer(x)``."""
    for line in _statements(model):
        found = assigned(line.body[0])
        if found is not None and is_member_call(found[1]) and isinstance(found[0], cst.Name):
            given = positional(found[1]) if isinstance(found[1], cst.Call) else []
            if given and written(given[0].value) == found[0].value:
                yield Change(line.body[0], cst.Expr(found[1]))


@kind("activation forgotten", Family.STRUCTURE)
def activation(model: Model) -> Iterator[Change]:
    """``x`` for ``F.relu(x)``; a ``Sequential`` without one of its activations."""
    layers = _layers(model)
    for call in model.performed:
        given = positional(call)
        own = is_member_call(call) and (layers.get(_member(call)) in _LAYERS)
        if given and (own or (last_name(call) in _ACTIVATIONS and not is_member_call(call))):
            yield Change(call, given[0].value)
    for call in model.built:
        if last_name(call) == "Sequential":
            for arg in call.args:
                if isinstance(arg.value, cst.Call) and last_name(arg.value) in _LAYERS and len(call.args) > 2:
                    rest = [one for one in call.args if one is not arg]
                    yield Change(call, call.with_changes(args=rest))


@kind("pool left out")
def pool(model: Model) -> Iterator[Change]:
    """``x`` for ``self.pool(x)`` or ``F.max_pool2d(x, 2)``."""
    layers = _layers(model)
    for call in model.performed:
        given = positional(call)
        own = is_member_call(call) and "Pool" in layers.get(_member(call), "")
        if given and (own or ("pool" in last_name(call) and not is_member_call(call))):
            yield Change(call, given[0].value)


@kind("shortcut of another width")
def shortcut(model: Model) -> Iterator[Change]:
    """``out + x`` for ``out + self.shortcut(x)``."""
    for node in walk(model.forward):
        sides: list[cst.BaseExpression] = []
        if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Add):
            sides = [node.left, node.right]
        elif isinstance(node, cst.AugAssign) and isinstance(node.operator, cst.AddAssign):
            sides = [node.value]
        for side in sides:
            if isinstance(side, cst.Call) and is_member_call(side) and len(positional(side)) == 1:
                yield Change(side, positional(side)[0].value)
    for node in walk(model.forward):
        if isinstance(node, cst.If) and "downsample" in written(node.test):
            yield Change(node, None)


@kind("another variable returned", Family.STRUCTURE)
def returned(model: Model) -> Iterator[Change]:
    """``return h`` for ``return x``."""
    names = [found[0].value for node in walk(model.forward) if (found := assigned(node)) and isinstance(found[0], cst.Name)]
    names += [parameter.name.value for parameter in model.forward.params.params[1:2]]
    for node in walk(model.forward):
        if isinstance(node, cst.Return) and isinstance(node.value, cst.Name):
            for name in dict.fromkeys(names):
                if name != node.value.value:
                    yield Change(node, node.with_changes(value=cst.Name(name)))


@kind("super().__init__() forgotten")
def super_init(model: Model) -> Iterator[Change]:
    """The first statement of a constructor is gone."""
    for node in walk(model.init) if model.init is not None else ():
        if isinstance(node, cst.SimpleStatementLine) and re.match(r"super\(.*\)\.__init__\(", written(node).strip()):
            yield Change(node, None)


@kind("list instead of ModuleList", Family.STRUCTURE)
def plain_list(model: Model) -> Iterator[Change]:
    """``[…]`` for ``nn.ModuleList([…])``."""
    for call in model.built:
        given = positional(call)
        if last_name(call) in ("ModuleList", "ModuleDict"):
            if len(given) == 1:
                literal = isinstance(given[0].value, (cst.List, cst.ListComp, cst.Dict, cst.DictComp))
                yield Change(call, given[0].value if literal else expression(f"list({written(given[0].value)})"))
            elif not call.args:
                yield Change(call, expression("[]" if last_name(call) == "ModuleList" else "{}"))


@kind("tensor instead of Parameter", Family.STRUCTURE)
def plain_tensor(model: Model) -> Iterator[Change]:
    """``torch.zeros(…)`` for ``nn.Parameter(torch.zeros(…))``."""
    for call in model.built:
        given = positional(call)
        if last_name(call) == "Parameter" and given and isinstance(given[0].value, cst.Call):
            yield Change(call, given[0].value)


def _at_return(model: Model, around: str, *losses: str) -> Iterator[Change]:
    """The returned tensor inside another call, in a file whose loss is one of some."""
    if (
        any(loss in model.text for loss in losses)
        and "softmax" not in written(model.forward)
        and "sigmoid" not in written(model.forward)
    ):
        for node in walk(model.forward):
            if isinstance(node, cst.Return) and node.value is not None and not isinstance(node.value, cst.Tuple):
                yield Change(node, node.with_changes(value=expression(around.format(written(node.value)))))


@kind("softmax before cross entropy", Family.LOSS)
def softmax_and_cross_entropy(model: Model) -> Iterator[Change]:
    """``return torch.softmax(x, dim=1)`` of a model trained with cross entropy."""
    return _at_return(model, "torch.softmax({}, dim=-1)", "CrossEntropyLoss", "cross_entropy(")


@kind("sigmoid before BCE with logits", Family.LOSS)
def sigmoid_and_logits(model: Model) -> Iterator[Change]:
    """``return torch.sigmoid(x)`` of a model trained with logits."""
    return _at_return(model, "torch.sigmoid({})", "BCEWithLogitsLoss", "binary_cross_entropy_with_logits")


@kind("sigmoid before BCE forgotten", Family.LOSS)
def no_sigmoid(model: Model) -> Iterator[Change]:
    """Raw scores for ``BCELoss``."""
    if re.search(r"BCELoss\(|F\.binary_cross_entropy\(", model.text):
        for call in model.performed:
            if last_name(call) == "sigmoid" and positional(call):
                yield Change(call, positional(call)[0].value)
        for call in model.built:
            if last_name(call) == "Sequential" and call.args and "Sigmoid" in written(call.args[-1]) and len(call.args) > 1:
                yield Change(call, call.with_changes(args=call.args[:-1]))
