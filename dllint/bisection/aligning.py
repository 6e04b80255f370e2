"""Both sides of a spec aligned: what the user says, what evidence says, and whether the arrays fit."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from dllint.bisection.alignment.align import align, fitting
from dllint.bisection.alignment.chains import with_chains
from dllint.bisection.alignment.file import read
from dllint.bisection.alignment.outputs import paired
from dllint.bisection.alignment.sides import Sides, Weight
from dllint.bisection.errors import BisectionError, wrapped_errors
from dllint.bisection.protocols import Aligned, Candidate, HasWeights, Reference
from dllint.bisection.samples import NamedSamples
from dllint.bisection.watching import watched


def aligned_sides(
    path: Path | None, reference: Reference, candidate: Candidate, samples: NamedSamples, few: np.ndarray
) -> tuple[list[Aligned], list[Aligned]]:
    """The pairs, and those that evidence proposed and whose arrays do not fit; ``few`` are positions of samples to look at.

    Raises :class:`BisectionError` for a wrong file and for outputs that do not fit.
    """
    given = read(path, reference.graph, [observable.name for observable in candidate.observables]) if path else {}
    sides = _sides(reference, candidate, samples, few)
    outputs = _outputs(sides, reference, candidate, given)
    inside = [pair for pair in align(sides, given) if pair.node not in outputs]
    inside = with_chains(sides, inside, outputs.values())
    pairs = [*inside, *(Aligned(node, value, "output") for node, value in outputs.items())]
    ours, theirs = sides.ours([pair.node for pair in pairs]), sides.theirs([pair.value for pair in pairs])
    fits, unfit = fitting(pairs, ours, theirs)
    lost = [pair for pair in unfit if pair.why == "output"]
    if lost:
        shapes = f"{ours[lost[0].node].shape} and {theirs[lost[0].value].shape}"
        raise BisectionError(
            f"the outputs of the two sides have the shapes {shapes}", "give `candidate_postprocess`, or map them"
        )
    return fits, unfit


def output_names(reference: Reference, candidate: Candidate, samples: NamedSamples, few: np.ndarray) -> list[str]:
    """The candidate's outputs in the order of the reference's. Raises :class:`BisectionError` if there are too few."""
    return list(_outputs(_sides(reference, candidate, samples, few), reference, candidate, {}).values())


def _sides(reference: Reference, candidate: Candidate, samples: NamedSamples, few: np.ndarray) -> Sides:
    fed = dict(zip(samples.candidate_names, reference.graph.inputs, strict=False))
    return Sides(
        reference.graph,
        candidate.observables,
        lambda names: _run(reference, samples, few, names),
        lambda names: watched(candidate, samples.candidate_inputs(few), names),
        _weight_of(reference),
        _weight_of(candidate),
        fed,
    )


def _run(reference: Reference, samples: NamedSamples, few: np.ndarray, names: Sequence[str]) -> dict[str, np.ndarray]:
    with wrapped_errors("the reference", "try it on a sample of the spec"):
        return reference.run(samples.reference_inputs(few), {}, names)


def _weight_of(side: Reference | Candidate) -> Weight:
    return side.weight if isinstance(side, HasWeights) else lambda name: None


def _outputs(sides: Sides, reference: Reference, candidate: Candidate, given: dict[str, str | None]) -> dict[str, str]:
    ours, theirs = reference.graph.outputs, list(candidate.outputs)
    said = {name: value for name in ours if (value := given.get(name)) is not None}
    if len(said) == len(ours):
        return said
    return paired(ours, theirs, sides.ours(ours), sides.theirs(theirs))
