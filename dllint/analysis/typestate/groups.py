"""Whose parameters an optimizer has: modules that are replaced after it was made, and optimizers that train nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from dllint.analysis.assigned import takes_the_place
from dllint.analysis.facts import Facts
from dllint.analysis.modules import elements, has_weights, is_module, tree
from dllint.analysis.training import is_optimizer
from dllint.analysis.typestate import by_hand, opaque, order
from dllint.analysis.typestate.frozen import params_of
from dllint.domains.lattice import Unknown
from dllint.ir import events
from dllint.ir.program import JOIN, Event, Op, TensorVal
from dllint.ir.values import DictVal, InstanceVal, IterVal, ListVal, Value, unwrap
from dllint.ops.kinds import does
from dllint.ops.traits import Trait

_PARAMETERS: Final = "torch.nn.Module.parameters"
_NAMED: Final = "torch.nn.Module.named_parameters"
#: Containers in containers are looked into so deep.
_DEEPEST: Final = 24


@dataclass(frozen=True, slots=True)
class Group:
    """``construction`` makes an optimizer for parameters of the ``modules``, as they are then: for all of them if it is
    ``whole``, else for those that the program has chosen or put together."""

    construction: events.LibraryCall
    modules: tuple[InstanceVal, ...]
    whole: bool = True

    def parts(self) -> frozenset[int]:
        """The modules in them, by ``id``, as they are at the end of the program."""
        return frozenset(id(part) for module in self.modules for part in tree(module))


def groups(facts: Facts) -> list[Group]:
    """The optimizers of a program of which it is known whose parameters they have, and that stays so."""
    calls = facts.events(events.LibraryCall)
    optimizers = [call for call in calls if call.receiver is None and is_optimizer(call.result)]
    if not optimizers:
        return []
    asked = {id(call.result): call.receiver for call in calls if call.name == _PARAMETERS}
    single = _single_parameters(calls)
    extended = {id(call.receiver) for call in calls if call.name.endswith(".add_param_group")}
    found = []
    for call in optimizers:
        if id(call.result) in extended:
            continue
        modules = _modules(params_of(call), asked)
        among = modules if modules is not None else _owners(params_of(call), single)
        if among is not None and not opaque.is_handed_on(call.result, facts.program.events):
            found.append(Group(call, among, modules is not None))
    return found


def trained_modules(facts: Facts) -> dict[int, frozenset[int]]:
    """The optimizers, by ``id``, of which it is known whose parameters they have, with these modules and their parts."""
    return {id(group.construction.result): group.parts() for group in groups(facts)}


def _modules(params: Value, asked: dict[int, Value]) -> tuple[InstanceVal, ...] | None:
    """The modules all of whose parameters an optimizer is given, in all groups; ``None`` if that is not known."""
    module = asked.get(id(params))
    if isinstance(module, InstanceVal):
        return (module,)
    if not isinstance(params, ListVal) or params.rest is not None:
        return None
    found: list[InstanceVal] = []
    for group in params.items:
        given = _modules(unwrap(group.items.get("params")), asked) if isinstance(group, DictVal) else None
        if given is None:
            return None
        found += given
    return tuple(found) or None


def _single_parameters(calls: Sequence[events.LibraryCall]) -> dict[int, Value]:
    """The tensors, by ``id``, that stand for any parameter of a module, with that module."""
    found = dict[int, Value]()
    for call in calls:
        if call.name in (_PARAMETERS, _NAMED) and isinstance(call.result, IterVal):
            element = call.result.rest
            found[id(element[1] if isinstance(element, tuple) and len(element) == 2 else element)] = call.receiver
    return found


def _owners(params: Value, single: Mapping[int, Value]) -> tuple[InstanceVal, ...] | None:
    """The modules of which an optimizer is given parameters, and of no other ones, however they were put together: in lists,
    sums of lists, chains, filters and comprehensions; ``None`` if one of the tensors may be of another module."""
    found = dict[int, InstanceVal]()
    for tensor in _given(params):
        module = single.get(id(tensor))
        if not isinstance(module, InstanceVal):
            return None
        found[id(module)] = module
    return tuple(found.values()) or None


def _given(value: Value, depth: int = _DEEPEST) -> Iterator[Value]:
    """What an optimizer is given, down to single tensors: of what branches or loops have joined, all that it can be; what is
    not known as it is."""
    value = unwrap(value)
    joined = value.producer if isinstance(value, TensorVal) else None
    parts: Sequence[Value] = ()
    if joined is not None and joined.kind == JOIN:
        parts = joined.inputs
    elif isinstance(value, (ListVal, IterVal)):
        parts = value.items if value.rest is None else (*value.items, value.rest)
    elif isinstance(value, DictVal):
        parts = (value.items.get("params"),)
    elif isinstance(value, tuple):
        parts = value
    if not parts or depth == 0:
        empty = isinstance(value, (ListVal, IterVal, tuple)) and not parts
        yield from () if empty else (value,)
        return
    for part in parts:
        yield from _given(part, depth - 1)


@dataclass(frozen=True, slots=True)
class Replaced:
    """A layer that is part of a module of ``group`` and is trained with it is made after the optimizer, by ``layer``."""

    group: Group
    layer: events.Construction


def replaced(facts: Facts) -> Iterator[Replaced]:
    """The layers with weights that a module gets after an optimizer was made for its parameters, and that losses depend on."""
    trained, known = _trained_layers(facts), groups(facts)
    numbers = {id(event): number for number, event in enumerate(facts.program.trace)}
    last = {id(step.target): numbers[id(step)] for step in facts.events(events.Step)}
    for group in known:
        until = last.get(id(group.construction.result), -1)
        for made in _made_after(group, trained, facts):
            if numbers[id(made)] < until and not _is_held(made, known, numbers):
                yield Replaced(group, made)
                break


def _made_after(group: Group, trained: frozenset[int], facts: Facts) -> Iterator[events.Construction]:
    """The constructions, behind that of an optimizer, of layers with weights that are trained and that its modules have."""
    after, layers = False, group.parts() & trained
    for event in facts.program.trace if layers else ():
        after = after or event is group.construction
        if after and isinstance(event, events.Construction) and id(event.instance) in layers and has_weights(event.instance):
            yield event


def _is_held(layer: events.Construction, known: Sequence[Group], numbers: Mapping[int, int]) -> bool:
    """Whether an optimizer that is made behind a layer has its parameters."""
    behind = (group for group in known if numbers[id(group.construction)] > numbers[id(layer)])
    return any(id(layer.instance) in group.parts() for group in behind)


@dataclass(frozen=True, slots=True)
class Doubled:
    """``group`` trains what the optimizer of ``other`` trains, too, and no optimizer has the weights of ``missing``."""

    group: Group
    other: Group
    missing: events.Construction


def doubled(facts: Facts) -> Iterator[Doubled]:
    """The optimizers with the parameters of another one, in programs a loss of which depends on a layer that none has, though
    it is known what all have and nothing is frozen."""
    known = groups(facts)
    made = [call for call in facts.events(events.LibraryCall) if call.receiver is None and is_optimizer(call.result)]
    if len(known) < 2 or len({id(call.site.node) for call in made}) != len(known) or _freezes(facts):
        return
    if not all(group.whole for group in known):
        return
    targets = {id(event.target) for event in facts.events(events.Step)}
    stepped = [group for group in known if group.whole and id(group.construction.result) in targets]
    held = frozenset[int]().union(*(group.parts() for group in stepped))
    trained = _trained_layers(facts)
    for other, group in combinations(stepped, 2):
        same = {*map(id, group.modules)} == {*map(id, other.modules)}
        if same and not order.exclude_each_other(other.construction, group.construction) and not _replaces(group, other):
            missing = _constructed(trained - held, facts)
            if missing is not None:
                yield Doubled(group, other, missing)


def _replaces(group: Group, other: Group) -> bool:
    """Whether an optimizer takes the place of another one, whose state is to be forgotten."""
    return takes_the_place(group.construction.site, other.construction.site)


def _freezes(facts: Facts) -> bool:
    """Whether the program decides itself what requires gradients."""
    written = any(write.name == "requires_grad" for write in facts.events(events.AttributeWrite))
    return written or any(call.name.endswith("requires_grad_") for call in facts.events(events.LibraryCall))


def _constructed(layers: frozenset[int], facts: Facts) -> events.Construction | None:
    """The first construction of one of the layers, with weights."""
    made = (event for event in facts.events(events.Construction) if id(event.instance) in layers)
    return next((event for event in made if has_weights(event.instance)), None)


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A loss depends on a module with weights (made by ``module``) that no optimizer has; ``group`` is one that is stepped."""

    group: Group
    module: Event


