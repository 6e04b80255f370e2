"""The samples of a spec as arrays, named as each side names its inputs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np

from dllint.bisection.arrays import as_array, several
from dllint.bisection.errors import BisectionError, wrapped_errors
from dllint.bisection.judges.judge import Targets

#: Arrays of a batch in, arrays of a batch out.
Processing: TypeAlias = Callable[..., Any]
#: The name under which candidates that look values up get the positions of samples.
SAMPLE: Final = "sample"
#: A row of inputs in the order of the model's arguments, each with the samples along the first axis.
Inputs: TypeAlias = tuple[np.ndarray, ...]


def collected(samples: Iterable[Any], batched: bool) -> tuple[Inputs, Targets]:
    """All samples in memory: pairs of inputs and a target, one by one or in batches. Inputs are an array, or several.

    Raises :class:`BisectionError` for anything else, and if there are fewer than two samples.
    """
    inputs: list[Inputs] = []
    targets: list[Any] = []
    for number, sample in enumerate(samples):
        if not isinstance(sample, tuple | list) or len(sample) != 2:
            text = f"sample {number} is no pair of inputs and a target but {type(sample).__name__}"
            raise BisectionError(text, "let `samples` give pairs `(inputs, target)`")
        inputs.append(tuple(as_array(part) for part in several(sample[0])))
        targets.append(as_array(sample[1]) if _is_array(sample[1]) else sample[1])
    if sum(len(row[0]) if batched else 1 for row in inputs) < 2:
        raise BisectionError(
            "there are fewer than two samples", "let `samples` give as many as the metric needs, some hundreds"
        )
    return _joined(inputs, batched), _targets(targets, batched)


def _joined(rows: Sequence[Inputs], batched: bool) -> Inputs:
    try:
        return tuple(np.concatenate(column) if batched else np.stack(column) for column in zip(*rows, strict=True))
    except ValueError as error:
        raise BisectionError(f"the samples do not fit into one array: {error}", "pad or crop them to one shape") from error


def _targets(targets: Sequence[Any], batched: bool) -> Targets:
    try:
        return np.concatenate(targets) if batched else np.asarray(targets)
    except ValueError:
        return [target for batch in targets for target in batch] if batched else list(targets)


def _is_array(value: Any) -> bool:
    return hasattr(value, "shape") and hasattr(value, "dtype")


def prepared_by(preparation: Processing | None, rows: Inputs) -> Inputs:
    """A batch as the model is fed with it. Raises :class:`BisectionError` for what the user's function raises."""
    if preparation is None:
        return rows
    with wrapped_errors("the preparation of samples", "it gets a batch of each input, as arrays"):
        return tuple(as_array(part) for part in several(preparation(*rows)))


@dataclass(frozen=True)
class NamedSamples:
    """What each side is fed, by positions; ``preparation`` is what each does with the raw batch first."""

    raw: Inputs
    reference_names: Sequence[str]
    candidate_names: Sequence[str]
    preparation: tuple[Processing | None, Processing | None] = (None, None)
    #: Whether the candidate looks values up instead of computing them.
    by_position: bool = False

    @property
    def own_preparation(self) -> bool:
        """Whether the candidate has a preparation of samples of its own."""
        return self.preparation[0] is not self.preparation[1]

    def reference_inputs(self, positions: np.ndarray) -> dict[str, np.ndarray]:
        """For the reference."""
        return self._named(positions, self.reference_names, self.preparation[0])

    def candidate_inputs(self, positions: np.ndarray) -> dict[str, np.ndarray]:
        """For the candidate."""
        given = self._named(positions, self.candidate_names, self.preparation[1])
        return {**given, SAMPLE: positions} if self.by_position else given

    def _named(self, positions: np.ndarray, names: Sequence[str], prepared: Processing | None) -> dict[str, np.ndarray]:
        rows = prepared_by(prepared, tuple(array[positions] for array in self.raw))
        if len(rows) != len(names):
            text = f"the model takes {len(names)} inputs ({', '.join(names)}), a sample has {len(rows)}"
            raise BisectionError(text, "give the inputs of a sample as a tuple in the order of the model's arguments")
        return dict(zip(names, rows, strict=True))
