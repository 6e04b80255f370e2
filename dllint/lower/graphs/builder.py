"""Building a program from the nodes of a graph, in order.

A format translates one node at a time: it looks at its operands (:class:`Call`), performs canonical operations, and
gives the results. What it does not know, and what an odd node makes it fail at, becomes unknown tensors.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType, shape_known
from dllint.ir.program import Condition, Framework, Op, Program, TensorVal
from dllint.ir.values import Value
from dllint.lower import literals
from dllint.lower.emission import result_values
from dllint.lower.graphs.elements import computed
from dllint.lower.graphs.listing import Listing, NodeSite
from dllint.lower.graphs.model import Graph, Node, Weight
from dllint.lower.graphs.order import ordered
from dllint.lower.typed import as_type, typed_value
from dllint.ops.faults import ARGUMENT, DTYPE
from dllint.ops.kinds import does
from dllint.ops.spec import OPS, apply
from dllint.ops.traits import Trait

Translate = Callable[["Call"], Any]
#: What odd attributes and operands make a translation raise.
_ODD: Final = (TypeError, ValueError, LookupError, ArithmeticError, AttributeError, RecursionError, MemoryError)


@dataclass(slots=True)
class Imported:
    """A graph as a program. Places in it are those of ``document``, whose lines stand for nodes; ``values`` has what each name
    stands for."""

    document: Listing
    program: Program
    graph: Graph
    values: dict[str, TensorVal]


def build(path: Path, graph: Graph, translate: Translate) -> Imported:
    """The program of a graph; never raises on odd nodes."""
    graph.nodes = ordered(graph.nodes)
    document = Listing(path, graph)
    builder = Builder(document, graph.framework, Program(graph.name))
    for line, (name, type_) in enumerate(graph.inputs.items()):
        builder.line = line
        builder.add_input(name, type_)
    for line, (name, weight) in enumerate(graph.weights.items(), len(graph.inputs)):
        builder.line = line
        builder.add_weight(name, weight)
    for line, node in enumerate(graph.nodes, len(graph.inputs) + len(graph.weights)):
        builder.line = line
        builder.perform(node, translate, graph.declared)
    builder.program.results = tuple(builder.values[name] for name in graph.outputs if name in builder.values)
    return Imported(document, builder.program, graph, builder.values)


class Builder:
    """The state of an import: the program so far, and the value that each name stands for."""

    def __init__(self, document: Listing, framework: Framework, program: Program) -> None:
        self.document = document
        self.framework: Framework = framework
        self.program = program
        self.values: dict[str, TensorVal] = {}
        #: Elements of small tensors of whole numbers, as nested tuples of sizes, by ``id`` of the value: for shapes.
        self.elements: dict[int, Any] = {}
        #: The line of the listing that is being translated.
        self.line = 0
        #: The conditions under which the node that is being translated is performed.
        self.path: tuple[Condition, ...] = ()

    def add_input(self, name: str, type_: TensorType) -> None:
        """A tensor that is given to the graph."""
        value = TensorVal(type_, framework=self.framework, name=name)
        self.program.inputs.append(value)
        self.values[name] = value

    def add_weight(self, name: str, weight: Weight) -> None:
        """A tensor that the graph holds."""
        data = {"data": weight.data} if weight.data is not None else {}
        value = self.produce("tensor", data, weight.type, spelled="Constant")[0]
        value.low, value.high, value.data, value.name = weight.low, weight.high, weight.data, name
        self.bind(name, value)

    def bind(self, name: str, value: TensorVal) -> None:
        """Let a name stand for a value."""
        self.values[name] = value
        if value.data is not None and value.id not in self.elements:
            self.elements[value.id] = value.data

    def produce(self, kind: str, args: Mapping[str, Value], *types: TensorType, spelled: str = "") -> tuple[TensorVal, ...]:
        """Record an operation whose results are known."""
        outputs = tuple(TensorVal(type_, framework=self.framework) for type_ in types)
        self._record(Op(kind, args, outputs, self._site(), self.framework, spelled or kind, path=self.path))
        return outputs

    def emit(self, kind: str, args: Mapping[str, Value], spelled: str = "") -> Any:
        """Perform a canonical operation: its result, or a tuple of them; see :mod:`dllint.lower.emission`.

        Which element types and arguments go together is the format's to say: what a library would refuse is no fault."""
        spec = OPS.get(kind)
        tensors = spec.tensors if spec is not None else frozenset()
        typed = {
            name: as_type(value, self.framework) if name in tensors else typed_value(value) for name, value in args.items()
        }
        x = args.get("x")
        if spec is not None and "index_high" in spec.parameters and isinstance(x, TensorVal):
            typed.setdefault("index_low", x.low)
            typed.setdefault("index_high", x.high)
        outcome = apply(kind, self.framework, typed)
        faults = tuple(fault for fault in outcome.faults if fault.kind not in (DTYPE, ARGUMENT))
        outputs: list[TensorVal] = []
        result = result_values(kind, outcome.result, self.framework, outputs)
        for value in outputs:
            value.type = TensorType(value.type.shape, value.type.dtype)  # a file says nothing about memory
        op = Op(kind, args, tuple(outputs), self._site(), self.framework, spelled or kind, faults=faults, path=self.path)
        self._record(op)
        literals.annotate(kind, args, outputs)
        if isinstance(result, TensorVal) and (elements := computed(kind, result, self._known(args))) is not None:
            self.elements[result.id] = elements
        if isinstance(outcome.result, Unknown):
            self.program.gaps.append((outcome.result.reason, outcome.result.detail or kind, op.site))
        return result

    def _known(self, value: Value) -> Any:
        """Arguments with elements in place of tensors, ``None`` where these are not known."""
        if isinstance(value, TensorVal):
            return self.elements.get(value.id)
        if isinstance(value, Mapping):
            return {name: self._known(part) for name, part in value.items()}
        if isinstance(value, tuple) and any(isinstance(part, TensorVal) for part in value):
            return tuple(map(self._known, value))
        return None if isinstance(value, Unknown) else value

    def perform(self, node: Node, translate: Translate, declared: Mapping[str, TensorType]) -> None:
        """Translate a node and bind its results."""
        self.path = node.path
        before = len(self.program.trace)
        try:
            result = translate(Call(self, node))
        except _ODD as error:
            result = Unknown("import-failed", f"{node.operator}: {type(error).__name__}")
            self.program.gaps.append((result.reason, result.detail, self._site()))
        results = result if isinstance(result, tuple) else (result,)
        missing = [n for n, name in enumerate(node.outputs) if name and not _is_tensor(results, n)]
        if missing:
            results = self._completed(node, results, result, recorded=len(self.program.trace) > before)
        for name, value in zip(node.outputs, results, strict=False):
            if name and isinstance(value, TensorVal):
                _settle(value, declared.get(name))
                self.bind(name, value)

    def _completed(self, node: Node, results: tuple[Value, ...], result: Value, recorded: bool) -> tuple[Any, ...]:
        """Results with unknown tensors in place of those that are missing."""
        reason = result if isinstance(result, Unknown) else Unknown("unmodelled-call", node.operator)
        if not recorded and reason.reason == "unmodelled-call":
            self.program.gaps.append((reason.reason, reason.detail or node.operator, self._site()))
        operands = tuple(self.values[name] for name in node.inputs if name in self.values)
        absent = [n for n in range(len(node.outputs)) if not _is_tensor(results, n)]
        made = self.produce(
            "unmodelled", {"operands": operands}, *(TensorType(reason, reason) for _ in absent), spelled=node.operator
        )
        filled = dict(zip(absent, made, strict=True))
        return tuple(filled[n] if n in filled else results[n] for n in range(len(node.outputs)))

    def _record(self, op: Op) -> None:
        for index, value in enumerate(op.outputs):
            value.producer, value.index = op, index
        self.program.trace.append(op)

    def _site(self) -> NodeSite:
        return NodeSite(self.document, self.line)