#: What may be asked of a module that is to be trained: by calls that neither fill its weights nor say that they stay.
_ORDINARY: Final = frozenset({
    "__call__", "__getitem__", "__init__", "__iter__", "cpu", "cuda", "double", "eval", "float", "forward", "half",
    "named_modules", "register_buffer", "register_parameter", "state_dict", "to", "train", "zero_grad",
})  # fmt: skip


def left_out(facts: Facts) -> Iterator[LeftOut]:
    """The modules that a loss depends on and no optimizer has, none of their parts either, in programs of which all optimizers
    are known and nothing is frozen. Modules that are put into evaluation mode, filled, copied or handed on are no such ones."""
    known = groups(facts)
    calls = facts.events(events.LibraryCall)
    made = [call for call in calls if call.receiver is None and is_optimizer(call.result)]
    if not known or len({id(call.site.node) for call in made}) != len(known) or _freezes(facts) or _is_by_hand(facts):
        return
    stepped = _nearest(known, facts)
    own = _with_parameters(facts)
    missing = _differentiated_layers(own, facts) - frozenset[int]().union(*(group.parts() for group in known))
    if stepped is None or not missing:
        return
    held = frozenset[int]().union(*(group.parts() for group in known))
    for event, module in _roots(facts):
        parts = {id(part) for part in tree(module)}
        trainable = has_weights(module) or any(id(part) in own.values() for part in tree(module))
        if parts & missing and not parts & held and trainable and _is_ordinary(module, parts, facts):
            yield LeftOut(stepped, event)


