"""Runs of the reference with deployed values put in, and what the judge says of them; each is run once per chunk of samples."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final, TypeAlias

import numpy as np

from dllint.bisection.errors import BisectionError
from dllint.bisection.judges.judge import Judge, Outcome, Outputs, Targets, averaged, chosen
from dllint.bisection.statistics.contrast import Contrast
from dllint.bisection.statistics.sequential import Change, SequentialChange
from dllint.bisection.team import Alone, Team, raised


class Part(Enum):
    """Which samples: one half to search with, the other to confirm with (else the luckiest candidate wins), or all."""

    SEARCH = "search"
    CONFIRM = "confirm"
    ALL = "all"


#: The observation of the candidate as it is, on its own inputs.
DEPLOYED: Final = "deployed"
#: Stands between the name of an observation and the number of its repetition.
REPEAT: Final = "#"


@dataclass(frozen=True, slots=True, order=True)
class Put:
    """A value put in place of the reference's ``node``; ``origin`` names the observation that it is taken from."""

    node: str
    origin: str = DEPLOYED


Injection: TypeAlias = frozenset[Put]
NOTHING: Injection = frozenset()

#: Runs the reference's suffix for the samples at these positions.
Run: TypeAlias = Callable[[Injection, np.ndarray], Outputs]


class Trials:
    """Outcomes by injection; see the module's docstring."""

    def __init__(
        self,
        judge: Judge,
        run: Run,
        alive: Callable[[Injection], Injection],
        targets: Targets,
        chunks: Mapping[Part, Sequence[np.ndarray]],
        team: Team | None = None,
    ) -> None:
        """``chunks`` holds positions of samples for :attr:`Part.SEARCH` and :attr:`Part.CONFIRM`; ``alive`` leaves of an
        injection what the outputs depend on, so that equal runs are known as equal."""
        self.judge = judge
        self._run = run
        self._alive = alive
        self._targets = targets
        every = {int(chunk[0]): chunk for part in (Part.SEARCH, Part.CONFIRM) for chunk in chunks[part]}
        self._chunks = {**chunks, Part.ALL: list(every.values())}
        self._team = team or Alone()
        self._repeats = 1
        self._known: dict[tuple[Injection, int], Outcome] = {}
        self._joined: dict[tuple[Injection, Part], Outcome] = {}
        self._order: dict[Injection, None] = {}

    @property
    def evaluations(self) -> int:
        """How many different injections the metric has been evaluated for."""
        return len(self._order)

    @property
    def tried(self) -> Sequence[Injection]:
        """The injections that were evaluated, in the order of their first evaluation."""
        return list(self._order)

    def size(self, part: Part) -> int:
        """Number of samples."""
        return sum(chunk.size for chunk in self._chunks[part])

    def repeat(self, times: int) -> None:
        """From now on run every injection so often and judge the mean, since the candidate is not deterministic."""
        self._repeats = times
        self._known, self._joined = {}, {}

    def agreed(self, seen: bool) -> bool:
        """Whether any process has seen it, so that all go the same way."""
        return any(self._team.gather(seen))

    def outcome(self, injection: Injection, part: Part = Part.ALL) -> Outcome:
        """The outcome over all samples of a part."""
        key = self._alive(injection), part
        if key not in self._joined:
            outcomes = [self._measured(injection, chunk) for chunk in self._chunks[part]]
            self._joined[key] = self.judge.join(outcomes)
        return self._joined[key]

    def seen(self, injection: Injection) -> float:
        """The value over those samples that have been run, without running more."""
        alive = self._alive(injection)
        return self.judge.join([outcome for (known, _), outcome in self._known.items() if known == alive]).value

    def constant(self) -> bool:
        """Whether the judge says of the first samples what it says of the same outputs in another order and negated."""
        chunk = self._chunks[Part.ALL][0]
        outputs, targets = self._run(NOTHING, chunk), chosen(self._targets, chunk)
        try:
            return len({self.judge.measure(tuple(changed), targets).value for changed in _changed(outputs)}) == 1
        except BisectionError:  # it cannot be made of such outputs: so it looks at them
            return False

    def contrast(self, before: Injection, after: Injection, part: Part = Part.ALL, level: float = 0.99) -> Contrast:
        """How the outcome changes from one injection to another, over all samples of the part."""
        return self.judge.contrast(self.outcome(before, part), self.outcome(after, part), level)

    def change(self, before: Injection, after: Injection, alpha: float, visible: float) -> Change:
        """Whether the metric falls or rises, by the samples to search with; stops early once that is certain.

        Half of ``alpha`` is spent on stopping early, half on the test of all samples. Changes below ``visible`` may be missed.
        """
        if self.judge.bound is not None:
            change = self._sequential(before, after, SequentialChange(alpha / 2, visible, 2 * self.judge.bound))
            if change is not Change.OPEN:
                return change
            alpha /= 2
        contrast = self.contrast(before, after, Part.SEARCH)
        if contrast.drops(alpha):
            return Change.FALL
        return Change.RISE if contrast.rises(alpha) else Change.NONE

    def _sequential(self, before: Injection, after: Injection, test: SequentialChange) -> Change:
        change = Change.OPEN
        for chunk in self._chunks[Part.SEARCH]:
            first, second = (self._measured(injection, chunk).contributions for injection in (before, after))
            assert first is not None, "a judge with a bound has contributions"
            assert second is not None, "a judge with a bound has contributions"
            change = test.update(second - first)
            if change is not Change.OPEN:
                break
        return change

    def _measured(self, injection: Injection, chunk: np.ndarray) -> Outcome:
        alive = self._alive(injection)
        key = alive, int(chunk[0])
        if key not in self._known:
            self._order.setdefault(alive)
            self._measure(alive, self._next(alive, chunk))
        return self._known[key]

    def _next(self, alive: Injection, chunk: np.ndarray) -> list[np.ndarray]:
        """This chunk and those after it in its part that are not known yet, one for each process."""
        first = int(chunk[0])
        parts = (self._chunks[part] for part in (Part.SEARCH, Part.CONFIRM))
        part = next(part for part in parts if any(int(each[0]) == first for each in part))
        waiting = [each for each in part if int(each[0]) >= first and (alive, int(each[0])) not in self._known]
        return waiting[: self._team.size]

    def _measure(self, alive: Injection, chunks: Sequence[np.ndarray]) -> None:
        """Each process runs one of the chunks; all get to know the outcomes of all."""
        outcome: Outcome | BisectionError | None = None
        if self._team.rank < len(chunks):
            try:
                outcome = self._judged(alive, chunks[self._team.rank])
            except BisectionError as error:
                outcome = error
        outcomes = self._team.gather(outcome)
        raised([given for given in outcomes if isinstance(given, BisectionError)])
        for chunk, given in zip(chunks, outcomes, strict=False):
            self._known[alive, int(chunk[0])] = given

    def _judged(self, alive: Injection, chunk: np.ndarray) -> Outcome:
        targets = chosen(self._targets, chunk)
        times = self._repeats if alive else 1
        return averaged([self.judge.measure(self._run(_numbered(alive, i), chunk), targets) for i in range(times)])


def _numbered(injection: Injection, number: int) -> Injection:
    return frozenset(Put(put.node, f"{put.origin}{REPEAT}{number}") for put in injection) if number else injection


def _changed(outputs: Outputs) -> list[list[np.ndarray]]:
    """The outputs as they are, with the samples in the reverse order, negated, and zero."""
    changes: tuple[Callable[[np.ndarray], np.ndarray], ...] = (np.array, _reversed, np.negative, np.zeros_like)
    return [[change(array) for array in outputs] for change in changes]


def _reversed(array: np.ndarray) -> np.ndarray:
    return array[::-1]
