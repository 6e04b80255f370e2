"""What a bisection found out."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from dllint.bisection.statistics.contrast import Contrast
from dllint.bisection.steps import Step


class Verdict(Enum):
    """The answer in a word or two."""

    CULPRITS = "culprits"
    #: A drop as large as the user's margin is excluded.
    EQUALLY_VALID = "equally valid"
    #: None is seen, but with so few samples a drop above the margin could hide.
    NO_DROP_SEEN = "no drop seen"
    #: The drop is real and no single operator has a share that can be told from chance.
    DIFFUSE = "diffuse"
    #: The drop is there unless intermediate values are watched.
    VANISHES_WHEN_OBSERVED = "vanishes when observed"

    @property
    def fine(self) -> bool:
        """Whether the candidate is not known to be worse."""
        return self in (Verdict.EQUALLY_VALID, Verdict.NO_DROP_SEEN)


@dataclass(frozen=True, slots=True)
class Cut:
    """One evaluated cut: so many steps deployed, the metric in the user's units."""

    steps: int
    value: float


@dataclass(frozen=True, slots=True)
class Culprit:
    """An operator, or a row of operators that cannot be told apart, with the drop it causes.

    ``sufficient``: alone in the reference it makes the metric fall; ``necessary``: repaired in the candidate, the metric
    recovers. ``None`` where the candidate cannot run in parts.
    """

    steps: tuple[Step, ...]
    contrast: Contrast
    share: float
    sufficient: bool | None = None
    necessary: bool | None = None
    #: What may be wrong with it, in a few words.
    suspected: str = ""

    @property
    def levels(self) -> dict[str, str]:
        """From large to small: the blocks, the layer and the operator that the fall was narrowed down to."""
        path = self.steps[-1].module.split(".") if self.steps[-1].module else []
        blocks = [".".join(path[: i + 1]) for i, part in enumerate(path[:-1]) if part.isdigit()] or [path[0]] if path else []
        return {"block": blocks[-1] if blocks else "", "layer": ".".join(path), "operator": self.steps[-1].name}


@dataclass(frozen=True, slots=True)
class Share:
    """What a row of operators costs, where each of many has a share."""

    steps: tuple[Step, ...]
    contrast: Contrast
    share: float


@dataclass(frozen=True, slots=True)
class Probable:
    """An operator that may cost what is too little to be told from chance: what it costs alone in the reference."""

    step: Step
    contrast: Contrast


@dataclass(frozen=True, slots=True)
class Acquitted:
    """A fall that later operators undo: another representation of the same numbers, not a fault."""

    step: Step
    drop: float
    undone_by: Step
    recovered: float


@dataclass(slots=True)
class Bisection:
    """The whole result; metrics are in the user's units, ``smallest_visible_drop`` and drops in the same."""

    verdict: Verdict
    reference_metric: float
    candidate_metric: float
    contrast: Contrast
    smallest_visible_drop: float
    evaluations: int = 0
    linear_sweep: int = 0
    cuts: list[Cut] = field(default_factory=list)
    culprits: list[Culprit] = field(default_factory=list)
    acquitted: list[Acquitted] = field(default_factory=list)
    #: Operators whose values differ while the metric stays.
    harmless: list[Step] = field(default_factory=list)
    #: Rows of operators by what they cost, where no single one is to blame.
    shares: list[Share] = field(default_factory=list)
    #: Where no operator is to blame for certain: those that are most probable, and how many samples would tell.
    probable: list[Probable] = field(default_factory=list)
    samples_needed: int | None = None
    notes: list[str] = field(default_factory=list)
