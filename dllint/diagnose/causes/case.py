"""A symptom together with everything known about the run and its source."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from dllint.diagnose.causes.code import Code, number
from dllint.diagnose.causes.origins import Given, origin
from dllint.diagnose.places import SourcePlace
from dllint.diagnose.records import LayerRecord, LossRecord, RunRecord, TrackRecord
from dllint.diagnose.symptoms.symptom import Symptom
from dllint.finding import Finding

#: Files in which the origin of a value is looked for.
_MOST_FILES: Final = 40


class Sources:
    """The files of the user's that a run was in."""

    def __init__(self, read: Callable[[Path], str]) -> None:
        self._read = read
        self._known: dict[str, Code | None] = {}

    def code(self, path: str) -> Code | None:
        """A file, ``None`` if it does not parse."""
        if path not in self._known:
            text = self._read(Path(path))
            try:
                self._known[path] = Code(Path(path), text) if text else None
            except (SyntaxError, ValueError):
                self._known[path] = None
        return self._known[path]


@dataclass(frozen=True, slots=True)
class Spot:
    """A call in the user's source."""

    code: Code
    call: ast.Call


@dataclass(frozen=True)
class Case:
    """One symptom of one run; ``static`` are the findings of the check before it."""

    symptom: Symptom
    run: RunRecord
    sources: Sources
    static: Sequence[Finding] = field(default=())

    def spot(self, place: SourcePlace | None) -> Spot | None:
        """The call at a place."""
        code = self.sources.code(place.path) if place is not None else None
        call = code.call_at(place) if code is not None else None
        return Spot(code, call) if code is not None and call is not None else None

    def codes(self) -> list[Code]:
        """The files that layers, losses, optimizers and the symptom are in."""
        places = [
            self.symptom.place,
            *(layer.place for layer in self.run.layers),
            *(track.optimizer.place for track in self.run.tracks),
            *(loss.place for loss in self.run.losses),
        ]
        paths = dict.fromkeys(place.path for place in places if place is not None)
        return [code for code in map(self.sources.code, paths) if code is not None]

    def files(self) -> list[Code]:
        """All files of the user's that were run, as far as they are known; those of :meth:`codes` first."""
        known = self.run.reproducibility
        others = [self.sources.code(source.path) for source in known.sources[:_MOST_FILES]] if known is not None else []
        return list(dict.fromkeys([*self.codes(), *(code for code in others if code is not None)]))

    def origin(self, code: Code, node: ast.expr | None) -> Given | None:
        """The literal that gives an expression its value: itself, or a default, a setting or an argument."""
        known = self.run.reproducibility
        return origin(self.files(), code, node, known.command if known is not None else ())

    def number(self, code: Code, node: ast.expr | None) -> float | None:
        """The number that an expression is, as far as a literal gives it."""
        given = self.origin(code, node)
        return number(given.node) if given is not None else None

    def optimizers(self) -> Iterator[tuple[TrackRecord, Spot]]:
        """The tracks whose optimizer is built by a call in the source."""
        for track in self.run.tracks:
            spot = self.spot(track.optimizer.place)
            if spot is not None:
                yield track, spot

    def losses(self) -> Iterator[tuple[LossRecord, Code, ast.expr]]:
        """The losses whose expression is in the source."""
        for loss in self.run.losses:
            code = self.sources.code(loss.place.path) if loss.place is not None else None
            node = code.at(loss.place) if code is not None and loss.place is not None else None
            if code is not None and node is not None:
                yield loss, code, node

    def backward(self, loss: LossRecord) -> tuple[Code, ast.stmt] | None:
        """The statement that computes the gradients of a loss."""
        code = self.sources.code(loss.backward.path) if loss.backward is not None else None
        node = code.at(loss.backward) if code is not None and loss.backward is not None else None
        return (code, code.statement(node)) if code is not None and node is not None else None

    def layer_spots(self, *kinds: str) -> Iterator[tuple[LayerRecord, Spot]]:
        """The layers of some kinds that are built by a call of their class in the source."""
        for layer in self.run.layers:
            spot = self.spot(layer.place) if layer.kind in kinds else None
            if spot is not None and spot.code.name(spot.call.func).rpartition(".")[2] == layer.kind:
                yield layer, spot

    def roots(self) -> Iterator[tuple[LayerRecord, Spot]]:
        """The top-level models, which contain all other layers."""
        for layer in self.run.layers:
            spot = self.spot(layer.place) if layer.name == layer.model else None
            if spot is not None:
                yield layer, spot

    def bound(self, layer: LayerRecord) -> tuple[str, Spot] | None:
        """The name that a model is bound to, and the call that gave it: what builds it, or a function that does."""
        for place in (layer.place, *layer.outer):
            spot = self.spot(place)
            name = spot.code.assigned_to(spot.call) if spot is not None else None
            if spot is not None and name is not None:
                return name, spot
        return None

    def near(self, code: Code, node: ast.AST) -> bool:
        """Whether a node overlaps the lines of the symptom's place."""
        place = self.symptom.place
        if place is None or str(code.path) != place.path:
            return False
        first, last = getattr(node, "lineno", 0), getattr(node, "end_lineno", 0) or 0
        return first <= place.end_line and place.line <= last

    def is_within(self, code: Code, node: ast.AST) -> bool:
        """Whether the symptom's place is in the lines of a node."""
        place = self.symptom.place
        if place is None or str(code.path) != place.path:
            return False
        return getattr(node, "lineno", 0) <= place.line and place.end_line <= (getattr(node, "end_lineno", 0) or 0)
