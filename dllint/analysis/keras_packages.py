"""Which of the packages that are called Keras an object is from, where those of two of them meet.

Measured with TensorFlow 2.21, Keras 3.15 and tf_keras 2.21. ``compile`` refuses optimizers of another package, and layers of
``tensorflow.python.keras`` and ``tf_keras`` fail on symbolic tensors of another one (those of Keras 3 do not). A ``Sequential``
of Keras 3 refuses layers of others, which refuse its; between those of Keras 2, layers are wrapped and work. Losses, metrics
and callbacks of another package work in part: nothing is said of them. ``keras`` and ``tf.keras`` are one package from Keras
2.4 on, and ``tf.keras`` was ``tensorflow.python.keras`` up to TensorFlow 2.5.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import libcst as cst

from dllint.analysis.facts import Facts
from dllint.analysis.modules import parts
from dllint.analysis.symbol_uses import SymbolUse, symbol_uses
from dllint.finding import Releases
from dllint.ir.events import Compile, LibraryCall, ModelInput, ModuleCall
from dllint.ir.program import Site, TensorVal
from dllint.ir.values import InstanceVal, LibSymbol, Value, unwrap
from dllint.source.document import Document

KERAS: Final = "keras"
TENSORFLOW: Final = "tensorflow.keras"
PRIVATE: Final = "tensorflow.python.keras"
LEGACY: Final = "tf_keras"
_PACKAGES: Final = (PRIVATE, TENSORFLOW, LEGACY, KERAS)
_MIXED: Final = "objects of `tensorflow.python.keras` in models of `keras`"
_SINCE_SPLIT: Final = Releases("tensorflow", "2.6", _MIXED)
#: Packages of which one refuses the layers that are called on its tensors, or the optimizers, of the other → since when.
_REFUSED: Final[dict[frozenset[str], Releases | None]] = {
    frozenset({KERAS, PRIVATE}): _SINCE_SPLIT,
    frozenset({TENSORFLOW, PRIVATE}): _SINCE_SPLIT,
    frozenset({KERAS, LEGACY}): None,
    frozenset({PRIVATE, LEGACY}): None,
}
#: Packages whose ``Sequential`` refuse layers of each other → since when.
_REFUSED_IN_ROW: Final[dict[frozenset[str], Releases | None]] = {
    frozenset({KERAS, PRIVATE}): Releases("keras", "3.0", _MIXED),
    frozenset({TENSORFLOW, PRIVATE}): Releases("tensorflow", "2.16", _MIXED),
    frozenset({KERAS, LEGACY}): None,
}
#: How the names of optimizers begin, those of old submodules included (``keras.optimizer_v2``).
_OPTIMIZERS: Final = "keras.optimizer"
_SEQUENTIAL: Final = "keras.Sequential"


@dataclass(frozen=True, slots=True)
class Meeting:
    """An object that is refused: where it was made, by a class of ``package``, and the class of ``other`` that made what
    refuses it."""

    refused: SymbolUse
    package: str
    owner: SymbolUse
    other: str
    releases: Releases | None


class KerasPackages:
    """The packages of the objects of one program, by how their classes are written."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self._uses: dict[int, tuple[Document, dict[int, SymbolUse]]] = {}

    def meetings(self) -> Iterator[Meeting]:
        """The first object of each package that a model, or tensor, of another package refuses."""
        told: set[tuple[int, str]] = set()
        for made, owner, refused in self._pairs():
            first, second = self._written(made), self._written(owner)
            if first is None or second is None:
                continue
            package, other = package_of(first.name), package_of(second.name)
            key, place = frozenset({package, other}), (id(second.site.node), package)
            if key in refused and place not in told:
                told.add(place)
                yield Meeting(first, package, second, other, refused[key])

    def _pairs(self) -> Iterator[tuple[Site | None, Site | None, dict[frozenset[str], Releases | None]]]:
        """Where two objects were made of which one is put into the other, and the packages for which that is refused."""
        for event in self.facts.program.events:
            if isinstance(event, Compile):
                optimizer = unwrap(event.optimizer)
                if isinstance(optimizer, InstanceVal) and _name(optimizer).startswith(_OPTIMIZERS):
                    yield optimizer.site, event.model.site, _REFUSED
            elif isinstance(event, LibraryCall) and event.name == _SEQUENTIAL and isinstance(event.result, InstanceVal):
                for layer in parts(event.result):
                    yield layer.site, event.site, _REFUSED_IN_ROW
            elif isinstance(event, ModuleCall) and isinstance(event.callee, InstanceVal) and event.callee.layer is not None:
                for taken in event.args:
                    if self._is_old(event.callee.site):
                        yield event.callee.site, self._origin(taken), _REFUSED

    def _is_old(self, site: Site | None) -> bool:
        use = self._written(site)
        return use is not None and package_of(use.name) in (PRIVATE, LEGACY)

    def _written(self, site: Site | None) -> SymbolUse | None:
        """How the class is written of which an object is made; ``None`` if it is not a name of a library."""
        if site is None or site.document is None or not isinstance(site.node, cst.Call):
            return None
        return self._named(site.document).get(id(site.node.func))

    def _named(self, document: Document) -> dict[int, SymbolUse]:
        """The uses of these packages in a document, by the node that names the class."""
        if id(document) not in self._uses:
            uses = symbol_uses(document)
            named = {id(use.site.node): use for use in uses if not use.imported and package_of(use.name)}
            self._uses[id(document)] = (document, named)
        return self._uses[id(document)][1]

    def _origin(self, value: Value) -> Site | None:
        """Where the layer was made that gave a tensor, or the input of a model that it is."""
        if not isinstance(value, TensorVal):
            return None
        if value.id in self._inputs:
            return self._inputs[value.id]
        layer = value.producer.layer if value.producer is not None else None
        return layer.site if isinstance(layer, InstanceVal) else None

    @cached_property
    def _inputs(self) -> dict[int, Site]:
        return {event.value.id: event.site for event in self.facts.events(ModelInput)}


def package_of(name: str) -> str:
    """The package of a written name; empty if it is none of these."""
    return next((package for package in _PACKAGES if name == package or name.startswith(f"{package}.")), "")


def _name(instance: InstanceVal) -> str:
    return instance.cls.name if isinstance(instance.cls, LibSymbol) else ""
