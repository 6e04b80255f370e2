"""On which devices tensors and weights are, where the code says so: what was moved, and what was made beside it and was not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

import libcst as cst

from dllint.analysis.constructed import constructed
from dllint.analysis.facts import Facts
from dllint.analysis.modules import is_module, tree
from dllint.domains.dim import DimExpr
from dllint.domains.dtype import DType
from dllint.domains.lattice import Unknown, UnknownDevice, UnknownResult, UnknownText
from dllint.ir import events
from dllint.ir.program import JOIN, Condition, Op, TensorVal, tensors_in
from dllint.ir.values import Assumed, DictVal, InstanceVal, IterVal, LibSymbol, Value, unwrap
from dllint.lower.lazy import ChoiceVal
from dllint.ops.kinds import does, having_any
from dllint.ops.traits import Trait


class Place(Enum):
    """Where something is: in the memory of the processor, on an accelerator, or on either, as the run decides."""

    CPU = "the CPU"
    ACCELERATOR = "the accelerator"
    EITHER = "either"


#: What makes a tensor of nothing but numbers: in the memory of the processor, unless it is given a device.
_MAKES: Final = having_any(Trait.FILLS | Trait.EMPTY | Trait.DRAWS | Trait.TAKES_DATA | Trait.MAKES_PLACES)
#: Functions of other devices, and methods, whose results are where their tensor is.
_PLACED: Final = ("torch.cuda.", "torch.Tensor.", "torch.xpu.", "torch.mps.")
#: Methods that move a tensor, or may do so.
MOVING: Final = frozenset(
    f"torch.Tensor.{name}" for name in ("to", "cuda", "cpu", "xpu", "type", "type_as", "set_", "share_memory_")
)
_OF_MODULES: Final = frozenset(f"torch.nn.Module.{name}" for name in ("to", "cuda", "cpu", "xpu", "to_empty"))
#: What makes one of these the place of all that follows, or takes tensors to devices itself.
_ELSEWHERE: Final = frozenset({
    "torch.set_default_device", "torch.set_default_tensor_type", "torch.device.__enter__", "torch.utils.data.default_collate",
})  # fmt: skip
#: What takes all that its model is given to the device of that, and what the model gives is there.
_WRAPPERS: Final = frozenset({"torch.nn.DataParallel", "torch.nn.parallel.DistributedDataParallel"})
#: What says of a number that an accelerator has it.
_NUMBERS: Final = "torch.cuda.set_device"
_ACCELERATORS: Final = ("cuda", "mps", "xpu")
#: What makes an array of a tensor, which only the memory of the processor allows.
_ARRAYS: Final = "torch.Tensor.numpy"
_LOADER: Final = "torch.utils.data.DataLoader"
#: The data set whose items are parts of tensors.
_OF_TENSORS: Final = "torch.utils.data.TensorDataset"
_DATASETS: Final = "torchvision.datasets."
#: How the interpreter names the tensors that a module has registered.
_REGISTERED: Final = ("parameter", "buffer")
_PARAMETERS: Final = ("torch.nn.Parameter", "torch.nn.parameter.Parameter", "torch.nn.Module.register_buffer")
#: Operations on several tensors that must be on one device (tensors without axes aside).
_TOGETHER: Final = having_any(
    Trait.POINTWISE | Trait.JOINS | Trait.CONTRACTS | Trait.PAIRWISE_LOSS | Trait.CLASS_LOSS | Trait.BINARY_LOSS
)


@dataclass(frozen=True, slots=True)
class Located:
    """Where a tensor is, and since when: ``source`` made it, loaded it, or is the move that its device follows from."""

    place: Place
    source: events.LibraryCall


@dataclass(frozen=True, slots=True)
class Apart:
    """``op`` takes a tensor in the memory of the processor, which ``creation`` has put there, together with a tensor or weights
    that ``moved`` has taken elsewhere, or may have taken there."""

    op: Op
    operand: TensorVal
    creation: events.LibraryCall
    moved: events.LibraryCall
    is_certain: bool


@dataclass(frozen=True, slots=True)
class Fetched:
    """``call`` makes an array of a tensor that ``moved`` has taken to an accelerator, or may have taken there."""

    call: events.LibraryCall
    moved: events.LibraryCall
    is_certain: bool


def misplaced(facts: Facts) -> Iterator[Apart | Fetched]:
    """The operations of a program whose operands are not on one device, and the arrays of what is on an accelerator."""
    calls = facts.events(events.LibraryCall)
    if not any(call.name in _OF_MODULES for call in calls) or any(call.name in _ELSEWHERE for call in calls):
        return
    yield from _Walk(facts).run()


@dataclass(slots=True)
class _Walk:
    """One pass over the trace: where each tensor is that exists so far."""

    facts: Facts
    tensors: dict[int, Located] = field(default_factory=dict)
    #: The layers that were moved, each with its last move, ``None`` if that is not known to have reached it.
    layers: dict[int, tuple[InstanceVal, events.LibraryCall | None]] = field(default_factory=dict)
    #: The devices that were named so far.
    devices: list[events.LibraryCall] = field(default_factory=list)
    #: Where in the trace each layer was built, and where the walk is.
    born: dict[int, int] = field(default_factory=dict)
    number: int = 0
    #: The models whose wrappers take what they are given to the device of the model.
    wrapped: frozenset[int] = frozenset()
    #: What was said to be the number of an accelerator.
    numbers: list[Value] = field(default_factory=list)

    def run(self) -> Iterator[Apart | Fetched]:
        trace = self.facts.program.trace
        self.born = {id(part): number for number, part in constructed(trace)}
        wraps = (call for call in self.facts.events(events.LibraryCall) if call.name in _WRAPPERS and call.given)
        self.wrapped = frozenset(id(unwrap(call.given[0])) for call in wraps)
        for self.number, item in enumerate(trace):
            if isinstance(item, Op):
                yield from self._performed(item)
            elif isinstance(item, events.LibraryCall):
                yield from self._fetched(item)
                self._called(item)

    # --- what is moved and made ---------------------------------------------------------------------------------------

    def _called(self, call: events.LibraryCall) -> None:
        if call.name == "torch.device":
            self.devices.append(call)
        elif call.name == _NUMBERS:
            self.numbers.extend(map(unwrap, call.given))
        elif call.name in _OF_MODULES:
            self._moved_module(call)
        elif call.name in MOVING:
            self._moved_tensor(call)
        elif call.name == f"{_LOADER}.__iter__":
            self._loaded(call)
        elif call.name in _PARAMETERS:
            self._forget(call.result, *call.given)
        elif isinstance(call.result, TensorVal) and not self._is_written(call, call.result):
            self._made(call, call.result)

    def _fetched(self, call: events.LibraryCall) -> Iterator[Fetched]:
        """An array that is made of what is elsewhere."""
        at = self.tensors.get(call.receiver.id) if call.name == _ARRAYS and isinstance(call.receiver, TensorVal) else None
        if at is not None and at.place is not Place.CPU and _holds(at.source.path, call.path):
            yield Fetched(call, at.source, at.place is Place.ACCELERATOR)

    def _is_written(self, call: events.LibraryCall, result: TensorVal) -> bool:
        """Whether a method writes into its tensor, so that what it gives is where that is (``x.scatter_(…)``)."""
        own = self.tensors.get(call.receiver.id) if isinstance(call.receiver, TensorVal) else None
        if own is None or not call.name.startswith("torch.Tensor.") or not call.name.endswith("_"):
            return False
        self.tensors[result.id] = own
        return True

    def _made(self, call: events.LibraryCall, result: TensorVal) -> None:
        if call.bound.get("device") is not None:
            self._put(result, self._place(call.bound["device"]), call)
        elif _makes(call, result) and _is_free(call) and not any(map(_is_tensor, call.given)):
            self._put(result, Place.CPU, call)

    def _moved_module(self, call: events.LibraryCall) -> None:
        given = unwrap(call.bound.get("device"))
        if call.name.endswith(".to") and isinstance(given, (DType, TensorVal, type(None))):
            return
        place = self._target(call)
        known = isinstance(call.receiver, InstanceVal) and place in (Place.ACCELERATOR, Place.EITHER)
        for part in tree(call.receiver):
            moves = known and (not part.handed or id(part) in self.wrapped)
            if self.born.get(id(part), -1) < self.number:
                self.layers[id(part)] = (part, call if moves else None)
            self._forget(*part.attrs.values(), *(part.layer.args.values() if part.layer is not None else ()))
            for tensor in part.attrs.values() if moves else ():
                if isinstance(tensor, TensorVal) and tensor.name in _REGISTERED:
                    self._put(tensor, place, call)

    def _moved_tensor(self, call: events.LibraryCall) -> None:
        receiver, result = call.receiver, call.result
        asked = (unwrap(value) for value in call.given)
        if call.name == "torch.Tensor.to" and all(isinstance(value, (DType, bool)) or _is_dtype(value) for value in asked):
            return
        if isinstance(receiver, TensorVal) and receiver is result and not _is_nameless(call):
            self._forget(receiver)
        elif isinstance(result, TensorVal):
            self._put(result, self._target(call), call)

    def _target(self, call: events.LibraryCall) -> Place | None:
        """Where a method takes a module or tensor, ``None`` if that is not known."""
        method = call.name.rpartition(".")[2]
        if method in ("cuda", "xpu"):
            return Place.ACCELERATOR
        if method == "cpu":
            return Place.CPU
        given = call.bound.get("device", call.given[0] if call.given else None)
        return self._place(given) if method in ("to", "to_empty") else None

    def _loaded(self, call: events.LibraryCall) -> None:
        """The batches of a loader whose samples are known to be in the memory of the processor."""
        made = next((one for one in self.facts.events(events.LibraryCall) if one.result is call.receiver), None)
        if made is None or made.name != _LOADER or not isinstance(call.result, IterVal):
            return
        if unwrap(made.bound.get("collate_fn")) is not None or unwrap(made.bound.get("generator")) is not None:
            return
        if self._is_of_processor(unwrap(made.bound.get("dataset"))):
            for tensor in _parts(call.result.rest):
                self._put(tensor, Place.CPU, call)

    def _is_of_processor(self, dataset: Value) -> bool:
        if not isinstance(dataset, InstanceVal):
            return False
        if isinstance(dataset.cls, LibSymbol):
            return dataset.cls.name.startswith(_DATASETS) or self._holds_tensors_of_processor(dataset)
        given = [event for event in self.facts.events(events.Return) if event.owner is dataset and _is_item(event)]
        tensors = [tensor for event in given for tensor in _parts(event.value)]
        return bool(tensors) and all(self._at(tensor) is Place.CPU for tensor in tensors)

    def _holds_tensors_of_processor(self, dataset: InstanceVal) -> bool:
        """Whether a data set gives parts of the tensors that it was made of, all of them in the memory of the processor."""
        calls = self.facts.events(events.LibraryCall)
        given = next((call.given for call in calls if call.result is dataset and call.name == _OF_TENSORS), ())
        return bool(given) and all(isinstance(part, TensorVal) and self._at(part) is Place.CPU for part in map(unwrap, given))

    # --- what is computed ---------------------------------------------------------------------------------------------

    def _performed(self, op: Op) -> Iterator[Apart]:
        if op.framework != "torch" or not op.outputs:
            return
        given = [tensor for tensor in op.inputs if _has_axes(tensor)] or list(op.inputs)
        elsewhere = self._elsewhere(op, given)
        inside = bool(self.wrapped) and (is_module(op.owner) or self._move_of(op) is not None)
        if elsewhere is not None and op.kind != JOIN and not inside:
            for cpu in (tensor for tensor in given if self._at(tensor) is Place.CPU and _has_axes(tensor)):
                yield Apart(op, cpu, self.tensors[cpu.id].source, *elsewhere)
        if elsewhere is not None and self._moves(op):
            place = Place.ACCELERATOR if elsewhere[1] else Place.EITHER
            for output in op.outputs:
                self._put(output, place, elsewhere[0])
            return
        given = given[:1] if does(op, Trait.SUBSCRIPTS) else given
        places = [self.tensors.get(tensor.id) for tensor in given]
        first = places[0] if places and not inside else None
        if first is not None and all(at is not None and at.place is first.place for at in places):
            for output in op.outputs:
                self._put(output, first.place, first.source)

    def _moves(self, op: Op) -> bool:
        """Whether the result of an operation is where its weights or operands are."""
        return self._move_of(op) is not None or op.kind in _TOGETHER

    def _move_of(self, op: Op) -> events.LibraryCall | None:
        """What has moved the weights of an operation last."""
        _, move = self.layers.get(id(op.layer), (None, None))
        return move

    def _elsewhere(self, op: Op, given: list[TensorVal]) -> tuple[events.LibraryCall, bool] | None:
        """What has taken the weights or an operand of an operation to another device, and whether it surely has."""
        layer = op.layer
        if layer is not None and layer.layer is not None and layer.layer.row.trainable:
            call = self._move_of(op)
            if call is not None and _holds(call.path, op.path):
                return call, self._is_certain(call)
            return None
        if op.kind not in _TOGETHER:
            return None
        for tensor in given:
            at = self.tensors.get(tensor.id)
            if at is not None and at.place is not Place.CPU and _holds(at.source.path, op.path):
                return at.source, at.place is Place.ACCELERATOR
        return None

    def _is_certain(self, call: events.LibraryCall) -> bool:
        return self._target(call) is Place.ACCELERATOR

    def _at(self, tensor: TensorVal) -> Place | None:
        found = self.tensors.get(tensor.id)
        return found.place if found is not None else None

    def _put(self, tensor: TensorVal, place: Place | None, source: events.LibraryCall) -> None:
        if place is None:
            self._forget(tensor)
        else:
            self.tensors[tensor.id] = Located(place, source)

    def _forget(self, *values: Value) -> None:
        for value in values:
            for tensor in tensors_in(value):
                self.tensors.pop(tensor.id, None)

    def _place(self, device: Value) -> Place | None:
        """What a device stands for; ``None`` if that is not known."""
        if isinstance(device, Assumed):
            return None if self._place(device.value) is None else Place.EITHER
        if isinstance(device, ChoiceVal):
            found = {self._place(option) for option in device.options}
            return found.pop() if len(found) == 1 else None if None in found else Place.EITHER
        if isinstance(device, str):
            kind = device.partition(":")[0]
            return Place.CPU if kind == "cpu" else Place.ACCELERATOR if kind in _ACCELERATORS else None
        if _begins_as_accelerator(device) or any(device is number for number in self.numbers):
            return Place.ACCELERATOR
        if isinstance(device, UnknownDevice):
            of = device.of if isinstance(device.of, TensorVal) else None
            return self._at(of) if of is not None and of.name not in _REGISTERED else None
        made = next((call for call in self.devices if call.result is device), None)
        if made is not None:
            return self._place(made.given[0]) if made.given else None
        return Place.ACCELERATOR if type(device) is int or isinstance(device, DimExpr) else None


def _begins_as_accelerator(device: Value) -> bool:
    """Whether a text of which no more is known names an accelerator, whatever its number is."""
    joined = device.operands[0] if isinstance(device, UnknownResult) and device.operator == "add" else ""
    beginning = device.beginning if isinstance(device, UnknownText) else joined
    return isinstance(beginning, str) and beginning.endswith(":") and beginning[:-1] in _ACCELERATORS


def _holds(conditions: tuple[Condition, ...], path: tuple[Condition, ...]) -> bool:
    """Whether what stands under some conditions has happened where others hold."""
    here = {(condition.key, condition.arm) for condition in path}
    return all((condition.key, condition.arm) in here for condition in conditions)


def _makes(call: events.LibraryCall, result: TensorVal) -> bool:
    """Whether a function of torch makes a tensor of numbers that it is given, or of none."""
    producer = result.producer
    if producer is None or producer.kind not in _MAKES or producer.site.node is not call.site.node:
        return False
    follows = any(name in producer.args for name in ("x", "mean")) and not does(producer, Trait.TAKES_DATA)
    unknown = isinstance(unwrap(producer.args.get("data")), Unknown)
    return call.name.startswith("torch.") and not call.name.startswith(_PLACED) and not follows and not unknown


def _is_free(call: events.LibraryCall) -> bool:
    """Whether a tensor that is made does not belong to a module that may be moved after it."""
    of_module = call.scope.endswith("__init__") and not (isinstance(call.owner, InstanceVal) and not is_module(call.owner))
    return not of_module and unwrap(call.bound.get("out")) is None


def _is_tensor(value: Value) -> bool:
    """Whether a value is a tensor that may be on a device; an array is not."""
    tensor = unwrap(value)
    return isinstance(tensor, TensorVal) and tensor.framework == "torch"


def _is_nameless(call: events.LibraryCall) -> bool:
    """Whether a tensor that is moved has no name, so that nothing but the result of the move can be used."""
    node = call.site.node
    return isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and isinstance(node.func.value, cst.Call)


def _is_dtype(value: Value) -> bool:
    return isinstance(value, LibSymbol)


def _has_axes(tensor: TensorVal) -> bool:
    return isinstance(tensor.shape, tuple) and len(tensor.shape) > 0


def _parts(value: Value) -> Iterator[TensorVal]:
    """The tensors of a sample or a batch: a tensor, a tuple or a table of these."""
    if isinstance(value, DictVal):
        for part in value.items.values():
            yield from _parts(unwrap(part))
    else:
        yield from tensors_in(value)


def _is_item(event: events.Return) -> bool:
    return event.function.name == "__getitem__"


def is_left_behind(found: Apart) -> bool:
    """Whether what is in the memory of the processor was made beside what a model computes; else it is what the model or a loss
    is given: a batch, its labels, a first state."""
    if is_module(found.creation.owner):
        return True
    layer = found.op.layer
    takes = layer is not None and layer.layer is not None and layer.layer.row.trainable
    return not takes and not does(found.op, Trait.LOSS) and not found.creation.name.startswith(_LOADER)
