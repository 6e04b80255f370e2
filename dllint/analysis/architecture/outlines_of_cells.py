"""The outline of a notebook's module in terms of its cells."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from dllint.analysis.architecture.outlined import Extent, Layer, Outline, Outlined

#: Where an offset of the module is: the number of the cell and the offset in it.
Place = Callable[[int], tuple[int, int]]


def in_cells(whole: Outline, place: Place) -> Mapping[int | None, Outline]:
    """What each cell has of a notebook's outline. A model belongs to the cell that has its name; what is built in other
    cells is where its holder is."""
    found: dict[int | None, list[Outlined]] = {}
    training: dict[int | None, Extent] = {}
    for model in whole.models:
        cell, selection = _own(model.selection, place)
        if selection is not None:
            here, around = _own(model.extent, place)
            around = around if here == cell and around is not None else selection
            layers = _layers(model.layers, cell, around, place)
            found.setdefault(cell, []).append(replace(model, extent=around, selection=selection, layers=layers))
    if whole.training is not None:
        cell, extent = _own(whole.training, place)
        if extent is not None:
            training[cell] = extent
    return {cell: Outline(tuple(found.get(cell, ())), training.get(cell)) for cell in {**found, **training}}


def _own(extent: Extent, place: Place) -> tuple[int, Extent | None]:
    cell, start = place(extent.start)
    last, end = place(extent.end)
    return cell, Extent(start, end) if last == cell else None


def _layers(layers: Sequence[Layer], cell: int, around: Extent, place: Place) -> tuple[Layer, ...]:
    told = []
    for layer in layers:
        here, extent = _own(layer.extent, place)
        extent = extent if here == cell and extent is not None else around
        told.append(replace(layer, extent=extent, parts=_layers(layer.parts, cell, extent, place)))
    return tuple(told)
