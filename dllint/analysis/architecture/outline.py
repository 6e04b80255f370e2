"""What a file has of models: its model classes and the models that it makes, each with its tree of layers and their places.

The trees are those of :mod:`tree`; of a class that stands in the trees several times, what all its objects have in common is
told. Places are offsets in the text of the document.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import libcst

from dllint.analysis.architecture.models import Model, models
from dllint.analysis.architecture.outlined import Extent, Layer, Outline, Outlined
from dllint.analysis.architecture.tree import Module
from dllint.analysis.architecture.weights import ProgramWeights
from dllint.analysis.architecture.wording import construction_text, output_text, parameters_text, summary_text
from dllint.analysis.modules import library_of
from dllint.ir.events import Backward, Fit
from dllint.ir.program import SCRIPT, Program, Site
from dllint.ir.values import ClassVal, InstanceVal
from dllint.source.document import Document
from dllint.source.walk import small_statements

#: Layers of one model that are listed at most, and levels below it.
_MOST: Final = 2_000
_DEEPEST: Final = 12


@dataclass(slots=True)
class Places:
    """Where things stand in one document."""

    document: Document

    def of(self, site: Site | None) -> Extent | None:
        """Where something is in the document, or from where in it it is called."""
        for one in site.stack() if site is not None else ():
            if one.document is self.document and one.statement is not None:
                return self.extent(one.statement, one.node)
        return None

    def extent(self, statement: libcst.CSTNode, node: libcst.CSTNode | None) -> Extent | None:
        """The extent of a node; None if the text there is not as it was parsed."""
        try:
            span = self.document.span(statement, node)
            as_parsed = self.document.chunk_of(statement).is_as_parsed(span.start, span.end)
        except LookupError:
            return None
        return Extent(span.start, span.end) if as_parsed else None

    def whole(self, cls: libcst.ClassDef) -> Extent | None:
        """A class with its body."""
        head = self.extent(cls, cls.name)
        last: libcst.CSTNode = cls
        while (body := getattr(last, "body", None)) is not None and isinstance(body, libcst.IndentedBlock) and body.body:
            last = body.body[-1]
        end = self.extent(last, None)
        return Extent(head.start, max(head.end, end.end)) if head is not None and end is not None else head


@dataclass(slots=True)
class _Kind:
    """A class of the document with the modules of it in the trees."""

    cls: ClassVal
    node: libcst.ClassDef
    found: list[Module] = field(default_factory=list)


def outline(document: Document, programs: Sequence[Program]) -> Outline:
    """The outline of a file that is analysed."""
    places = Places(document)
    found = [(model, tree) for model, tree in trees(programs) if tree.children or tree.weights.total != 0]
    classes = _classes(document, (tree for _, tree in found))
    told = [
        *filter(None, (_of_class(places, kind) for kind in classes)),
        *filter(None, (_of_model(places, *one) for one in found)),
    ]
    return Outline(tuple(sorted(told, key=lambda one: one.selection.start)), _training(places, programs))


def trees(programs: Sequence[Program]) -> Iterator[tuple[Model, Module]]:
    """The models that no other one holds, with their trees."""
    found = models(programs)
    made = ProgramWeights.of(programs) if found else ProgramWeights()
    for model in found:
        yield model, model.tree(made)


def _classes(document: Document, roots: Iterable[Module]) -> list[_Kind]:
    kinds: dict[int, _Kind] = {}
    for root in roots:
        for module in root.walk():
            cls = module.instance.cls
            if module.is_again or not isinstance(cls, ClassVal) or cls.document is not document:
                continue
            if isinstance(cls.node, libcst.ClassDef):
                kinds.setdefault(id(cls.node), _Kind(cls, cls.node)).found.append(module)
    return list(kinds.values())


def _of_class(places: Places, kind: _Kind) -> Outlined | None:
    name, whole = places.extent(kind.node, kind.node.name), places.whole(kind.node)
    if name is None or whole is None:
        return None
    layers = _layers(places, [[module] for module in kind.found], whole)
    summaries = {summary_text(module) for module in kind.found}
    parameters = {parameters_text(module.weights) for module in kind.found}
    summary = summaries.pop() if len(summaries) == 1 else parameters.pop() if len(parameters) == 1 else _VARIES
    return Outlined(kind.cls.name, True, summary, whole, name, layers, kind.cls.name)


_VARIES: Final = "sizes differ between its objects"


def _of_model(places: Places, model: Model, tree: Module) -> Outlined | None:
    """A model that is made at the top level or in a function, not in a class of models."""
    instance = model.instance
    site = instance.site
    extent = places.of(site)
    if site is None or site.document is not places.document or extent is None or site.statement is None:
        return None
    if model.program.entry != SCRIPT and not model.program.takes_nothing and isinstance(instance.cls, ClassVal):
        return None  # an entry makes it with invented arguments
    name = _name_at(site)
    is_told_as_class = _is_of(instance, places.document)
    if is_told_as_class and name is None:
        return None
    selection = (places.extent(site.statement, name) if name is not None else None) or extent
    around = Extent(min(selection.start, extent.start), extent.end)
    layers: tuple[Layer, ...] = ()
    if not is_told_as_class:
        layers = _layers(places, [[tree]], None if library_of(instance.cls) == "keras" else around)
    extents = [around, *(layer.extent for layer in layers if layer.extent.start >= 0)]
    around = Extent(min(one.start for one in extents), max(one.end for one in extents))
    title = name.value if name is not None else tree.kind
    return Outlined(title, False, summary_text(tree), around, selection, _placed(layers, around), f"@{selection.start}")


def _name_at(site: Site) -> libcst.Name | None:
    """The name to which a statement assigns what a node gives."""
    for small in small_statements(site.statement):
        if isinstance(small, (libcst.Assign, libcst.AnnAssign)) and small.value is site.node:
            target = small.targets[0].target if isinstance(small, libcst.Assign) else small.target
            return target if isinstance(target, libcst.Name) else None
    return None


_NOWHERE: Final = Extent(-1, -1)


def _layers(places: Places, holders: Sequence[Sequence[Module]], around: Extent | None, depth: int = 0) -> tuple[Layer, ...]:
    """The parts of modules that stand for one another, as entries; ``around`` is where these have to be, if that is known."""
    alike = [module for one in holders for module in one]
    first = alike[0]
    found: list[Layer] = []
    for child in first.children[:_MOST] if depth < _DEEPEST else ():
        others = [other for holder in alike[1:] for other in holder.children if other.name == child.name]
        same = [child, *(other for other in others if other.kind == child.kind)]
        extent = places.of(child.instance.site)
        if around is not None and (extent is None or not around.holds(extent)):
            extent = around
        parts = _layers(places, [same], extent, depth + 1) if not child.is_again else ()
        layer = Layer(child.name, child.kind, _detail(same), extent or _NOWHERE, parts)
        last = found[-1] if found else None
        if last is not None and replace(last, name="", times=1) == replace(layer, name=""):
            found[-1] = replace(last, times=last.times + 1)
        else:
            found.append(layer)
    return tuple(found)


def _placed(layers: Sequence[Layer], around: Extent) -> tuple[Layer, ...]:
    """Layers of which it is not known where they are built, put where their holder is."""
    return tuple(
        replace(one, extent=one.extent if one.extent.start >= 0 else around, parts=_placed(one.parts, around)) for one in layers
    )


def _detail(same: Sequence[Module]) -> str:
    """What the objects that stand for one another have in common."""
    texts = [_common(construction_text(module.instance) for module in same)]
    result = _common(output_text(module) for module in same)
    texts += [f"out {result}" if result else "", _common(parameters_text(module.weights) for module in same)]
    return " · ".join(filter(None, texts))


def _common(texts: Iterable[str]) -> str:
    found = set(texts)
    return found.pop() if len(found) == 1 else ""


def _training(places: Places, programs: Sequence[Program]) -> Extent | None:
    """Where a run of the file as a script begins to train: the call or loop at its top level."""
    for program in programs:
        if program.entry != SCRIPT or program.setting:
            continue
        for event in program.events:
            if isinstance(event, Backward) or (isinstance(event, Fit) and event.method == "fit"):
                outer = next((one for one in reversed(event.site.stack()) if one.document is places.document), None)
                return places.of(outer)
    return None


def tree_for(document: Document, programs: Sequence[Program], asked: str) -> tuple[Model, Module] | None:
    """The model that an outline names by its ``asked`` or its name: a class, of which a model or a part of one is taken, or a
    model that is made."""
    places = Places(document)
    for model, tree in trees(programs):
        told = _of_model(places, model, tree)
        if told is not None and asked in (told.asked, told.name):
            return model, tree
        if any(module.kind == asked and _is_of(module.instance, document) for module in tree.walk()):
            return model, next(module for module in tree.walk() if module.kind == asked and _is_of(module.instance, document))
    return None


def _is_of(instance: InstanceVal, document: Document) -> bool:
    return isinstance(instance.cls, ClassVal) and instance.cls.document is document
