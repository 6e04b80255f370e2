"""The outline of a file as plain data, which passes from the analysis to the language server (made by :mod:`outline`)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Extent:
    """A piece of a text: from ``start`` up to ``end``."""

    start: int
    end: int

    def holds(self, other: Extent) -> bool:
        """Whether the other lies in it."""
        return self.start <= other.start and other.end <= self.end


@dataclass(frozen=True, slots=True)
class Layer:
    """A module in the tree of a model; ``times`` equal ones in a row are one entry. ``detail`` is its construction, what it
    gives, its parameters. A part that is built elsewhere is where its holder is."""

    name: str
    kind: str
    detail: str
    extent: Extent
    parts: tuple[Layer, ...] = ()
    times: int = 1


@dataclass(frozen=True, slots=True)
class Outlined:
    """A model class, or a model that is made; ``name`` is at ``selection``, which lies in ``extent``. ``asked`` is by what the
    model can be asked for (:func:`tree_for`)."""

    name: str
    is_class: bool
    summary: str
    extent: Extent
    selection: Extent
    layers: tuple[Layer, ...]
    asked: str


@dataclass(frozen=True, slots=True)
class Outline:
    """The models of a file, and where it trains."""

    models: tuple[Outlined, ...] = ()
    training: Extent | None = None