@dataclass(slots=True)
class Call:
    """A node that is being translated, with what its operands stand for."""

    builder: Builder
    node: Node

    def __len__(self) -> int:
        return len(self.node.inputs)

    def input(self, number: int) -> TensorVal | None:
        """An operand, ``None`` if it is left out."""
        name = self.node.inputs[number] if number < len(self.node.inputs) else ""
        if not name:
            return None
        value = self.builder.values.get(name)
        if value is None:  # a name that nothing gives, or a node of a cycle
            reason = Unknown("unresolved-name", name)
            value = self.builder.values[name] = TensorVal(
                TensorType(reason, reason), framework=self.builder.framework, name=name
            )
        return value

    def operand(self, number: int) -> Any:
        """An operand of an operation by element: the number itself where the graph holds a single one without axes."""
        value = self.input(number)
        if value is None or not does(value.producer, Trait.TAKES_DATA):
            return value
        return value.data if value.type.shape == () and isinstance(value.data, (int, float)) else value

    def tensors(self) -> tuple[TensorVal, ...]:
        """All operands that are given."""
        return tuple(value for n in range(len(self)) if (value := self.input(n)) is not None)

    def attribute(self, name: str, default: Value = None) -> Any:
        """An attribute of the node."""
        return self.node.attributes.get(name, default)

    def elements(self, number: int) -> Any:
        """The elements of an operand of whole numbers, a size or nested tuples of sizes; ``None`` if they are not known."""
        value = self.input(number)
        return None if value is None else self.builder.elements.get(value.id)

    def emit(self, kind: str, /, **args: Any) -> Any:
        """Perform a canonical operation; arguments that are ``None`` are left out."""
        given = {name: value for name, value in args.items() if value is not None}
        return self.builder.emit(kind, given, self.node.operator)

    def produce(self, kind: str, args: Mapping[str, Value], *types: TensorType) -> tuple[TensorVal, ...]:
        """Record an operation whose results are known."""
        return self.builder.produce(kind, args, *types, spelled=self.node.operator)

    def holds(self, value: Value, elements: Value) -> Any:
        """``value``, of which the elements are known."""
        if isinstance(value, TensorVal) and elements is not None:
            self.builder.elements[value.id] = elements
        return value


def _is_tensor(results: tuple[Value, ...], number: int) -> bool:
    return number < len(results) and isinstance(results[number], TensorVal)


def _settle(value: TensorVal, declared: TensorType | None) -> None:
    """Use the type that the file states for a value where inference has given nothing more precise."""
    if declared is None:
        return
    shape = declared.shape if _is_better(declared.shape, value.type.shape) else value.type.shape
    dtype = declared.dtype if isinstance(value.type.dtype, Unknown) else value.type.dtype
    value.type = TensorType(shape, value.type.dtype if isinstance(dtype, Unknown) else dtype)


def _is_better(declared: Any, shape: Any) -> bool:
    """Whether a declared shape is more precise: it has a rank where none is known, or all sizes where some are unknown."""
    if isinstance(declared, Unknown) or isinstance(shape, Unknown):
        return not isinstance(declared, Unknown)
    return len(declared) == len(shape) and shape_known(declared) and not shape_known(shape)
