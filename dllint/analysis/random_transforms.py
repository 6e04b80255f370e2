"""Transforms of torchvision that change pictures at random, in the data that loops evaluate with."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from dllint.analysis.data_parts import named_part
from dllint.analysis.facts import Facts
from dllint.analysis.modules import is_module
from dllint.analysis.said_in_files import any_says
from dllint.analysis.training import Passes, Training
from dllint.analysis.typestate.loaders import over_loaders, trained_from
from dllint.ir.events import Backward, LibraryCall, ModuleCall
from dllint.ir.values import InstanceVal, LibSymbol, ListVal, Value, unwrap

#: How the reader calls what a call makes.
NameOf = Callable[[LibraryCall], "str | None"]
_PREFIXES: Final = ("torchvision.transforms.v2.", "torchvision.transforms.")
_DATASETS: Final = "torchvision.datasets."
#: The attribute in which data sets keep what they change samples by.
_TRANSFORM: Final = "transform"
#: Transforms whose name does not begin with ``Random`` and that draw what they do (torchvision 0.28).
_DRAWING: Final = frozenset(
    {"ColorJitter", "RandAugment", "AutoAugment", "TrivialAugmentWide", "AugMix", "GaussianNoise", "ElasticTransform"}
)
#: Transforms that draw one of others, which may be one alone, or a size, which may be one alone.
_MAY_BE_ONE: Final = frozenset({"RandomChoice", "RandomOrder", "RandomResize", "RandomShortestSize"})
#: Transforms that do nothing where all that they are given is 0.
_BY_AMOUNT: Final = frozenset({"RandomRotation", "RandomAffine", "ColorJitter"})
_NOTHING: Final = (None, 0, (0, 0))
#: What changes the row of transforms after it was made.
_CHANGED_ROW: Final = re.compile(
    r"(?<!torchvision)\.transforms\s*(?:\.(?:pop|insert|append|remove|clear|extend)\b|\[|\+?=(?!=))"
)
#: Words of code that averages predictions over changed pictures, or compares views of one.
_ON_PURPOSE: Final = re.compile(r"\btta\b|_tta|tta_|test_time|augmented|contrast|simclr|robust|corrupt", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Augmented:
    """A loader that a loop evaluates with, its name, and what draws changes of its pictures: calls and their names."""

    loader: LibraryCall
    name: str
    transforms: tuple[LibraryCall, ...]


def augmented_evaluations(facts: Facts, name_of: NameOf) -> Iterator[Augmented]:
    """The loaders of a program that trains, which validate or test by their names or by the part of the data that they give,
    that loops or comprehensions go over which differentiate nothing, and whose data set changes pictures at random; each
    once."""
    training = facts.training
    made = {id(call.result): call for call in facts.events(LibraryCall) if call.name.startswith(_PREFIXES)}
    if not training.trains or not made:
        return
    trained = [one.loader for one in trained_from(training)]
    told = set[int]()
    for gone in over_loaders(training):
        passes, loader = gone.passes, gone.loader
        if id(loader) in told or training.within(passes, Backward):
            continue
        if not _applies_model(passes, training) or _is_repeated(passes, training):
            continue
        dataset = unwrap(loader.bound.get("dataset"))
        if not trained or any(unwrap(other.bound.get("dataset")) is dataset for other in trained):
            continue
        name = name_of(loader) or ""
        drawing = tuple(_drawing(dataset, made))
        if (
            drawing
            and (named_part(name) is True or _is_test_part(dataset, facts))
            and not _ON_PURPOSE.search(f"{name} {gone.scope}")
            and not any_says((call.site.document for call in (loader, *drawing)), _CHANGED_ROW)
        ):
            told.add(id(loader))
            yield Augmented(loader, name, drawing)


def _applies_model(passes: Passes, training: Training) -> bool:
    """Whether a module is applied in some passes."""
    return any(is_module(call.callee) for call in training.within(passes, ModuleCall))


def _is_repeated(passes: Passes, training: Training) -> bool:
    """Whether a loop around them trains nothing: its passes may be views of the same pictures, to be averaged."""
    around = (other for other in training.loops if other is not passes and other.contains(passes.start))
    return any(not training.within(other, Backward) for other in around)


def _is_test_part(dataset: Value, facts: Facts) -> bool:
    """Whether a data set of torchvision was asked for its test part."""
    calls = (call for call in facts.events(LibraryCall) if call.result is dataset and call.name.startswith(_DATASETS))
    return any(unwrap(call.bound.get("train", True)) is False for call in calls)


def _drawing(dataset: Value, made: dict[int, LibraryCall]) -> Iterator[LibraryCall]:
    """The transforms of a data set that draw what they do, as far as they are written as a row."""
    transform = unwrap(dataset.attrs.get(_TRANSFORM)) if isinstance(dataset, InstanceVal) else None
    call = made.get(id(transform))
    if call is None or not isinstance(call.result, InstanceVal):
        return
    parts = unwrap(call.bound.get("transforms"))
    steps = parts.items if isinstance(parts, ListVal) and parts.rest is None else [transform]
    for step in steps:
        made_by = made.get(id(unwrap(step)))
        if made_by is not None and _draws(unwrap(step), made_by):
            yield made_by


def _draws(step: Value, call: LibraryCall) -> bool:
    """Whether a transform changes pictures at random: one that is done always, or never, may draw nothing."""
    if not isinstance(step, InstanceVal) or not isinstance(step.cls, LibSymbol):
        return False
    last = step.cls.name.rpartition(".")[2]
    if not (last.startswith("Random") or last in _DRAWING) or last in _MAY_BE_ONE:
        return False
    given = {name: unwrap(value) for name, value in call.bound.items()}
    if given.get("p") in (0, 1):
        return False
    if last == "RandomCrop":  # of pictures of that size, there is one alone
        return given.get("padding") not in (*_NOTHING, (0, 0, 0, 0))
    if last in _BY_AMOUNT:
        return any(value not in _NOTHING for value in given.values())
    return given.get("scale") != (1, 1)
