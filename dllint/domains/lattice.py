"""Unknown: the top of every domain, always with the reason why nothing is known."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Unknown:
    """A value nothing is known about.

    ``reason`` is a short slug that ``dllint dev coverage`` counts (``unresolved-import``, ``unmodelled-call``,
    ``no-argument``, ``fuel``, ``joined-branches`` …); ``detail`` says which name or operation.
    Compared by identity: the same unknown is the same value, so branches on it can be correlated.
    """

    reason: str
    detail: str = ""

    def __repr__(self) -> str:
        return f"?{self.reason}({self.detail})" if self.detail else f"?{self.reason}"


@dataclass(frozen=True, slots=True, eq=False)
class UnknownFloat(Unknown):
    """A Python float whose value is not known (``math.sqrt(d_model)``): as an operand it has rank 0. ``operator`` and
    ``operands`` as in ``UnknownResult``, if an operator has made it. It lies between ``low`` and ``high``, where they are
    numbers."""

    operator: str = ""
    operands: tuple[object, ...] = ()
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True, eq=False)
class UnknownBool(Unknown):
    """A bool of Python of which it is not known whether it is true: as an operand it has rank 0."""


@dataclass(frozen=True, slots=True, eq=False)
class UnknownInt(Unknown):
    """A whole number of Python that was taken out of a tensor: as an operand it has rank 0."""


#: Numbers of Python of unknown value.
UNKNOWN_NUMBERS = (UnknownFloat, UnknownInt, UnknownBool)


@dataclass(frozen=True, slots=True, eq=False)
class UnknownText(Unknown):
    """A text of which only the ``beginning`` is known (``f"cuda:{rank}"``)."""

    beginning: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class UnknownDevice(Unknown):
    """Where the tensor ``of`` is."""

    of: object = None


@dataclass(frozen=True, slots=True, eq=False)
class UnknownResult(Unknown):
    """What an operator (``sub``, ``mul`` …) makes of operands of which nothing is known about one at least."""

    operator: str = ""
    operands: tuple[object, ...] = ()
