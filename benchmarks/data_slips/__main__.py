"""Put faults of data and losses into public scripts, and tell which of them dllint finds.

python -m benchmarks.data_slips --peers DIR [--draw N] [--seed S] [--most MOST] [--only KIND] [--missed] [--keep FOLDER]
    [--kept FILE]

Each kind of fault is put into at most MOST of the scripts that have a place for it, drawn by lot, one at a time. A fault is
found if a rule that its kind names tells something that it does not tell of the unchanged script. Writes
``results/data-slips-N.json``: shares by kind, and all that these rules tell of the unchanged scripts, which ``twins.jsonl``
judges.
"""

from __future__ import annotations

from pathlib import Path

from benchmarks.data_slips.kinds.every import kinds
from benchmarks.training_slips.__main__ import Benchmark, main

DATA = Benchmark(kinds(), Path(__file__).parent, "data-slips")

if __name__ == "__main__":
    raise SystemExit(main(DATA, __doc__))
