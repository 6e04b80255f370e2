"""Faults of training as people who have not read the rules write them, each beside its mended twin.

- ``programs/CODE/VARIANT/fault``: a program with one fault; ``twin`` beside it is the same program without it.
- ``variants.tsv``, ``variants-2.tsv`` to ``variants-7.tsv``: of each set, the lines of each fault, whether it raises
  or is silent, and what a run of both programs showed.
- ``verdicts.tsv``: what a reader says of each finding of a rule of training on a twin.
- ``checking.py``: what dllint says of these programs.
- ``running.py``: whether they raise or not, as their table says.
"""
