"""Faults of data and losses put into public programs that carry no label, and what dllint says of them.

The machinery is that of :mod:`benchmarks.training_slips`.

- ``scripts/N.tsv``: the scripts of draw N, written by ``draw.py``; the public files themselves are not in this repository.
- ``kinds/``: the kinds of faults: where a script can have one, and the text that has it.
- ``parts.py``: the parts of a script that they change: losses, loaders, compiled models, arrays.
- ``twins.jsonl``: what readers have said of findings on unchanged scripts.
"""
