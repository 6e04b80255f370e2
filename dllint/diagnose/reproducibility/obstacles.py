"""Reasons why a run cannot be reproduced."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from dllint.diagnose.reproducibility.circumstances import Generator, Reproducibility

_NAMES: Final = {"python": "Python's `random`", "numpy": "NumPy", "torch": "PyTorch", "tensorflow": "TensorFlow"}


def obstacles(record: Reproducibility) -> Iterator[str]:
    """One phrase for each reason."""
    seeded = {seeding.generator for seeding in record.seeds if seeding.value}
    for generator in record.generators:
        if generator.unseeded:
            yield _unseeded(generator, is_seeded_later=generator.name in seeded)
    if "gpus" in record.hardware and record.settings.get("torch: deterministic algorithms") == "False":
        yield "operations on the GPU may differ from run to run (torch.use_deterministic_algorithms is off)"
    if "tensorflow gpus" in record.hardware and record.settings.get("tensorflow: deterministic operations") == "False":
        yield "operations on the GPU may differ from run to run (tf.config.experimental.enable_op_determinism is off)"


def _unseeded(generator: Generator, *, is_seeded_later: bool) -> str:
    name = _NAMES.get(generator.name, generator.name)
    repeated = f" (its seed was {generator.first})" if generator.first else ""
    return f"random numbers of {name} were drawn {'before it was' if is_seeded_later else 'that were not'} seeded{repeated}"
