"""What is recorded about a training run: facts, free of any framework, that symptoms are judged by.

All of it is plain data (numbers, texts, tuples, mappings), so that :mod:`dllint.diagnose.serial` can write it as JSON and read
it back. Names of layers and parameters are unique within a run: ``Net.conv1``, ``Net.conv1.weight``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from dllint.diagnose.places import SourcePlace
from dllint.diagnose.reproducibility.circumstances import Reproducibility


@dataclass(frozen=True, slots=True)
class TensorStats:
    """Statistics of a tensor's finite elements; ``finite_share`` and ``zero_share`` are of all ``count`` elements."""

    count: int
    finite_share: float
    mean: float
    std: float
    minimum: float
    maximum: float
    zero_share: float


@dataclass(frozen=True, slots=True)
class UnitStats:
    """What the units (channels, features) of an activation have done over all samples so far.

    ``never_positive``: units that never gave a number above zero. ``saturated``: units whose mean derivative, in this sample,
    was below a hundredth of the largest possible one. ``seen``: positions (batch × space) behind every unit so far.
    ``feeds_layer``: the activation goes into another layer as it is; gates and outputs of the model do not. ``slope``: the mean
    derivative over units and samples, as a share of the largest possible one; ``None`` for rectifiers.
    """

    units: int
    never_positive: int
    saturated: int
    seen: int
    samples: int
    feeds_layer: bool = True
    slope: float | None = None


@dataclass(frozen=True, slots=True)
class FeatureStats:
    """The columns of two-dimensional inputs over all ``seen`` samples: how many hold one value only, how many hold numbers
    that are not finite, and the widest and the narrowest range among the others."""

    features: int
    constant: int
    missing: int
    widest: float
    narrowest: float
    seen: int


@dataclass(frozen=True, slots=True)
class FilledLabels:
    """Labels of a batch whose sequences are filled up to a common length: ``count`` of them are ``label`` for that reason.
    Of the ``others`` that count, ``right`` are predicted rightly, and ``elsewhere`` are that label, too."""

    label: int
    count: int
    others: int
    right: int
    elsewhere: int


@dataclass(frozen=True, slots=True)
class LossCall:
    """What a loss function was given in one sampled step.

    ``kind`` is the framework-neutral name (``cross_entropy``, ``nll_loss``, ``binary_cross_entropy``, ``bce_with_logits``,
    ``mse_loss``, ``l1_loss``, …; ``probability_cross_entropy`` is that of a softmax's output), ``place`` the user's expression
    that calls it. ``value`` and ``constant`` are per element,
    whatever the reduction; ``constant`` is the value for the best prediction that is the same for all samples of the batch.
    ``activation`` names what made the predictions (``softmax``, ``sigmoid``, ``tanh``, ``relu``), if it was seen. ``classes``
    is 0 for regression. ``labels``, ``predicted`` and ``hits`` count labels, predictions and right predictions of every class
    (of at most 1000); ``changes`` counts samples whose label is not that of the sample before (``None`` unless every sample
    has one label). ``row_sum`` is the largest distance of a sample's predictions' sum from 1. ``spread`` is the mean over
    outputs of the standard deviation over samples. ``class_weights``: what a sample of each class counts, if that differs.
    ``filled``: labels of padding, if the loss counts them.
    """

    kind: str
    place: SourcePlace | None
    value: float
    reduction: str
    prediction: TensorStats
    target: TensorStats
    prediction_shape: tuple[int, ...]
    target_shape: tuple[int, ...]
    activation: str = ""
    classes: int = 0
    correct: float | None = None
    labels: Mapping[str, int] = field(default_factory=dict)
    predicted: Mapping[str, int] = field(default_factory=dict)
    hits: Mapping[str, int] = field(default_factory=dict)
    changes: int | None = None
    constant: float | None = None
    row_sum: float | None = None
    spread: float | None = None
    class_weights: Mapping[str, float] = field(default_factory=dict)
    filled: FilledLabels | None = None


@dataclass(frozen=True, slots=True)
class LayerRecord:
    """A layer: ``kind`` is the name of its class, ``place`` what built it (innermost line of the user's code), ``outer`` the
    user's lines that led there, ``depth`` its rank in the order of the first forward pass. ``late``: its model was called
    before without it."""

    name: str
    kind: str
    place: SourcePlace | None
    outer: tuple[SourcePlace, ...] = ()
    depth: int = 0
    model: str = ""
    late: bool = False


