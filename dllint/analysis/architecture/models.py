"""Which models the programs of a file have, and which part of a trace is a model's call."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import libcst as cst

from dllint.analysis.architecture.calls import attach
from dllint.analysis.architecture.tree import Around, Call, Module, tree_of
from dllint.analysis.architecture.weights import ProgramWeights, own_weights
from dllint.analysis.modules import is_module
from dllint.analysis.preconditions import preconditions
from dllint.frameworks.keras.protocols.replay import between
from dllint.ir.events import AttributeWrite, Construction, Instance, ModelGraph, ModuleCall
from dllint.ir.program import SCRIPT, Event, Op, Program, Site, tensors_in
from dllint.ir.values import ClassVal, InstanceVal, ListVal, Value, unwrap

#: The attribute by which a text that is added to a file marks the model that it asks about (``engine/asked_model.py``).
MARK: Final = "dllint_asked"
_METHODS: Final = ("forward", "call", "__call__")


@dataclass(slots=True)
class Model:
    """A module that no other one holds, with the programs that tell of it. ``items`` are the operations and events of its last
    call (``performed``, or a way to them), ``call`` what that was given and gave; None if it is not called."""

    instance: InstanceVal
    site: Site | None
    program: Program
    call: Call | None = None
    performed: Sequence[Op | Event] | Callable[[], Sequence[Op | Event]] = ()
    #: The expression that calls it; None if an entry does, or it is a graph.
    node: Any = None
    #: The run of the file as a script before the program, if the program only asks for the model.
    script: Program | None = None

    @property
    def items(self) -> Sequence[Op | Event]:
        """What its call performs, looked for when it is asked for first."""
        if callable(self.performed):
            self.performed = self.performed()
        return self.performed

    def tree(self, made: ProgramWeights) -> Module:
        """Its tree of modules with calls, weights and costs."""
        root = tree_of(self.instance, around=Around.of([*([self.script] if self.script else ()), self.program]))
        if self.call is not None:
            root.calls = [self.call]
            attach(root, self.items, is_whole=self.node is not None and not self.program.ran_out)
            root.calls = [self.call]
            self._note_gaps(root)
        ops: dict[int, list[Op]] = {}
        for op in self.program.ops:
            if op.layer is not None:
                ops.setdefault(id(op.layer), []).append(op)
        seen: set[tuple[int, int]] = set()
        for module in root.everything():
            if not module.is_again:
                module.own, gaps = own_weights(module.instance, ops.get(id(module.instance), ()), made, seen)
                module.gaps |= dict.fromkeys(gaps)
        _freeze(root)
        if made.changes_gradients:
            root.gaps.setdefault("weights are frozen or released after they are made: which are trained is not known")
        return root

    @property
    def preconditions(self) -> tuple[str, ...]:
        """What has to hold of its parameters for its call to run."""
        return preconditions(self.items)

    def _note_gaps(self, root: Module) -> None:
        """Say where the call of the model was not followed."""
        if self.node is None and self.program.entry.rpartition(".")[2] not in _METHODS:
            return  # the graph of a functional model: what was not followed is not in it
        bodies = {id(site.statement) for item in self.items if (site := _in_body(item.site)) is not None}
        for reason, detail, site in self.program.gaps:
            if site is None or reason in _HARMLESS or detail.startswith(_BOOKKEEPING):
                continue
            if self._is_inside(site, bodies):
                root.is_cost_open = True
                what = f"{reason.replace('-', ' ')}{f' {detail}' if detail else ''}"
                root.gaps.setdefault(f"in its call, something is not followed: {what}")

    def _is_inside(self, site: Site, bodies: set[int]) -> bool:
        if self.node is not None:
            return any(one.node is self.node for one in site.stack())
        body = _in_body(site)
        return body is not None and id(body.statement) in bodies


def _freeze(module: Module, *, is_frozen: bool = False) -> None:
    """Of a module of Keras that is not trained, no part is."""
    state = unwrap(module.instance.attrs.get("trainable", module.instance.state.get("trainable")))
    is_frozen = is_frozen or state is False
    if is_frozen:
        module.own = module.own.frozen
    for child in module.children:
        _freeze(child, is_frozen=is_frozen)


def _in_body(site: Site) -> Site | None:
    """Where a site is, or is called from, in the body of the method that an entry runs."""
    stack = site.stack()
    return stack[-2] if len(stack) > 1 else None


#: Reasons for which a test or a mode is not known, which costs nothing.
_HARMLESS: Final = frozenset({"undecided", "training-mode"})
#: What a function with a backward pass of its own notes for that.
_BOOKKEEPING: Final = "torch.autograd.function.FunctionCtx."


def marked_model(programs: Sequence[Program]) -> Model | None:
    """The model that an added text asks about."""
    for program in programs:
        for number, event in enumerate(program.trace):
            if isinstance(event, AttributeWrite) and event.name == MARK and isinstance(event.receiver, InstanceVal):
                model = _after(event.receiver, program, number)
                if program.entry != SCRIPT:
                    model.script = next((one for one in programs if one.entry == SCRIPT and not one.setting), None)
                return model
    return None


def _after(instance: InstanceVal, program: Program, number: int) -> Model:
    """A model that is called, if it is, after a place of a trace."""
    items = program.trace[number + 1 :]
    call = next((e for e in reversed(items) if isinstance(e, ModuleCall) and e.callee is instance), None)
    if call is None:
        return _of_graph(Model(instance, instance.site, program))
    items = items[: items.index(call)]
    given = Call((*call.args, *call.keywords.values()), call.result)
    return Model(instance, instance.site, program, given, items, call.site.node)


def models(programs: Sequence[Program]) -> list[Model]:
    """The models of a file, in the order in which they are made; those that run as the source has them stand for their classes,
    else those that entries make with invented arguments."""
    found: dict[int, Model] = {}
    for program in programs:
        if not program.setting:
            for model in _in(program):
                known = found.get(id(model.instance))
                if known is None or known.call is None:
                    found[id(model.instance)] = model
    return _outermost(list(found.values()))


def main_models(programs: Sequence[Program], made: ProgramWeights) -> list[Model]:
    """The models of a file that have weights; if none has, all: a loss or an activation is a module, too."""
    found = models(programs)
    chosen = [model for model in found if (weights := model.tree(made).weights).total != 0 or weights.is_open]
    return chosen or found


def _in(program: Program) -> Iterator[Model]:
    """The modules that a program makes or calls, called ones with their last call."""
    own = entered(program)
    if own is not None:
        yield own
    made: dict[int, Model] = {}
    for number, event in enumerate(program.trace):
        if isinstance(event, ModuleCall) and isinstance(event.callee, InstanceVal) and _may_be_model(event.callee):
            call = Call((*event.args, *event.keywords.values()), event.result)
            items = partial(_inside, program, number, event)
            made[id(event.callee)] = Model(event.callee, event.callee.site, program, call, items, event.site.node)
        elif isinstance(event, (Instance, Construction, ModelGraph)):
            instance = event.model if isinstance(event, ModelGraph) else event.instance
            if _may_be_model(instance):
                made.setdefault(id(instance), Model(instance, instance.site, program))
    yield from map(_of_graph, made.values())


def _may_be_model(instance: InstanceVal) -> bool:
    return is_module(instance) and instance.layer is None


def entered(program: Program) -> Model | None:
    """The object whose method an entry runs."""
    name, _, method = program.entry.rpartition(".")
    if method not in _METHODS:
        return None
    for number in range(len(program.trace) - 1, -1, -1):
        event = program.trace[number]
        if isinstance(event, Instance) and _is_named(event.instance, name) and event.site.caller is None:
            call = Call(tuple(program.inputs), program.results)
            return Model(event.instance, event.instance.site, program, call, program.trace[number + 1 :])
    return None


def _is_named(instance: InstanceVal, name: str) -> bool:
    return isinstance(instance.cls, ClassVal) and instance.cls.name == name and is_module(instance)


def _inside(program: Program, number: int, call: ModuleCall) -> list[Op | Event]:
    """What a call performs: what stands before its event, back to the call before, and comes from its place."""
    inside: list[Op | Event] = []
    for item in reversed(program.trace[:number]):
        if isinstance(item, ModuleCall) and item.callee is call.callee:
            break
        if any(site.node is call.site.node for site in item.site.stack()):
            inside.append(item)
        elif isinstance(item, Op):
            break
    return inside[::-1]


def _of_graph(model: Model) -> Model:
    """A functional model or stack of Keras that is not called: its graph from its inputs to its outputs."""
    instance = model.instance
    if model.call is None and "outputs" in instance.state:
        inputs, outputs = instance.state.get("inputs"), instance.state.get("outputs")
        given, made = _flat(inputs), _flat(outputs)
        if given and made:
            ops = between(tuple(tensors_in(given)), tuple(tensors_in(made)))
            model.performed = [*ops, *_own_calls(ops, model.program)]
            model.call = Call(given, made[0] if len(made) == 1 else made)
    return model


def _own_calls(ops: Iterable[Op], program: Program) -> Iterator[ModuleCall]:
    """The calls of layers of the user's own, which performed operations of a graph."""
    made = {output.id for op in ops for output in op.outputs}
    for event in program.events:
        if not isinstance(event, ModuleCall) or not isinstance(event.callee, InstanceVal):
            continue
        if isinstance(event.callee.cls, ClassVal) and any(tensor.id in made for tensor in tensors_in(event.result)):
            yield event


