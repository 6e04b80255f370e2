"""What the modules of a tree are called with, what they give, and what their operations cost, from a part of a trace."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from dllint.analysis.architecture.arms import Placed, of_one_run, undecided
from dllint.analysis.architecture.tree import Call, Module, is_graph
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
    #: The ``id`` of what is called in arms that a default does not select.
    left_out: set[int] = field(default_factory=set)
    #: What undecided branches cost: by module and branch, of each arm.
    branches: dict[tuple[int, int], tuple[Module, dict[int, Dim]]] = field(default_factory=dict)
    #: Modules with their calls and the arms that those stand in.
    calls: dict[int, tuple[Module, list[Placed]]] = field(default_factory=dict)

    def take(self, item: Op | Event, in_loop: set[int]) -> None:
        """Take in an operation or event of the root's calls."""
        if isinstance(item, LoopEdge):
            self.loops += 1 if item.phase == "enter" else -1
        elif _is_left_out(item.path):
            self.left_out.add(id(item.callee) if isinstance(item, ModuleCall) else id(getattr(item, "layer", None)))
        elif isinstance(item, ModuleCall) and (module := self.by_id.get(id(item.callee))) is not None:
            call = Call((*item.args, *item.keywords.values()), item.result)
            self.calls.setdefault(id(module), (module, []))[1].append(Placed(call, undecided(item.path)))
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
            branches = undecided(op.path)
            module.is_cost_open |= op.repeated or len(branches) > 1
            if len(branches) == 1:
                _, arms = self.branches.setdefault((id(module), branches[0].key), (module, {}))
                arms[branches[0].arm] = arms.get(branches[0].arm, 0) + cost
            else:
                module.mult_adds = module.mult_adds + cost

    def conclude(self) -> None:
        """Note the calls that a run makes. Of a branch that is not decided, what both arms cost counts; if they differ, the
        less."""
        for module, placed in self.calls.values():
            module.calls += of_one_run(placed)
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


def attach(root: Module, items: Iterable[Op | Event], *, is_whole: bool = False) -> None:
    """Note the calls and costs in a part of a trace on the modules of a tree. ``is_whole``: the part was executed to its end,
    as the program has it."""
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
        elif not module.calls and module is not root and is_graph(module.instance):
            inside = {id(part.instance) for part in module.walk()}
            module.calls += _call_of_graph([op for key in inside for op in ops.get(key, ())])
    for module in root.everything():
        _mirror(module, in_loop)
    called = _Called(root, taking.left_out)
    for module in root.everything():
        if module.is_blurred:
            _forget(module)
        layer = module.instance.layer
        if layer is not None and layer.row.trainable and not module.calls and not module.is_again:
            module.is_cost_open |= not is_whole or called.perhaps(module)


class _Called:
    """Which modules without a call may be called nevertheless: in an arm that is left out, or instead of an equal one, which
    the analysis executes once (``lower/repeats.py``)."""

    def __init__(self, root: Module, left_out: set[int]) -> None:
        self._left_out = left_out
        self._alike: dict[object, list[Module]] = {}
        self._holders: dict[int, Module] = {}
        #: What is called, or holds something that is.
        self._used: set[int] = {id(root)}
        for module in root.everything():
            for child in (*module.children, *(other for other in module.others if other is not None)):
                self._holders.setdefault(id(child), module)
        for module in root.everything():
            if module.calls:
                self._alike.setdefault(module.instance.cls, []).append(module)
                self._used.update(map(id, self._around(module)))

    def _around(self, module: Module | None) -> Iterator[Module]:
        """A module and those that it is in."""
        while module is not None:
            yield module
            module = self._holders.get(id(module))

    def perhaps(self, module: Module) -> bool:
        """Whether a module, or one that it is in and of which no part is called, may be called."""
        unused = [one for one in self._around(module) if id(one) not in self._used]
        if not unused or any(
            one.is_blurred or one.others or one.is_open or id(one.instance) in self._left_out for one in unused
        ):
            return True
        outermost = unused[-1].instance
        return any(same_block(other.instance, outermost) for other in self._alike.get(outermost.cls, ()))


def _forget(module: Module) -> None:
    """Leave the calls of a module, and its costs, to what is not known: they may be those of another one."""
    for part in module.walk():
        part.is_cost_open |= bool(part.calls) and part.mult_adds != 0
        part.calls.clear()
        part.mult_adds = 0


def _call_of_graph(ops: list[Op]) -> list[Call]:
    """The call of a model of Keras that a functional model applies: what its operations take from others and give to others."""
    made = {output.id for op in ops for output in op.outputs}
    taken = {given.id for op in ops for given in op.inputs}
    inputs = {given.id: given for op in ops for given in op.inputs if given.id not in made}
    outputs = [output for op in ops for output in op.outputs if output.id not in taken]
    return [Call(tuple(inputs.values()), outputs[0] if len(outputs) == 1 else tuple(outputs))] if outputs else []


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
    if not isinstance(given, TensorVal) or not isinstance(result, TensorVal):
        return False
    return given.shape == result.shape and given.dtype == result.dtype


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