@dataclass(frozen=True, slots=True)
class ParameterRecord:
    """A parameter: ``layer`` owns it; ``optimizer`` is the key of the track that updates it, ``None`` if none does.
    ``sharded``: each process of several has a part of it; along how many axes of the processes' mesh."""

    name: str
    layer: str
    shape: tuple[int, ...]
    dtype: str
    trainable: bool
    optimizer: str | None
    sharded: int = 0


@dataclass(frozen=True, slots=True)
class OptimizerRecord:
    """An optimizer: its class, the line that built it, and its settings by group (numbers, flags and texts only)."""

    kind: str
    place: SourcePlace | None
    groups: tuple[Mapping[str, float | int | bool | str | None], ...] = ()


@dataclass(frozen=True, slots=True)
class LayerSample:
    """What a layer put out in one sampled step; ``input`` is what the first layer with weights was given,
    ``given`` what every layer with weights was given (if the run is thorough)."""

    output: TensorStats
    units: UnitStats | None = None
    input: TensorStats | None = None
    given: TensorStats | None = None


@dataclass(frozen=True, slots=True)
class ParameterSample:
    """A parameter in one sampled step: Euclidean norms of weight, gradient and update.

    ``gradient`` is ``None`` if there was none, ``update`` is 0 only if the step left every bit as it was, and ``None`` if it
    was not measured.
    """

    weight: float
    gradient: float | None
    update: float | None


@dataclass(frozen=True, slots=True)
class BatchTensor:
    """One tensor of a batch. ``role`` is ``input``, ``target`` or ``unknown``; ``classes`` counts the values of integers."""

    name: str
    role: str
    shape: tuple[int, ...]
    dtype: str
    stats: TensorStats | None = None
    classes: Mapping[str, int] = field(default_factory=dict)
    features: FeatureStats | None = None


@dataclass(frozen=True, slots=True)
class BatchRecord:
    """A batch; batches of equal ``fingerprint`` have equal contents. ``available``: samples that the data set has; ``given``:
    batches that loaders have given so far (both ``None`` if there is no loader). ``place`` is the line that built
    the loader. ``revealing`` are the columns of the input that are the target, up to a scale and an offset."""

    fingerprint: str
    tensors: tuple[BatchTensor, ...]
    available: int | None = None
    given: int | None = None
    place: SourcePlace | None = None
    revealing: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ClippingRecord:
    """Gradients whose joint norm was ``norm`` were given to a call at ``place`` that lets norms up to ``limit`` pass (``None``:
    the limit is no plain number)."""

    norm: float
    limit: float | None
    place: SourcePlace | None


@dataclass(frozen=True, slots=True)
class StepRecord:
    """One sampled optimizer step (``step`` counts from 1 within ``track``); ``seconds`` since the run began; ``modes`` tells of
    each model that was called whether it was in training mode. ``clipping`` is how its gradients were clipped by a call."""

    track: str
    step: int
    seconds: float
    layers: Mapping[str, LayerSample] = field(default_factory=dict)
    parameters: Mapping[str, ParameterSample] = field(default_factory=dict)
    groups: tuple[Mapping[str, float | int | bool | str | None], ...] = ()
    batch: BatchRecord | None = None
    clipping: ClippingRecord | None = None
    calls: tuple[LossCall, ...] = ()
    modes: Mapping[str, bool] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LossRecord:
    """A loss: one per line that asks for gradients. ``place`` is the line that computes it, ``backward`` the one that asks.

    ``steps`` and ``values`` are its course. ``kind`` is the name of the loss function where it is known. ``is_surrogate``: only
    its gradient means something (that of an expectation over the program's own draws, as in policy gradients).
    """

    key: str
    track: str
    place: SourcePlace | None
    backward: SourcePlace | None
    kind: str = ""
    steps: tuple[int, ...] = ()
    values: tuple[float, ...] = ()
    is_surrogate: bool = False


@dataclass(frozen=True, slots=True)
class MetricRecord:
    """A measure of success, say ``accuracy``; of data that the model is not trained on, ``val_loss`` and ``val_accuracy``."""

    name: str
    steps: tuple[int, ...]
    values: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class NumericFault:
    """A number that is not finite where it matters.

    ``where`` is ``loss``, ``gradient``, ``weight`` or ``input``. ``operation`` is the first operation that gave it, if the step
    could be replayed; ``inputs_finite`` says whether that operation is the origin; ``phase`` is ``forward`` or ``backward``.
    ``rank`` is the process, of several, that had it.
    """

    where: str
    step: int
    track: str
    subject: str
    place: SourcePlace | None
    value: str = "nan"
    operation: str | None = None
    phase: str | None = None
    inputs_finite: bool | None = None
    layer: str | None = None
    inputs: tuple[TensorStats, ...] = ()
    rank: int | None = None


