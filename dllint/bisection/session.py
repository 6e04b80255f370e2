"""From a spec to a result: both sides are opened, aligned and searched."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np

from dllint.bisection.aligning import aligned_sides, output_names
from dllint.bisection.arrays import as_array, several
from dllint.bisection.bench import Bench
from dllint.bisection.candidates.setting import Setting
from dllint.bisection.candidates.table import candidate_of
from dllint.bisection.errors import BisectionError, wrapped_errors
from dllint.bisection.judges.judge import Judge, Outputs
from dllint.bisection.judges.metric import CorpusJudge, PerSampleJudge
from dllint.bisection.judges.verdicts import Asked, VerdictJudge
from dllint.bisection.observing import Deployment
from dllint.bisection.protocols import Aligned, Candidate, ObservedAtLevels, Reference
from dllint.bisection.references.table import reference_of
from dllint.bisection.result import Bisection, Culprit
from dllint.bisection.samples import Inputs, NamedSamples, Processing, collected, prepared_by
from dllint.bisection.search.search import Progress, Search
from dllint.bisection.search.settings import Certainty
from dllint.bisection.spec import Spec
from dllint.bisection.steps import Profile, steps_of
from dllint.bisection.store import fingerprint, opened_store, remembered, remembered_run
from dllint.bisection.suspicions.gathering import suspicion
from dllint.bisection.team import Alone, Team, alike, one_by_one
from dllint.bisection.trials import Part, Run, Trials

#: Samples on which shapes of aligned values are compared.
_LOOKED_AT: Final = 8
#: Samples that quantisation is calibrated with.
_CALIBRATED: Final = 64
#: Fewer samples than this are never run at once, so that early stopping has something to stop at.
_CHUNKS: Final = 8


@dataclass(frozen=True)
class Options:
    """How a bisection is run, beside what the spec says; ``cache_bytes`` 0 keeps nothing."""

    device: str = "cpu"
    alpha: float = 0.01
    cache: Path | None = None
    cache_bytes: int = 0
    alignment: Path | None = None
    #: Judges instead of the spec's metric: a command, or a person.
    asked: Asked | None = None
    #: Execution providers of ONNX Runtime that the candidate is deployed with; without any, those of ``device``.
    providers: Sequence[str] = ()
    #: The processes that share the samples.
    team: Team = field(default_factory=Alone)


@dataclass(frozen=True)
class Opened:
    """Both sides of a spec, aligned."""

    reference: Reference
    candidate: Candidate
    samples: NamedSamples
    targets: Any
    aligned: Sequence[Aligned]
    #: Pairs that evidence proposed and whose arrays do not fit.
    unfit: Sequence[Aligned]


def opened(spec: Spec, options: Options) -> Opened:
    """Build both sides and align them, in one process after the other. Raises :class:`BisectionError`."""
    both = one_by_one(options.team, lambda: _opened(spec, options))
    if options.team.size > 1:
        alike(options.team, _fingerprint(spec, both))
    return both


def _opened(spec: Spec, options: Options) -> Opened:
    with wrapped_errors("`samples` of the spec"):
        raw, targets = collected(*spec.given_samples())
    preparation = (spec.preprocess, spec.candidate_preprocess or spec.preprocess)
    few = tuple(array[:_LOOKED_AT] for array in raw)
    example = prepared_by(spec.preprocess, few)
    model = spec.built("reference")
    reference = reference_of(model, example, options.device)
    candidate = _candidate(spec, options, model, reference, raw)
    names = _input_names(candidate, reference.graph.inputs, preparation[0] is preparation[1])
    by_position = getattr(candidate, "by_position", False)
    samples = NamedSamples(raw, reference.graph.inputs, names, preparation, by_position)
    path = options.alignment or (spec.folder / spec.alignment if spec.alignment else None)
    looked_at = np.arange(min(_LOOKED_AT, len(raw[0])))
    candidate = _observed(spec, options, Opened(reference, candidate, samples, targets, (), ()), looked_at)
    aligned, unfit = aligned_sides(path, reference, candidate, samples, looked_at)
    return Opened(reference, candidate, samples, targets, aligned, unfit)


def _observed(spec: Spec, options: Options, both: Opened, few: np.ndarray) -> Candidate:
    """The candidate, its values watched at the weakest level of optimisation that does the same to each sample."""
    if not isinstance(both.candidate, ObservedAtLevels):
        return both.candidate
    named = spec.per_sample is not None or spec.metric is not None
    judge = _judge(spec) if options.asked is None and named else None
    size = len(both.targets)
    chunks = [chunk for chunk in np.array_split(np.arange(size), -(-size // spec.batch_size)) if chunk.size]
    outputs = output_names(both.reference, both.candidate, both.samples, few)
    deployment = Deployment(
        both.reference, both.candidate, both.samples, both.targets, judge, _processing(spec), chunks, outputs
    )
    return deployment.observed()


def _candidate(spec: Spec, options: Options, model: Any, reference: Reference, raw: Inputs) -> Candidate:
    prepared, few = spec.candidate_preprocess or spec.preprocess, tuple(array[:_CALIBRATED] for array in raw)
    inputs = prepared_by(prepared, few)
    setting = Setting(spec.folder, options.device, model, reference, list(inputs), options.providers)
    return candidate_of(spec.built("candidate"), setting)


def _input_names(candidate: Candidate, ours: Sequence[str], same_preparation: bool) -> list[str]:
    """The candidate's inputs in the order in which samples hold them: by name if both sides have the same names."""
    theirs = list(getattr(candidate, "inputs", ours))
    return list(ours) if same_preparation and set(theirs) == set(ours) else theirs