def _nearest(known: Sequence[Group], facts: Facts) -> Group | None:
    """The optimizer that is to have what none has: one that is stepped and trains only what others train, too, else the
    first."""
    targets = {id(event.target) for event in facts.events(events.Step)}
    stepped = [group for group in known if id(group.construction.result) in targets]
    for group in stepped:
        others = (other.parts() for other in stepped if other is not group)
        if group.parts() <= frozenset[int]().union(*others):
            return group
    return stepped[0] if stepped else None


def _with_parameters(facts: Facts) -> dict[int, int]:
    """The parameters that modules make themselves, and the modules that hold them, both by ``id``. Objects that are made with
    the same arguments may hold one value: of a parameter that several modules hold, it is not known whose it is."""
    holders = dict[int, set[int]]()
    for module in (part for _, root in _roots(facts) for part in tree(root) if part.layer is None):
        for value in module.attrs.values():
            if isinstance(value, TensorVal) and value.producer is None and value.name == "parameter":
                holders.setdefault(id(value), set()).add(id(module))
    return {parameter: next(iter(held)) for parameter, held in holders.items() if len(held) == 1}


def _differentiated_layers(own: Mapping[int, int], facts: Facts) -> frozenset[int]:
    """The modules, by ``id``, to whose weights a gradient comes back from the losses that are differentiated: layers, and those
    that hold parameters of their ``own``."""
    todo = [event.target for event in facts.events(events.Backward) if isinstance(event.target, TensorVal)]
    found, seen = set[int](), set[int]()
    while todo:
        op = todo.pop().producer
        if op is None or id(op) in seen or id(op) in facts.without_gradient or does(op, Trait.NO_GRADIENT):
            continue
        seen.add(id(op))
        if op.layer is not None:
            found.add(id(op.layer))
        found |= {own[id(value)] for value in op.inputs if id(value) in own}
        todo += op.inputs
    return frozenset(found)


def _roots(facts: Facts) -> Iterator[tuple[Event, InstanceVal]]:
    """The modules that a program makes and that are part of no other module, in order. What a method of a module makes may be a
    part of it, whether or not that is seen in its attributes."""
    constructions: list[tuple[Event, InstanceVal]] = [
        (event, event.instance)
        for event in facts.program.events
        if isinstance(event, (events.Construction, events.Instance))
        and is_module(event.instance)
        and not is_module(event.owner)
    ]
    inner = {id(part) for _, module in constructions for part in tree(module) if part is not module}
    yield from ((event, module) for event, module in constructions if id(module) not in inner)