@dataclass(frozen=True, slots=True)
class UnusedGradients:
    """No optimizer has stepped in the whole run: ``passes`` backward passes were made, the last one at ``place``, and every
    weight is bitwise what it was at the first one."""

    place: SourcePlace | None
    passes: int


@dataclass(frozen=True, slots=True)
class RejectedCall:
    """A loss function that raised for what it was given: ``argument`` (``prediction`` or ``target``) holds numbers from
    ``lowest`` to ``highest``, ``classes`` is how many the predictions have (0: a loss of probabilities)."""

    kind: str
    place: SourcePlace | None
    argument: str
    lowest: float
    highest: float
    classes: int


@dataclass(frozen=True, slots=True)
class ScheduleRecord:
    """A schedule of the rates of ``track``, built at ``place``. ``first``, ``last`` and ``highest`` are rates in effect as
    shares of the configured one; ``steps`` does not count the one of its construction. ``stepped_at`` is the line by which the
    optimizer steps, ``called_at`` the one by which the schedule does. ``reaches``: the configured rate is one that the schedule
    comes near, not a mere factor; not known of schedules that are functions of the number of the step."""

    kind: str
    track: str
    place: SourcePlace | None
    stepped_at: SourcePlace | None
    steps: int
    first: float
    last: float
    highest: float
    reaches: bool = True
    called_at: SourcePlace | None = None


@dataclass(frozen=True, slots=True)
class DecisionRecord:
    """What decides by a measure (stops, lowers the rate, keeps weights): ``kind`` is its class, built at ``place``, ``mode``
    ``min`` or ``max``. ``measure`` is the name of the measure in the program, ``values`` its course. ``margin``: it has ended
    the training after it had ``waited`` so many times for a value that is better by so much, for no other reason."""

    kind: str
    place: SourcePlace | None
    measure: str
    mode: str
    values: tuple[float, ...] = ()
    margin: float = 0.0
    waited: int = 0


@dataclass(frozen=True, slots=True)
class SamplerRecord:
    """A sampler, built at ``place``, that draws from the first ``weights`` of the ``samples`` of a data set only."""

    place: SourcePlace | None
    weights: int
    samples: int


@dataclass(frozen=True, slots=True)
class HeldOutRecord:
    """Data that a model is evaluated on, given at ``place``: ``samples`` of them were compared with what it is trained on, and
    ``shared`` are among that. ``classes`` and ``trained`` count the labels of both (empty unless each sample has one of few).
    ``is_tail``: the library has taken the end of the data for it, and ``kinds`` are those of its inputs and of its targets:
    ``array`` (of numpy or torch), ``table`` (of pandas), else empty."""

    place: SourcePlace | None
    samples: int
    shared: int
    classes: Mapping[str, int] = field(default_factory=dict)
    trained: Mapping[str, int] = field(default_factory=dict)
    is_tail: bool = False
    kinds: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DiscardedGradients:
    """Backward passes at a line, of which ``cleared`` lost their gradients at ``place`` and ``used`` went into a step.
    ``by_hand``: the program keeps or computes gradients itself, so that it may have read them before."""

    backward: SourcePlace
    place: SourcePlace | None
    cleared: int
    used: int
    by_hand: bool = False


@dataclass(frozen=True, slots=True)
class EvaluationRecord:
    """A line that computes a loss of other data than the training's without gradients, while ``model`` is in training mode."""

    model: str
    place: SourcePlace | None
    times: int


@dataclass(frozen=True, slots=True)
class TrackRecord:
    """What one optimizer has done. Counts are of calls; ``skipped`` are steps that loss scaling has left out. ``initial`` is a
    fingerprint of the weights before the first step."""

    key: str
    optimizer: OptimizerRecord
    steps: int
    zeroed: int = 0
    clipped: int = 0
    skipped: int = 0
    accumulated: int = 1
    initial: str = ""


