"""Changes of an exported graph, faulty or harmless. Nodes are found by the module that they come from, not by their number.

An edit takes a ``Draft`` and gives, for each fault, the output names that mean its place. Harmless edits give nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import onnx
from onnx import helper, numpy_helper

#: Where torch's exporter writes the modules that a node comes from.
_SCOPES: Final = "pkg.torch.onnx.name_scopes"
Change = Callable[[np.ndarray], np.ndarray]


@dataclass
class Draft:
    """The candidate under construction, and a way to the same network exported early in its training."""

    model: onnx.ModelProto
    early: Callable[[], onnx.ModelProto]

    def constant(self, array: np.ndarray | float | Sequence[int], name: str) -> str:
        """A new initializer; its name is made free of clashes."""
        taken = {tensor.name for tensor in self.model.graph.initializer}
        while name in taken:
            name += "_"
        value = np.asarray(array)
        value = value.astype(np.float32) if value.dtype == np.float64 else value
        self.model.graph.initializer.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name


Edit = Callable[[Draft], list[list[str]]]


@dataclass(frozen=True)
class At:
    """The node of a type number ``index`` among those that come from a module or call."""

    scope: str
    kind: str
    index: int = 0

    def find(self, model: onnx.ModelProto) -> onnx.NodeProto:
        """The node."""
        found = [node for node in model.graph.node if node.op_type == self.kind and self.scope in _scopes(node)]
        if len(found) <= self.index:
            raise LookupError(f"no {self.kind} number {self.index} in {self.scope}")
        return found[self.index]


def origin(node: onnx.NodeProto) -> str:
    """The modules and the call in torch's program that a node comes from, as the exporter writes them."""
    return next((entry.value for entry in node.metadata_props if entry.key == _SCOPES), "")


def _scopes(node: onnx.NodeProto) -> list[str]:
    return [part.strip(" '[]") for part in origin(node).split(",")]


def operand(model: onnx.ModelProto, name: str) -> np.ndarray:
    """The numbers of an initializer."""
    for tensor in model.graph.initializer:
        if tensor.name == name:
            return numpy_helper.to_array(tensor)
    raise LookupError(f"{name} is no constant")


def attribute(place: At, **values: Any) -> Edit:
    """Attributes with other values."""

    def edit(draft: Draft) -> list[list[str]]:
        node = place.find(draft.model)
        _set(node, values)
        return [[node.output[0]]]

    return edit


def _set(node: onnx.NodeProto, values: dict[str, Any]) -> None:
    kept = [given for given in node.attribute if given.name not in values]
    del node.attribute[:]
    node.attribute.extend([*kept, *(helper.make_attribute(name, value) for name, value in values.items())])


def numbers(place: At, *changes: tuple[int, Change]) -> Edit:
    """Constant operands with other numbers; other nodes that share the constant keep theirs."""

    def edit(draft: Draft) -> list[list[str]]:
        node = place.find(draft.model)
        for position, change in changes:
            old = operand(draft.model, node.input[position])
            node.input[position] = draft.constant(change(old).astype(old.dtype), node.input[position])
        return [[node.output[0]]]

    return edit


def stale(place: At) -> Edit:
    """The weights that the node had early in training."""

    def edit(draft: Draft) -> list[list[str]]:
        early = draft.early()
        node, old = place.find(draft.model), place.find(early)
        constants = {tensor.name for tensor in early.graph.initializer}
        for position, name in enumerate(old.input):
            if name in constants:
                node.input[position] = draft.constant(operand(early, name), name)
        return [[node.output[0]]]

    return edit


#: Operator, inputs, output and attributes. "$0" is the first input of the node that is replaced, "$out" its output.
Step = tuple[str, tuple[Any, ...], str, dict[str, Any]]


def rewritten(place: At, *steps: Step) -> Edit:
    """The node as several others; the last one takes its output name and is the place of the fault."""

    def edit(draft: Draft) -> list[list[str]]:
        node = place.find(draft.model)
        out = node.output[0]

        def named(given: Any, position: int) -> str:
            if not isinstance(given, str):
                return draft.constant(given, f"{out}_part_{position}")
            if given.startswith("$"):
                return out if given == "$out" else node.input[int(given[1:])]
            return f"{out}_{given}" if given else ""

        made = []
        for kind, inputs, output, attributes in steps:
            taken = [named(given, position) for position, given in enumerate(inputs)]
            made.append(helper.make_node(kind, taken, [named(output, 0)], **attributes))
            made[-1].metadata_props.extend(node.metadata_props)
        _replace(draft.model, node, made)
        names = [step.output[0] for step in made]
        return [[out, *names[:-1]]]

    return edit