@dataclass(frozen=True)
class Laid:
    """All that a search needs."""

    bench: Bench
    samples: NamedSamples
    trials: Trials
    profile: Profile
    certainty: Certainty
    progress: Progress


def laid_out(spec: Spec, options: Options, both: Opened, progress: Progress) -> Laid:
    """The bench, the trials with their judge, and the steps."""
    bench = Bench(both.reference, both.candidate, _with_ends(both), both.samples, _processing(spec))
    run: Run = bench.run
    if options.cache is not None and options.cache_bytes > 0:
        store = opened_store(options.cache / _fingerprint(spec, both), options.cache_bytes, progress)
        if store is not None:
            bench.wrap(partial(remembered, store=store))
            run = remembered_run(bench.run, store)
    judge = VerdictJudge(options.asked) if options.asked is not None else _judge(spec)
    parts = _parts(len(both.targets), spec.batch_size, options.team.size, judge)
    trials = Trials(judge, run, bench.alive, both.targets, parts, options.team)
    own = spec.candidate_postprocess is not None and spec.candidate_postprocess is not spec.postprocess
    steps = steps_of(both.reference.graph, both.aligned, both.samples.own_preparation, own)
    certainty = Certainty(options.alpha, margin=spec.margin, expected=spec.expected, slack=spec.slack)
    return Laid(bench, both.samples, trials, Profile(steps), certainty, progress)


def searched(laid: Laid) -> Bisection:
    """Search. Raises :class:`BisectionError` where there is nothing to judge by."""
    found = Search(laid.bench, laid.trials, laid.profile.steps, laid.certainty, laid.progress).run()
    found.culprits = [replace(culprit, suspected=_suspected(laid, culprit)) for culprit in found.culprits]
    return found


def _suspected(laid: Laid, culprit: Culprit) -> str:
    if len(culprit.steps) > 1:
        return ""
    laid.progress(f"looking at {culprit.steps[0].name}")
    return suspicion(laid.bench, culprit.steps[0], laid.trials.size(Part.ALL))


def _with_ends(both: Opened) -> list[Aligned]:
    inputs = zip(both.reference.graph.inputs, both.samples.candidate_names, strict=True)
    return [*(Aligned(node, value, "input") for node, value in inputs), *both.aligned]


def _processing(spec: Spec) -> tuple[Callable[[Outputs], Outputs], Callable[[Outputs], Outputs]]:
    return _processed(spec.postprocess), _processed(spec.candidate_postprocess or spec.postprocess)


def _processed(function: Processing | None) -> Callable[[Outputs], Outputs]:
    if function is None:
        return lambda outputs: outputs

    def processed(outputs: Outputs) -> Outputs:
        with wrapped_errors("the postprocessing", "it gets each output of the model as an array"):
            return tuple(as_array(part) for part in several(function(*outputs)))

    return processed


def _judge(spec: Spec) -> Judge:
    if spec.per_sample is not None:
        return PerSampleJudge(spec.per_sample, spec.higher_is_better)
    if spec.metric is None:
        raise BisectionError("the spec names neither `metric` nor `per_sample`", "say what makes a run good")
    return CorpusJudge(spec.metric, spec.higher_is_better)


def _parts(size: int, batch: int, processes: int, judge: Judge) -> dict[Part, list[np.ndarray]]:
    """Every second chunk is for searching, the others for confirming; who only says good or bad judges all of them."""
    count = max(_CHUNKS, 2 * processes, -(-size // batch))
    chunks = [chunk for chunk in np.array_split(np.arange(size), min(count, size)) if chunk.size]
    if isinstance(judge, VerdictJudge):
        return {Part.SEARCH: chunks, Part.CONFIRM: chunks}
    return {Part.SEARCH: chunks[::2], Part.CONFIRM: chunks[1::2]}


def _fingerprint(spec: Spec, both: Opened) -> str:
    """Samples, functions that prepare them, and both models, by their values on a few samples."""
    few = np.arange(min(_LOOKED_AT, len(both.samples.raw[0])))
    ours = both.reference.run(both.samples.reference_inputs(few), {}, [pair.node for pair in both.aligned])
    theirs = both.candidate.run(both.samples.candidate_inputs(few), [pair.value for pair in both.aligned])
    functions = (spec.postprocess, spec.candidate_postprocess)
    code = [inspect.getsource(function).encode() for function in functions if inspect.isfunction(function)]
    pairs = repr([(pair.node, pair.value) for pair in both.aligned]).encode()
    return fingerprint([pairs, str(spec.batch_size).encode(), *code, *both.samples.raw, *ours.values(), *theirs.values()])
