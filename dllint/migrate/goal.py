"""What ``--to`` names: the release of a library that a project shall be written for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from dllint.finding import Finding
from dllint.frameworks.releases import CHECKED, admitted, known
from dllint.migrate.change import Step
from dllint.migrate.keras3 import migrate_keras
from dllint.migrate.tf2 import migrate_names, tell_of_keras_2
from dllint.migrate.tf_contrib import migrate_contrib
from dllint.migrate.torch2 import migrate_torch

_GOAL: Final = re.compile(r"(?P<library>keras|tf|torch)(?P<release>\d+(?:\.\d+)*)(?:\.x)?")
_LIBRARIES: Final[Mapping[str, str]] = {"keras": "keras", "tf": "tensorflow", "torch": "torch"}
#: The first number of the releases that there are rules for.
_MAJOR: Final[Mapping[str, str]] = {"keras": "3", "tensorflow": "2", "torch": "2"}
_STEPS: Final[Mapping[str, tuple[Step, ...]]] = {
    "keras": (migrate_keras,),
    "tensorflow": (migrate_names, migrate_contrib, tell_of_keras_2),
    "torch": (migrate_torch,),
}
#: The names of Keras below TensorFlow.
_KERAS_IN_TENSORFLOW: Final = re.compile(r"\b(?:tensorflow|tf)\.keras\b")


@dataclass(frozen=True, slots=True)
class Goal:
    """``text`` is what the user wrote; ``requirements`` are entries of the setting ``target``."""

    text: str
    library: str
    requirements: tuple[str, ...]

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps of its migration."""
        return _STEPS[self.library]

    def concerns(self, finding: Finding) -> bool:
        """Whether a finding on releases belongs to this migration."""
        if finding.releases is None:
            return True
        library, what = finding.releases.library, finding.releases.what
        of_keras = library == "keras" or _KERAS_IN_TENSORFLOW.search(what) is not None
        if self.library == "keras":
            return of_keras
        return library == self.library or (self.library == "torch" and library == "torchvision")


def goal(text: str) -> Goal | None:
    """The goal that a text names (``keras3``, ``tf2``, ``torch2.6``); ``None`` if it names none."""
    match = _GOAL.fullmatch(text.strip().lower())
    if match is None:
        return None
    library, release = _LIBRARIES[match["library"]], match["release"]
    if release.partition(".")[0] != _MAJOR[library]:
        return None
    exact = CHECKED[library] if release == _MAJOR[library] else f"{release}.*"
    if not set(admitted(library, f"=={exact}")) <= set(known(library)):
        return None
    requirements = [f"{library}=={exact}"]
    if library == "torch":
        requirements.append(f"torchvision=={known('torchvision')[-1]}")
    if library == "keras":
        requirements.append(f"tensorflow=={CHECKED['tensorflow']}")
    return Goal(text, library, tuple(requirements))