def _replace(model: onnx.ModelProto, node: onnx.NodeProto, made: Sequence[onnx.NodeProto]) -> None:
    nodes = list(model.graph.node)
    position = nodes.index(node)
    del model.graph.node[:]
    model.graph.node.extend([*nodes[:position], *made, *nodes[position + 1 :]])


def both(*edits: Edit) -> Edit:
    """Several edits that make one fault, at all their places."""

    def edit(draft: Draft) -> list[list[str]]:
        return [[name for each in edits for names in each(draft) for name in names]]

    return edit


def shuffled(first: At, second: At) -> Edit:
    """The channels between two convolutions in another order: the values between them differ, what comes out does not."""

    def edit(draft: Draft) -> list[list[str]]:
        one, two = first.find(draft.model), second.find(draft.model)
        order = np.random.default_rng(5).permutation(len(operand(draft.model, one.input[1])))
        for position in range(1, len(one.input)):
            numbers(first, (position, lambda array: array[order]))(draft)
        numbers(second, (1, lambda array: array[:, order]))(draft)
        return [[two.output[0]]]

    return edit


def magnified(first: At, second: At, factor: float) -> Edit:
    """What is between two linear operators is so many times as large; the second one's weights take it back."""

    def edit(draft: Draft) -> list[list[str]]:
        one = first.find(draft.model)
        for position in range(1, len(one.input)):
            numbers(first, (position, lambda array: array * factor))(draft)
        return numbers(second, (1, lambda array: array / factor))(draft)

    return edit


def reordered(draft: Draft) -> list[list[str]]:
    """The nodes in another order that is as good: as late as their takers allow."""
    waiting, done = list(draft.model.graph.node)[::-1], []
    needed = {output.name for output in draft.model.graph.output}
    while waiting:
        takers = {name for node in waiting for name in node.input}
        ready = next(node for node in waiting if not takers & set(node.output) or (needed & set(node.output) and not takers))
        waiting.remove(ready)
        done.append(ready)
    nodes = done[::-1]
    del draft.model.graph.node[:]
    draft.model.graph.node.extend(nodes)
    return []


def in_order(model: onnx.ModelProto) -> None:
    """Put nodes behind those whose values they take, which converters do not always see to."""
    waiting = list(model.graph.node)
    made = {name for node in waiting for name in node.output}
    del model.graph.node[:]
    while waiting:
        ready = [node for node in waiting if not made & set(node.input)]
        model.graph.node.extend(ready)
        made -= {name for node in ready for name in node.output}
        waiting = [node for node in waiting if node.output[0] in made]


def joined(places: Sequence[At]) -> Edit:
    """Several products of one value with matrices as one product that is split again."""

    def edit(draft: Draft) -> list[list[str]]:
        nodes = [place.find(draft.model) for place in places]
        name = f"{nodes[0].output[0]}_joined"
        matrix = draft.constant(np.concatenate([operand(draft.model, node.input[1]) for node in nodes], 1), f"{name}_matrix")
        sizes = draft.constant(np.asarray([operand(draft.model, node.input[1]).shape[1] for node in nodes]), f"{name}_sizes")
        product = helper.make_node("MatMul", [nodes[0].input[0], matrix], [name])
        split = helper.make_node("Split", [name, sizes], [node.output[0] for node in nodes], axis=-1)
        _replace(draft.model, nodes[0], [product, split])
        for node in nodes[1:]:
            draft.model.graph.node.remove(node)
        return []

    return edit


def two_directions(place: At) -> Edit:
    """A recurrent layer that runs both ways as one forwards and one backwards."""

    def edit(draft: Draft) -> list[list[str]]:
        node = place.find(draft.model)
        out, made = node.output[0], []
        hidden = draft.constant(np.asarray([1, 1], np.int64), f"{out}_halves")
        starts = [f"{out}_start_{way}" for way in range(2)]
        made.append(helper.make_node("Split", [node.input[5], hidden], starts, axis=0))
        for way, direction in enumerate(("forward", "reverse")):
            parts = [
                draft.constant(operand(draft.model, node.input[i])[way : way + 1], f"{out}_{direction}_{i}") for i in (1, 2, 3)
            ]
            single = helper.make_node("GRU", [node.input[0], *parts, "", starts[way]], [f"{out}_{direction}"])
            single.attribute.extend(node.attribute)
            _set(single, {"direction": direction})
            made.append(single)
        made.append(helper.make_node("Concat", [f"{out}_forward", f"{out}_reverse"], [out], axis=1))
        _replace(draft.model, node, made)
        return []

    return edit


