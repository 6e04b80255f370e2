"""The probe for TensorFlow: what tapes are asked for, and steps in compiled functions."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from types import FrameType
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

import tensorflow as tf
from tensorflow.python.eager import record

from dllint.diagnose.assignments import argument_origin
from dllint.diagnose.places import SourcePlace, place_of, user_frames
from dllint.diagnose.probes.guest import Guest
from dllint.diagnose.probes.guest_losses import GuestLosses
from dllint.diagnose.probes.patching import Patches
from dllint.diagnose.probes.probe import Probes
from dllint.diagnose.probes.tensorflow.functions import Functions
from dllint.diagnose.probes.tensorflow.replay import Replay
from dllint.diagnose.probes.tensorflow.undoing import LastingEffectError, undone

P = ParamSpec("P")
B = TypeVar("B")

_FOLDER: Final = str(Path(tf.__file__).parent)


class TensorFlowProbe:
    """Watches tapes: a loss is what gradients are asked of. Steps are reported by the guest whose optimizers make them (Keras).

    What runs compiled is not seen, and not changed. When a step is to be looked at closely, its Python code is *rehearsed*
    before: run eagerly up to where an optimizer would step, with all assignments undone.
    """

    def __init__(self, probes: Probes) -> None:
        self._monitor = probes.monitor
        self._force_eager = probes.options.force_eager
        self._patches = Patches(self._monitor.failed)
        self._replay = Replay(_FOLDER)
        self._losses = GuestLosses(self._monitor, tf.nest.flatten, lambda call: argument_origin(call, "gradient", 0, "target"))
        self._functions = Functions(self._monitor, self._patches)
        self._bad_loss: tuple[SourcePlace, float] | None = None
        #: The step that is being rehearsed, if one is.
        self.rehearsed: Callable[[], object] | None = None
        #: The losses of the latest rehearsal, with the calls that asked for their gradients.
        self.targets: list[tuple[Any, SourcePlace]] = []

    def install(self) -> None:
        """Patch TensorFlow."""
        self._monitor.framework("tensorflow")
        self._patches.wrap(tf.GradientTape, "gradient", self._gradient)
        self._functions.install()
        if self._force_eager:
            tf.config.run_functions_eagerly(True)
            self._monitor.note("compiled functions were run eagerly (--force-eager): numbers may differ in the last digits")

    def adopt(self, model: object) -> bool:
        """TensorFlow's own modules have no layers to watch."""
        return False

    def finish(self) -> None:
        """Leave TensorFlow as it was."""
        self._patches.undo()

    def look_back(self) -> None:
        """There is nothing to try without a guest."""

    def undisturbed(self) -> AbstractContextManager[None]:
        """What is done inside changes no random numbers and prints nothing."""
        return undone()

    def gradients(self, compute: Callable[[], Any], variables: Sequence[Any]) -> tuple[Any, list[Any]]:
        """A number, and its gradients; ``None`` for weights that it does not depend on."""
        with tf.GradientTape() as tape:
            value = compute()
        found = tape.gradient(value, [variable.value for variable in variables])
        return value, [None if gradient is None else tf.convert_to_tensor(gradient) for gradient in found]

    def join(self, guest: Guest) -> None:
        """Have a framework above name layers, and make steps."""
        self._functions.guest = guest
        self._losses.join(guest)
        self._replay.is_module = guest.owns

    def is_recording(self) -> bool:
        """Whether a tape is recording outside of compiled functions, and not for a repetition."""
        return tf.executing_eagerly() and record.could_possibly_record() and self._replay.mode is None

    def is_compiling(self) -> bool:
        """Whether compiled functions are run as such."""
        return not tf.config.functions_run_eagerly()

    def alone(self, batches: Iterator[B], batch: B) -> Iterator[B]:
        """An iterator over one batch. What is said of the sizes of all batches is said of this one, as steps are compiled for
        that: with sizes that are known, last digits may differ."""
        if not isinstance(batches, tf.data.Iterator):
            return iter((batch,))
        one = tf.data.experimental.to_variant(tf.data.Dataset.from_tensors(batch))
        return iter(tf.data.experimental.from_variant(one, batches.element_spec))

    def quiet(self) -> AbstractContextManager[None]:
        """Calls of compiled functions inside the block belong to a step that has been reported."""
        return self._functions.quiet()

    def traced(self) -> None:
        """A step of an optimizer was traced into the compiled function under way."""
        self._functions.traced()

    def before_guest_step(self) -> None:
        """An optimizer is about to step."""
        self._replay.at_step()

    def plain(self, tensor: Any) -> Any:
        """A dense tensor that no tape follows."""
        if isinstance(tensor, tf.IndexedSlices):
            tensor = tensor.values
        return tf.stop_gradient(tf.convert_to_tensor(tensor))

    def rehearse(self, step: Callable[[], object], batch: object, *, building: bool) -> object:
        """Run a step eagerly without a trace, so that what is in it can be seen; what it returns, ``None`` if it cannot be run
        like that. ``building``: it makes the model's weights, which are not made again.

        Raises:
            dllint.diagnose.limits.Stopped: its loss is not finite, and the run ends here.
        """
        self.rehearsed, self.targets, self._bad_loss = step, [], None
        result = None
        try:
            with undone(building=building):
                result = step()
        except LastingEffectError:
            self._monitor.note(
                "compiled steps were not looked into: they take data from an iterator, or change a queue or table"
            )
        except Exception as error:
            self._monitor.note(f"compiled steps could not be looked into: run eagerly they raise {type(error).__name__}")
        finally:
            self.rehearsed = None
        if self._bad_loss is not None:
            self._losses.explain(*self._bad_loss, batch, lambda: self._replay.of_step(step, backward=False))
        return result

    def explain_rehearsed(self, step: Callable[[], object], names: list[str], key: str) -> None:
        """Gradients of a rehearsal are not finite.

        Raises:
            dllint.diagnose.limits.Stopped: the run ends here.
        """
        self._losses.explain_gradients(names, key, lambda: self._replay.of_step(step, backward=True))

    def explain_gradients(self, names: list[str], key: str) -> None:
        """Gradients of a step that is about to be made are not finite.

        Raises:
            dllint.diagnose.limits.Stopped: the run ends here.
        """
        frame = sys._getframe(1)
        self._losses.explain_gradients(names, key, lambda: self._replay.of_frame(frame, backward=True))

    def note_loss(self, place: SourcePlace, value: float, batch: object) -> None:
        """A loss of a compiled step, known only afterwards: its gradients have done their harm already."""
        self._losses.note(place, value)
        if not math.isfinite(value):
            self._losses.explain(place, value, batch, lambda: None)

    def after_guest_step(self, key: str) -> int:
        """Hand over the losses since the last step; how many there were from one line."""
        return self._losses.hand_over(key)

    def _gradient(
        self, original: Callable[Concatenate[Any, Any, P], Any], tape: Any, target: Any, *args: P.args, **kwargs: P.kwargs
    ) -> Any:
        if not self._monitor.active or not _is_loss(target):
            return original(tape, target, *args, **kwargs)
        if self._replay.mode is not None:
            return self._replay.at_loss(lambda: original(tape, target, *args, **kwargs), target)
        frame = next(user_frames(sys._getframe(2)), None)
        if frame is not None:
            self._note(place_of(frame), target, sys._getframe(2))
        return original(tape, target, *args, **kwargs)

    def _note(self, place: SourcePlace, target: Any, frame: FrameType) -> None:
        value = float(target)
        self._losses.note(place, value)
        self.targets.append((target, place))
        if math.isfinite(value):
            return
        if self.rehearsed is not None:
            self._bad_loss = self._bad_loss or (place, value)
        else:
            self._losses.explain(place, value, None, lambda: self._replay.of_frame(frame, backward=False))


def _is_loss(target: Any) -> bool:
    return hasattr(target, "numpy") and getattr(target, "shape", None) == () and target.dtype.is_floating