def _is_ordinary(module: InstanceVal, parts: set[int], facts: Facts) -> bool:
    """Whether nothing is done with a module but what is done with one that is to be trained."""
    if module.open is not None or opaque.is_handed_on(module, facts.program.events):
        return False
    if _only_evaluates(parts, facts):
        return False
    calls = (call for call in facts.events(events.LibraryCall) if id(call.receiver) in parts)
    others = (call for call in facts.events(events.LibraryCall) if any(id(value) in parts for value in call.given))
    if any(not call.name.startswith("torch.nn.") for call in others):
        return False
    return all(call.name.rpartition(".")[2] in _ORDINARY for call in calls)


def _only_evaluates(parts: set[int], facts: Facts) -> bool:
    """Whether a part of a module is put into evaluation mode before something is differentiated, and never into training
    mode."""
    if any(id(event.target) in parts for event in facts.events(events.Train)):
        return False
    differentiated = facts.events(events.Backward)
    numbers = {id(event): number for number, event in enumerate(facts.training.events)}
    last = max((numbers[id(event)] for event in differentiated), default=-1)
    around = {id(loop.edge.node) for event in differentiated for loop in facts.training.around(event)}
    return any(
        numbers[id(event)] < last or any(id(loop.edge.node) in around for loop in facts.training.around(event))
        for event in facts.events(events.Eval)
        if id(event.target) in parts
    )


def training_nothing(facts: Facts) -> Iterator[Group]:
    """The optimizers that are stepped and whose modules no loss depends on, where it is known what the losses depend on and no
    gradients come from elsewhere, as those of an adapted copy do in first-order meta-learning."""
    trained = _trained_layers(facts)
    if not trained or not all(_is_followed(event, facts) for event in facts.events(events.Backward)) or _is_by_hand(facts):
        return
    stepped = {id(event.target) for event in facts.events(events.Step)}
    for group in groups(facts):
        closed = all(_is_closed(part) for module in group.modules for part in tree(module))
        apart = id(group.construction.result) in stepped and group.parts().isdisjoint(trained)
        if apart and closed and any(has_weights(module) for module in group.modules):
            yield group


def _is_by_hand(facts: Facts) -> bool:
    """Whether a file that takes part gives or takes gradients itself."""
    taking_part: list[Event] = [*facts.events(events.Backward), *facts.events(events.Step)]
    return by_hand.is_in_code_of(taking_part, clearing=False)


def _trained_layers(facts: Facts) -> frozenset[int]:
    """The layers, by ``id``, that the losses depend on which are differentiated."""
    losses = [event.target for event in facts.events(events.Backward) if isinstance(event.target, TensorVal)]
    return frozenset(id(op.layer) for op in facts.ancestors(*losses) if op.layer is not None)


def _is_followed(backward: events.Backward, facts: Facts) -> bool:
    """Whether a loss is computed from what is known alone, so that the layers behind it are all that there are."""
    loss = backward.target
    if not isinstance(loss, TensorVal) or backward.via is not None or loss.producer is None:
        return False
    return all(_is_known(op) for op in facts.ancestors(loss))


def _is_known(op: Op) -> bool:
    """Whether nothing that an operation takes may come from anywhere, and no weights in it belong to no layer."""
    if any(tensor.producer is None and (tensor.foreign or tensor.name in ("parameter", "weight")) for tensor in op.inputs):
        return False
    return not any(map(_is_open, op.args.values()))


def _is_open(value: Value) -> bool:
    return any(map(_is_open, value)) if isinstance(value, tuple) else isinstance(value, (Unknown, InstanceVal))


def _is_closed(module: InstanceVal) -> bool:
    """Whether a module has no parameters of its own, and all of its parts are known."""
    if module.open is not None or module.handed:
        return False
    held = [member for value in module.attrs.values() for member in elements(value)]
    return all(is_module(member) or not isinstance(member, (TensorVal, InstanceVal)) for member in held)