def gates(array: np.ndarray) -> np.ndarray:
    """The first two of three gates exchanged, in matrices and in biases (which have two such parts)."""
    parts = np.split(array, 3 if array.ndim == 3 else 6, 1)
    order = (1, 0, 2) if array.ndim == 3 else (1, 0, 2, 4, 3, 5)
    return np.concatenate([parts[i] for i in order], 1)


def flat(place: At) -> Edit:
    """A convolution over a line as one over a picture of height 1."""

    def edit(draft: Draft) -> list[list[str]]:
        node = place.find(draft.model)
        wide = helper.make_node("Conv", ["", "", *node.input[2:]], [f"{node.output[0]}_wide"])
        given = {each.name: helper.get_attribute_value(each) for each in node.attribute}
        before, after = given["pads"]
        wide.attribute.extend(node.attribute)
        _set(
            wide,
            {
                "pads": [0, before, 0, after],
                "strides": [1, *given["strides"]],
                "dilations": [1, *given["dilations"]],
                "kernel_shape": [1, *given["kernel_shape"]],
            },
        )
        wide.input[0] = f"{node.output[0]}_high"
        wide.input[1] = draft.constant(operand(draft.model, node.input[1])[:, :, None], f"{node.input[1]}_wide")
        axis = draft.constant(np.asarray([2], np.int64), "height")
        made = [
            helper.make_node("Unsqueeze", [node.input[0], axis], [wide.input[0]]),
            wide,
            helper.make_node("Squeeze", [wide.output[0], axis], [node.output[0]]),
        ]
        _replace(draft.model, node, made)
        return []

    return edit


def cut_range(value: str, share: float) -> Edit:
    """The range of a quantised value is only a share of what was calibrated: larger values are cut."""

    def edit(draft: Draft) -> list[list[str]]:
        pair = _rounding(draft.model, value)
        scale = draft.constant((operand(draft.model, pair[0].input[1]) * share).astype(np.float32), pair[0].input[1])
        for node in pair:
            node.input[1] = scale
        return [[value, *(node.output[0] for node in pair)]]

    return edit


def shifted_zero(value: str, shift: int) -> Edit:
    """A value is read back with another zero point than it was rounded with."""

    def edit(draft: Draft) -> list[list[str]]:
        pair = _rounding(draft.model, value)
        old = operand(draft.model, pair[1].input[2])
        low, high = np.iinfo(old.dtype).min, np.iinfo(old.dtype).max
        zero = draft.constant(np.clip(old.astype(np.int64) + shift, low, high).astype(old.dtype), pair[1].input[2])
        for node in pair[1:]:
            node.input[2] = zero
        return [[value, *(node.output[0] for node in pair)]]

    return edit


def _rounding(model: onnx.ModelProto, value: str) -> list[onnx.NodeProto]:
    first = next(node for node in model.graph.node if node.op_type == "QuantizeLinear" and node.input[0] == value)
    return [
        first,
        *(node for node in model.graph.node if node.op_type == "DequantizeLinear" and node.input[0] == first.output[0]),
    ]


def weight_scale(taker: str, factor: float) -> Edit:
    """The weights of the operator with this output are read back with a scale so many times as large."""

    def edit(draft: Draft) -> list[list[str]]:
        node = next(each for each in draft.model.graph.node if taker in each.output)
        reader = next(each for each in draft.model.graph.node if node.input[1] in each.output)
        old = operand(draft.model, reader.input[1])
        reader.input[1] = draft.constant((old * factor).astype(np.float32), reader.input[1])
        return [[taker, reader.output[0]]]

    return edit


def pruned(model: onnx.ModelProto) -> None:
    """Leave out constants that no node takes any more."""
    taken = {name for node in model.graph.node for name in node.input}
    kept = [tensor for tensor in model.graph.initializer if tensor.name in taken]
    del model.graph.initializer[:]
    model.graph.initializer.extend(kept)
