"""The values of a model's variables while Keras passes them from step to step, as it does on JAX."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any, Final, cast

import keras

_KINDS: Final = ("trainable_variables", "non_trainable_variables", "optimizer_variables", "metrics_variables")


class PassedState:
    """Lists of values for each of the kinds of variables that a model has. The model's own are then empty."""

    def __init__(self, model: Any, values: Sequence[Sequence[Any]]) -> None:
        self._model = model
        self.values = values

    def step(self, function: Callable[..., Any], batches: Any) -> Any:
        """Make the compiled step, which uses up the values and gives new ones."""
        logs, self.values = function(self.values, batches)
        return logs, self.values

    def at_hand(self) -> AbstractContextManager[Any]:
        """Inside the block the variables have their values."""
        model = self._model
        lists = model.trainable_variables, model.non_trainable_variables, model.optimizer.variables, model.metrics_variables
        return holding([v for part in lists for v in part], [value for part in self.values for value in part])

    def hand_back(self) -> None:
        """Give the values to the model, as ``fit`` does at its end."""
        self._model._jax_state = dict(zip(_KINDS, self.values, strict=True))
        self._model._jax_state_synced = False
        self._model.jax_state_sync()


def holding(variables: Sequence[Any], values: Sequence[Any]) -> AbstractContextManager[Any]:
    """Inside the block variables have other values; what is assigned to any variable is forgotten at its end."""
    scope: Any = keras.StatelessScope(initialize_variables=False)
    scope.state_mapping = {id(variable): value for variable, value in zip(variables, values, strict=True)}
    return cast("AbstractContextManager[Any]", scope)
