"""The probe for JAX: the host of Keras, whose compiled steps are pure functions and are rehearsed as such."""

from __future__ import annotations

import contextlib
import functools
import math
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Concatenate, ParamSpec, TypeVar

import jax

from dllint.diagnose.places import SourcePlace, place_of, user_frames
from dllint.diagnose.probes.bad_operation import BadOperation
from dllint.diagnose.probes.guest import Guest
from dllint.diagnose.probes.guest_losses import GuestLosses
from dllint.diagnose.probes.jax.first_bad import FirstBad
from dllint.diagnose.probes.jax.undoing import undisturbed
from dllint.diagnose.probes.patching import Patches
from dllint.diagnose.probes.probe import Probes

P = ParamSpec("P")
B = TypeVar("B")


class JaxProbe:
    """Watches what gradients are asked of while a step is rehearsed. Steps are reported by the guest whose optimizers make
    them.

    Under JAX's transformations no number can be looked at. A function that is differentiated is therefore first called as it
    is, which gives the loss and the outputs of layers, and then differentiated.
    """

    def __init__(self, probes: Probes) -> None:
        self._monitor = probes.monitor
        self._patches = Patches(self._monitor.failed)
        self._losses = GuestLosses(self._monitor, jax.tree.leaves, lambda call: call)
        self._is_module: Callable[[str], bool] = lambda name: False
        self._recording = False
        #: What was differentiated last, as a function without arguments: itself, and with its gradients.
        self._asked: tuple[Callable[[], Any], Callable[[], Any]] | None = None
        self._bad_loss: tuple[SourcePlace, float] | None = None
        #: The step that is being rehearsed, if one is.
        self.rehearsed: Callable[[], object] | None = None
        #: The losses of the latest rehearsal, with the calls that asked for their gradients.
        self.targets: list[tuple[Any, SourcePlace]] = []

    def install(self) -> None:
        """Patch JAX."""
        self._monitor.framework("jax")
        for name in ("grad", "value_and_grad"):
            self._patches.wrap(jax, name, self._differentiate)

    def adopt(self, model: object) -> bool:
        """JAX itself has no models."""
        return False

    def finish(self) -> None:
        """Leave JAX as it was."""
        self._patches.undo()

    def look_back(self) -> None:
        """There is nothing to try without a guest."""

    def join(self, guest: Guest) -> None:
        """Have a framework above name layers, and make steps."""
        self._losses.join(guest)
        self._is_module = lambda name: guest.layer(name) is not None

    def is_recording(self) -> bool:
        """Whether a function that is to be differentiated is being looked at."""
        return self._recording

    def is_compiling(self) -> bool:
        """Steps are reported from outside, be they compiled or not."""
        return True

    def alone(self, batches: Iterator[B], batch: B) -> Iterator[B]:
        """An iterator over one batch: steps are compiled for arrays, not for iterators."""
        return iter((batch,))

    def quiet(self) -> AbstractContextManager[None]:
        """Steps are not reported by the functions that make them."""
        return contextlib.nullcontext()

    def traced(self) -> None:
        """Steps are not reported by the functions that make them."""

    def before_guest_step(self) -> None:
        """Repetitions are not of frames: there is nothing to end."""

    def plain(self, tensor: Any) -> Any:
        """Arrays of JAX are not followed."""
        return tensor

    def undisturbed(self) -> AbstractContextManager[None]:
        """What is done inside changes no random numbers and prints nothing."""
        return undisturbed()

    def gradients(self, compute: Callable[[], Any], variables: Sequence[Any]) -> tuple[Any, list[Any]]:
        """A number, and its gradients, by the weights of a guest that can be given other values for a while."""
        guest = self._losses.guest

        def of_values(values: list[Any]) -> Any:
            with contextlib.nullcontext() if guest is None else guest.holding(variables, values):
                return compute()

        value, found = jax.value_and_grad(of_values)([weight.value for weight in variables])
        return value, list(found)

    def rehearse(self, step: Callable[[], object], batch: object, *, building: bool) -> object:
        """Run a step uncompiled, so that what is in it can be seen; what it returns, ``None`` if it cannot be run like that.

        Raises:
            dllint.diagnose.limits.Stopped: its loss is not finite, and the run ends here.
        """
        self.rehearsed, self.targets, self._bad_loss, self._asked = step, [], None, None
        result = None
        try:
            with undisturbed():
                result = step()
        except Exception as error:
            self._monitor.note(f"compiled steps could not be looked into: run eagerly they raise {type(error).__name__}")
        finally:
            self.rehearsed = None
        if self._bad_loss is not None:
            self._losses.explain(*self._bad_loss, batch, lambda: self._first_bad(backward=False))
        return result

    def explain_rehearsed(self, step: Callable[[], object], names: list[str], key: str) -> None:
        """Gradients of a rehearsal are not finite.

        Raises:
            dllint.diagnose.limits.Stopped: the run ends here.
        """
        self._losses.explain_gradients(names, key, lambda: self._first_bad(backward=True))

    def explain_gradients(self, names: list[str], key: str) -> None:
        """Gradients of a step that is about to be made are not finite.

        Raises:
            dllint.diagnose.limits.Stopped: the run ends here.
        """
        self._losses.explain_gradients(names, key, lambda: None)

    def note_loss(self, call: SourcePlace, value: float, batch: object) -> None:
        """A loss of a compiled step, known only afterwards: its gradients have done their harm already.

        Raises:
            dllint.diagnose.limits.Stopped: it is not finite, and the run ends here.
        """
        self._losses.note(call, value)
        if not math.isfinite(value):
            self._losses.explain(call, value, batch, lambda: None)

    def after_guest_step(self, key: str) -> int:
        """Hand over the losses since the last step; how many there were from one line."""
        return self._losses.hand_over(key)

    def _differentiate(
        self, original: Callable[Concatenate[Any, P], Any], function: Callable[..., Any], *options: P.args, **named: P.kwargs
    ) -> Any:
        differentiated = original(function, *options, **named)

        @functools.wraps(differentiated)
        def watched(*args: Any, **kwargs: Any) -> Any:
            if self.rehearsed is not None and not self._recording:
                with self._looking():
                    result = function(*args, **kwargs)
                self._note(result, lambda: function(*args, **kwargs), lambda: differentiated(*args, **kwargs))
            return differentiated(*args, **kwargs)

        return watched

    @contextmanager
    def _looking(self) -> Iterator[None]:
        self._recording = True
        try:
            yield
        finally:
            self._recording = False

    def _note(self, result: Any, again: Callable[[], Any], with_gradients: Callable[[], Any]) -> None:
        loss = next(iter(jax.tree.leaves(result)), None)
        frame = next(user_frames(sys._getframe(2)), None)
        if frame is None or loss is None or loss.shape != () or isinstance(loss, jax.core.Tracer):
            return
        place, value = place_of(frame), float(loss)
        self._losses.note(place, value)
        self.targets.append((loss, place))
        if self._bad_loss is None:
            self._asked = again, with_gradients
        if not math.isfinite(value):
            self._bad_loss = self._bad_loss or (place, value)

    def _first_bad(self, *, backward: bool) -> BadOperation | None:
        if self._asked is None:
            return None
        try:
            with undisturbed():
                return FirstBad(self._is_module).of(self._asked[backward], backward=backward)
        except Exception as error:
            self._monitor.note(f"the step could not be run operation by operation ({type(error).__name__})")
            return None
