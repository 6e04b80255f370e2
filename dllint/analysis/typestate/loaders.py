"""Which loaders the loops of a program go over, and in which order these give the samples."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import libcst as cst

from dllint.analysis.own_statements import enclosing, going_over
from dllint.analysis.training import Loop, Passes, Training, library_classes
from dllint.ir import events
from dllint.ir.program import Site
from dllint.ir.values import InstanceVal, Value, unwrap

LOADER: Final = "torch.utils.data.DataLoader"
_ITER: Final = f"{LOADER}.__iter__"
_ITERABLE: Final = "torch.utils.data.IterableDataset"
_JOINS: Final = "torch.utils.data.ConcatDataset"
#: The arguments of a loader that decide in which order its samples come.
_ORDERING: Final = ("sampler", "batch_sampler")
#: How the names of functions end that put things in a random order, or draw some of them.
_DRAWING: Final = frozenset({
    "shuffle", "permutation", "randperm", "sample", "random_split", "train_test_split", "permuted", "choice", "randint",
    "split",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Trained:
    """A loop that trains, and the loader that it takes its batches from."""

    loop: Loop
    loader: events.LibraryCall


def constructions(training: Training) -> dict[int, events.LibraryCall]:
    """The calls that make loaders, by ``id`` of what they make."""
    made = (event for event in training.events if isinstance(event, events.LibraryCall) and event.name == LOADER)
    return {id(call.result): call for call in made}


def trained_from(training: Training) -> Iterator[Trained]:
    """The loops of a program that train from a loader, each loader once."""
    loaders, seen = constructions(training), set[int]()
    for loop in training.step_loops():
        loader = loader_of(loop, training, loaders)
        if loader is not None and id(loader) not in seen:
            seen.add(id(loader))
            yield Trained(loop, loader)


def loader_of(loop: Loop, training: Training, loaders: dict[int, events.LibraryCall]) -> events.LibraryCall | None:
    """The construction of the loader that a loop goes over: the last one that was asked for its batches before it begins."""
    for event in reversed(training.before(loop)):
        if isinstance(event, events.LibraryCall) and event.name == _ITER:
            return loaders.get(id(event.receiver))
        if isinstance(event, events.LoopEdge) and event is not loop.edge:
            return None
    return None


@dataclass(frozen=True, slots=True)
class Gone:
    """What goes over a loader again and again: its passes, the loader, and the function that it stands in."""

    passes: Passes
    loader: events.LibraryCall
    scope: str


def over_loaders(training: Training) -> Iterator[Gone]:
    """The loops and the comprehensions of a program that go over loaders."""
    loaders = constructions(training)
    for loop in training.loops:
        if (loader := loader_of(loop, training, loaders)) is not None:
            yield Gone(loop, loader, loop.edge.scope)
    for event in training.events:
        if isinstance(event, events.LibraryCall) and event.name == _ITER and id(event.receiver) in loaders:
            comprehension = going_over(event.site)
            if comprehension is not None:
                yield Gone(training.performed_by(comprehension, event.site), loaders[id(event.receiver)], event.scope)


def gone_over(training: Training) -> Iterator[events.LibraryCall]:
    """The loaders that a loop, a comprehension or a function of many values goes over, each once, in order; not those that are
    only asked for an iterator by ``iter``."""
    loaders, seen = constructions(training), set[int]()
    for event in training.events:
        if isinstance(event, events.LibraryCall) and event.name == _ITER and not _is_call_of_iter(event.site.node):
            loader = loaders.get(id(event.receiver))
            if loader is not None and id(loader) not in seen:
                seen.add(id(loader))
                yield loader


def is_in_order(loader: events.LibraryCall) -> bool:
    """Whether a loader gives the samples of a data set in their own order in every epoch."""
    if any(name in loader.bound and unwrap(loader.bound[name]) is not None for name in _ORDERING):
        return False
    shuffle = unwrap(loader.bound.get("shuffle", False))
    dataset = loader.bound.get("dataset")
    is_known = isinstance(dataset, InstanceVal) and _ITERABLE not in library_classes(dataset)
    return (shuffle is False or shuffle is None) and is_known and not loader.unbound


def draws_before(loader: events.LibraryCall, training: Training) -> bool:
    """Whether anything was drawn or put in a random order before a loader is made: its data may be, too."""
    for event in training.events:
        if event is loader:
            return False
        if isinstance(event, events.LibraryCall) and event.name.rpartition(".")[2] in _DRAWING:
            return True
        if isinstance(event, events.OpaqueCall) and event.name.rpartition(".")[2] in _DRAWING:
            return True
    return False


def first_batches(training: Training) -> Iterator[tuple[events.LibraryCall, events.LibraryCall]]:
    """Iterators of loaders that a loop which trains makes anew in every pass, to take one batch: with the loader."""
    loaders = constructions(training)
    for loop in training.step_loops():
        for event in training.within(loop, events.LibraryCall):
            node = event.site.node
            if event.name != _ITER or not _is_call_of_iter(node) or training.innermost(event) != loop:
                continue
            loader = loaders.get(id(event.receiver))
            if loader is not None and not _ends_first_pass(loop) and not _is_on_occasion(event.site):
                yield event, loader


def _is_on_occasion(site: Site) -> bool:
    """Whether an iterator is made only on a condition of the loop or function around, such as that the one before has ended."""
    for part in reversed(enclosing(site)):
        if isinstance(part, (cst.For, cst.While, cst.FunctionDef)):
            return False
        if isinstance(part, (cst.If, cst.Try)):
            return True
    return False


def _is_call_of_iter(node: cst.CSTNode | None) -> bool:
    return isinstance(node, cst.Call) and isinstance(node.func, cst.Name) and node.func.value == "iter"


def _ends_first_pass(loop: Loop) -> bool:
    """Whether a loop is no repetition: it stands for the passes of ``for`` over something of one element."""
    node = loop.edge.node
    return isinstance(node, cst.For) and isinstance(node.iter, (cst.List, cst.Tuple)) and len(node.iter.elements) < 2


def joins_parts(loader: events.LibraryCall, training: Training) -> bool:
    """Whether the data set of a loader gives the samples of one data set behind those of another."""
    dataset = loader.bound.get("dataset")
    calls = (event for event in training.events if isinstance(event, events.LibraryCall) and event.name == _JOINS)
    return any(call.result is dataset for call in calls)


def is_shuffled(loader: events.LibraryCall) -> bool:
    """Whether a loader draws a new order of its samples whenever it is iterated over."""
    return unwrap(loader.bound.get("shuffle")) is True and not loader.unbound


def same_data(first: Value, second: Value) -> bool:
    """Whether two loaders were given one and the same object."""
    return isinstance(first, InstanceVal) and first is second
