"""Optimizers in a Keras source: named in ``compile``, or built."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from dllint.diagnose.causes.case import Case
from dllint.diagnose.causes.code import Code
from dllint.diagnose.causes.keras.source import is_keras
from dllint.diagnose.records import TrackRecord
from dllint.edit import Edit


@dataclass(frozen=True, slots=True)
class OptimizerSite:
    """An optimizer: the call that builds it, the name (a string) that ``compile`` is given, or the call of ``compile`` that is
    given none."""

    track: TrackRecord
    code: Code
    node: ast.expr

    @property
    def is_built(self) -> bool:
        """Whether the source has a call that builds it."""
        return isinstance(self.node, ast.Call) and not self._is_compilation

    @property
    def _is_compilation(self) -> bool:
        return (
            isinstance(self.node, ast.Call) and isinstance(self.node.func, ast.Attribute) and self.node.func.attr == "compile"
        )

    def with_setting(self, name: str, content: str) -> tuple[Edit, ...]:
        """The edits that give it a setting."""
        if isinstance(self.node, ast.Call) and self.is_built:
            return (self.code.with_keyword(self.node, name, content),)
        spelled, imports = self.code.spelled(f"keras.optimizers.{self.track.optimizer.kind}")
        text = f"{spelled}({name}={content})"
        if isinstance(self.node, ast.Call):
            return (self.code.with_keyword(self.node, "optimizer", text), *imports)
        return (self.code.replace(self.node, text), *imports)


def optimizer_sites(case: Case) -> Iterator[OptimizerSite]:
    """The optimizers of the run that the source tells of."""
    if not is_keras(case):
        return
    for track in case.run.tracks:
        place = track.optimizer.place
        code = case.sources.code(place.path) if place is not None else None
        node = code.at(place) if code is not None and place is not None else None
        if code is not None and isinstance(node, ast.Call | ast.Constant):
            yield OptimizerSite(track, code, node)
