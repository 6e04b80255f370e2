"""Executing a step's code once more without side effects."""

from __future__ import annotations

import contextlib
import io
import random
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np


@contextmanager
def undisturbed() -> Iterator[None]:
    """Inside the block nothing is printed; at its end the generators of Python and NumPy are set back (JAX has none)."""
    states = random.getstate(), np.random.get_state()
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            yield
    finally:
        random.setstate(states[0])
        np.random.set_state(states[1])
