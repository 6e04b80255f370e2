"""The probable reason why two runs diverge, in sentences."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from dllint.diagnose.comparison.conditions import Condition
from dllint.diagnose.comparison.parting import Parting, shared_steps
from dllint.diagnose.records import BatchTensor, RunRecord

#: Up to this relative difference numbers were rounded in another way (own: 1000 times the precision of float32).
_ROUNDING: Final = 1e-4
#: Means or spreads that differ by more are not those of other samples of the same data (own).
_ALIKE: Final = 0.5
_MOST_NAMED: Final = 4
_MACHINE: Final = ("hardware", "versions", "settings", "environment")
#: What can explain that a quantity differs, the likeliest first.
_CAUSES: Final[Mapping[str, tuple[str, ...]]] = {
    "model": ("sources", "command", "versions"),
    "weights": ("seeds", "sources", "command", "versions", "environment"),
    "batch": ("data", "seeds", "command", "sources", "versions", "environment"),
    "loss": ("loss", "model", "sources", "command", "seeds", "settings", "versions", "hardware", "environment"),
    "gradient": ("loss", "optimizer", "sources", "command", "settings", "versions", "hardware", "environment"),
    "update": ("optimizer", "sources", "command", "versions", "settings", "hardware"),
    "fault": ("loss", "model", "sources", "command", "optimizer", "settings", "versions", "hardware", "environment"),
    "length": ("command", "sources", "data"),
}
_ELSE: Final[Mapping[str, str]] = {
    "model": "the program builds its model by what was not recorded",
    "weights": "the weights come from a file, or random numbers were drawn from a generator that is not watched",
    "batch": "the data itself, or a generator that is not watched, is not the same",
    "loss": "something random within the model, or operations that do not give the same numbers each time",
    "gradient": "operations whose backward pass does not give the same numbers each time",
    "update": "settings of the optimizer that change while it runs",
    "fault": "operations that do not give the same numbers each time",
    "length": "the program ends itself by what it measures",
}


def statement(parting: Parting | None, a: RunRecord, b: RunRecord) -> str:
    """Where the runs part."""
    if parting is None:
        losses, steps = _compared(a, b)
        return f"The runs are the same, as far as they were recorded: {losses} losses, and {steps} steps in all respects"
    if parting.quantity == "model":
        return f"The models are not the same: {parting.subject} is {parting.first} in A, {parting.second} in B"
    where = f"The runs part at step {parting.step} of {parting.track}"
    between = f" (or after step {parting.after}, the last that was looked at)" if _is_vague(parting) else ""
    return f"{where}{between}: {_WHAT[parting.quantity](parting, a, b)}"


def explanation(parting: Parting | None, conditions: Sequence[Condition], a: RunRecord, b: RunRecord) -> str:
    """The probable cause of the first difference; empty if there is none."""
    if parting is None:
        return ""
    causes = _CAUSES[parting.quantity]
    rounded = parting.distance is not None and parting.distance <= _ROUNDING and parting.quantity != "weights"
    if rounded:
        causes = _MACHINE
    likely = sorted((c for c in conditions if c.kind in causes), key=lambda condition: causes.index(condition.kind))
    before = _same_so_far(parting)
    hint = "numbers are rounded otherwise (other kernels, or sums in another order)" if rounded else _data_hint(parting, a, b)
    named = _named(likely) if likely else "nothing that was recorded explains it; perhaps " + _ELSE[parting.quantity]
    if rounded and not likely:
        named = "everything that was recorded is equal, so that operations do not give the same numbers each time"
    return "; ".join(part for part in (before, hint, named) if part)


def _named(likely: Sequence[Condition]) -> str:
    kinds = dict.fromkeys(condition.kind for condition in likely)
    chosen = [condition for kind in kinds for condition in likely if condition.kind == kind][:_MOST_NAMED]
    rest = len(likely) - len(chosen)
    return f"what differs: {', '.join(map(_formatted, chosen))}" + (f" and {rest} more" if rest else "")


def _formatted(condition: Condition) -> str:
    if condition.kind == "sources":
        return condition.subject
    return f"{condition.kind}: {condition.subject} ({condition.first} / {condition.second})"


def _same_so_far(parting: Parting) -> str:
    """The facts that were the same up to the first difference."""
    if parting.step > 1 and parting.quantity != "model":
        return "" if parting.quantity == "length" else f"all that was compared was the same up to step {parting.step - 1}"
    return _SAME.get(parting.quantity, "")


_SAME: Final[Mapping[str, str]] = {
    "batch": "the initial weights are the same",
    "loss": "the initial weights and the data are the same",
    "gradient": "weights, data and loss are the same",
    "update": "weights, data, loss and gradients are the same",
}


def _is_vague(parting: Parting) -> bool:
    """Whether steps that were not sampled precede the step at which the difference was seen."""
    return parting.quantity in ("weights", "batch", "gradient", "update") and parting.after < parting.step - 1


def _compared(a: RunRecord, b: RunRecord) -> tuple[int, int]:
    losses = sum(len(set(first.steps) & set(second.steps)) for first, second in zip(a.losses, b.losses, strict=False))
    steps = sum(len(shared_steps(a, b, x.key, y.key)) for x, y in zip(a.tracks, b.tracks, strict=False))
    return losses, steps


def _of_number(what: str) -> Callable[[Parting, RunRecord, RunRecord], str]:
    def formatted(parting: Parting, a: RunRecord, b: RunRecord) -> str:
        subject = f" of {parting.subject}" if parting.subject else ""
        if not isinstance(parting.first, float) or not isinstance(parting.second, float):
            return f"{what}{subject} are not the same"
        apart = f" (relative difference {parting.distance:.1g})" if parting.distance is not None else ""
        return f"{what}{subject} is {parting.first:.9g} in A, {parting.second:.9g} in B{apart}"

    return formatted


def _of_batch(parting: Parting, a: RunRecord, b: RunRecord) -> str:
    return "the batches are not the same"


def _of_fault(parting: Parting, a: RunRecord, b: RunRecord) -> str:
    return f"of numbers that are not finite A has {parting.first}, B {parting.second}"


def _of_length(parting: Parting, a: RunRecord, b: RunRecord) -> str:
    return f"A ended after {parting.first}, B after {parting.second}"


_WHAT: Final[Mapping[str, Callable[[Parting, RunRecord, RunRecord], str]]] = {
    "weights": _of_number("the size of the weights"),
    "batch": _of_batch,
    "loss": _of_number("the value"),
    "gradient": _of_number("the size of the gradient"),
    "update": _of_number("the size of the update"),
    "fault": _of_fault,
    "length": _of_length,
}


def _data_hint(parting: Parting, a: RunRecord, b: RunRecord) -> str:
    """The kind of difference between batches: shape, order, samples, or range of numbers."""
    if parting.quantity != "batch":
        return ""
    pairs = [
        (first.batch, second.batch)
        for first, second in shared_steps(a, b, parting.track, _other_track(parting, a, b))
        if first.batch is not None and second.batch is not None
    ]
    first, second = ([batch.fingerprint for batch in batches] for batches in zip(*pairs, strict=True))
    tensors = next(zip(x.tensors, y.tensors, strict=False) for x, y in pairs if x.fingerprint != y.fingerprint)
    for one, other in tensors:
        cause = _tensor_hint(one, other)
        if cause:
            return cause
    if set(first) & set(second):
        return "some batches are the same, in another order"
    return "they hold numbers of the same kind: other samples, or the same ones in another order"


def _other_track(parting: Parting, a: RunRecord, b: RunRecord) -> str:
    keys = [track.key for track in a.tracks]
    return b.tracks[keys.index(parting.track)].key


def _tensor_hint(first: BatchTensor, second: BatchTensor) -> str:
    name = f"the {first.role} {first.name}"
    if (first.shape, first.dtype) != (second.shape, second.dtype):
        return f"{name} is {first.shape} {first.dtype} in A, {second.shape} {second.dtype} in B"
    one, other = first.stats, second.stats
    if one is None or other is None:
        return ""
    scale = max(math.hypot(one.mean, one.std), math.hypot(other.mean, other.std))
    if max(abs(one.mean - other.mean), abs(one.std - other.std)) > _ALIKE * scale:
        return (
            f"{name} lies between {one.minimum:.4g} and {one.maximum:.4g} in A, "
            f"{other.minimum:.4g} and {other.maximum:.4g} in B: it is prepared in another way"
        )
    return ""