@dataclass(frozen=True, slots=True)
class ExperimentRecord:
    """What was tried at the end on a copy of a model.

    ``name`` is ``one-batch-fit`` (``initial``, ``final``, ``constant``, ``steps``), ``cross-talk`` (``own``, ``others``: the
    effect on the outputs for half of a batch of their own inputs, and of the rest), ``modes`` (``train``, ``eval``,
    ``recalibrated``: losses), ``gradient-noise`` (``cosine``, ``ratio``) or ``gradient-cut``. ``place`` and ``operation`` are
    the user's expression, and what it calls, that mixes the samples or cuts the graph, if it was found.
    """

    name: str
    model: str
    values: Mapping[str, float]
    place: SourcePlace | None = None
    operation: str = ""


@dataclass(frozen=True, slots=True)
class BaselineRecord:
    """A simple model on the batches that were seen. ``kind`` is ``constant``, ``linear``, ``logistic`` or ``pca``; ``measure``
    is ``accuracy`` or ``error`` (mean squared). ``model`` is what the program's own model reached last, ``margin`` the
    difference that chance may give (95 %)."""

    kind: str
    measure: str
    baseline: float
    model: float
    margin: float
    samples: int
    place: SourcePlace | None = None


@dataclass(frozen=True, slots=True)
class RankRecord:
    """What one process of several has reported to the first one. ``ended`` is as in :class:`RunRecord`, empty if it did not
    report its end; ``last`` the last step that was heard of by track, ``idle`` how many seconds before the report that was,
    ``silent`` how many seconds before the report there was a sign of life (``None``: never), ``error`` the last line of its
    traceback, ``place`` where it was when it was ended from outside. ``steps`` are its sampled steps, with the weights of some
    of them.
    """

    rank: int
    ended: str
    last: Mapping[str, int]
    place: SourcePlace | None = None
    silent: float | None = None
    idle: float = 0.0
    error: str = ""
    steps: tuple[StepRecord, ...] = ()


@dataclass(frozen=True, slots=True)
class RunRecord:
    """All that is known about a run.

    ``ended`` says why observation ended: ``finished``, ``steps``, ``time``, ``memory``, ``device-memory``, ``certain``,
    ``terminated``, ``interrupted``, ``exit`` or ``error``. ``own_share`` is the time that observation took after the dense
    steps, as a share of the program's own.
    """

    frameworks: tuple[str, ...]
    tracks: tuple[TrackRecord, ...]
    losses: tuple[LossRecord, ...]
    metrics: tuple[MetricRecord, ...]
    layers: tuple[LayerRecord, ...]
    parameters: tuple[ParameterRecord, ...]
    steps: tuple[StepRecord, ...]
    faults: tuple[NumericFault, ...]
    notes: tuple[str, ...]
    ended: str
    seconds: float
    own_share: float
    reproducibility: Reproducibility | None = None
    experiments: tuple[ExperimentRecord, ...] = ()
    baselines: tuple[BaselineRecord, ...] = ()
    #: What the loss function would be given now, at the end, for batches that were seen.
    closing: tuple[LossCall, ...] = ()
    #: Where the program was when it was ended from outside.
    ended_at: SourcePlace | None = None
    #: Several processes have formed a group, to train together.
    grouped: bool = False
    #: The processes of a launcher, the first one's own included; the numbers above are then of all that could be united.
    ranks: tuple[RankRecord, ...] = ()
    unused: tuple[UnusedGradients, ...] = ()
    rejected: tuple[RejectedCall, ...] = ()
    evaluations: tuple[EvaluationRecord, ...] = ()
    #: Model → the line that put it into the evaluation mode in which it was trained.
    switched_off: Mapping[str, SourcePlace] = field(default_factory=dict)
    schedules: tuple[ScheduleRecord, ...] = ()
    discarded: tuple[DiscardedGradients, ...] = ()
    decisions: tuple[DecisionRecord, ...] = ()
    samplers: tuple[SamplerRecord, ...] = ()
    held_out: tuple[HeldOutRecord, ...] = ()
    #: File → first lines of the user's functions that were under way while modules, optimizers or loaders were constructed.
    entered: Mapping[str, tuple[int, ...]] = field(default_factory=dict)

    def layer(self, name: str | None) -> LayerRecord | None:
        """A layer by its name."""
        return next((layer for layer in self.layers if layer.name == name), None)

    def track(self, key: str | None) -> TrackRecord | None:
        """A track by its key."""
        return next((track for track in self.tracks if track.key == key), None)
