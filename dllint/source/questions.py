"""Earlier questions about the files of directories, asked again after some of the files have changed."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from dllint.source import constructions, definitions, uses
from dllint.source.constructions import Constructions
from dllint.source.observed import Answered


@dataclass(frozen=True, slots=True)
class Questions:
    """Asks as long as no file changes; what a directory holds is read once."""

    _constructions: Constructions = field(default_factory=Constructions)

    def __post_init__(self) -> None:
        uses.forget()
        definitions.forget()

    def still_hold(self, answered: Answered, changed: Collection[str]) -> bool:
        """Whether an answer is what it was, as the files ``changed`` are not: others, new or gone."""
        kind, given = answered.question
        try:
            if kind == uses.KIND:
                return uses.is_answer(given, answered.answer, changed)
            if kind == definitions.KIND:
                return definitions.is_answer(given, answered.answer, changed)
            if kind in constructions.KINDS:
                return self._constructions.is_answer(answered.question, answered.answer)
        except (OSError, ValueError):
            return False
        return False