def _flat(value: Value) -> tuple[Value, ...]:
    value = unwrap(value)
    if isinstance(value, ListVal):
        return tuple(value.items)
    return value if isinstance(value, tuple) else () if value is None else (value,)


def _outermost(found: list[Model]) -> list[Model]:
    """Those that no other one holds, of each class of the user's own those of real runs, and one of invented ones."""
    held: set[int] = set()
    kinds: set[int] = set()
    backwards = list(reversed(found))  # a holder is called, and made, after its parts
    for model in sorted(backwards, key=_is_slice):
        if id(model.instance) in held:
            continue  # what it holds was seen with its holder
        parts = list(tree_of(model.instance).walk())[1:]
        if parts and all(id(part.instance) in held for part in parts):
            held.add(id(model.instance))  # a slice, or a stack that a functional model applies: the graph has its layers
            continue
        for module in parts:
            held.add(id(module.instance))
            kinds.add(id(module.instance.cls))
    real = [model for model in found if id(model.instance) not in held]
    chosen = [model for model in real if not _is_invented(model)]
    shown = {id(model.instance.cls) for model in chosen} | kinds
    for model in real:
        if _is_invented(model) and id(model.instance.cls) not in shown:
            shown.add(id(model.instance.cls))
            chosen.append(model)
    return [model for model in real if any(model is other for other in chosen)]


def _is_slice(model: Model) -> bool:
    """Whether a model was made by ``stack[a:b]``, of layers that it has from another one."""
    return model.site is not None and isinstance(model.site.node, cst.Subscript)


def _is_invented(model: Model) -> bool:
    return not model.program.takes_nothing and model.program.entry != SCRIPT
