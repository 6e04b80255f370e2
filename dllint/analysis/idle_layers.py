"""Idle layers: parts of a module that have weights and that nothing mentions after they are built."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import libcst as cst

from dllint.analysis.class_reads import Access, ClassReads, class_reads, function_reads
from dllint.analysis.modules import has_weights, is_resolved, library_of, user_classes
from dllint.ir.values import ClassVal, InstanceVal
from dllint.source.document import Document
from dllint.source.memo import of_node
from dllint.source.uses import used_elsewhere
from dllint.source.walk import walk

_ENTRIES = ("forward", "call")


def idle_layers(instance: InstanceVal, document: Document) -> Iterator[str]:
    """The attributes of a module object that hold weights, and that neither its class nor any other code reads.

    Silent for classes of which something is not known (a base, parts reached under names that are not written out), and for
    those that apply none of their parts, as a container that others read from."""
    cls = instance.cls
    if not isinstance(cls, ClassVal) or instance.open is not None or cls.document is not document:
        return
    if not is_resolved(cls) or library_of(cls) is None or cls.node is None:
        return
    own = class_reads(cls.node)
    family = [class_reads(base.node) for base in user_classes(cls)]
    if not _applies_parts(own) or any(reads.open for reads in family):
        return
    idle = [name for name in instance.attrs if not name.startswith("_") and not any(reads.reads(name) for reads in family)]
    if not (idle := [name for name in idle if has_weights(instance.attrs[name])]):  # looked at last: it may have many parts
        return
    others = [class_reads(node) for node in _derived(document, cls.name)]
    if any(reads.open for reads in others):
        return
    others += _functions(document)
    for name in idle:
        if any(reads.reads(name) for reads in others) or is_mentioned(name, document.text):
            continue
        if not used_elsewhere(document.path, document.text, cls.name, name):
            yield name


#: The parameters of layers that say how many features their input has.
_INPUT_SIZES: Final = frozenset({"in_channels", "in_features", "num_embeddings", "input_size"})


def input_size_of(instance: InstanceVal, name: str, reads: ClassReads) -> str | None:
    """The parameter of ``__init__`` that gives an idle layer the size of its input and reaches nothing else, so that the model
    is what it is whatever size it is told; ``None`` if there is none."""
    layer, init = instance.attrs.get(name), reads.methods.get("__init__")
    config = layer.layer if isinstance(layer, InstanceVal) else None
    if config is None or init is None or len(init.assigned.get(name, ())) != 1:
        return None
    given = [node for parameter, node in config.nodes.items() if parameter in _INPUT_SIZES]
    nodes = [node.value if isinstance(node, cst.Arg) else node for node in given]
    built = init.assigned[name][0].node
    inside = {id(part) for part in walk(built)}
    for node in nodes:
        if isinstance(node, cst.Name) and id(node) in inside and _stands_only_in(node.value, init.node, inside, reads):
            return node.value
    return None


def _stands_only_in(parameter: str, init: cst.FunctionDef, inside: set[int], reads: ClassReads) -> bool:
    """Whether a parameter is read inside an expression only, or kept as an attribute that the class does not read."""
    parameters = {part.name.value for part in walk(init.params) if isinstance(part, cst.Param)}
    kept = {id(access.node) for attribute, access in _kept(reads) if not reads.reads(attribute)}
    words = {id(part.attr) for part in walk(init) if isinstance(part, cst.Attribute)}
    words |= {id(part.keyword) for part in walk(init) if isinstance(part, cst.Arg) and part.keyword is not None}
    names = [part for part in walk(init.body) if isinstance(part, cst.Name) and part.value == parameter]
    hands_on = any(isinstance(part, cst.Name) and part.value in ("locals", "vars") for part in walk(init.body))
    return parameter in parameters and not hands_on and all(id(part) in inside or id(part) in kept | words for part in names)


def _kept(reads: ClassReads) -> Iterator[tuple[str, Access]]:
    """What ``__init__`` assigns to attributes."""
    for attribute, accesses in reads.methods["__init__"].assigned.items():
        yield from ((attribute, access) for access in accesses)


def _applies_parts(reads: ClassReads) -> bool:
    """Whether the class has an entry and applies at least one of its own attributes, so that idle ones stand out."""
    return any(entry in reads.methods for entry in _ENTRIES) and any(method.called for method in reads.methods.values())


def is_mentioned(name: str, text: str, receiver: str = "self") -> bool:
    """Whether a text reads the attribute ``name`` of an object that is not called by the name of a ``receiver``, or has the
    name in a string or in backticks, as where a docstring tells what a part is kept for."""
    return re.search(rf"(?<!\b{receiver})\.{name}\b|[\"'`]{name}\b", text) is not None


def _derived(document: Document, name: str) -> list[cst.ClassDef]:
    """The classes of a file that derive, directly or not, from the class with this name."""
    by_base: dict[str, list[cst.ClassDef]] = {}
    for statement in document.body:
        for base, node in _by_base(statement):
            by_base.setdefault(base, []).append(node)
    found = list(by_base.get(name, ()))
    for node in found:
        found += (other for other in by_base.get(node.name.value, ()) if other not in found)
    return found


@of_node
def _by_base(statement: cst.CSTNode) -> list[tuple[str, cst.ClassDef]]:
    """The classes in a statement, with the last part of the name of each base."""
    classes = (node for node in walk(statement) if isinstance(node, cst.ClassDef))
    return [(_last_name(base.value), node) for node in classes for base in node.bases]


def _functions(document: Document) -> list[ClassReads]:
    """What the functions of a file's top level read of their first parameter: a class may get them as methods later."""
    return [function_reads(line) for line in document.body if isinstance(line, cst.FunctionDef)]


def _last_name(base: cst.BaseExpression) -> str:
    if isinstance(base, cst.Attribute):
        return base.attr.value
    return base.value if isinstance(base, cst.Name) else ""
