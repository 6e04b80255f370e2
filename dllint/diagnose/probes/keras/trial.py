"""The model used in experiments at the end: the program's own, restored afterwards."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

from keras import ops
from keras.src.backend.common import global_state

from dllint.diagnose.probes.guest import Host
from dllint.diagnose.probes.keras.recent import Example
from dllint.diagnose.probes.keras.statistics import host_array

_MOST_BYTES: Final = 1 << 30
_SEEDS: Final = "global_seed_generator"


class TrialModel:
    """A model with batches that it was given. A copy would need names, which Keras counts, and not every model can be copied:
    so it is the model itself, and :meth:`restore` makes it what it was."""

    def __init__(self, model: Any, examples: Sequence[Example], host: Host) -> None:
        self.model = model
        self.examples = examples
        self._host = host
        self._saved = [(variable, ops.copy(host.plain(variable.value))) for variable in _variables(model)]
        self._changed: list[Callable[[], None]] = []

    def restore(self) -> None:
        """Weights, statistics, seeds and settings as they were."""
        while self._changed:
            self._changed.pop()()
        for variable, value in self._saved:
            variable.assign(value)

    def set(self, layer: Any, name: str, value: object) -> None:
        """Change a setting of a layer until :meth:`restore`."""
        before = getattr(layer, name)
        setattr(layer, name, value)
        self._changed.append(lambda: setattr(layer, name, before))

    def layers(self) -> Iterator[Any]:
        """All layers, at any depth."""
        return iter(self.model._flatten_layers())

    def output(self, example: Example, *, training: bool, inputs: Any = None) -> Any:
        """What the loss was given, computed anew; ``inputs`` are others than the batch's."""
        return self.model(example.inputs if inputs is None else inputs, training=training)

    def loss(self, example: Example, *, training: bool) -> Any:
        """The mean loss of a batch."""
        return example.graded.loss(self.output(example, training=training))

    def gradients(self, examples: Sequence[Example]) -> tuple[float, list[Any]]:
        """The mean loss of batches in training mode, and its gradients; ``None`` for weights that have none."""

        def mean() -> Any:
            return sum(self.loss(example, training=True) for example in examples) / len(examples)

        value, gradients = self._host.gradients(mean, self.model.trainable_variables)
        return float(host_array(value)), gradients


def is_fit_for_trials(model: Any) -> bool:
    """Whether a model is not too large to be kept twice."""
    sizes = [4 * int(ops.size(variable.value)) for variable in _variables(model)]
    return sum(sizes) < _MOST_BYTES


@contextmanager
def undisturbed(model: TrialModel, host: Host) -> Iterator[None]:
    """Afterwards the model and all random numbers are what they were."""
    try:
        with host.undisturbed():
            yield
    finally:
        model.restore()


def _variables(model: Any) -> list[Any]:
    """All that a call of the model may change; Keras's own seeds among them."""
    seeds = global_state.get_global_attribute(_SEEDS)
    return [*model.variables, *([seeds.state] if seeds is not None else [])]
