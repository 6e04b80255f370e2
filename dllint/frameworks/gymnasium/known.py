"""The environments that come with Gymnasium: what their spaces are and of which type rewards are."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

#: Written by ``python -m dllint.dev.environments``, which makes each environment and takes a step.
PATH: Final = Path(__file__).with_name("environments.json")
#: Earlier versions, of which no release that runs today has the environment: their spaces are those of a later one (release
#: notes of Gym 0.21 to 0.26 and of Gymnasium 1.0).
_LATER: Final = {
    "BipedalWalker-v2": "BipedalWalker-v3",
    "CarRacing-v0": "CarRacing-v3",
    "CarRacing-v1": "CarRacing-v3",
    "CarRacing-v2": "CarRacing-v3",
    "CliffWalking-v0": "CliffWalking-v1",
    "FrozenLake-v0": "FrozenLake-v1",
    "FrozenLake8x8-v0": "FrozenLake8x8-v1",
    "HalfCheetah-v2": "HalfCheetah-v4",
    "HalfCheetah-v3": "HalfCheetah-v4",
    "Hopper-v2": "Hopper-v4",
    "Hopper-v3": "Hopper-v4",
    "Humanoid-v2": "Humanoid-v4",
    "Humanoid-v3": "Humanoid-v4",
    "InvertedDoublePendulum-v2": "InvertedDoublePendulum-v4",
    "InvertedPendulum-v2": "InvertedPendulum-v4",
    "LunarLander-v2": "LunarLander-v3",
    "LunarLanderContinuous-v2": "LunarLanderContinuous-v3",
    "Pendulum-v0": "Pendulum-v1",
    "Reacher-v2": "Reacher-v4",
    "Swimmer-v2": "Swimmer-v4",
    "Swimmer-v3": "Swimmer-v4",
    "Taxi-v2": "Taxi-v4",
    "Taxi-v3": "Taxi-v4",
    "Walker2d-v2": "Walker2d-v4",
    "Walker2d-v3": "Walker2d-v4",
}


@dataclass(frozen=True, slots=True)
class SpaceRow:
    """A space: ``kind`` is the name of its class; ``count`` the elements of a ``Discrete``, ``shape`` and ``dtype`` those of
    samples of others."""

    kind: str
    shape: tuple[int, ...] = ()
    dtype: str = ""
    count: int = 0


@dataclass(frozen=True, slots=True)
class EnvironmentRow:
    """An environment: its spaces, and the name of the type of its rewards."""

    observation: SpaceRow
    action: SpaceRow
    reward: str


def environment(name: str) -> EnvironmentRow | None:
    """The environment of an identifier (``CartPole-v1``), if it is one of the library's."""
    return _rows().get(_LATER.get(name, name))


@cache
def _rows() -> dict[str, EnvironmentRow]:
    found: dict[str, dict[str, dict[str, list[int] | str | int] | str]] = json.loads(PATH.read_text(encoding="utf-8"))
    return {
        name: EnvironmentRow(_space(row["observation"]), _space(row["action"]), str(row["reward"]))
        for name, row in found.items()
    }


def _space(row: dict[str, list[int] | str | int] | str) -> SpaceRow:
    assert isinstance(row, dict)
    shape, count = row.get("shape", []), row.get("count", 0)
    assert isinstance(shape, list)
    assert isinstance(count, int)
    return SpaceRow(str(row["kind"]), tuple(shape), str(row.get("dtype", "")), count)
