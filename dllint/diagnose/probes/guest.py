"""Frameworks that train by means of another one (the *host*), as Keras does."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol, TypeVar

from dllint.diagnose.places import SourcePlace
from dllint.diagnose.records import LayerRecord

B = TypeVar("B")


class Guest(Protocol):
    """What the upper framework's probe tells the one below: layers, weights and losses of its own training are its to name."""

    def owns(self, module: object) -> bool:
        """Whether a module is a layer of the guest."""

    def layer(self, module: object) -> LayerRecord | None:
        """What is known about one of its layers; by its name on hosts that know operations by the names of their scopes."""

    def bad_weight(self) -> tuple[str, str] | None:
        """The first weight that is not finite, and its layer."""

    def origin(self, call: SourcePlace) -> tuple[SourcePlace | None, str] | None:
        """For a call that has the guest train (``fit``): the expression that is its loss, and the kind of loss."""

    def given(self) -> object:
        """What the step under way was given: its batch, or the inputs of the model."""

    def holding(self, variables: Sequence[Any], values: Sequence[Any]) -> AbstractContextManager[Any]:
        """Give variables other values inside the block."""

    def latest_track(self) -> str:
        """The key of the optimizer that stepped last, empty before the first step."""

    def compiled_step(
        self, owner: object, eager: Callable[[], object] | None, compiled: Callable[[], Any], batch: object
    ) -> Any:
        """Make a step of a compiled function and tell it; what the function returns. ``owner`` is what the step belongs to;
        ``eager`` runs the same Python code uncompiled, where that can be had."""


class Host(Protocol):
    """The services of the lower framework's probe for a guest."""

    def join(self, guest: Guest) -> None:
        """Take a guest in."""

    def is_recording(self) -> bool:
        """Whether operations are now being recorded for gradients of a step that is observed."""

    def before_guest_step(self) -> None:
        """An optimizer of the guest is about to step; ends a repetition."""

    def explain_gradients(self, names: list[str], key: str) -> None:
        """Gradients of a step that is about to be made are not finite.

        Raises:
            dllint.diagnose.limits.Stopped: the run ends here.
        """

    def after_guest_step(self, key: str) -> int:
        """An optimizer of the guest has stepped: hand over the losses since the last step. How many passes there were."""

    def plain(self, tensor: Any) -> Any:
        """A tensor (dense or sparse) as one that can be summed, outside of any recording."""

    def undisturbed(self) -> AbstractContextManager[None]:
        """What is done inside changes no random numbers and prints nothing."""

    def gradients(self, compute: Callable[[], Any], variables: Sequence[Any]) -> tuple[Any, list[Any]]:
        """What ``compute`` gives, and its gradients by the ``value`` of each variable of the guest; ``None`` for those that it
        does not depend on."""


class CompilingHost(Host, Protocol):
    """A host whose steps may lie in compiled functions, which can be rehearsed eagerly.

    ``rehearsed`` is the step under rehearsal. ``targets`` are the losses of the latest rehearsal with the calls that asked for
    their gradients.
    """

    rehearsed: Callable[[], object] | None
    targets: list[tuple[Any, SourcePlace]]

    def is_compiling(self) -> bool:
        """Whether compiled functions are run as such."""

    def alone(self, batches: Iterator[B], batch: B) -> Iterator[B]:
        """An iterator over one batch that compiled steps take for the one that the batch comes from."""

    def quiet(self) -> AbstractContextManager[None]:
        """Calls of compiled functions inside the block belong to a step that has been reported."""

    def traced(self) -> None:
        """A step of an optimizer was traced into the compiled function under way."""

    def rehearse(self, step: Callable[[], object], batch: object, *, building: bool) -> object:
        """Run a step eagerly without a trace; what it returns, ``None`` if it cannot be run like that.
        ``building``: it makes the model's weights, which are not made again.

        Raises:
            dllint.diagnose.limits.Stopped: its loss is not finite, and the run ends here.
        """

    def explain_rehearsed(self, step: Callable[[], object], names: list[str], key: str) -> None:
        """Gradients of a rehearsal are not finite.

        Raises:
            dllint.diagnose.limits.Stopped: the run ends here.
        """

    def note_loss(self, call: SourcePlace, value: float, batch: object) -> None:
        """A loss of a compiled step that is known only afterwards.

        Raises:
            dllint.diagnose.limits.Stopped: it is not finite, and the run ends here.
        """
