"""dllint: finds the bugs in deep-learning code that cost GPU days."""

from typing import Any

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """``dllint.watch``, imported when it is asked for: it needs the framework, which nothing else here does."""
    if name == "watch":
        from dllint.diagnose.watching import watch

        return watch
    raise AttributeError(f"module 'dllint' has no attribute '{name}'")
