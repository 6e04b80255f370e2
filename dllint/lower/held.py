"""What goes on from one statement of the top level to the next, beside names: what is assumed and what has been checked, and
the settings of its run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from dllint.lower.state import Policy, Run, names_of

if TYPE_CHECKING:
    from dllint.lower.scopes import Frame
    from dllint.lower.state import Control

_USUAL: Final = Run()
#: Settings of a run that are no tables.
_SETTINGS: Final = tuple(name for name in names_of(Run, Policy.RUN) if not isinstance(getattr(_USUAL, name), dict))


def held(control: Control, base: Frame, run: Run) -> tuple[Any, ...]:
    """What the next statement goes on from."""
    return (control.path, control.assumptions, base.guarded, tuple(getattr(run, name) for name in _SETTINGS))


def hold(control: Control, base: Frame, run: Run, former: tuple[Any, ...]) -> None:
    """Be again where a statement has left off."""
    control.path, control.assumptions, base.guarded, settings = former
    for name, value in zip(_SETTINGS, settings, strict=True):
        setattr(run, name, value)
