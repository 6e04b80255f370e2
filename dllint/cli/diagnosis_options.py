"""The options of ``dllint diagnose``, as they were read."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The options of one run."""

    device: str
    max_steps: int | None
    max_seconds: float | None
    max_memory: int | None
    max_gpu_memory: int | None
    force_eager: bool
    output_format: str
    output_file: Path | None
    html: Path | None
    tensorboard: Path | None
    record: Path | None
    events: Path | None
    color: str
    quiet: bool
    replay: bool
    replay_seconds: float
    apply: bool
    layers: bool
    write_tests: Path | None
    overwrite: bool
