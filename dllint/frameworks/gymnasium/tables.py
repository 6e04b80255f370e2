"""The tables of Gymnasium and Gym as the registry loads them; importing this module registers the handlers."""

from __future__ import annotations

from dllint.frameworks.gymnasium import environments, spaces  # noqa: F401  (importing them registers the handlers)
from dllint.frameworks.gymnasium.spaces import SPACES

_OF_GYM = "gym.spaces."


def canonical(name: str) -> str | None:
    """``gym.spaces.Discrete`` → ``gymnasium.spaces.Discrete``."""
    return f"{SPACES}.{name.removeprefix(_OF_GYM)}" if name.startswith(_OF_GYM) else None
