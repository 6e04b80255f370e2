"""What the modules of a tree are called with, what they give, and what their operations cost, from a part of a trace."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from dllint.analysis.architecture.tree import Call, Module
from dllint.domains.dim import Dim, same
from dllint.domains.lattice import Unknown
from dllint.ir.events import LoopEdge, ModuleCall
from dllint.ir.program import Condition, Event, Op, TensorVal
from dllint.ir.values import Value, unwrap
from dllint.lower.repeats import same_block
from dllint.ops.mult_adds import mult_adds


@dataclass(slots=True)
class _Taking:
    """The modules of a tree by the ``id`` of their objects, and those that were called in a loop."""

    root: Module
    by_id: Mapping[int, Module]
    loops: int = 0
    #: What undecided branches cost: by module and branch, of each arm.
    branches: dict[tuple[int, int], tuple[Module, dict[int, Dim]]] = field(default_factory=dict)

    def take(self, item: Op | Event, in_loop: set[int]) -> None:
        """Take in an operation or event of the root's calls."""
        if isinstance(item, LoopEdge):
            self.loops += 1 if item.phase == "enter" else -1
        elif _is_left_out(item.path):
            return
        elif isinstance(item, ModuleCall) and (module := self.by_id.get(id(item.callee))) is not None:
            module.calls.append(Call((*item.args, *item.keywords.values()), item.result))
            if self.loops > 0:
                in_loop.add(id(module))
        elif isinstance(item, Op):
            self._cost(item)

    def _cost(self, op: Op) -> None:
        module = self.by_id.get(id(op.layer)) or self.by_id.get(id(op.owner)) or self.root
        cost = mult_adds(op)
        if cost is None:
            module.is_cost_open = True
        elif cost != 0:
            undecided = [condition for condition in op.path if condition.default is None and not condition.certain]
            module.is_cost_open |= op.repeated or len(undecided) > 1
            if len(undecided) == 1:
                _, arms = self.branches.setdefault((id(module), undecided[0].key), (module, {}))
                arms[undecided[0].arm] = arms.get(undecided[0].arm, 0) + cost
            else:
                module.mult_adds = module.mult_adds + cost

    def conclude(self) -> None:
        """Of a branch that is not decided, what both arms cost counts; if they differ, the less."""
        for module, arms in self.branches.values():
            costs = [arms.get(0, 0), arms.get(1, 0)]
            is_same = same(costs[0], costs[1])
            module.is_cost_open |= not is_same
            if is_same:
                module.mult_adds = module.mult_adds + costs[0]
            elif isinstance(costs[0], int) and isinstance(costs[1], int):
                module.mult_adds = module.mult_adds + min(costs[0], costs[1])


def _is_left_out(path: tuple[Condition, ...]) -> bool:
    """Whether something stands in an arm that a default does not select."""
    return any(condition.default is False for condition in path)


def attach(root: Module, items: Iterable[Op | Event]) -> None:
    """Note the calls and costs in a part of a trace on the modules of a tree."""
    by_id = {id(module.instance): module for module in root.everything() if not module.is_again}
    taking = _Taking(root, by_id)
    in_loop: set[int] = set()
    ops: dict[int, list[Op]] = {}
    for item in items:
        taking.take(item, in_loop)
        if isinstance(item, Op) and item.layer is not None and not _is_left_out(item.path):
            ops.setdefault(id(item.layer), []).append(item)
    taking.conclude()
    for key, module in by_id.items():
        if not module.calls and key in ops and module is not root:
            module.calls.append(_call_of(ops[key]))
    for module in root.everything():
        _mirror(module, in_loop)
    for module in root.everything():
        if module.is_blurred:
            _forget(module)
        layer = module.instance.layer
        if layer is not None and layer.row.trainable and not module.calls and not module.is_again:
            module.is_cost_open = True  # it is not called, or its call was not followed


def _forget(module: Module) -> None:
    """Leave the calls of a module, and its costs, to what is not known: they may be those of another one."""
    for part in module.walk():
        part.is_cost_open |= bool(part.calls) and part.mult_adds != 0
        part.calls.clear()
        part.mult_adds = 0


def _call_of(ops: list[Op]) -> Call:
    """The call of a layer whose operations a functional model performs again."""
    return Call(ops[0].inputs, ops[-1].output if len(ops[-1].outputs) == 1 else ops[-1].outputs)


def _mirror(holder: Module, in_loop: set[int]) -> None:
    """Of equal blocks in a row, the analysis calls the first (``lower/repeats.py``): the others are called alike."""
    is_chain = holder.instance.state.get("names") is not None or "num_layers" in holder.instance.state
    last: Module | None = None
    for child in holder.children:
        if child.calls:
            last = child
        elif last is not None and is_chain and not child.is_again and _is_skipped(last, child, holder, in_loop):
            _copy(last, child)
            if id(last) in in_loop:
                in_loop.add(id(child))
            last = child


def _is_skipped(last: Module, child: Module, holder: Module, in_loop: set[int]) -> bool:
    in_turn = bool(holder.calls) or "num_layers" in holder.instance.state or id(last) in in_loop
    return in_turn and _keeps_type(last.calls[-1]) and same_block(last.instance, child.instance)


def _keeps_type(call: Call) -> bool:
    given, result = (unwrap(call.inputs[0]) if call.inputs else None), unwrap(call.output)
    if isinstance(result, tuple) and result:
        result = unwrap(result[0])
    return isinstance(given, TensorVal) and isinstance(result, TensorVal) and given.type == result.type


def _copy(source: Module, target: Module) -> None:
    for there, here in zip(source.walk(), target.walk(), strict=False):
        here.calls = list(there.calls)
        here.mult_adds, here.is_cost_open = there.mult_adds, there.is_cost_open


def tensors_of(value: Value) -> Iterator[TensorVal | Unknown]:
    """The tensors that a value is or holds, Unknown where something is not known."""
    value = unwrap(value)
    if isinstance(value, (TensorVal, Unknown)):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from tensors_of(part)
