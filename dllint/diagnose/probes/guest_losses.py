"""The losses of a guest's steps, as hosts with compiled steps tell them."""

from __future__ import annotations

from collections.abc import Callable

from dllint.diagnose.monitor import Monitor
from dllint.diagnose.places import SourcePlace
from dllint.diagnose.probes.guest import Guest
from dllint.diagnose.probes.guest_faults import Faults, Find, Flatten
from dllint.diagnose.records import LossRecord


class GuestLosses:
    """Keeps losses until the optimizer has stepped, and explains those that are not finite. ``flatten`` gives the tensors of a
    batch; ``origin`` finds the expression that is the loss of a call outside of the guest's own training."""

    def __init__(self, monitor: Monitor, flatten: Flatten, origin: Callable[[SourcePlace], SourcePlace | None]) -> None:
        self._monitor = monitor
        self._faults = Faults(flatten)
        self._own_origin = origin
        self.guest: Guest | None = None
        self._records: dict[SourcePlace, LossRecord] = {}
        self._values: list[tuple[SourcePlace, float]] = []

    def join(self, guest: Guest) -> None:
        """Have a framework above name layers and losses."""
        self.guest = self._faults.guest = guest

    def note(self, place: SourcePlace, value: float) -> None:
        """Record that gradients of a loss were computed."""
        self._values.append((place, value))

    def hand_over(self, key: str) -> int:
        """Report the losses since the last step; how many there were from one line."""
        step = self._monitor.steps_of(key) + 1
        values, self._values = self._values, []
        for place in dict.fromkeys(place for place, _ in values):
            numbers = [value for other, value in values if other == place]
            self._monitor.loss(self._record(place, key), step, sum(numbers) / len(numbers))
        return max((sum(place == other for other, _ in values) for place, _ in values), default=1)

    def explain(self, place: SourcePlace, value: float, batch: object, find: Find) -> None:
        """Report a loss that is not finite.

        Raises:
            dllint.diagnose.limits.Stopped: the run ends here.
        """
        if self._monitor.is_distributed:
            return
        entry = place if self.guest is not None and self.guest.origin(place) is not None else None
        self._monitor.fault(self._faults.of_loss(self._origin(place)[0], entry, value, batch, find, *self._position()))
        self._monitor.stop_if_alone("certain")

    def explain_gradients(self, names: list[str], key: str, find: Find) -> None:
        """Report gradients that are not finite although their loss is.

        Raises:
            dllint.diagnose.limits.Stopped: the run ends here.
        """
        if self._monitor.is_distributed:
            return
        place = self._origin(self._values[-1][0])[0] if self._values else None
        self._monitor.fault(self._faults.of_gradient(names, place, find, self._monitor.steps_of(key) + 1, key))
        self._monitor.stop_if_alone("certain")

    def _position(self) -> tuple[int, str]:
        """The step under way, and its track."""
        track = self.guest.latest_track() if self.guest is not None else ""
        return self._monitor.steps_of(track) + 1, track or "loss"

    def _origin(self, call: SourcePlace) -> tuple[SourcePlace | None, str]:
        own = self.guest.origin(call) if self.guest is not None else None
        return own or (self._own_origin(call), "")

    def _record(self, place: SourcePlace, track: str) -> LossRecord:
        if place not in self._records:
            name = "loss" if not self._records else f"loss#{len(self._records) + 1}"
            origin, kind = self._origin(place)
            self._records[place] = LossRecord(name, track, origin, place, kind)
        return self._records[place]
