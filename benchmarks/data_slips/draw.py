"""Draw the scripts of a set.

python -m benchmarks.data_slips.draw --peers DIR --draw N --seed S

As :mod:`benchmarks.training_slips.draw` does, of the repositories that no earlier draw here has: 14 scripts of torch, 14 of
Keras, and those that have a place for a kind of fault which has fewer than two so far.
"""

from __future__ import annotations

from pathlib import Path

from benchmarks.data_slips.kinds.every import kinds
from benchmarks.training_slips.draw import main

SETS = Path(__file__).parent / "scripts"
MAIN = 14, 14

if __name__ == "__main__":
    main(SETS, kinds(), MAIN, __doc__)
